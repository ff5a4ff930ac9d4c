//! Facts about a document that are not in its body.

use jiff::civil::Date;
use uuid::Uuid;

use super::profile::Profile;
use crate::types::ParticipantId;

/// Facts about a document that are not in its body.
#[derive(Debug, Clone, Copy)]
pub struct Issuance<'a> {
    /// The registered profile of the sender: seller, or buyer in self-billing.
    pub taxpayer: &'a Profile,
    /// The sender on the Peppol network.
    pub participant: &'a ParticipantId,
    /// The current day in the UAE, the default of the issue date.
    pub today: Date,
    /// BTAE-07, the default of the unique identifier.
    pub uuid: Uuid,
    /// The invoice that `previous_document_id` names, if any.
    pub original: Option<&'a Original>,
}

/// The credited invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// IBT-001 of the invoice.
    pub number: String,
    /// IBT-002 of the invoice.
    pub issue_date: Date,
}
