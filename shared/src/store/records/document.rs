//! Documents.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{super::text, IdempotencyHash, MessageLevelStatus, Reporting};
use crate::{
    document::Operation,
    error::Finding,
    types::{DocumentId, MessageId, OrganizationId, ParticipantId, ReportId, TaxpayerId},
};

/// The direction of a document, from the taxpayer's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Sent by the taxpayer.
    Outbound,
    /// Received by the taxpayer.
    Inbound,
}

impl Direction {
    /// Both.
    pub const ALL: [Direction; 2] = [Direction::Outbound, Direction::Inbound];

    /// `outbound` or `inbound`.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Outbound => "outbound",
            Direction::Inbound => "inbound",
        }
    }
}

/// The status of a document. The transitions move forward only:
///
/// | from | to |
/// |---|---|
/// | accepted | converted |
/// | converted | dispatching |
/// | dispatching | sent, unconfirmed or failed |
/// | sent or unconfirmed | delivered, forwarded or rejected, as the recipient's access point reports |
///
/// An inbound document is received or rejected from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Accepted for queued delivery; not converted yet.
    Accepted,
    /// Its UBL was made.
    Converted,
    /// It is being sent.
    Dispatching,
    /// Sent.
    Sent,
    /// It was sent, but its delivery can no longer be confirmed.
    Unconfirmed,
    /// It can never be sent.
    Failed,
    /// The recipient confirmed the delivery.
    Delivered,
    /// The recipient's access point forwarded it, without a confirmation.
    Forwarded,
    /// Received.
    Received,
    /// It breaks the rules or could not be delivered. We reject inbound documents. The recipient's access point rejects
    /// outbound ones.
    Rejected,
    /// A status of a newer version. No stage of this version works on the document.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Status {
    /// The status as callers see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Accepted => "accepted",
            Status::Converted => "converted",
            Status::Dispatching => "dispatching",
            Status::Sent => "sent",
            Status::Unconfirmed => "unconfirmed",
            Status::Failed => "failed",
            Status::Delivered => "delivered",
            Status::Forwarded => "forwarded",
            Status::Received => "received",
            Status::Rejected => "rejected",
            Status::Unknown => "unknown",
        }
    }

    /// Every status that this version knows.
    pub const ALL: [Status; 10] = [
        Status::Accepted,
        Status::Converted,
        Status::Dispatching,
        Status::Sent,
        Status::Unconfirmed,
        Status::Failed,
        Status::Delivered,
        Status::Forwarded,
        Status::Received,
        Status::Rejected,
    ];
}

/// A summary of a party. The UBL has all of its fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartySummary {
    /// Its name; a long one is cut to [`PartySummary::NAME_LIMIT`] characters.
    pub name: String,
    /// Its electronic address, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant_id: Option<ParticipantId>,
}

impl PartySummary {
    /// The maximum number of characters of a name, so that the record fits into an item.
    pub const NAME_LIMIT: usize = 500;
}

/// An object in S3, named by the hash of its content, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    /// The object's key.
    pub key: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Where it is in its object, if that holds more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// Where a payload is in an object that holds more: in the tar that the object is when it is decompressed, or as compressed
/// bytes (RFC 1951) of the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part {
    /// The number of bytes before it.
    pub offset: u64,
    /// How many bytes it has there.
    pub packed: u64,
}

impl From<Part> for String {
    fn from(Part { offset, packed }: Part) -> String {
        format!("{offset}+{packed}")
    }
}

impl TryFrom<String> for Part {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let part = text.split_once('+').and_then(|(offset, packed)| {
            Some(Part { offset: offset.parse().ok()?, packed: packed.parse().ok()? })
        });
        part.ok_or("a part of an object is written as offset+bytes")
    }
}

/// The worker that works on an item, and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Identifies the attempt.
    pub owner: Uuid,
    /// The instant from which another worker may take over.
    #[serde(with = "text::instant")]
    pub until: Timestamp,
}

