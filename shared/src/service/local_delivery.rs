//! What a sent document brings about at once: its event, and in Sandbox the inbound document of a
//! recipient who is a taxpayer of the same Sandbox (specification 1, point 4).

use aws_lc_rs::digest::{Digest, SHA256, digest};
use jiff::Timestamp;

use super::{Context, Sending, record};
use crate::{
    access::TaxpayerStatus,
    document::is_predefined,
    store::{
        Direction, DocumentRecord, EventRecord, EventType, Payload, PayloadKind, Recipient, Status,
        StoreError,
    },
    types::{DocumentId, Mode, ParticipantId, Random, TaxpayerId},
};

/// What must be written together with a document that was sent.
#[derive(Debug)]
pub(super) struct Consequences {
    /// `document.sent`, and `document.received` of the recipient.
    pub(super) events: Vec<EventRecord>,
    /// The recipient's document.
    pub(super) inbound: Option<DocumentRecord>,
}

/// A document that is sent: the record as it will be written, and its UBL.
pub(super) struct Outgoing<'a> {
    pub(super) mode: Mode,
    pub(super) sender: &'a ParticipantId,
    pub(super) record: &'a DocumentRecord,
    pub(super) bytes: &'a [u8],
    /// When sending it began. A repeated attempt says the same, so that the recipient's document
    /// has the same name each time.
    pub(super) begun: Timestamp,
}

/// The consequences of a Sandbox send. What is stored on the way is put into `stored`.
pub(super) async fn consequences(
    sending: &Sending,
    outgoing: &Outgoing<'_>,
    stored: &mut Vec<Payload>,
) -> Result<Consequences, StoreError> {
    let Outgoing { mode, sender, record: sent, .. } = *outgoing;
    let event = |kind, participant: &ParticipantId, record: &DocumentRecord| {
        record::event(&sending.ctx, mode, kind, participant, record)
            .map_err(|error| StoreError::Corrupt(error.into()))
    };
    let mut events = vec![event(EventType::DocumentSent, sender, sent)?];
    let inbound = match recipient(&sending.ctx, mode, sent).await? {
        None => None,
        Some(recipient) => {
            let inbound = deliver_locally(sending, outgoing, &recipient, stored).await?;
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
    if mode != Mode::Sandbox || is_predefined(participant) {
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
    outgoing: &Outgoing<'_>,
    recipient: &Recipient,
    stored: &mut Vec<Payload>,
) -> Result<DocumentRecord, StoreError> {
    let Outgoing { mode, record: sent, bytes, begun, .. } = *outgoing;
    let taxpayer_id = recipient.taxpayer_id.clone();
    let document_id = received_id(begun, sent, &taxpayer_id);
    let ubl = sending
        .bucket
        .put(mode, &taxpayer_id, &document_id, PayloadKind::Ubl, bytes.to_vec(), stored)
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
        corrected_by: None,
        ubl: Some(ubl),
        warnings: Vec::new(),
        message_level_status: None,
        reporting: None,
        later_reports: Vec::new(),
        created_at: begun,
        converted_at: None,
        dispatching_at: None,
        version: 1,
        request: None,
        lease: None,
        tries: 0,
        unanswered: None,
        ..sent.clone()
    })
}

/// The name of the recipient's document: as opaque as any, and the same however often the sender's
/// is sent.
fn received_id(begun: Timestamp, sent: &DocumentRecord, recipient: &TaxpayerId) -> DocumentId {
    struct Hash(Digest);
    impl Random for Hash {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.iter_mut().zip(self.0.as_ref().iter().cycle()).for_each(|(to, from)| *to = *from);
        }
    }
    let text = format!("received {} {recipient}", sent.document_id);
    DocumentId::new(begun, &Hash(digest(&SHA256, text.as_bytes())))
}
