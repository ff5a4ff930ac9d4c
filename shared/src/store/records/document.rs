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

/// Which way a document went, seen from the taxpayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Sent by the taxpayer.
    Outbound,
    /// Received by the taxpayer.
    Inbound,
}

impl Direction {
    /// `outbound` or `inbound`.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Outbound => "outbound",
            Direction::Inbound => "inbound",
        }
    }
}

/// How far a document is. States move forward only: accepted → converted → dispatching → sent,
/// unconfirmed or failed; what is sent or unconfirmed → delivered, forwarded or rejected, as the
/// recipient's access point says; an inbound document is received or rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Accepted for queued delivery; not converted yet.
    Accepted,
    /// Its UBL is made.
    Converted,
    /// On its way.
    Dispatching,
    /// Sent.
    Sent,
    /// It left, and whether it arrived cannot be found out any more.
    Unconfirmed,
    /// It could not be sent, for good.
    Failed,
    /// The recipient has it, and confirmed that.
    Delivered,
    /// The recipient's access point passed it on, without a confirmation.
    Forwarded,
    /// Received.
    Received,
    /// It breaks the rules, or could not be delivered: of an inbound document we say so, of an
    /// outbound one the recipient's access point.
    Rejected,
    /// A word of a newer version: no stage here takes the document up.
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

/// A party of a document in short; the UBL has the whole of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartySummary {
    /// Its name; a long one is cut to [`PartySummary::NAME_LIMIT`] characters.
    pub name: String,
    /// Its electronic address, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant_id: Option<ParticipantId>,
}

impl PartySummary {
    /// How many characters of a name the record keeps: it must fit an item with all else.
    pub const NAME_LIMIT: usize = 500;
}

/// An object in S3, named by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    /// The object's key.
    pub key: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Who is at work on an item, and until when he is believed to be alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Names the attempt.
    pub owner: Uuid,
    /// From this instant on another may take over.
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
    /// The organization that sent it; none for an inbound document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Which way it went.
    pub direction: Direction,
    /// Which operation made it.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// IBT-003: 380, 480, 381, 81, 389 or 261.
    pub document_type_code: String,
    /// How far it is.
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
    /// The document that corrects this one, once one was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_by: Option<DocumentId>,
    /// The SBDH InstanceIdentifier, fixed before the first attempt.
    pub message_id: MessageId,
    /// The UBL; none until converted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ubl: Option<Payload>,
    /// The envelope that it came in from another access point, with the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// What was found that does not keep it from being sent; for a failed or rejected document, what
    /// does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Finding>,
    /// What the recipient's access point said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_level_status: Option<MessageLevelStatus>,
    /// What is known of its own report to the tax authority; none where it has none, and of a queued
    /// document until its way is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reporting: Option<Reporting>,
    /// The reports about it after the first, whose name is the document's own
    /// ([`ReportId::first_of`]), the latest last. Not shown to callers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_reports: Vec<ReportId>,
    /// When it was accepted or received, to the millisecond; equal to the time in `document_id`.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When the UBL of a queued send was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converted_at: Option<Timestamp>,
    /// When it was first on its way to another access point, or to a recipient here from the queue.
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
    /// How often its present stage was begun and not ended. Not shown to callers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// The idempotency key under which the stage that ends the send saves the response; none when
    /// it is saved. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<IdempotencyHash>,
}

pub(super) fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl DocumentRecord {
    /// The SBDH InstanceIdentifier of its latest report to the authority, once there is one.
    pub fn submission_message_id(&self) -> Option<&MessageId> {
        self.reporting.as_ref()?.instance_id.as_ref()
    }
}