/// A document of a taxpayer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Its identifier here.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// The organization that sent it; `None` for an inbound document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Its direction.
    pub direction: Direction,
    /// The operation that created it.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// IBT-003: 380, 480, 381, 81, 389 or 261.
    pub document_type_code: String,
    /// Its status.
    pub status: Status,
    /// IBT-001 Number.
    pub number: String,
    /// BTAE-07 The document's own UUID.
    pub uuid: Uuid,
    /// IBT-002 Issue date.
    pub issue_date: Date,
    /// IBT-009 Due date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_date: Option<Date>,
    /// IBT-005 Currency of the amounts below.
    pub currency: String,
    /// BTAE-02 The eight flags.
    pub transaction_type_code: String,
    /// PINT profile.
    pub profile: String,
    /// ALWAYS_SEND or FAILURE_ONLY.
    pub mls_type: String,
    /// IBT-109
    #[serde(with = "text::decimal")]
    pub total_without_vat: Decimal,
    /// IBT-110
    #[serde(with = "text::decimal")]
    pub total_vat: Decimal,
    /// IBT-112
    #[serde(with = "text::decimal")]
    pub total_with_vat: Decimal,
    /// IBT-115
    #[serde(with = "text::decimal")]
    pub amount_due: Decimal,
    /// IBG-04 Seller.
    pub supplier: PartySummary,
    /// IBG-07 Buyer.
    pub customer: PartySummary,
    /// The caller's own document id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// The caller's own key-value pairs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// The credited invoice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_document_id: Option<DocumentId>,
    /// The document that this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects_document_id: Option<DocumentId>,
    /// The document that corrects this one, if one was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<DocumentId>,
    /// The SBDH InstanceIdentifier, fixed before the first attempt.
    pub message_id: MessageId,
    /// The UBL; `None` until it is converted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ubl: Option<Payload>,
    /// The envelope of an inbound document, with the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// Findings that do not prevent the send. For a failed or rejected document, the findings that do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Finding>,
    /// The Message Level Status of the recipient's access point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_level_status: Option<MessageLevelStatus>,
    /// The state of its own tax report. `None` when it has none, and for a queued document until its first message is
    /// fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reporting: Option<Reporting>,
    /// The later reports about it, the latest last. The identifier of the first one follows from the document's
    /// ([`ReportId::first_of`]). Not shown to callers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_reports: Vec<ReportId>,
    /// When it was accepted or received, to the millisecond; equal to the time in `document_id`.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When the UBL of a queued send was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converted_at: Option<Timestamp>,
    /// When it was first dispatched to another access point, or from the queue to a recipient here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispatching_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// Counts the changes, from 1.
    pub version: u64,
    /// The body of a queued send, until it is converted. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Payload>,
    /// The worker that has it. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its current stage was begun and not ended. Not shown to callers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// The idempotency key under which the last stage of the send saves the response; `None` once it is saved. Not
    /// shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<IdempotencyHash>,
}

pub(super) fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl DocumentRecord {
    /// The SBDH InstanceIdentifier of its latest report to the authority, if there is one.
    pub fn submission_message_id(&self) -> Option<&MessageId> {
        self.reporting.as_ref()?.instance_id.as_ref()
    }

    /// Whether the taxpayer is the seller. In self-billing the taxpayer is the buyer of a sent document.
    pub fn is_of_seller(&self) -> bool {
        (self.direction == Direction::Outbound) != self.operation.is_self_billed()
    }

    /// Whether the request that made it has it still, and sends it. No worker has had it.
    pub fn leaves_at_once(&self) -> bool {
        self.version == 1 && self.lease.is_some()
    }

    /// The taxpayer and the other party.
    pub fn parties(&self) -> (&PartySummary, &PartySummary) {
        match self.is_of_seller() {
            true => (&self.supplier, &self.customer),
            false => (&self.customer, &self.supplier),
        }
    }
}
