//! The HTTP API over `service`: routes, requests, responses, errors and the OpenAPI document.
//!
//! An operation is declared once, as a `Route` (`api::routes`). The declaration contains the required scopes, which are
//! checked first, so no operation can omit the check. A handler is one call of a use case and one response. All errors
//! have one shape, which the edge writes because it knows the request id.

mod archives;
mod as4;
mod attempts;
mod audit;
mod billing;
mod business_card;
mod content;
mod documents;
mod edge;
mod error;
mod imports;
mod methods;
mod oauth;
pub mod openapi;
mod organization;
mod query;
mod registrations;
mod reports;
mod request;
mod response;
mod routes;
mod smp;
mod submissions;
mod taxpayer;
mod webhooks;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::{Request, State},
    middleware,
    response::Response,
    routing::{MethodFilter, MethodRouter, on},
};

pub use crate::log::{ClientAddress, RequestId};
pub use archives::{ArchiveResponse, ArchiveState, ListArchivesResponse, describe};
pub use as4::{Bounds, Connections, Pace, Spool, as4, serve_as4};
pub use attempts::{AttemptResponse, ListAttemptsResponse, TransmissionOutcome};
pub use audit::{AuditActorKind, AuditActorResponse, AuditEventResponse, ListAuditEventsResponse};
pub use billing::billing;
pub use business_card::{
    BusinessCardBody, BusinessCardResponse, BusinessEntityBody, ContactBody, EntityIdentifierBody,
    EntityNameBody,
};
pub use content::{ContentResponse, UnmappedResponse};
pub use edge::X_REQUEST_ID;
pub use error::{
    ApiError, DOCS, DocsUrl, ERRORS_PAGE, ErrorDetail, ErrorResponse, RULES_PAGE, retry_after,
    status,
};
pub use imports::{ImportFormat, ImportResponse, ImportState, ListImportsResponse};
pub use organization::{
    CredentialKind, CredentialResponse, EnvironmentName, GrantResponse, GrantRevoker,
    ListGrantsResponse, ListTaxpayersResponse, MeResponse, TaxpayerResponse, TokenGrantResponse,
};
pub use registrations::{
    DirectoryListingResponse, ListRegistrationsResponse, RegisterName, RegistrationResponse,
    RegistrationState,
};
pub use reports::{
    FileReportBody, FileReportKind, ListDocumentReportsResponse, ListReportsResponse,
    ReportResponse,
};
pub use response::render;
pub use response::{
    DocumentMessageLevelStatus, DocumentParty, DocumentReporting, DocumentResponse, DocumentUbl,
    ListDocumentsResponse, ValidationResponse,
};
pub use smp::{RawPath, smp};
pub use submissions::IDEMPOTENT_REPLAYED;
pub(crate) use taxpayer::read as taxpayer_patch;
pub use taxpayer::{TaxpayerLanguage, TaxpayerSettingsResponse};
pub(crate) use webhooks::body as webhook_bodies;
pub use webhooks::body::SimulatedOutcome;
pub use webhooks::events::{
    EventResponse, ListEventsResponse, ListWebhookDeliveriesResponse, WebhookAnswerResponse,
    WebhookAttemptResponse, WebhookDeliveryResponse, WebhookRequestResponse,
};
pub use webhooks::tools::{
    RetriedWebhookDeliveriesResponse, RetryFailedWebhookDeliveriesBody, RetryWebhookDeliveryBody,
    SendTestEventBody,
};
pub use webhooks::{
    CreateWebhookEndpointBody, ListWebhookEndpointsResponse, RotateWebhookSecretBody,
    UpdateWebhookEndpointBody, WebhookDisabledReason, WebhookEndpointResponse,
};
pub use wire::{
    AuditAction, DocumentDirection, DocumentStatus, DocumentType, GrantStatus, ReportKind,
    ReportOutcome, ReportRole, ReportStatus, TaxpayerStatus, WebhookDeliveryStatus,
    WebhookEventType,
};

#[cfg(feature = "pdf")]
use crate::service::Printing;
use crate::{
    log::{self, Field},
    service::{Connecting, Context, Notifying, Serving},
};
use request::{Call, OwnCall};
use routes::{
    AnybodyWork, ConnectingWork, Method, NotifyingWork, OrganizationWork, ROUTES, Route,
    TaxpayerWork, Work,
};

/// The shared state of the handlers.
pub type App = Arc<Serving>;

/// The base paths of the operations: the versioned one, and the aliases of older integrations.
pub const BASES: [&str; 3] = ["/v1", "/api/v1", "/api"];

