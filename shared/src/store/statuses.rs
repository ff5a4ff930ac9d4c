//! The effects of a status message on its document.

use jiff::Timestamp;

use super::{
    DocumentRecord, EnvelopeHash, EventRecord, MessageLevelStatus, Status, StatusRecord, Store,
    StoreError,
    dynamo::{Expression, Update, Write},
    events,
    keys::{self, Key, STATUS},
    pointers::moved,
    text::instant,
};
use crate::{peppol::identifiers::InstanceId, types::Mode};

impl Store {
    /// Every status message about an envelope of ours, whatever its effect.
    pub async fn list_status_messages(
        &self,
        mode: Mode,
        about: &EnvelopeHash,
    ) -> Result<Vec<StatusRecord>, StoreError> {
        self.all(&keys::status_messages(mode, about), STATUS).await
    }

    /// Whether the status message of an envelope, about the envelope `ref_to`, is kept.
    pub async fn is_status_kept(
        &self,
        mode: Mode,
        ref_to: &InstanceId,
        own: &EnvelopeHash,
    ) -> Result<bool, StoreError> {
        let key = Key::status_message(mode, &EnvelopeHash::of(ref_to), own);
        Ok(self.get_item(key).await?.is_some())
    }
}

/// The end of a document's exchange, as the recipient's access point reports it.
#[derive(Debug, Clone)]
pub struct SettledDocument {
    /// The document, as it was read.
    pub read: DocumentRecord,
    /// The new status.
    pub status: Status,
    /// The status message.
    pub said: MessageLevelStatus,
    /// When.
    pub at: Timestamp,
    /// The event about it.
    pub event: EventRecord,
}

/// The writes that settle a document, and the key of its pointer in the list that it has left. They set only the
/// attributes that the status message owns, on the condition that the document still has the status that was read.
/// Other attributes that changed meanwhile stay.
pub(super) fn settle(
    mode: Mode,
    settled: &SettledDocument,
) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let SettledDocument { read, status, said, at, event } = settled;
    let update = Update::new()
        .set("status", status)?
        .set("message_level_status", said)?
        .set("updated_at", &instant(*at))?
        .add("version", 1)
        .build();
    let condition = Expression::new("#status = :was")
        .name("#status", "status")
        .text(":was", read.status.as_str());
    let key = Key::document(mode, &read.taxpayer_id, &read.document_id);
    let (entered, left) = moved(mode, read, *status)?;
    let mut writes = vec![Write::Update { key, update, condition }];
    writes.extend(entered);
    writes.push(events::write(event)?);
    Ok((writes, left))
}
