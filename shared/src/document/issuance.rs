//! What is known beside the body.

use jiff::civil::Date;
use uuid::Uuid;

use super::profile::Profile;
use crate::types::ParticipantId;

/// What is known beside the body.
#[derive(Debug, Clone, Copy)]
pub struct Issuance<'a> {
    /// The registered profile of the sender: seller, or buyer in self-billing.
    pub taxpayer: &'a Profile,
    /// The sender on the Peppol network.
    pub participant: &'a ParticipantId,
    /// The day in the UAE, for an issue date that was left out.
    pub today: Date,
    /// BTAE-07, for a unique identifier that was left out.
    pub uuid: Uuid,
    /// The invoice behind `previous_document_id`, when there is one.
    pub original: Option<&'a Original>,
}

/// The credited invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// IBT-001 of it.
    pub number: String,
    /// IBT-002 of it.
    pub issue_date: Date,
}