/// The maximum size of a response in bytes. Lambda limits a function's response to 6 MiB as a JSON string, in which
/// each byte may take two.
pub const MAX_ANSWER_BYTES: usize = 3_000_000;

/// The HTTP interface of the function `api`. Operations that change access are in `oauth`.
pub fn router(app: App) -> Router {
    let ctx = app.sending.ctx.clone();
    made_of(app, ctx, Router::new(), |route| match route.work {
        Work::Taxpayer(work) => {
            let handler = async move |State(app): State<App>, request: Request| {
                log::note(Field::Operation, &route.id);
                for_taxpayer(work, Call::read(route, app, request).await?).await
            };
            Some(on(route.method.filter(), handler))
        }
        Work::Organization(work) => {
            let handler = async move |State(app): State<App>, request: Request| {
                log::note(Field::Operation, &route.id);
                for_itself(work, OwnCall::read_own(route, app, request).await?).await
            };
            Some(on(route.method.filter(), handler))
        }
        Work::Anybody(AnybodyWork::Me) => {
            let handler = async move |State(app): State<App>, request: Request| {
                log::note(Field::Operation, &route.id);
                organization::me(Call::read_any(route, app, request).await?).await
            };
            Some(on(route.method.filter(), handler))
        }
        Work::Connecting(_) | Work::Notifying(_) | Work::Printing => None,
    })
}

/// The operations of the function `oauth`, which change access, and the OAuth endpoints.
pub fn oauth(app: Connecting) -> Router {
    let ctx = app.ctx.clone();
    made_of(app, ctx, oauth::routes(), |route| match route.work {
        Work::Connecting(work) => {
            let handler = async move |State(app): State<Connecting>, request: Request| {
                log::note(Field::Operation, &route.id);
                connect(work, route, app, request).await
            };
            Some(on(route.method.filter(), handler))
        }
        Work::Taxpayer(_)
        | Work::Organization(_)
        | Work::Anybody(_)
        | Work::Notifying(_)
        | Work::Printing => None,
    })
}

/// The operations of the function `webhook_api`: an organization's webhooks.
pub fn hooks(app: Notifying) -> Router {
    let ctx = app.ctx.clone();
    made_of(app, ctx, Router::new(), |route| match route.work {
        Work::Notifying(work) => {
            let handler = async move |State(app): State<Notifying>, request: Request| {
                log::note(Field::Operation, &route.id);
                notify(work, OwnCall::read_own(route, app, request).await?).await
            };
            Some(on(route.method.filter(), handler))
        }
        Work::Taxpayer(_)
        | Work::Organization(_)
        | Work::Anybody(_)
        | Work::Connecting(_)
        | Work::Printing => None,
    })
}

/// The operation of the function `pdf`: documents as PDF.
#[cfg(feature = "pdf")]
pub fn pdf(app: Printing) -> Router {
    let ctx = app.reading.ctx.clone();
    made_of(app, ctx, Router::new(), |route| {
        let handler = async move |State(app): State<Printing>, request: Request| {
            log::note(Field::Operation, &route.id);
            documents::pdf(Call::read(route, app, request).await?).await
        };
        (route.work == Work::Printing).then(|| on(route.method.filter(), handler))
    })
}

/// Adds links to the documentation to a router's errors, if its URL is known.
pub fn documented(router: Router, docs: Option<DocsUrl>) -> Router {
    match docs {
        Some(docs) => router.layer(Extension(docs)),
        None => router,
    }
}

/// A router of the operations for which a function has a handler. A path whose operations belong to other functions
/// answers 405.
fn made_of<S: Clone + Send + Sync + 'static>(
    state: S,
    ctx: Context,
    further: Router<S>,
    handler: impl Fn(&'static Route) -> Option<MethodRouter<S>>,
) -> Router {
    let mut router = further;
    for base in BASES {
        for route in &ROUTES {
            let path = format!("{base}{}", route.path);
            router = router.route(&path, handler(route).unwrap_or_default());
        }
    }
    router
        .fallback(error::answer_unknown_path)
        .method_not_allowed_fallback(error::answer_unknown_method)
        .layer(middleware::from_fn_with_state(ctx, edge::finish))
        .with_state(state)
}

impl Method {
    fn filter(self) -> MethodFilter {
        match self {
            Method::Get => MethodFilter::GET.or(MethodFilter::HEAD),
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Patch => MethodFilter::PATCH,
            Method::Delete => MethodFilter::DELETE,
        }
    }
}

