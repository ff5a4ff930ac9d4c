//! Keys of documents, of the lists that they are in, and of what each may use once.

use icu_normalizer::ComposingNormalizerBorrowed;
use jiff::civil::Date;
use uuid::Uuid;

use super::{Key, LIST_SHARDS, TRANSMISSION, shard_of, taxpayer};
use crate::{
    document::Operation,
    store::{Direction, IdempotencyHash, Status},
    types::{DocumentId, Mode, TaxpayerId, sha256_hex},
};

/// Sort key of a document.
pub const DOCUMENT: &str = "DOCUMENT";

/// Sort key of an idempotency record.
pub const IDEMPOTENCY: &str = "IDEMPOTENCY";

/// A list of a taxpayer's documents, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index<'a> {
    /// Documents of a direction. The lists of both directions have all documents.
    Direction(Direction),
    /// Documents of an operation other than invoices, which most documents are.
    Type(Operation),
    /// Unfinished documents: accepted, converted or dispatching.
    InFlight,
    /// Documents that failed, and documents whose delivery is unconfirmed.
    Failed,
    /// Documents that were rejected, here or by the recipient's access point.
    Rejected,
    /// Documents with this number.
    Number(&'a str),
    /// Documents with this source_id.
    Source(&'a str),
    /// All documents, the latest issue date first. Those that were issued on the day on which they were made are found in
    /// the lists of their directions.
    Issued,
}

impl Index<'static> {
    /// The list of an operation. Invoices have none: they are found in the list of their direction.
    pub fn of_operation(operation: Operation) -> Option<Self> {
        (operation != Operation::Invoice).then_some(Index::Type(operation))
    }

    /// The list of a status, for the statuses that few documents have. The other statuses are the rest of a direction:
    /// outbound documents are sent, delivered or forwarded, inbound ones received.
    pub fn of_status(status: Status) -> Option<Self> {
        match status {
            Status::Accepted | Status::Converted | Status::Dispatching => Some(Index::InFlight),
            Status::Failed | Status::Unconfirmed => Some(Index::Failed),
            Status::Rejected => Some(Index::Rejected),
            Status::Sent
            | Status::Delivered
            | Status::Forwarded
            | Status::Received
            | Status::Unknown => None,
        }
    }
}

/// A value that a taxpayer may use for one document only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstUse<'a> {
    /// A number (IBT-001), among the documents of an operation.
    Number(Operation, &'a str),
    /// A number by its bytes. Earlier versions claimed numbers so, before canonically equivalent spellings counted as
    /// one.
    NumberAsWritten(Operation, &'a str),
    /// A UUID (BTAE-07).
    Uuid(Uuid),
}

/// The partition of one shard of a list.
pub(in crate::store) fn list(
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    index: Index<'_>,
    shard: u8,
) -> String {
    let name = match index {
        Index::Direction(direction) => format!("DIRECTION#{}", direction.as_str()),
        Index::Type(operation) => format!("TYPE#{}", operation.as_str()),
        Index::InFlight => "STATUS#in_flight".to_owned(),
        Index::Failed => "STATUS#failed".to_owned(),
        Index::Rejected => "STATUS#rejected".to_owned(),
        Index::Number(number) => format!("NUMBER#{}", sha256_hex(number.as_bytes())),
        Index::Source(source_id) => format!("SOURCE#{}", sha256_hex(source_id.as_bytes())),
        Index::Issued => "ISSUED".to_owned(),
    };
    format!("{}#LIST#{name}#{shard}", taxpayer(mode, taxpayer_id))
}

/// The partition of the credit notes of an invoice of the taxpayer.
pub(in crate::store) fn credit_notes(
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    invoice: &DocumentId,
) -> String {
    format!("{}#LIST#CREDITED#{invoice}", taxpayer(mode, taxpayer_id))
}

/// The hash of a document's number. Canonically equivalent spellings have the same hash: é is one character or two (UAX
/// #15, form C). The hash of a number in form C is the hash of its bytes.
fn hash_of_number(number: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfc();
    sha256_hex(normalizer.normalize(number).as_bytes())
}

impl Key {
    /// A document.
    pub fn document(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(format!("{}#DOCUMENT#{id}", taxpayer(mode, taxpayer_id)), DOCUMENT)
    }

    /// The transmission of a document.
    pub fn transmission(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(Key::document(mode, taxpayer_id, id).pk, TRANSMISSION)
    }

    /// The record of an idempotency key.
    pub fn idempotency(mode: Mode, taxpayer_id: &TaxpayerId, key: &IdempotencyHash) -> Self {
        let hash = key.as_str();
        Key::new(format!("{}#IDEMPOTENCY#{hash}", taxpayer(mode, taxpayer_id)), IDEMPOTENCY)
    }

    /// The pointer to a document in a list.
    pub fn pointer(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        index: Index<'_>,
        issue_date: Date,
        id: &DocumentId,
    ) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        let sort = match index {
            Index::Issued => format!("{issue_date}#{id}"),
            _ => id.to_string(),
        };
        Key::new(list(mode, taxpayer_id, index, shard), sort)
    }

    /// The pointer to a credit note of an invoice.
    pub fn credit_note(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        invoice: &DocumentId,
        id: &DocumentId,
    ) -> Self {
        Key::new(credit_notes(mode, taxpayer_id, invoice), id.to_string())
    }

    /// Which document first used a number or a UUID.
    pub fn first_use(mode: Mode, taxpayer_id: &TaxpayerId, used: FirstUse<'_>) -> Self {
        let used = match used {
            FirstUse::Number(operation, number) => {
                format!("NUMBER#{}#{}", operation.as_str(), hash_of_number(number))
            }
            FirstUse::NumberAsWritten(operation, number) => {
                format!("NUMBER#{}#{}", operation.as_str(), sha256_hex(number.as_bytes()))
            }
            FirstUse::Uuid(uuid) => format!("UUID#{uuid}"),
        };
        Key::new(format!("{}#FIRST#{used}", taxpayer(mode, taxpayer_id)), "CLAIM")
    }
}
