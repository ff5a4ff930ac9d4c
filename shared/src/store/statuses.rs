//! What a status message does to the document that it is about.

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
use crate::types::Mode;

impl Store {
    /// Every status message about an envelope of ours, whatever it did.
    pub async fn list_status_messages(
        &self,
        mode: Mode,
        about: &EnvelopeHash,
    ) -> Result<Vec<StatusRecord>, StoreError> {
        self.all(&keys::status_messages(mode, about), STATUS).await
    }
}

/// The end of a document's way, as the recipient's access point tells it.
#[derive(Debug, Clone, Copy)]
pub struct SettledDocument<'a> {
    /// The document, as it was read.
    pub read: &'a DocumentRecord,
    /// The status that it has then.
    pub status: Status,
    /// What was said.
    pub said: &'a MessageLevelStatus,
    /// When.
    pub at: Timestamp,
    /// What is told of it.
    pub event: &'a EventRecord,
    /// When the sweeper takes up an event that the relay has not.
    pub sweep_at: Timestamp,
}

/// The writes that settle a document, and the pointer by which it stays in a list that it has left. They
/// name the attributes that are the status message's, and hold only while the document has the
/// status that it was read with: whatever else was learned of it meanwhile stays.
pub(super) fn settle(
    mode: Mode,
    settled: SettledDocument<'_>,
) -> Result<(Vec<Write>, Option<Key>), StoreError> {
    let SettledDocument { read, status, said, at, event, sweep_at } = settled;
    let update = Update::new()
        .set("status", &status)?
        .set("message_level_status", said)?
        .set("updated_at", &instant(at))?
        .add("version", 1)
        .build();
    let condition = Expression::new("#status = :was")
        .name("#status", "status")
        .text(":was", read.status.as_str());
    let key = Key::document(mode, &read.taxpayer_id, &read.document_id);
    let (entered, left) = moved(mode, read, status)?;
    let mut writes = vec![Write::Update { key, update, condition }];
    writes.extend(entered);
    writes.push(events::write(event, sweep_at)?);
    Ok((writes, left))
}
