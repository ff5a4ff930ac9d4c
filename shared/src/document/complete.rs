//! From a [`Submission`] to a [`Document`].

use jiff::civil::Date;
use uuid::Uuid;

use super::{Document, Party, Submission};
use crate::{error::Finding, types::ParticipantId};

/// What is known beside the body.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The registered profile of the sender: seller, or buyer in self-billing.
    pub taxpayer: &'a Party,
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

/// Fills in what was left out, computes and checks. `Ok` has the document and its warnings,
/// `Err` all findings, errors and warnings.
pub fn complete(
    submission: Submission,
    context: &Context<'_>,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let _ = (submission, context);
    Err(Vec::new())
}

impl Document {
    /// The sender on the network: the seller, or the buyer in self-billing.
    pub fn sender(&self) -> Option<ParticipantId> {
        participant(if self.is_self_billed() { &self.buyer } else { &self.seller })
    }

    /// The receiver on the network: the buyer, or the seller in self-billing.
    pub fn receiver(&self) -> Option<ParticipantId> {
        participant(if self.is_self_billed() { &self.seller } else { &self.buyer })
    }

    /// Whether the receiver is one of the predefined endpoints, to which nothing is sent: only
    /// the tax authority gets the document.
    pub fn is_predefined_endpoint(&self) -> bool {
        let receiver = self.receiver();
        receiver
            .is_some_and(|r| r.scheme() == ParticipantId::TIN_SCHEME && is_predefined(r.value()))
    }

    /// Whether the buyer issued it.
    pub fn is_self_billed(&self) -> bool {
        self.operation.is_self_billed()
    }

    /// Whether it is a credit note.
    pub fn is_credit_note(&self) -> bool {
        self.operation.is_credit_note()
    }
}

/// 97 deemed supply, 98 buyer outside UAE e-invoicing, 99 export to a buyer who is not on Peppol.
pub(super) fn is_predefined(value: &str) -> bool {
    matches!(value, "9900000097" | "9900000098" | "9900000099")
}

fn participant(party: &Party) -> Option<ParticipantId> {
    let address = party.electronic_address.as_ref()?;
    ParticipantId::new(address.scheme_id.as_deref()?, &address.id).ok()
}
