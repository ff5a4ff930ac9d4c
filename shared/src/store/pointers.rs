//! The pointers of a document: one item for each of its lists, and one by which its transmission is found. They are
//! written before the transaction of the change that they reflect, and removed after it. Readers skip a pointer without
//! its document.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    Direction, DocumentRecord, Status, Store, StoreError,
    dynamo::{Expression, Write, Written, expiring, to_item},
    jobs::expiry,
    keys::{self, Index, Key},
    list_partitions::is_issued_when_made,
    text,
};
use crate::{
    document::Operation,
    types::{DocumentId, MessageId, Mode, ReportId, TaxpayerId},
};

/// The fields of a pointer, so that a list can filter documents without reading them. They never change.
#[derive(Debug, Serialize, Deserialize)]
struct DocumentPointer {
    direction: Direction,
    #[serde(with = "text::operation")]
    operation: Operation,
    issue_date: jiff::civil::Date,
}

#[derive(Debug, Serialize, Deserialize)]
struct CreditNote {
    document_id: DocumentId,
}

/// How long messages are matched with those that repeat or answer them: far longer than an access point retries (two days),
/// or takes for a status message (Peppol MLS: 20 minutes).
pub(super) const MATCHED_FOR: SignedDuration = SignedDuration::from_hours(100 * 24);

/// How many credit notes of an invoice are read, the last ones.
const MOST_CREDIT_NOTES: i32 = 100;

impl Store {
    /// The last 100 credit notes that name an invoice of the taxpayer, in any status.
    pub async fn get_credit_notes(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        invoice: &DocumentId,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let partition = keys::credit_notes(mode, taxpayer_id, invoice);
        let found = self.latest::<CreditNote>(&partition, "doc_", MOST_CREDIT_NOTES).await?;
        Ok(found.into_iter().map(|it| it.document_id).collect())
    }
}

/// The document of a transmission, or the document that its report is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transmitted {
    /// The taxpayer that sent it.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// The report about the document, if the message carried one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
}

/// The key of a document's pointer in a list.
pub(super) fn pointer_key(mode: Mode, document: &DocumentRecord, index: Index<'_>) -> Key {
    let DocumentRecord { taxpayer_id, issue_date, document_id, .. } = document;
    Key::pointer(mode, taxpayer_id, index, *issue_date, document_id)
}

fn put(mode: Mode, document: &DocumentRecord, index: Index<'_>) -> Result<Write, StoreError> {
    let DocumentRecord { direction, operation, issue_date, .. } = *document;
    let pointer = DocumentPointer { direction, operation, issue_date };
    let item = to_item(pointer_key(mode, document, index), &pointer)?;
    Ok(Write::Point { item })
}

/// The writes that add a new document to its lists. One that claims its number is found by its claim, and one that was
/// issued on the day on which it was made is found by its direction.
pub(super) fn pointer_writes(
    mode: Mode,
    document: &DocumentRecord,
    claims_number: bool,
) -> Result<Vec<Write>, StoreError> {
    let put = |index| put(mode, document, index);
    let mut writes = vec![put(Index::Direction(document.direction))?];
    if !is_issued_when_made(&document.document_id, document.issue_date) {
        writes.push(put(Index::Issued)?);
    }
    if !claims_number {
        writes.push(put(Index::Number(&document.number))?);
    }
    writes.extend(Index::of_operation(document.operation).map(put).transpose()?);
    writes.extend(document.source_id.as_deref().map(|id| put(Index::Source(id))).transpose()?);
    writes.extend(list_of(document).map(put).transpose()?);
    if let (Direction::Outbound, true, Some(invoice)) =
        (document.direction, document.operation.is_credit_note(), &document.previous_document_id)
    {
        let DocumentRecord { taxpayer_id, document_id, .. } = document;
        let pointer = CreditNote { document_id: document_id.clone() };
        let item = to_item(Key::credit_note(mode, taxpayer_id, invoice, document_id), &pointer)?;
        writes.push(Write::Point { item });
    }
    if document.direction == Direction::Outbound {
        let transmitted = Transmitted {
            taxpayer_id: document.taxpayer_id.clone(),
            document_id: document.document_id.clone(),
            report_id: None,
        };
        let sent = &document.message_id;
        writes.push(name(mode, sent, &transmitted, document.created_at)?);
    }
    Ok(writes)
}

/// The write by which a status message finds what it is about. `at` is about when the message is sent.
pub(super) fn name(
    mode: Mode,
    sent: &MessageId,
    subject: &Transmitted,
    at: Timestamp,
) -> Result<Write, StoreError> {
    let item = to_item(Key::message(mode, sent), subject)?;
    Ok(Write::Point { item: expiring(item, expiry(at, MATCHED_FOR)) })
}

/// The list of a document's status. A document that leaves in the request that made it is in none until that attempt
/// ends: most are sent by then, and the pointer would cost two writes.
fn list_of(document: &DocumentRecord) -> Option<Index<'static>> {
    match document.leaves_at_once() {
        true => None,
        false => Index::of_status(document.status),
    }
}

/// The write that adds a document to the list of its status, when a worker takes it over from a request that died.
pub(super) fn taken_over(
    mode: Mode,
    document: &DocumentRecord,
) -> Result<Option<Write>, StoreError> {
    let list = Index::of_status(document.status).filter(|_| document.leaves_at_once());
    list.map(|index| put(mode, document, index)).transpose()
}

/// The effects of a new status on a document's lists: the write that adds it to one, and the key of its pointer in the
/// list that it has left, for [`Store::remove_pointer`]. Its other lists depend on facts that never change.
pub(super) fn moved(
    mode: Mode,
    document: &DocumentRecord,
    status: Status,
) -> Result<(Option<Write>, Option<Key>), StoreError> {
    let (from, to) = (list_of(document), Index::of_status(status));
    if from == to {
        return Ok((None, None));
    }
    let write = to.map(|index| put(mode, document, index)).transpose()?;
    Ok((write, from.map(|index| pointer_key(mode, document, index))))
}

impl Store {
    /// Removes a document or a tax report from a list that it has left. In the transaction of the change this would
    /// cost twice as much, in partitions that all queued sends of a taxpayer share. If the process dies before this,
    /// the next reader of the list skips the pointer and removes it.
    pub(super) async fn remove_pointer(&self, key: Key) {
        let write = Write::Delete { key, condition: Expression::default() };
        let _: Result<Written, StoreError> = self.write(write).await;
    }

    /// The document of a transmission, by the SBDH InstanceIdentifier that a status message names.
    pub async fn find_transmitted(
        &self,
        mode: Mode,
        message_id: &MessageId,
    ) -> Result<Option<Transmitted>, StoreError> {
        let key = Key::message(mode, message_id);
        match self.get_lately(key.clone()).await? {
            // It may be so new that only a consistent read finds it. It never changes.
            None => self.get(key).await,
            found => Ok(found),
        }
    }
}