/// Performs an operation that changes access.
async fn connect(
    work: ConnectingWork,
    route: &Route,
    app: Connecting,
    request: Request,
) -> Result<Response, ApiError> {
    match work {
        ConnectingWork::PatchTaxpayer => {
            taxpayer::patch(Call::read(route, app, request).await?).await
        }
        ConnectingWork::RevokeGrant => {
            organization::revoke_grant(OwnCall::read_own(route, app, request).await?).await
        }
    }
}

/// Performs an operation on an organization's webhooks.
async fn notify(work: NotifyingWork, call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    match work {
        NotifyingWork::CreateEndpoint => webhooks::create(call).await,
        NotifyingWork::ListEndpoints => webhooks::list(call).await,
        NotifyingWork::GetEndpoint => webhooks::get(call).await,
        NotifyingWork::PatchEndpoint => webhooks::patch(call).await,
        NotifyingWork::DeleteEndpoint => webhooks::delete(call).await,
        NotifyingWork::RotateSecret => webhooks::rotate(call).await,
        NotifyingWork::ListEvents => webhooks::events::list(call).await,
        NotifyingWork::GetEvent => webhooks::events::get(call).await,
        NotifyingWork::ListEventDeliveries => webhooks::events::deliveries(call).await,
        NotifyingWork::ListDeliveries => webhooks::events::deliveries_to(call).await,
        NotifyingWork::GetDelivery => webhooks::events::look(call).await,
        NotifyingWork::RetryDelivery => webhooks::tools::retry(call).await,
        NotifyingWork::RetryFailed => webhooks::tools::retry_failed(call).await,
        NotifyingWork::SendTest => webhooks::tools::test(call).await,
    }
}

/// Performs an operation for a taxpayer.
async fn for_taxpayer(work: TaxpayerWork, call: Call) -> Result<Response, ApiError> {
    match work {
        TaxpayerWork::Send(operation) => submissions::send(call, operation).await,
        TaxpayerWork::Validate(operation) => submissions::validate(call, operation).await,
        TaxpayerWork::ListDocuments => documents::list(call).await,
        TaxpayerWork::GetDocument => documents::get(call).await,
        TaxpayerWork::GetDocumentUbl => documents::ubl(call).await,
        TaxpayerWork::GetDocumentSbdh => documents::sbdh(call).await,
        TaxpayerWork::GetDocumentReceipt => documents::receipt(call).await,
        TaxpayerWork::GetDocumentContent => documents::content(call).await,
        TaxpayerWork::GetDocumentHtml => documents::html(call).await,
        TaxpayerWork::ListAttempts => documents::attempts(call).await,
        TaxpayerWork::ListDocumentReports => reports::about(call).await,
        TaxpayerWork::ListReports => reports::list(call).await,
        TaxpayerWork::GetReport => reports::get(call).await,
        TaxpayerWork::GetReportXml => reports::xml(call).await,
        TaxpayerWork::CreateImport => imports::create(call).await,
        TaxpayerWork::ListImports => imports::list(call).await,
        TaxpayerWork::GetImport => imports::get(call).await,
        TaxpayerWork::GetImportResult => imports::result(call).await,
        TaxpayerWork::CreateArchive => archives::create(call).await,
        TaxpayerWork::ListArchives => archives::list(call).await,
        TaxpayerWork::GetArchive => archives::get(call).await,
        TaxpayerWork::GetArchiveFile => archives::file(call).await,
        TaxpayerWork::FileReport => reports::file_again(call).await,
        TaxpayerWork::GetTaxpayer => taxpayer::get(call).await,
        TaxpayerWork::GetBusinessCard => registrations::card(call).await,
        TaxpayerWork::PutBusinessCard => registrations::put_card(call).await,
        TaxpayerWork::GetListing => registrations::listing(call).await,
        TaxpayerWork::PutListing => registrations::list(call).await,
        TaxpayerWork::DeleteListing => registrations::unlist(call).await,
        TaxpayerWork::ListRegistrations => registrations::registrations(call).await,
    }
}

/// Performs an operation of an organization in its own affairs.
async fn for_itself(work: OrganizationWork, call: OwnCall) -> Result<Response, ApiError> {
    match work {
        OrganizationWork::ListTaxpayers => organization::list_taxpayers(call).await,
        OrganizationWork::GetTaxpayer => organization::get_taxpayer(call).await,
        OrganizationWork::ListGrants => organization::list_grants(call).await,
        OrganizationWork::ListAuditEvents => audit::list(call).await,
    }
}
