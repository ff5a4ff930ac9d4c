//! The immediate consequences of a sent document. It has an event. In Sandbox, a recipient who is a taxpayer of the same
//! Sandbox gets an inbound document (specification 1, point 4).

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

/// The records to write together with a sent document.
#[derive(Debug)]
pub(super) struct Consequences {
    /// `document.sent`, and `document.received` for the recipient.
    pub(super) events: Vec<EventRecord>,
    /// The recipient's document.
    pub(super) inbound: Option<DocumentRecord>,
}

/// A sent document: the record to write, and its UBL.
pub(super) struct Outgoing<'a> {
    pub(super) mode: Mode,
    pub(super) sender: &'a ParticipantId,
    pub(super) record: &'a DocumentRecord,
    pub(super) bytes: &'a [u8],
    /// When the send began. A repeated attempt has the same value, so that the recipient's document has the same
    /// identifier each time.
    pub(super) begun: Timestamp,
}

/// The consequences of a Sandbox send. Payloads that were stored are added to `stored`.
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

/// The recipient, if it is an active taxpayer of the same Sandbox. The predefined endpoints belong to nobody: only the
/// tax authority gets documents that are sent to them.
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

/// The recipient's own document, with its own copy of the UBL, so that no tenant's data is read through another
/// tenant's key. The sender's own fields are not copied: source_id, metadata, and references to its documents.
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

/// The identifier of the recipient's document. It is as opaque as others, and the same for every repetition of the
/// send.
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
