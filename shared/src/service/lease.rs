//! What the two workers of queued delivery have in common: the lease that keeps two messages of
//! one document from doing its work twice.

use super::{Context, QUEUE_GRACE, Sending, later};
use crate::{
    store::{DocumentRecord, Due, Lease, Recorded, Status, StoreError},
    types::Mode,
};

/// Takes a document for a stage. `None` when another worker has it or has moved it on.
pub(super) async fn lease(
    sending: &Sending,
    mode: Mode,
    record: &DocumentRecord,
    status: Status,
) -> Result<Option<DocumentRecord>, StoreError> {
    let now = sending.ctx.now();
    if record.lease.as_ref().is_some_and(|lease| now < lease.until) {
        return Ok(None);
    }
    let until = later(now, sending.settings.lease);
    let leased = DocumentRecord {
        status,
        lease: Some(Lease { owner: sending.ctx.new_uuid(), until }),
        version: record.version + 1,
        updated_at: if status == record.status { record.updated_at } else { now },
        ..record.clone()
    };
    // When this worker dies the sweeper sends the document on its way again.
    let due = Due { at: until, relay: None };
    Ok(match sending.ctx.store.advance_document(mode, record, &leased, Some(due), None).await? {
        Recorded::Done => Some(leased),
        Recorded::Lost => None,
    })
}

/// Gives a document back after a failure, so that the queue's next attempt need not wait for the
/// lease to end. When this fails too, the lease does it.
pub(super) async fn give_back(ctx: &Context, mode: Mode, leased: &DocumentRecord) {
    let free = DocumentRecord { lease: None, version: leased.version + 1, ..leased.clone() };
    let due = Due { at: later(ctx.now(), QUEUE_GRACE), relay: None };
    if let Err(error) = ctx.store.advance_document(mode, leased, &free, Some(due), None).await {
        tracing::warn!(document_id = %leased.document_id, error = %error, "a lease was not given back");
    }
}
