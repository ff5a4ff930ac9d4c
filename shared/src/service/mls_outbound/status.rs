//! The content of a status, and the header of its envelope.

use jiff::Timestamp;

use crate::{
    error::{Finding, Severity},
    peppol::{
        identifiers::{DocumentType, Process, Spid},
        mls::{self, Acceptance, Reason, Rejection, Text, Verdict},
        sbdh::{CountryCode, DocumentIdentification, Header},
    },
    store::{DocumentRecord, MlsOutboundRecord, StatusCode, StoreError},
};

/// Makes the owed status and the header of its envelope. Peppol MLS: the sender is the receiving provider (C3).
pub(super) fn make(
    answer: &MlsOutboundRecord,
    document: &DocumentRecord,
    sender: &Spid,
    receiver: &Spid,
    now: Timestamp,
) -> Result<(Header, Vec<u8>), StoreError> {
    let id = Text::new(&answer.instance_id.to_string());
    let status = mls::Status {
        id: id.ok_or_else(|| StoreError::Corrupt("a Message Level Status has no id".into()))?,
        issued_at: now,
        sender: sender.clone(),
        receiver: receiver.clone(),
        ref_to: answer.ref_to.clone(),
        verdict: verdict(answer.code, document)?,
    };
    let identification = DocumentIdentification::new(DocumentType::MESSAGE_LEVEL_STATUS);
    let header = Header {
        sender: sender.participant().clone(),
        receiver: receiver.participant().clone(),
        instance_id: (&answer.instance_id).into(),
        document: identification.map_err(|error| StoreError::Corrupt(error.into()))?,
        process: Process::MESSAGE_LEVEL_STATUS,
        created_at: now,
        country_c1: CountryCode::UAE,
        // No status is owed for a status.
        mls_to: None,
        mls_type: None,
        others: Default::default(),
    };
    Ok((header, mls::write(&status)))
}

fn verdict(code: Option<StatusCode>, document: &DocumentRecord) -> Result<Verdict, StoreError> {
    match code {
        Some(StatusCode::Delivered) => Ok(Verdict::Accepted(acceptance(document))),
        Some(StatusCode::Forwarded) => Ok(Verdict::AcceptedUnconfirmed(acceptance(document))),
        Some(StatusCode::Rejected) => rejection(document).map(Verdict::Rejected),
        Some(StatusCode::Unknown) | None => {
            Err(StoreError::Unavailable("the status has a value of a newer version".into()))
        }
    }
}

fn rejection(document: &DocumentRecord) -> Result<Rejection, StoreError> {
    let errors = document.warnings.iter().filter(|it| it.severity == Severity::Error).count();
    let said = format!("The document was rejected: {errors} of its findings are errors.");
    let said = Text::new(&said).ok_or_else(|| StoreError::Corrupt("no words".into()))?;
    let findings =
        document.warnings.iter().map(|it| (it.location.as_deref(), reason(it), words(it)));
    mls::reject(said, findings).map_err(|error| StoreError::Corrupt(error.into()))
}

/// Warnings of a valid document are included (SCH-MLS-25: an acceptance has no failures; it may have warnings).
fn acceptance(document: &DocumentRecord) -> Acceptance {
    mls::accept(document.warnings.iter().map(|it| (it.location.as_deref(), words(it))))
}

fn words(finding: &Finding) -> String {
    format!("[{}] {}", finding.rule, finding.message)
}

/// The reason code of a finding (code list StatusReasonCode).
fn reason(finding: &Finding) -> Reason {
    match (finding.severity, &*finding.rule) {
        (Severity::Warning, _) => Reason::Warning,
        (Severity::Error, "xml-schema" | "AP-INBOUND-xml") => Reason::Syntax,
        // The document is valid, but cannot be passed on.
        (Severity::Error, "AP-INBOUND-record") => Reason::Delivery,
        (Severity::Error, _) => Reason::Rule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_sorted_by_the_code_list() {
        for (rule, code) in [
            ("xml-schema", "SV"),
            ("AP-INBOUND-xml", "SV"),
            ("AP-INBOUND-record", "FD"),
            ("AP-INBOUND-type", "BV"),
            ("AP-INBOUND-receiver", "BV"),
            ("ibr-002", "BV"),
        ] {
            assert_eq!(reason(&Finding::error("", rule, "x")).code(), code, "{rule}");
            assert_eq!(reason(&Finding::warning("", rule, "x")).code(), "BW", "{rule}");
        }
    }

    #[test]
    fn an_acceptance_names_what_is_questionable() {
        let fixture = include_str!("../../store/fixtures/document.json");
        let record: DocumentRecord = serde_json::from_str(fixture).unwrap();
        let warning = Finding {
            location: Some("/Invoice/cbc:DueDate".into()),
            ..Finding::warning("", "AP-DATE-due", "It is due before it is issued.")
        };
        let document = DocumentRecord { warnings: vec![warning], ..record };
        for code in [StatusCode::Delivered, StatusCode::Forwarded] {
            let verdict = verdict(Some(code), &document).unwrap();
            let (Verdict::Accepted(said) | Verdict::AcceptedUnconfirmed(said)) = verdict else {
                panic!("{verdict:?}")
            };
            let [warning] = &said.warnings[..] else { panic!("{said:?}") };
            assert_eq!(warning.line.xpath(), Some("/Invoice/cbc:DueDate"));
            assert_eq!(
                warning.description.as_str(),
                "[AP-DATE-due] It is due before it is issued."
            );
        }
    }

    #[test]
    fn a_rejection_names_each_finding_with_its_place() {
        let fixture = include_str!("../../store/fixtures/document.json");
        let record: DocumentRecord = serde_json::from_str(fixture).unwrap();
        let error = Finding {
            location: Some("/Invoice/cbc:ID".into()),
            ..Finding::error("", "ibr-002", "An invoice has a number.")
        };
        let document = DocumentRecord { warnings: vec![error], ..record.clone() };
        let rejection = rejection(&document).unwrap();
        let [issue] = rejection.issues() else { panic!("{rejection:?}") };
        assert_eq!(issue.line.xpath(), Some("/Invoice/cbc:ID"));
        assert_eq!(issue.description.as_str(), "[ibr-002] An invoice has a number.");
        // A document with warnings only was not rejected.
        assert!(super::rejection(&record).is_err());
    }
}
