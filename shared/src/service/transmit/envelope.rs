//! What the envelope of a document says.

use crate::{
    document::Operation,
    peppol::{
        identifiers::{DocumentType, Process, registrations_for},
        sbdh::{CountryCode, DocumentIdentification, Header, IdentificationError, MlsTo, MlsType},
    },
    service::record::counterparty,
    store::{DocumentRecord, StoreError, TaxpayerSettings},
    types::ParticipantId,
};
use jiff::Timestamp;

/// What is exchanged, and in which process. A profile that a caller gives names the same type:
/// IBT-024 says it in the document and DOCUMENTID in its envelope, with `@ae-1` (aligned-ibrp-001-ae) and
/// never with `*`, which is a registration's (PFUOI 4.3).
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

/// The registration at which the lookup of a document begins: the one that its profile names by `*`.
/// The recipient's narrower ones are passed over, so that one that is registered twice is reached where
/// it takes wildcards. Without `*`, the search begins at the document's own type (PFUOI 4.4).
pub(in crate::service) fn sought(record: &DocumentRecord) -> Option<DocumentType> {
    let prefix = record.profile.strip_suffix('*')?;
    let named = format!("urn:peppol:{prefix}");
    let (document_type, _) = kind(record.operation);
    registrations_for(&document_type)
        .into_iter()
        .find(|registration| registration.is_wildcard() && registration.customization() == named)
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
        mls_to: settings.mls_to.as_ref().map(MlsTo::from),
        mls_type: Some(match record.mls_type.as_str() {
            "FAILURE_ONLY" => MlsType::FailureOnly,
            _ => MlsType::AlwaysSend,
        }),
        others: Default::default(),
    })
}
