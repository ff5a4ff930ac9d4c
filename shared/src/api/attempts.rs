//! The bodies of responses about attempts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::response::{three_digits, three_digits_or_null};
use crate::store::{AttemptOutcome, TransmissionAttempt, TransmissionRecord};

/// The outcome of a transmission attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransmissionOutcome {
    /// The recipient's access point gave a receipt, which was verified.
    Received,
    /// The lookup: the recipient is not registered in the network.
    NotRegistered,
    /// The lookup: the recipient takes no documents of this kind.
    NotCapable,
    /// The lookup: the recipient's registration is wrong.
    Defective,
    /// The lookup failed; it may work later.
    LookupFailed,
    /// Nothing was sent: the recipient's access point failed too often lately, or has as many messages in work as it
    /// takes at once. It is left alone until `held_until`.
    Held,
    /// The message did not reach the recipient's access point.
    Unreachable,
    /// The message left, and no proof came that it arrived. The same message is sent again.
    Unconfirmed,
    /// The recipient's access point answered with an error that may pass.
    Deferred,
    /// It says that it has the message already; its receipt is missing.
    Duplicate,
    /// It refused the message for good, or says that it has it where it was sent nothing before.
    Refused,
    /// An outcome that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

/// A transmission attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptResponse {
    /// Number of the attempt, from 1.
    pub number: u32,
    /// Start time of the attempt.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub started_at: Timestamp,
    /// Duration in milliseconds. Null while the attempt runs, and when its worker died.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// Address of the recipient's access point. Null when the lookup found none.
    #[schema(required)]
    pub endpoint: Option<String>,
    /// Peppol seat of the recipient's access point.
    #[schema(required, example = "PAE000002")]
    pub receiver: Option<String>,
    /// Identifier of the AS4 message. A repeated message keeps its identifier.
    #[schema(required)]
    pub as4_message_id: Option<String>,
    /// Whether the attempt used a saved lookup result. The recipient's SMP did not answer, so the access point found
    /// within the previous 24 hours was used.
    pub stale_lookup: bool,
    /// Time until which nothing is sent to the recipient's access point. Null unless the outcome is `held`.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T11:00:00.000Z")]
    pub held_until: Option<Timestamp>,
    /// Outcome of the attempt. Null while the attempt runs, and when its worker died.
    #[schema(required)]
    pub outcome: Option<TransmissionOutcome>,
    /// EBMS error code of the response.
    #[schema(required, example = "EBMS:0004")]
    pub ebms_code: Option<String>,
    /// Description of what happened. It includes the error text of the other access point.
    #[schema(required)]
    pub cause: Option<String>,
}

/// The transmission attempts of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListAttemptsResponse {
    /// The attempts, oldest first.
    pub items: Vec<AttemptResponse>,
}

impl From<Option<TransmissionRecord>> for ListAttemptsResponse {
    fn from(transmission: Option<TransmissionRecord>) -> Self {
        let attempts = transmission.into_iter().flat_map(|transmission| transmission.attempts);
        ListAttemptsResponse { items: attempts.map(Into::into).collect() }
    }
}

impl From<TransmissionAttempt> for AttemptResponse {
    fn from(attempt: TransmissionAttempt) -> Self {
        AttemptResponse {
            number: attempt.number,
            started_at: attempt.started_at,
            duration_ms: attempt.duration_ms,
            endpoint: attempt.endpoint,
            receiver: attempt.receiver,
            as4_message_id: attempt.message_id,
            stale_lookup: attempt.stale_lookup,
            held_until: attempt.held_until,
            outcome: attempt.outcome.map(Into::into),
            ebms_code: attempt.ebms_code,
            cause: attempt.cause,
        }
    }
}

impl From<AttemptOutcome> for TransmissionOutcome {
    fn from(outcome: AttemptOutcome) -> Self {
        match outcome {
            AttemptOutcome::Received => TransmissionOutcome::Received,
            AttemptOutcome::NotRegistered => TransmissionOutcome::NotRegistered,
            AttemptOutcome::NotCapable => TransmissionOutcome::NotCapable,
            AttemptOutcome::Defective => TransmissionOutcome::Defective,
            AttemptOutcome::LookupFailed => TransmissionOutcome::LookupFailed,
            AttemptOutcome::Held => TransmissionOutcome::Held,
            AttemptOutcome::Unreachable => TransmissionOutcome::Unreachable,
            AttemptOutcome::Unconfirmed => TransmissionOutcome::Unconfirmed,
            AttemptOutcome::Deferred => TransmissionOutcome::Deferred,
            AttemptOutcome::Duplicate => TransmissionOutcome::Duplicate,
            AttemptOutcome::Refused => TransmissionOutcome::Refused,
            AttemptOutcome::Unknown => TransmissionOutcome::Unknown,
        }
    }
}
