//! The pointers of a document: one item for each list that it is in, and one by which its
//! transmission is found. They are written in the transaction that changes what they say.

use serde::{Deserialize, Serialize};

use super::{
    Direction, DocumentRecord, Store, StoreError,
    dynamo::{Expression, Write, absent, to_item},
    keys::{Index, Key},
    text,
};
use crate::{
    document::Operation,
    types::{DocumentId, MessageId, Mode, TaxpayerId},
};

/// What a pointer says of its document, so that a list can pass over those that its filter drops
/// without reading them. None of it changes.
#[derive(Debug, Serialize, Deserialize)]
struct Pointer {
    direction: Direction,
    #[serde(with = "text::operation")]
    operation: Operation,
    issue_date: jiff::civil::Date,
}

/// Whose document a transmission carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transmitted {
    /// The taxpayer that sent it.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
}

/// The writes that keep a document's pointers true. `old` is the record that `new` takes the place
/// of; none when the document is new. Afterwards only the pointer of its status can change.
pub(super) fn pointer_writes(
    mode: Mode,
    old: Option<&DocumentRecord>,
    new: &DocumentRecord,
) -> Result<Vec<Write>, StoreError> {
    let key = |index| Key::pointer(mode, &new.taxpayer_id, index, new.issue_date, &new.document_id);
    let pointer =
        Pointer { direction: new.direction, operation: new.operation, issue_date: new.issue_date };
    let put = |index| {
        to_item(key(index), &pointer)
            .map(|item| Write::Put { item, condition: Expression::default() })
    };
    let status = Index::of_status(new.status);
    let Some(old) = old else {
        let mut writes = vec![
            put(Index::All)?,
            put(Index::Direction(new.direction))?,
            put(Index::Type(new.operation))?,
            put(Index::Issued)?,
            put(Index::Number(&new.number))?,
        ];
        writes.extend(new.source_id.as_deref().map(|id| put(Index::Source(id))).transpose()?);
        writes.extend(status.map(put).transpose()?);
        if new.direction == Direction::Outbound {
            let transmitted = Transmitted {
                taxpayer_id: new.taxpayer_id.clone(),
                document_id: new.document_id.clone(),
            };
            let item = to_item(Key::message(mode, &new.message_id), &transmitted)?;
            writes.push(Write::Put { item, condition: absent() });
        }
        return Ok(writes);
    };
    let before = Index::of_status(old.status);
    if before == status {
        return Ok(Vec::new());
    }
    let mut writes = Vec::new();
    writes.extend(
        before.map(|index| Write::Delete { key: key(index), condition: Expression::default() }),
    );
    writes.extend(status.map(put).transpose()?);
    Ok(writes)
}

impl Store {
    /// Whose document a transmission carries, by its SBDH InstanceIdentifier: what a status message
    /// names.
    pub async fn find_transmitted(
        &self,
        mode: Mode,
        message_id: &MessageId,
    ) -> Result<Option<Transmitted>, StoreError> {
        self.get(Key::message(mode, message_id)).await
    }
}
