//! The businesses that the organization acts for.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;

use super::{
    super::{Frame, House, PageError, Visit, connect::permission},
    CURSOR, PAGE, Who, caller, frame,
};
use crate::{
    access::{Grant, Permission, TaxpayerStatus},
    error::Code,
    service::{
        page::Asked,
        taxpayers::{self, Connected},
    },
};

const PATH: &str = "/organization/taxpayers";

#[derive(Template)]
#[template(path = "organization/taxpayers.html")]
struct TaxpayersPage<'a> {
    frame: Frame<'a>,
    taxpayers: Vec<Shown>,
    /// Where the list begins, and where it goes on.
    first: Option<String>,
    next: Option<String>,
}

/// A taxpayer on the page.
struct Shown {
    connected: Connected,
    /// How its status looks, and the name of the message that says it.
    tone: &'static str,
    status: &'static str,
    since: Timestamp,
}

impl Shown {
    fn of(connected: Connected) -> Self {
        let (tone, status) = status(connected.taxpayer.status);
        Shown { tone, status, since: connected.since(), connected }
    }

    /// What it is called, where a grant lets that be read (specification 5.3).
    fn name(&self) -> &str {
        let Connected { taxpayer, .. } = &self.connected;
        match self.connected.shows_details() {
            true => &taxpayer.name,
            false => taxpayer.taxpayer_id.as_str(),
        }
    }

    fn id(&self) -> &str {
        self.connected.taxpayer.taxpayer_id.as_str()
    }
}

/// How a status looks, and the name of the message that says it.
fn status(status: TaxpayerStatus) -> (&'static str, &'static str) {
    match status {
        TaxpayerStatus::Onboarding => ("busy", "taxpayer-status-onboarding"),
        TaxpayerStatus::Active => ("good", "taxpayer-status-active"),
        TaxpayerStatus::Reverification => ("warn", "taxpayer-status-reverification"),
        TaxpayerStatus::Suspended => ("bad", "taxpayer-status-suspended"),
        TaxpayerStatus::Deregistered => ("bad", "taxpayer-status-deregistered"),
        _ => ("", "taxpayer-status-unknown"),
    }
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let cursor = visit.parameter(CURSOR)?;
    let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let filter = taxpayers::Filter::default();
    let found = taxpayers::list(&house.ctx, &caller(&member), &filter, asked).await?;
    let page = TaxpayersPage {
        frame: frame(&visit, &member),
        taxpayers: found.items.into_iter().map(Shown::of).collect(),
        first: cursor.is_some().then(|| visit.path(PATH)),
        next: found.next_cursor.map(|cursor| visit.with(CURSOR, &cursor)),
    };
    visit.page(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "organization/taxpayer.html")]
struct TaxpayerPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    taxpayer: Shown,
    grants: Vec<ShownGrant>,
}

/// A grant on the page.
struct ShownGrant {
    grant: Grant,
    permissions: Vec<&'static str>,
}

pub(super) async fn one(
    State(house): State<House>,
    visit: Visit,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let found = taxpayers::get(&house.ctx, &caller(&member), &taxpayer_id).await;
    let connected = found.map_err(|failure| match failure.code {
        // Whether there is such a taxpayer nobody is told who has no grant.
        Code::GrantRequired => PageError::NotFound,
        _ => failure.into(),
    })?;
    let grants = connected.grants.iter().map(|grant| ShownGrant {
        permissions: grant.scopes.iter().map(|scope| permission(*scope)).collect(),
        grant: grant.clone(),
    });
    let page = TaxpayerPage {
        frame: frame(&visit, &member),
        who: Who { member: &member },
        grants: grants.collect(),
        taxpayer: Shown::of(connected),
    };
    visit.page(StatusCode::OK, &page)
}
