//! Confirmations that the receiver has a document. There are two kinds:
//!
//! - an endpoint answered its `document.received` with 2xx;
//! - a caller retrieved the whole document: its UBL, its content or its envelope. Its record alone does not count,
//!   since it says less than the document.

use jiff::SignedDuration;

use crate::{
    service::{Context, RELAY_GRACE, later},
    store::{Direction, DocumentRecord, EventRecord, EventType, Status, StoreError},
    types::{DocumentId, Mode},
};

/// How long after its receipt a document may still be confirmed. Its status was sent long before, and a later
/// confirmation would change nothing.
const WORTHWHILE: SignedDuration = SignedDuration::from_hours(2);

/// Confirms the document of an event that an endpoint has acknowledged.
pub(in crate::service) async fn acknowledged(
    ctx: &Context,
    event: &EventRecord,
) -> Result<(), StoreError> {
    match event.document_id() {
        Some(document_id)
            if event.event_type == EventType::DocumentReceived && event.mode == Mode::Live =>
        {
            confirm(ctx, event.mode, document_id).await
        }
        _ => Ok(()),
    }
}

/// Confirms a document that a caller has retrieved. A failed write is only logged, since it must not keep the document
/// from the caller.
pub(in crate::service) async fn retrieved(ctx: &Context, mode: Mode, document: &DocumentRecord) {
    let received = document.direction == Direction::Inbound && document.status == Status::Received;
    let age = ctx.now().duration_since(document.created_at);
    if mode != Mode::Live || !received || document.mls_type != "ALWAYS_SEND" || age > WORTHWHILE {
        return;
    }
    if let Err(error) = confirm(ctx, mode, &document.document_id).await {
        tracing::warn!(%error, "the retrieval of a document was not recorded");
    }
}

async fn confirm(ctx: &Context, mode: Mode, document_id: &DocumentId) -> Result<(), StoreError> {
    let sweep_at = later(ctx.now(), RELAY_GRACE);
    if ctx.store.confirm_mls_outbound(mode, document_id, sweep_at).await? {
        tracing::info!(%document_id, "the receiver has the document");
    }
    Ok(())
}
