//! The businesses that the organization acts for.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;

use super::{
    super::{App, Form, Frame, PageError, PageRequest},
    CURSOR, PAGE, Part, Who, caller, connected, documents, done, frame, identifier, imports, logos,
    path_of_taxpayer, said, scope_name, write,
};
use crate::{
    access::{Grant, Permission, TaxpayerStatus},
    error::Code,
    service::{
        grants,
        page::PageQuery,
        taxpayers::{self, Connected as ConnectedTaxpayer},
        test_businesses::{self, Connected},
    },
    store,
    types::GrantId,
};

pub(super) const PATH: &str = "/organization/taxpayers";
/// Grants on a page, each with its form.
const GRANTS: usize = 8;
/// The path of the form that ends a grant. The function that may write grants serves it.
pub(super) const DISCONNECT: &str = "/organization/grants/disconnect";
/// The path of the form that creates and connects a test business, in Sandbox. The same function serves it.
pub(super) const TEST_BUSINESS: &str = "/organization/grants/test-business";
/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 2] =
    [("given-up", "taxpayers-done-given-up"), ("connected", "taxpayers-done-connected")];

#[derive(Template)]
#[template(path = "organization/taxpayers.html")]
struct TaxpayersPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    taxpayers: Vec<ShownTaxpayer>,
    /// The addresses of the first and of the next page.
    first: Option<String>,
    next: Option<String>,
}

/// A taxpayer on the page.
struct ShownTaxpayer {
    connected: ConnectedTaxpayer,
    /// The CSS class of its status, and the name of its message.
    tone: &'static str,
    status: &'static str,
    since: Timestamp,
}

impl ShownTaxpayer {
    fn of(connected: ConnectedTaxpayer) -> Self {
        let (tone, status) = status(connected.taxpayer.status);
        ShownTaxpayer { tone, status, since: connected.since(), connected }
    }

    /// Its name, if a grant allows it (specification 5.3); otherwise its id.
    fn name(&self) -> &str {
        self.connected.name()
    }

    fn id(&self) -> &str {
        self.connected.taxpayer.taxpayer_id.as_str()
    }
}

/// The CSS class of a status, and the name of its message.
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
        who: Who { member: &member },
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
    /// Whether this is the only grant; its end then disconnects the taxpayer.
    is_last: bool,
    /// The path of its documents, if a grant allows reading them.
    documents: Option<String>,
    /// The path of its imports, if a grant allows sending.
    imports: Option<String>,
    /// The path of its logo, if a grant allows sending.
    logo: Option<String>,
    /// The path of the form for a new document.
    write: String,
}

/// A grant on the page.
struct ShownGrant {
    grant: Grant,
    /// Its last use, to the hour.
    used: Option<Timestamp>,
    permissions: Vec<&'static str>,
}

impl ShownGrant {
    /// Its label, or its id if it has none.
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
        permissions: grant.scopes.iter().map(|scope| scope_name(*scope)).collect(),
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
        logo: imports::are_taken(&connected)
            .then(|| request.path(&logos::path_of(&connected.taxpayer.taxpayer_id))),
        write: request.path(&write::path_of(&connected)),
        taxpayer: ShownTaxpayer::of(connected),
    };
    request.page(StatusCode::OK, &page)
}

/// Ends a grant, like `DELETE /v1/grants/{grant_id}`: its tokens stop working at once.
pub(super) async fn disconnect(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, by) = request.acting_as_known(&app, Permission::Develop).await?;
    let grant_id: GrantId = identifier(form.field("grant"))?;
    let caller = caller(&member);
    let organization_id = &caller.organization_id;
    let grant = grants::revoke(&app.ctx, request.mode, organization_id, &grant_id, &by).await?;
    // Without another grant the taxpayer has no page any more.
    let path = match taxpayers::get(&app.ctx, &caller, grant.taxpayer_id.as_str()).await {
        Ok(_) => format!("{PATH}/{}", grant.taxpayer_id),
        Err(failure) if failure.code == Code::GrantRequired => PATH.to_owned(),
        Err(failure) => return Err(failure.into()),
    };
    Ok(done(request, &path, "given-up"))
}

/// Creates a test business, and connects it to the organization.
pub(super) async fn connect_test_business(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, by) = request.acting_as_known(&app, Permission::Develop).await?;
    let organization_id = &member.member.organization_id;
    let place = store::place(request.address);
    let connected =
        test_businesses::connect(&app.ctx, app.freshness, organization_id, &place, &by).await?;
    match connected {
        Connected::Active(taxpayer) => {
            Ok(done(request, &path_of_taxpayer(&taxpayer.taxpayer_id), "connected"))
        }
        Connected::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}
