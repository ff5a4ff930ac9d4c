//! The HTTP API: routes, reading of requests, answers, errors and the OpenAPI document, over
//! `service`.
//!
//! An operation is declared once, as a `Route` (`api::routes`); who may call it is part of the
//! declaration and is looked at before anything else, so that it cannot be forgotten. A handler is
//! one call of a use case and one answer. Every error leaves in one shape, written at the edge
//! where the request id is known.

mod as4;
mod attempts;
mod business_card;
mod content;
mod documents;
mod edge;
mod error;
pub mod openapi;
mod query;
mod registrations;
mod reports;
mod request;
mod response;
mod routes;
mod smp;
mod submissions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    middleware,
    response::Response,
    routing::{MethodFilter, on},
};

pub use as4::{Bounds, as4};
pub use attempts::{AttemptResponse, ListAttemptsResponse, TransmissionOutcome};
pub use business_card::{
    BusinessCardBody, BusinessCardResponse, BusinessEntityBody, ContactBody, EntityIdentifierBody,
    EntityNameBody,
};
pub use content::{ContentResponse, UnmappedResponse};
pub use edge::{RequestId, X_REQUEST_ID};
pub use error::{ApiError, ErrorDetail, ErrorResponse, status};
pub use registrations::{
    DirectoryListingResponse, ListRegistrationsResponse, RegisterName, RegistrationResponse,
    RegistrationState,
};
pub use reports::{
    ListDocumentReportsResponse, ListReportsResponse, ReportKind, ReportOutcome, ReportResponse,
    ReportRole, ReportStatus,
};
pub use response::render;
pub use response::{
    DocumentDirection, DocumentMessageLevelStatus, DocumentParty, DocumentReporting,
    DocumentResponse, DocumentStatus, DocumentType, DocumentUbl, ListDocumentsResponse, ValidationResponse,
};
pub use smp::{RawPath, smp};
pub use submissions::IDEMPOTENT_REPLAYED;

use crate::{log, service::Serving};
use request::Call;
use routes::{Method, ROUTES, Route, Work};

/// What every handler needs.
pub type App = Arc<Serving>;

/// Where the operations are: the versioned base address, and the aliases of older integrations.
pub const BASES: [&str; 3] = ["/v1", "/api/v1", "/api"];

/// The most bytes of an answer. Lambda bounds a function's answer to 6 MiB, as a JSON string, in
/// which each of them may take two.
pub const MAX_ANSWER_BYTES: usize = 3_000_000;

/// The service's HTTP interface.
pub fn router(app: App) -> Router {
    let mut router = Router::new();
    for base in BASES {
        for route in &ROUTES {
            let filter = match route.method {
                Method::Get => MethodFilter::GET.or(MethodFilter::HEAD),
                Method::Post => MethodFilter::POST,
                Method::Put => MethodFilter::PUT,
                Method::Delete => MethodFilter::DELETE,
            };
            let handler = async move |State(app): State<App>, request: Request| {
                answer(route, app, request).await
            };
            router = router.route(&format!("{base}{}", route.path), on(filter, handler));
        }
    }
    router
        .fallback(error::answer_unknown_path)
        .method_not_allowed_fallback(error::answer_unknown_method)
        .layer(middleware::from_fn_with_state(app.clone(), edge::finish))
        .with_state(app)
}

/// Does what a route declares.
async fn answer(route: &Route, app: App, request: Request) -> Result<Response, ApiError> {
    log::note("operation", &route.id);
    let call = Call::read(route, app, request).await?;
    match route.work {
        Work::Send(operation) => submissions::send(call, operation).await,
        Work::Validate(operation) => submissions::validate(call, operation).await,
        Work::ListDocuments => documents::list(call).await,
        Work::GetDocument => documents::get(call).await,
        Work::GetDocumentUbl => documents::ubl(call).await,
        Work::GetDocumentSbdh => documents::sbdh(call).await,
        Work::GetDocumentContent => documents::content(call).await,
        Work::ListAttempts => documents::attempts(call).await,
        Work::ListDocumentReports => reports::about(call).await,
        Work::ListReports => reports::list(call).await,
        Work::GetReport => reports::get(call).await,
        Work::GetReportXml => reports::xml(call).await,
        Work::GetBusinessCard => registrations::card(call).await,
        Work::PutBusinessCard => registrations::put_card(call).await,
        Work::GetListing => registrations::listing(call).await,
        Work::PutListing => registrations::list(call).await,
        Work::DeleteListing => registrations::unlist(call).await,
        Work::ListRegistrations => registrations::registrations(call).await,
    }
}
