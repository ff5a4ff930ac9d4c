//! The HTTP API: routes, extractors, answers, errors and the OpenAPI document, over `service`.
//!
//! A handler is the extractors it names, one call of a use case and one answer. Who may call it is
//! an extractor too, so that it cannot be forgotten. Every error leaves in one shape, written at
//! the edge where the request id is known.

mod documents;
mod edge;
mod error;
mod extract;
pub mod openapi;
mod response;
mod submissions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{Router, middleware};
use utoipa_axum::{router::OpenApiRouter, routes};

pub use documents::ListDocumentsQuery;
pub use edge::{RequestId, X_REQUEST_ID};
pub use error::{ApiError, ErrorDetail, ErrorResponse, status};
pub use response::{
    DocumentDirection, DocumentParty, DocumentResponse, DocumentStatus, DocumentType, DocumentUbl,
    ListDocumentsResponse, ValidationResponse,
};
pub use submissions::IDEMPOTENT_REPLAYED;

use crate::service::Serving;

/// What every handler needs.
pub type App = Arc<Serving>;

/// Where the operations are: the versioned base address, and the aliases of older integrations.
pub const BASES: [&str; 3] = ["/v1", "/api/v1", "/api"];

/// The service's HTTP interface.
pub fn router(app: App) -> Router {
    let (operations, _) = operations().split_for_parts();
    let mut router = Router::new();
    for base in BASES {
        router = router.nest(base, operations.clone());
    }
    router
        .fallback(error::answer_unknown_path)
        .method_not_allowed_fallback(error::answer_unknown_method)
        .layer(middleware::from_fn_with_state(app.clone(), edge::finish))
        .with_state(app)
}

/// Every operation, with its part of the OpenAPI document.
fn operations() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(submissions::send_invoice, documents::list_documents))
        .routes(routes!(submissions::validate_invoice))
        .routes(routes!(submissions::send_credit_note))
        .routes(routes!(submissions::send_self_billed_invoice))
        .routes(routes!(submissions::send_self_billed_credit_note))
        .routes(routes!(documents::get_document))
        .routes(routes!(documents::get_document_ubl))
}
