//! The transmission of a document, an MLS or a report through the network.

#![expect(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field; no money is here"
)]

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{super::text, Payload, PeppolReportId};
use crate::{
    store::Departure,
    types::{DocumentId, MessageId, ReportId, TaxpayerId},
};

/// The content of a transmission, and its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Named", into = "Named")]
pub enum Carried {
    /// A document.
    Document(OfDocument),
    /// An outbound MLS about a document.
    Status(OfDocument),
    /// A report about a document, to the tax authority.
    Report(OfDocument, ReportId),
    /// An OpenPeppol report.
    PeppolReport(PeppolReportId),
    /// A kind of a newer version.
    Unknown,
}

/// A document and its taxpayer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfDocument {
    /// The taxpayer that sends the document. For an MLS, the taxpayer that received the document.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
}

/// [`Carried`] as it is stored.
#[derive(Clone, Serialize, Deserialize)]
struct Named {
    #[serde(default, skip_serializing_if = "Word::is_document")]
    carries: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taxpayer_id: Option<TaxpayerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    document_id: Option<DocumentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report_id: Option<ReportId>,
    #[serde(rename = "monthly", default, skip_serializing_if = "Option::is_none")]
    peppol_report_id: Option<PeppolReportId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    #[default]
    Document,
    Status,
    Report,
    #[serde(rename = "monthly")]
    PeppolReport,
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Word {
    fn is_document(&self) -> bool {
        *self == Word::Document
    }
}

/// The error for a transmission without an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a transmission does not say whose it is")]
struct Nameless;

impl TryFrom<Named> for Carried {
    type Error = Nameless;

    fn try_from(named: Named) -> Result<Self, Nameless> {
        let Named { carries, taxpayer_id, document_id, report_id, peppol_report_id } = named;
        let document = taxpayer_id
            .zip(document_id)
            .map(|(taxpayer_id, document_id)| OfDocument { taxpayer_id, document_id });
        let carried = match carries {
            Word::Document => document.map(Carried::Document),
            Word::Status => document.map(Carried::Status),
            Word::Report => document.zip(report_id).map(|(of, id)| Carried::Report(of, id)),
            Word::PeppolReport => peppol_report_id.map(Carried::PeppolReport),
            Word::Unknown => Some(Carried::Unknown),
        };
        carried.ok_or(Nameless)
    }
}

impl From<Carried> for Named {
    fn from(carried: Carried) -> Self {
        let (carries, of, report_id, peppol_report_id) = match carried {
            Carried::Document(of) => (Word::Document, Some(of), None, None),
            Carried::Status(of) => (Word::Status, Some(of), None, None),
            Carried::Report(of, report_id) => (Word::Report, Some(of), Some(report_id), None),
            Carried::PeppolReport(id) => (Word::PeppolReport, None, None, Some(id)),
            // Writing it fails.
            Carried::Unknown => (Word::Unknown, None, None, None),
        };
        let of = of.map(|OfDocument { taxpayer_id, document_id }| (taxpayer_id, document_id));
        let (taxpayer_id, document_id) = of.unzip();
        Named { carries, taxpayer_id, document_id, report_id, peppol_report_id }
    }
}

/// The identifiers of a transmission and all its attempts. It is an item beside the document, MLS or report, because
/// the stages own that item while the transmission grows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransmissionRecord {
    /// The content.
    #[serde(flatten)]
    pub carries: Carried,
    /// Whether the tax report about the document was created, before the document's first message was sent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reported: bool,
    /// The SBDH InstanceIdentifier of that report. Earlier versions did not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_message_id: Option<MessageId>,
    /// The envelope (SBDH and document), as every attempt sends it; `None` until it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// The Tax Data Document in the envelope, if it carries a tax report. Earlier versions stored it in the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_data: Option<Payload>,
    /// The message of the last attempt. The next attempt repeats it, unless the response was an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<As4Message>,
    /// Whether an attempt ended without a response to its message. The receiver may have it.
    #[serde(default)]
    pub silent: bool,
    /// The receipt of the message, as received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// The attempts, the latest last. Only the latest [`TransmissionRecord::ATTEMPTS_KEPT`] are kept.
    #[serde(default)]
    pub attempts: Vec<TransmissionAttempt>,
    /// The number of attempts.
    pub tried: u32,
    /// Counts the changes, from 1.
    pub version: u64,
}

/// The location of a message's receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Receipt {
    /// In the bucket.
    Stored(Payload),
    /// In this item, until it is in the bucket. The write of an attempt's outcome stores it even when the bucket fails.
    #[serde(with = "in_base64")]
    Inline(Vec<u8>),
}

#[cfg(test)]
impl Receipt {
    /// The object in the bucket, if it is there.
    pub(crate) fn stored(&self) -> Option<&Payload> {
        match self {
            Receipt::Stored(payload) => Some(payload),
            Receipt::Inline(_) => None,
        }
    }
}

