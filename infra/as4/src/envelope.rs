//! Documents in their envelopes, and a status to send.

use std::collections::BTreeMap;

use access_point::{
    peppol::{
        identifiers::{DocumentType, InstanceId, Process, Spid},
        mls::{self, Acceptance, Text, Verdict},
        sbdh::{self, CountryCode, DocumentIdentification, Header, MlsType},
    },
    types::{Clock, ParticipantId, SystemClock},
};

use crate::{Result, peer};

/// What is sent, and in which process.
const KINDS: [(&str, DocumentType, Process); 6] = [
    ("invoice", DocumentType::INVOICE, Process::BILLING),
    ("credit-note", DocumentType::CREDIT_NOTE, Process::BILLING),
    ("self-billed-invoice", DocumentType::SELF_BILLED_INVOICE, Process::SELF_BILLING),
    ("self-billed-credit-note", DocumentType::SELF_BILLED_CREDIT_NOTE, Process::SELF_BILLING),
    (STATUS, DocumentType::MESSAGE_LEVEL_STATUS, Process::MESSAGE_LEVEL_STATUS),
    (TAX_DATA, DocumentType::TAX_DATA, Process::TAX_REPORTING),
];
/// A Message Level Status.
const STATUS: &str = "mls";
/// A Tax Data Document of the UAE.
const TAX_DATA: &str = "tdd";

/// The envelope of a document.
pub(crate) fn wrap(kind: &str, sender: &str, receiver: &str, document: &[u8]) -> Result<Vec<u8>> {
    let known = KINDS.into_iter().find(|(name, ..)| *name == kind);
    let (_, document_type, process) = known.ok_or_else(|| format!("no kind {kind}"))?;
    let header = Header {
        sender: sender.parse()?,
        receiver: receiver.parse()?,
        instance_id: instance_id()?,
        document: DocumentIdentification::new(document_type)?,
        process,
        created_at: SystemClock.now(),
        country_c1: CountryCode::UAE,
        mls_to: None,
        // No status is sent about a status.
        mls_type: (kind != STATUS).then_some(MlsType::AlwaysSend),
        others: BTreeMap::new(),
    };
    Ok(sbdh::write(&header, document))
}

/// The envelope of a status from one provider to another, about a message that there never was.
pub(crate) fn status(kind: &str, sender: &str, receiver: &str) -> Result<Vec<u8>> {
    if kind != STATUS {
        return Err(format!("{kind} needs a file").into());
    }
    let provider = |text: &str| -> Result<Spid> {
        let participant: ParticipantId = text.parse()?;
        Ok(Spid::try_from(&participant)?)
    };
    let status = mls::Status {
        id: Text::new(instance_id()?.as_str()).ok_or("an id without text")?,
        issued_at: SystemClock.now(),
        sender: provider(sender)?,
        receiver: provider(receiver)?,
        ref_to: instance_id()?,
        verdict: Verdict::AcceptedUnconfirmed(Acceptance::default()),
    };
    wrap(kind, sender, receiver, &mls::write(&status))
}

fn instance_id() -> Result<InstanceId> {
    Ok(peer::random_uuid().parse()?)
}
