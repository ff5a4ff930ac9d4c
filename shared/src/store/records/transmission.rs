//! The way of a document, of a status or of a report through the network.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Payload};
use crate::types::{DocumentId, ReportId, TaxpayerId};

/// What a transmission carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carried {
    /// The document.
    #[default]
    Document,
    /// The status that is owed for the document.
    Status,
    /// A report about the document, to the tax authority.
    Report,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Carried {
    fn is_document(&self) -> bool {
        *self == Carried::Document
    }
}

/// What a document, a status or a report is called on its way, and everything that was tried. An item beside that:
/// what is known of the way grows, while the stages own the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransmissionRecord {
    /// The taxpayer that sends the document, or to whom it was sent that the status is owed for.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// What is on its way.
    #[serde(default, skip_serializing_if = "Carried::is_document")]
    pub carries: Carried,
    /// The report about the document that is on its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
    /// Whether the report about the document was made, before its own first message left.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reported: bool,
    /// The envelope (SBDH and document), as every attempt sends it; none until it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// The message of the last attempt, which the next one repeats unless it was answered with an
    /// error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<As4Message>,
    /// Whether an attempt ended without an answer to its message: the receiver may have it.
    #[serde(default)]
    pub silent: bool,
    /// The receipt of the message, as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Payload>,
    /// Every attempt, the latest last; of very many the latest.
    #[serde(default)]
    pub attempts: Vec<TransmissionAttempt>,
    /// How many attempts there were.
    pub tried: u32,
    /// Counts the changes, from 1.
    pub version: u64,
}

/// An AS4 message as it was fixed before its first byte left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct As4Message {
    /// eb:MessageId.
    pub message_id: String,
    /// eb:ConversationId.
    pub conversation_id: String,
    /// eb:Timestamp, from which the time of a status message is measured (M1).
    #[serde(with = "text::instant")]
    pub timestamp: Timestamp,
}

/// One attempt at a transmission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransmissionAttempt {
    /// Its number, from 1.
    pub number: u32,
    /// When it began.
    #[serde(with = "text::instant")]
    pub started_at: Timestamp,
    /// How long it took, in milliseconds; none while it runs, or when its worker died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The address that the message went to; none when the lookup found none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The seat of the recipient's access point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// eb:MessageId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// What came of it; none while it runs, or when its worker died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttemptOutcome>,
    /// The EBMS error code of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ebms_code: Option<String>,
    /// What happened, in words; those of the other side among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// What came of an attempt at a transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// A verified receipt came.
    Received,
    /// Participant lookup: the recipient is not registered.
    NotRegistered,
    /// Participant lookup: the recipient does not take such documents.
    NotCapable,
    /// Participant lookup: the recipient's registration is wrong.
    Defective,
    /// Participant lookup failed; it may work later.
    LookupFailed,
    /// The message did not reach the recipient's access point.
    Unreachable,
    /// The message left, and no proof came that it arrived.
    Unconfirmed,
    /// The recipient's access point answered with an error that may pass.
    Deferred,
    /// It says that it has the message already: it was delivered, and its receipt is missing.
    Duplicate,
    /// It refused the message for good.
    Refused,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl TransmissionRecord {
    /// How many attempts are kept: more than the schedule has.
    pub const ATTEMPTS_KEPT: usize = 60;

    /// A document that was not tried yet.
    pub fn new(taxpayer_id: TaxpayerId, document_id: DocumentId) -> Self {
        TransmissionRecord {
            taxpayer_id,
            document_id,
            carries: Carried::Document,
            report_id: None,
            reported: false,
            envelope: None,
            message: None,
            silent: false,
            receipt: None,
            attempts: Vec::new(),
            tried: 0,
            version: 0,
        }
    }

    /// Whether the receiver may have the message, or says that it has it: an attempt was answered so, or not at
    /// all, or its worker died between the first byte and what came of it.
    pub fn may_have_arrived(&self) -> bool {
        let arrives = |outcome| match outcome {
            AttemptOutcome::Received
            | AttemptOutcome::Duplicate
            | AttemptOutcome::Unconfirmed
            | AttemptOutcome::Unknown => true,
            AttemptOutcome::NotRegistered
            | AttemptOutcome::NotCapable
            | AttemptOutcome::Defective
            | AttemptOutcome::LookupFailed
            | AttemptOutcome::Unreachable
            | AttemptOutcome::Deferred
            | AttemptOutcome::Refused => false,
        };
        let attempt = |it: &TransmissionAttempt| match it.outcome {
            Some(outcome) => arrives(outcome),
            None => it.message_id.is_some(),
        };
        self.silent || self.attempts.iter().any(attempt)
    }

    /// A report that was not tried yet.
    pub fn of_report(
        taxpayer_id: TaxpayerId,
        document_id: DocumentId,
        report_id: ReportId,
    ) -> Self {
        let (carries, report_id) = (Carried::Report, Some(report_id));
        TransmissionRecord { carries, report_id, ..Self::new(taxpayer_id, document_id) }
    }

    /// A status that was not tried yet.
    pub fn of_status(taxpayer_id: TaxpayerId, document_id: DocumentId) -> Self {
        TransmissionRecord { carries: Carried::Status, ..Self::new(taxpayer_id, document_id) }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
