//! The portal of organizations for their members.
//!
//! The caller is a member with a role. [`PageRequest::member`] and [`PageRequest::acting`] check its [`Permission`],
//! and a page contains no form that the member may not send. A form is answered by a redirect to its page, which shows
//! a notice. A form that creates a secret is answered by a page that shows the secret only once.

mod audit;
mod billing;
mod clients;
mod deliveries;
mod documents;
mod events;
mod import_columns;
mod import_template;
mod imports;
mod keys;
mod logos;
mod members;
mod notifications;
mod overview;
mod recent;
mod refusal;
mod sessions;
pub(in crate::pages) mod sign_up;
mod switch;
mod taxpayers;
mod views;
mod webhooks;
mod write;

use axum::{
    Router,
    routing::{get, post},
};

use self::refusal::Refusal;
use super::{
    App, Frame, PageError, PageRequest, SANDBOX,
    conditions::CURSOR,
    done::{done, said},
    in_both_modes,
    nav::Nav,
    part::Part,
};
use crate::{
    access::{CredentialId, OrganizationCaller, Permission, Scope},
    error::{Code, Failure},
    service::{
        sessions::SignedInMember,
        taxpayers::{Connected, get as get_taxpayer},
    },
    types::{DocumentId, TaxpayerId},
};

/// The path of a member's start page.
const HOME: &str = "/organization";
/// Entries on a page of a list.
const PAGE: u8 = 50;

pub(in crate::pages) fn routes(router: Router<App>) -> Router<App> {
    let pages = [
        (HOME, get(overview::show)),
        ("/organization/audit", get(audit::show)),
        ("/organization/billing", get(billing::show)),
        ("/organization/clients", get(clients::show)),
        ("/organization/clients/change", post(clients::change)),
        ("/organization/clients/create", post(clients::create)),
        ("/organization/clients/delete", post(clients::delete)),
        ("/organization/clients/rotate", post(clients::rotate)),
        ("/organization/documents", get(recent::show)),
        ("/organization/documents/csv", get(recent::table)),
        ("/organization/documents/views", post(views::change)),
        ("/organization/events", get(events::show)),
        ("/organization/events/retry", post(events::retry)),
        ("/organization/events/{event_id}", get(events::one)),
        ("/organization/events/{event_id}/body", get(events::body)),
        ("/organization/events/{event_id}/{endpoint_id}", get(events::delivery)),
        ("/organization/imports/columns", post(import_columns::choose)),
        ("/organization/imports/create", post(imports::create)),
        ("/organization/imports/read", post(imports::read)),
        ("/organization/imports/template", get(import_template::show)),
        ("/organization/keys", get(keys::show)),
        ("/organization/keys/create", post(keys::create)),
        ("/organization/keys/revoke", post(keys::revoke)),
        ("/organization/members", get(members::show)),
        ("/organization/members/invite", post(members::invite)),
        ("/organization/members/remove", post(members::remove)),
        ("/organization/members/role", post(members::set_role)),
        ("/organization/notifications", get(notifications::show).post(notifications::save)),
        (sign_up::NEW, get(sign_up::show).post(sign_up::ask)),
        (sign_up::CONFIRM, get(sign_up::open_link).post(sign_up::use_link)),
        (sign_up::SENT, get(sign_up::sent)),
        ("/organization/sessions", get(sessions::show)),
        ("/organization/sessions/end", post(sessions::end)),
        ("/organization/switch", post(switch::switch)),
        ("/organization/taxpayers", get(taxpayers::show)),
        ("/organization/taxpayers/{taxpayer_id}", get(taxpayers::one)),
        ("/organization/taxpayers/{taxpayer_id}/imports", get(imports::show)),
        ("/organization/taxpayers/{taxpayer_id}/imports/{import_id}/check", get(imports::check)),
        (
            "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/columns",
            get(import_columns::show),
        ),
        (
            "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/preview",
            get(imports::preview),
        ),
        (
            "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/refused",
            get(imports::refused_rows),
        ),
        ("/organization/taxpayers/{taxpayer_id}/imports/{import_id}/result", get(imports::result)),
        ("/organization/taxpayers/{taxpayer_id}/documents", get(documents::show)),
        ("/organization/taxpayers/{taxpayer_id}/documents/csv", get(documents::table)),
        ("/organization/taxpayers/{taxpayer_id}/documents/{document_id}", get(documents::show_one)),
        (
            "/organization/taxpayers/{taxpayer_id}/documents/{document_id}/{download}",
            get(documents::download),
        ),
        ("/organization/webhooks", get(webhooks::show)),
        ("/organization/webhooks/change", post(webhooks::change)),
        ("/organization/webhooks/create", post(webhooks::create)),
        ("/organization/webhooks/delete", post(webhooks::delete)),
        ("/organization/webhooks/retry-failed", post(webhooks::retry_failed)),
        ("/organization/webhooks/rotate", post(webhooks::rotate)),
        ("/organization/webhooks/test", post(webhooks::test)),
        ("/organization/webhooks/verify", get(webhooks::verify)),
        ("/organization/webhooks/{endpoint_id}", get(webhooks::one)),
        ("/organization/webhooks/{endpoint_id}/change", get(webhooks::changing)),
    ];
    let router = write::routes(router);
    pages.into_iter().fold(router, |router, (path, page)| in_both_modes(router, path, page))
}

