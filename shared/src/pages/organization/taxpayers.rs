//! The businesses that the organization acts for.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;

use super::{
    super::{App, Form, Frame, PageError, PageRequest, connect::permission},
    CURSOR, PAGE, Part, Who, caller, documents, done, frame, identifier, imports, said,
};
use crate::{
    access::{Grant, Permission, TaxpayerStatus},
    error::Code,
    service::{
        grants,
        page::PageQuery,
        sessions::SignedInMember,
        taxpayers::{self, Connected},
    },
    types::GrantId,
};

pub(super) const PATH: &str = "/organization/taxpayers";
/// How many grants a page has: each with its form.
const GRANTS: usize = 8;
/// Where a grant is given up. The function that may write grants serves it.
pub(super) const GIVE_UP: &str = "/organization/grants/give-up";
/// What was done, and the name of the message that says so.
const DONE: [(&str, &str); 1] = [("given-up", "taxpayers-done-given-up")];

#[derive(Template)]
#[template(path = "organization/taxpayers.html")]
struct TaxpayersPage<'a> {
    frame: Frame<'a>,
    done: Option<&'static str>,
    taxpayers: Vec<ShownTaxpayer>,
    /// Where the list begins, and where it goes on.
    first: Option<String>,
    next: Option<String>,
}

/// A taxpayer on the page.
struct ShownTaxpayer {
    connected: Connected,
    /// How its status looks, and the name of the message that says it.
    tone: &'static str,
    status: &'static str,
    since: Timestamp,
}

impl ShownTaxpayer {
    fn of(connected: Connected) -> Self {
        let (tone, status) = status(connected.taxpayer.status);
        ShownTaxpayer { tone, status, since: connected.since(), connected }
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

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let filter = taxpayers::Filter::default();
    let found = taxpayers::list(&app.ctx, &caller(&member), &filter, asked).await?;
    let page = TaxpayersPage {
        frame: frame(&request, &member),
        done: said(&request, &DONE)?,
        taxpayers: found.items.into_iter().map(ShownTaxpayer::of).collect(),
        first: cursor.is_some().then(|| request.path(PATH)),
        next: found.next_cursor.map(|cursor| request.further(CURSOR, &cursor)),
    };
    request.page(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "organization/taxpayer.html")]
struct TaxpayerPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    taxpayer: ShownTaxpayer,
    grants: Part<ShownGrant>,
    /// Whether there is no other grant: then the end of it ends more.
    is_last: bool,
    /// Where its documents are, where a grant lets them be read.
    documents: Option<String>,
    /// Where its imports are, where a grant lets documents be sent.
    imports: Option<String>,
}

/// A grant on the page.
struct ShownGrant {
    grant: Grant,
    /// When it was last used, to the hour.
    used: Option<Timestamp>,
    permissions: Vec<&'static str>,
}

impl ShownGrant {
    /// What it is called: by its label, if it has one.
    fn name(&self) -> &str {
        self.grant.grant_label.as_deref().unwrap_or(self.grant.grant_id.as_str())
    }
}

pub(super) async fn one(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, |_| true).await?;
    let grants = connected.grants.iter().map(|grant| ShownGrant {
        permissions: grant.scopes.iter().map(|scope| permission(*scope)).collect(),
        used: connected.used.get(&grant.grant_id).copied(),
        grant: grant.clone(),
    });
    let here = format!("{PATH}/{}", connected.taxpayer.taxpayer_id);
    let id = |shown: &ShownGrant| shown.grant.grant_id.to_string();
    let page = TaxpayerPage {
        frame: frame(&request, &member),
        who: Who { member: &member },
        done: said(&request, &DONE)?,
        is_last: connected.grants.len() == 1,
        grants: Part::of(&request, &here, grants.collect(), GRANTS, id)?,
        documents: documents::are_seen(&connected)
            .then(|| request.path(&format!("{here}/documents"))),
        imports: imports::are_taken(&connected).then(|| request.path(&format!("{here}/imports"))),
        taxpayer: ShownTaxpayer::of(connected),
    };
    request.page(StatusCode::OK, &page)
}

/// Gives up a grant, as `DELETE /v1/grants/{grant_id}` does: its tokens stop working at once.
pub(super) async fn give_up(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, by) = request.acting_as_known(&app, Permission::Develop).await?;
    let grant_id: GrantId = identifier(form.field("grant"))?;
    let caller = caller(&member);
    let organization_id = &caller.organization_id;
    let grant = grants::revoke(&app.ctx, request.mode, organization_id, &grant_id, &by).await?;
    // Without another grant the taxpayer has no page here any more.
    let path = match taxpayers::get(&app.ctx, &caller, grant.taxpayer_id.as_str()).await {
        Ok(_) => format!("{PATH}/{}", grant.taxpayer_id),
        Err(failure) if failure.code == Code::GrantRequired => PATH.to_owned(),
        Err(failure) => return Err(failure.into()),
    };
    Ok(done(request, &path, "given-up"))
}

/// A business that the member's organization acts for, if it is one of those that the page is for.
pub(super) async fn connected(
    app: &App,
    member: &SignedInMember,
    taxpayer_id: &str,
    is_for: impl Fn(&Connected) -> bool,
) -> Result<Connected, PageError> {
    let found = taxpayers::get(&app.ctx, &caller(member), taxpayer_id).await;
    let connected = found.map_err(|failure| match failure.code {
        // Whether there is such a taxpayer nobody is told who has no grant.
        Code::GrantRequired => PageError::NotFound,
        _ => failure.into(),
    })?;
    if is_for(&connected) { Ok(connected) } else { Err(PageError::NotFound) }
}
