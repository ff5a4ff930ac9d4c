//! Validates a received document, and makes its record.

use jiff::Timestamp;
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use crate::{
    error::{Finding, Severity},
    peppol::{
        identifiers::{InstanceId, Process},
        sbdh::{Header, MlsType},
    },
    service::{
        receive::{MOST_ENVELOPE_BYTES, served},
        record::bounded,
    },
    store::{Direction, DocumentRecord, MessageRecord, PartySummary, Payload, Status, StoreError},
    types::{DocumentId, MessageId, TaxpayerId, uae_date},
    ubl::{self, Summary},
    validate,
    xml::{self, Limits},
};

/// A validated document.
pub(super) struct CheckedDocument {
    /// The fields of its record, as far as they could be read.
    pub(super) summary: Summary,
    /// The findings, errors first.
    pub(super) findings: Vec<Finding>,
}

impl CheckedDocument {
    /// Whether no finding is an error.
    pub(super) fn is_valid(&self) -> bool {
        !self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    fn unreadable(rule: &'static str, why: impl ToString) -> Self {
        let findings = vec![Finding::error("", rule, why.to_string())];
        CheckedDocument { summary: Summary::default(), findings }
    }
}

/// Validates a document by schema and rules, and against its envelope.
pub(super) fn check(bytes: &[u8], header: &Header) -> CheckedDocument {
    let limits = Limits { bytes: MOST_ENVELOPE_BYTES, ..Limits::DEFAULT };
    let tree = match xml::parse_with(bytes, &limits) {
        Ok(tree) => tree,
        Err(error) => return CheckedDocument::unreadable("AP-INBOUND-xml", error),
    };
    let verdict = match validate::check(&tree, |_, _| String::new()) {
        Ok(verdict) => verdict,
        Err(error) => return CheckedDocument::unreadable("AP-INBOUND-xml", error),
    };
    let summary = ubl::summary(&tree);
    let mut findings: Vec<_> = verdict.findings.into_iter().map(|found| found.finding).collect();
    findings.extend(beside_the_envelope(&summary, header));
    findings.extend(for_somebody_else(&summary, header));
    // A valid document may still have values that a record cannot hold.
    if !findings.iter().any(|finding| finding.severity == Severity::Error) {
        findings.extend(unrecordable(&summary));
    }
    findings.sort_by_key(|finding| finding.severity != Severity::Error);
    CheckedDocument { summary, findings }
}

/// Business Message Envelope 2.0.1: DOCUMENTID has the customization of the document.
fn beside_the_envelope(summary: &Summary, header: &Header) -> Option<Finding> {
    let expected = header.document.document_type().customization();
    let found = summary.customization.as_deref().filter(|found| *found != expected)?;
    let message = format!("CustomizationID is not {expected}, the value in the envelope.");
    Some(Finding {
        term: Some("IBT-024".into()),
        value: Some(found.to_owned()),
        ..Finding::error("", "AP-INBOUND-type", message)
    })
}

/// Business Message Envelope 2.0.1: the receiver is the party that the document is for. That is the seller in
/// self-billing, and the buyer otherwise. A TIN and a TRN that begins with it are one business.
fn for_somebody_else(summary: &Summary, header: &Header) -> Option<Finding> {
    let self_billed = header.process == Process::SELF_BILLING;
    let (party, term) = match self_billed {
        true => (&summary.seller, "IBT-034"),
        false => (&summary.buyer, "IBT-049"),
    };
    let found = party.participant.as_ref()?;
    let receiver = &header.receiver;
    let same_tin = found.tin().is_some() && found.tin() == receiver.tin();
    if same_tin || found == receiver {
        return None;
    }
    let message = format!("The document is for {found}, but its envelope is for {receiver}.");
    Some(Finding {
        term: Some(term.into()),
        value: Some(found.to_string()),
        ..Finding::error("", "AP-INBOUND-receiver", message)
    })
}

/// The first value that every record needs and that is missing, or that cannot be stored.
fn unrecordable(summary: &Summary) -> Option<Finding> {
    let has = [
        ("IBT-001", summary.number.is_some()),
        ("IBT-002", summary.issue_date.is_some()),
        ("IBT-003", summary.type_code.is_some()),
        ("IBT-005", summary.currency.is_some()),
        ("IBT-109", summary.total_without_vat.is_some()),
        ("IBT-112", summary.total_with_vat.is_some()),
        ("IBT-115", summary.amount_due.is_some()),
    ];
    let (term, _) = has.into_iter().find(|(_, has)| !has)?;
    let message = "The value is missing, or cannot be recorded: an amount has at most 28 digits.";
    Some(Finding { term: Some(term.into()), ..Finding::error("", "AP-INBOUND-record", message) })
}

/// The taxpayer's document. In a rejected document, values that could not be read are empty.
pub(super) fn record(
    message: &MessageRecord,
    (taxpayer_id, document_id): (TaxpayerId, DocumentId),
    header: &Header,
    checked: CheckedDocument,
    ubl: Payload,
    now: Timestamp,
) -> Result<DocumentRecord, StoreError> {
    let operation = served::operation(header.document.document_type())
        .ok_or_else(|| StoreError::Corrupt("not a document of PINT-AE".into()))?;
    let status = if checked.is_valid() { Status::Received } else { Status::Rejected };
    let CheckedDocument { summary, findings } = checked;
    let message_id = message_id(&message.instance_id);
    let customization = header.document.document_type().customization();
    let mls_type: MlsType = header.mls_type.unwrap_or_default();
    Ok(DocumentRecord {
        document_id,
        taxpayer_id,
        organization_id: None,
        direction: Direction::Inbound,
        operation,
        document_type_code: summary.type_code.unwrap_or_default(),
        status,
        number: summary.number.unwrap_or_default(),
        uuid: summary.uuid.unwrap_or(message_id.uuid()),
        issue_date: summary.issue_date.unwrap_or(uae_date(message.received_at)),
        due_date: summary.due_date,
        currency: summary.currency.unwrap_or_default(),
        transaction_type_code: summary.transaction_type_code.unwrap_or_default(),
        profile: customization.trim_start_matches("urn:peppol:").to_owned(),
        mls_type: mls_type.as_str().to_owned(),
        total_without_vat: summary.total_without_vat.unwrap_or_default(),
        // A document without VAT in its scope has no VAT total.
        total_vat: summary.total_vat.unwrap_or(Decimal::ZERO),
        total_with_vat: summary.total_with_vat.unwrap_or_default(),
        amount_due: summary.amount_due.unwrap_or_default(),
        supplier: party(summary.seller),
        customer: party(summary.buyer),
        source_id: None,
        metadata: Default::default(),
        previous_document_id: None,
        corrects_document_id: None,
        corrected_by: None,
        message_id,
        ubl: Some(ubl),
        envelope: message.envelope.clone(),
        message_level_status: None,
        reporting: None,
        later_reports: Vec::new(),
        warnings: bounded(&findings),
        created_at: message.received_at,
        converted_at: None,
        dispatching_at: None,
        updated_at: now,
        version: 1,
        request: None,
        lease: None,
        tries: 0,
        unanswered: None,
    })
}

fn party(party: ubl::Party) -> PartySummary {
    PartySummary { name: party.name.unwrap_or_default(), participant_id: party.participant }
}

/// The envelope's own identifier, which should be a UUID. Otherwise a UUID is derived from it (RFC 9562, version 8),
/// the same each time.
fn message_id(instance_id: &InstanceId) -> MessageId {
    let own = instance_id.as_str().parse::<uuid::Uuid>().unwrap_or_else(|_| {
        let digest = Sha256::digest(instance_id.as_str());
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    });
    own.into()
}
