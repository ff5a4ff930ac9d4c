//! What the envelope of a document says.

use crate::{
    document::Operation,
    peppol::{
        identifiers::{DocumentType, Process},
        sbdh::{CountryCode, DocumentIdentification, Header, IdentificationError, MlsType},
    },
    service::record::counterparty,
    store::{DocumentRecord, StoreError, TaxpayerSettings},
    types::ParticipantId,
};
use jiff::Timestamp;

/// What is exchanged, and in which process. The profile that a caller may override names the same:
/// the document's own type is what it says of itself, and wildcards are the registration's.
pub(in crate::service) fn kind(operation: Operation) -> (DocumentType, Process) {
    match operation {
        Operation::Invoice => (DocumentType::INVOICE, Process::BILLING),
        Operation::CreditNote => (DocumentType::CREDIT_NOTE, Process::BILLING),
        Operation::SelfBilledInvoice => (DocumentType::SELF_BILLED_INVOICE, Process::SELF_BILLING),
        Operation::SelfBilledCreditNote => {
            (DocumentType::SELF_BILLED_CREDIT_NOTE, Process::SELF_BILLING)
        }
    }
}

/// Whom a document is for.
fn recipient(record: &DocumentRecord) -> Result<&ParticipantId, StoreError> {
    let participant = counterparty(record).participant_id.as_ref();
    participant.ok_or_else(|| StoreError::Corrupt("the recipient has no electronic address".into()))
}

/// The envelope of a document; in self-billing the buyer, who is the taxpayer, sends.
pub(in crate::service) fn header(
    record: &DocumentRecord,
    sender: &ParticipantId,
    settings: TaxpayerSettings,
    now: Timestamp,
) -> Result<Header, StoreError> {
    let (document_type, process) = kind(record.operation);
    let document = DocumentIdentification::new(document_type)
        .map_err(|error: IdentificationError| StoreError::Corrupt(error.into()))?;
    Ok(Header {
        sender: sender.clone(),
        receiver: recipient(record)?.clone(),
        instance_id: (&record.message_id).into(),
        document,
        process,
        created_at: now,
        country_c1: CountryCode::UAE,
        mls_to: settings.mls_to.map(|spid| spid.participant().clone()),
        mls_type: Some(match record.mls_type.as_str() {
            "FAILURE_ONLY" => MlsType::FailureOnly,
            _ => MlsType::AlwaysSend,
        }),
        others: Default::default(),
    })
}