/// The routes of the function `pdf`.
#[cfg(feature = "pdf")]
pub(in crate::pages) fn printed(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, "/organization/documents/pdfs", get(recent::pdfs));
    let path = "/organization/taxpayers/{taxpayer_id}/documents/pdfs";
    let router = in_both_modes(router, path, get(documents::pdfs));
    let path = "/organization/taxpayers/{taxpayer_id}/documents/{document_id}/pdf";
    in_both_modes(router, path, get(documents::pdf))
}

/// The routes that change grants and logos; only the function that serves them may write those.
pub(in crate::pages) fn beside_accounts(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, taxpayers::DISCONNECT, post(taxpayers::disconnect));
    let router = in_both_modes(router, logos::PAGE, get(logos::show));
    let router = in_both_modes(router, logos::PICTURE, get(logos::picture));
    let router = in_both_modes(router, logos::REPLACE, post(logos::replace));
    let router = in_both_modes(router, logos::REMOVE, post(logos::remove));
    // Test businesses exist in Sandbox alone.
    let path = format!("{SANDBOX}{}", taxpayers::TEST_BUSINESS);
    router.route(&path, post(taxpayers::connect_test_business))
}

/// The member, for each template.
#[derive(Clone, Copy)]
struct Who<'a> {
    member: &'a SignedInMember,
}

impl Who<'_> {
    /// Whether the member may change keys, webhooks and other developer settings.
    fn may_develop(&self) -> bool {
        self.member.member.role.may(Permission::Develop)
    }

    /// Whether the member may see the subscription.
    fn may_bill(&self) -> bool {
        self.member.member.role.may(Permission::Bill)
    }

    /// Whether the member may change members.
    fn may_govern(&self) -> bool {
        self.member.member.role.may(Permission::Govern)
    }
}

/// The frame of a member's page.
fn frame<'a>(request: &'a PageRequest, member: &'a SignedInMember) -> Frame<'a> {
    request.frame_in(Nav::Member(member.member.role), &member.organization.name)
}

/// The organization as the caller of use cases.
fn caller(member: &SignedInMember) -> OrganizationCaller {
    OrganizationCaller {
        mode: member.member.mode,
        organization_id: member.member.organization_id.clone(),
        credential: CredentialId::Session(member.member.member_id.clone()),
    }
}

/// The message for a scope, in words for the organization that has it.
fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::TaxpayerRead => "scope-taxpayer-read",
        Scope::InvoicesRead => "scope-invoices-read",
        Scope::InvoicesWrite => "scope-invoices-write",
        Scope::InboundRead => "scope-inbound-read",
        Scope::Unknown => "permission-unknown",
    }
}

/// The path of a business, below the path of the mode.
fn path_of_taxpayer(taxpayer_id: &TaxpayerId) -> String {
    format!("{}/{taxpayer_id}", taxpayers::PATH)
}

/// The path of a document, below the path of the mode.
fn path_of_document(taxpayer_id: &TaxpayerId, document_id: &DocumentId) -> String {
    format!("{}/documents/{document_id}", path_of_taxpayer(taxpayer_id))
}

/// The reasons of a refusal that the sender can correct; other failures stay errors.
fn correctable(failure: Failure) -> Result<Refusal, PageError> {
    match failure.code {
        Code::NotFound | Code::InternalError | Code::ServiceUnavailable => Err(failure.into()),
        _ => Ok(Refusal::of(failure)),
    }
}

/// An identifier in a field of a form.
fn identifier<T: std::str::FromStr>(text: &str) -> Result<T, PageError> {
    text.parse().map_err(|_| PageError::Unreadable("an identifier is invalid".to_owned()))
}

/// The connected business of a page.
async fn connected(
    app: &App,
    member: &SignedInMember,
    taxpayer_id: &str,
    is_for: impl Fn(&Connected) -> bool,
) -> Result<Connected, PageError> {
    let found = get_taxpayer(&app.ctx, &caller(member), taxpayer_id).await;
    let connected = found.map_err(|failure| match failure.code {
        // Without a grant, the answer does not reveal whether the taxpayer exists.
        Code::GrantRequired => PageError::NotFound,
        _ => failure.into(),
    })?;
    if is_for(&connected) { Ok(connected) } else { Err(PageError::NotFound) }
}
