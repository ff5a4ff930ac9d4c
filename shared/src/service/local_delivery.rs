//! What a sent document brings about at once: its event, and in Sandbox the inbound document of a
//! recipient who is a taxpayer of the same Sandbox (specification 1, point 4).

use super::{Context, Sending, record};
use crate::{
    access::TaxpayerStatus,
    document::is_predefined,
    store::{
        Direction, DocumentRecord, EventRecord, EventType, PayloadKind, Recipient, Status,
        StoreError,
    },
    types::{DocumentId, Mode, ParticipantId},
};

/// What must be written together with a document that was sent.
#[derive(Debug)]
pub(super) struct Consequences {
    /// `document.sent`, and `document.received` of the recipient.
    pub(super) events: Vec<EventRecord>,
    /// The recipient's document.
    pub(super) inbound: Option<DocumentRecord>,
}

/// The consequences of a Sandbox send. `sent` is the record as it will be written, `bytes` its UBL.
pub(super) async fn consequences(
    sending: &Sending,
    mode: Mode,
    sender: &ParticipantId,
    sent: &DocumentRecord,
    bytes: &[u8],
) -> Result<Consequences, StoreError> {
    let event = |kind, participant: &ParticipantId, record: &DocumentRecord| {
        record::event(&sending.ctx, mode, kind, participant, record)
            .map_err(|error| StoreError::Corrupt(error.into()))
    };
    let mut events = vec![event(EventType::DocumentSent, sender, sent)?];
    let inbound = match recipient(&sending.ctx, mode, sent).await? {
        None => None,
        Some(recipient) => {
            let inbound = deliver_locally(sending, mode, &recipient, sent, bytes).await?;
            events.push(event(EventType::DocumentReceived, &recipient.participant_id, &inbound)?);
            Some(inbound)
        }
    };
    Ok(Consequences { events, inbound })
}

/// The recipient, when it is an active taxpayer of the same Sandbox. The predefined endpoints are
/// nobody's: what goes there reaches the tax authority alone.
async fn recipient(
    ctx: &Context,
    mode: Mode,
    sent: &DocumentRecord,
) -> Result<Option<Recipient>, StoreError> {
    let Some(participant) = &record::counterparty(sent).participant_id else { return Ok(None) };
    if mode != Mode::Sandbox
        || (participant.scheme() == ParticipantId::TIN_SCHEME && is_predefined(participant.value()))
    {
        return Ok(None);
    }
    let recipient = ctx.store.find_participant(mode, participant).await?;
    Ok(recipient.filter(|recipient| recipient.status == TaxpayerStatus::Active))
}

/// The recipient's own document, with its own copy of the UBL: nothing of one tenant is read
/// through another's key. What is the sender's own (source_id, metadata, references to its
/// documents) stays behind.
async fn deliver_locally(
    sending: &Sending,
    mode: Mode,
    recipient: &Recipient,
    sent: &DocumentRecord,
    bytes: &[u8],
) -> Result<DocumentRecord, StoreError> {
    let now = sent.updated_at;
    let document_id = DocumentId::new(now, &*sending.ctx.random);
    let taxpayer_id = recipient.taxpayer_id.clone();
    let ubl = sending
        .bucket
        .put(mode, &taxpayer_id, &document_id, PayloadKind::Ubl, bytes.to_vec())
        .await?;
    Ok(DocumentRecord {
        document_id,
        taxpayer_id,
        organization_id: None,
        direction: Direction::Inbound,
        status: Status::Received,
        source_id: None,
        metadata: Default::default(),
        previous_document_id: None,
        corrects_document_id: None,
        ubl: Some(ubl),
        warnings: Vec::new(),
        created_at: now,
        updated_at: now,
        version: 1,
        request: None,
        lease: None,
        ..sent.clone()
    })
}