mod in_base64 {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// An AS4 message, fixed before its first byte is sent.
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
    /// Its duration in milliseconds; `None` while it runs, or when its worker died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The address that the message was sent to; `None` when the lookup found none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The seat of the recipient's access point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// eb:MessageId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// Until when the circuit breaker blocks the access point, if the attempt was [held](AttemptOutcome::Held).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// Whether the lookup failed, and the result of an earlier lookup was used.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stale_lookup: bool,
    /// Its outcome; `None` while it runs, or when its worker died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttemptOutcome>,
    /// The EBMS error code of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ebms_code: Option<String>,
    /// What happened, in words, possibly those of the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// A verified receipt was received.
    Received,
    /// Participant lookup: the recipient is not registered.
    NotRegistered,
    /// Participant lookup: the recipient does not receive this type of document.
    NotCapable,
    /// Participant lookup: the recipient's registration is wrong.
    Defective,
    /// Participant lookup failed; it may work later.
    LookupFailed,
    /// Nothing was sent: the recipient's access point failed too often lately, or all its permits were taken.
    Held,
    /// The message did not reach the recipient's access point.
    Unreachable,
    /// The message was sent, but its arrival was not confirmed.
    Unconfirmed,
    /// The recipient's access point responded with a temporary error.
    Deferred,
    /// The access point reports that it has the message already. The message was delivered, and its receipt is missing.
    Duplicate,
    /// The access point refused the message permanently.
    Refused,
    /// An outcome of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl TransmissionAttempt {
    /// An attempt that begins now.
    pub fn begun(number: u32, started_at: Timestamp) -> Self {
        TransmissionAttempt {
            number,
            started_at,
            duration_ms: None,
            endpoint: None,
            receiver: None,
            message_id: None,
            stale_lookup: false,
            held_until: None,
            outcome: None,
            ebms_code: None,
            cause: None,
        }
    }
}

impl TransmissionRecord {
    /// How many attempts are kept. This is more than the schedule has.
    pub const ATTEMPTS_KEPT: usize = 60;

    /// How long the worker that received a receipt has to move it to the bucket.
    const RECEIPT_GRACE: SignedDuration = SignedDuration::from_secs(60);

    /// The transmission of a document, without attempts.
    pub fn new(taxpayer_id: TaxpayerId, document_id: DocumentId) -> Self {
        Self::of(Carried::Document(OfDocument { taxpayer_id, document_id }))
    }

    /// The transmission of a tax report, without attempts.
    pub fn of_report(
        taxpayer_id: TaxpayerId,
        document_id: DocumentId,
        report_id: ReportId,
    ) -> Self {
        Self::of(Carried::Report(OfDocument { taxpayer_id, document_id }, report_id))
    }

    /// The transmission of an outbound MLS, without attempts.
    pub fn of_status(taxpayer_id: TaxpayerId, document_id: DocumentId) -> Self {
        Self::of(Carried::Status(OfDocument { taxpayer_id, document_id }))
    }

    /// A transmission without attempts.
    pub fn of(carries: Carried) -> Self {
        TransmissionRecord {
            carries,
            reported: false,
            report_message_id: None,
            envelope: None,
            tax_data: None,
            message: None,
            silent: false,
            receipt: None,
            attempts: Vec::new(),
            tried: 0,
            version: 0,
        }
    }

    /// Notes the tax report that is created with the document's first message, if there is one.
    pub fn note_report(&mut self, departure: Option<&Departure>) {
        if let Some(Departure { tax_report, .. }) = departure {
            self.reported = true;
            self.report_message_id = Some(tax_report.tax_report.instance_id.clone());
        }
    }

    /// When the sweeper must move a receipt that is still in the item; `None` when there is none.
    pub fn receipt_due(&self) -> Option<Timestamp> {
        let Some(Receipt::Inline(_)) = &self.receipt else { return None };
        let last = self.attempts.last()?;
        let took = i64::try_from(last.duration_ms.unwrap_or(0)).unwrap_or(0);
        let wait = Self::RECEIPT_GRACE.checked_add(SignedDuration::from_millis(took))?;
        last.started_at.checked_add(wait).ok()
    }

    /// The cause of the last attempt's outcome, in words.
    pub fn last_cause(&self) -> Option<&str> {
        self.attempts.last()?.cause.as_deref()
    }

    /// Until when a circuit breaker admits no attempt, if the last one was not admitted.
    pub fn held_until(&self) -> Option<Timestamp> {
        self.attempts.last().and_then(|last| last.held_until)
    }

    /// Whether the receiver may have the message. It may if a response says so, if there was no response, or if the
    /// worker died between the first byte and the outcome.
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
            | AttemptOutcome::Held
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
}

fn is_false(flag: &bool) -> bool {
    !flag
}
