//! The part of a Live send that goes to the network, before and after the document is recorded.

use bytes::Bytes;

use super::{Attempt, MadeDocument, Render, Sent, reported};
use crate::{
    access::Taxpayer,
    error::{Code, Failure},
    peppol::{identifiers::DocumentType, sbdh::Header},
    service::{
        Sending, later,
        local_delivery::Consequences,
        network::{Network, Why},
        report::{
            first::Exchanged,
            tax_data::{self, Parties},
        },
        transmit::{
            self, Blocked, Content, Exchange, Ready,
            conclude::{Concluded, conclude},
            envelope,
        },
    },
    store::{
        Departure, DocumentRecord, Due, Lease, PayloadKind, Status, StoreError, TransmissionRecord,
    },
};

/// A message that leaves once its document is recorded.
pub(super) struct Leaving {
    pub(super) ready: Ready,
    /// The header of its envelope.
    header: Header,
}

/// Finds the recipient of a document that goes out and makes its message. The document is stored after that: one
/// whose recipient is not found costs the bucket nothing.
pub(super) async fn departing(
    attempt: Attempt<'_>,
    record: DocumentRecord,
    bytes: &[u8],
) -> Result<MadeDocument, Failure> {
    let Sending { ctx, settings, .. } = attempt.sending;
    let (now, status) = (ctx.now(), Status::Dispatching);
    let until = later(now, settings.lease);
    let lease = Some(Lease { owner: ctx.new_uuid(), until });
    let record = DocumentRecord { status, dispatching_at: Some(now), lease, ..record };
    let (record, departure) =
        reported(attempt.sending, attempt.caller.mode, record, Exchanged::Sent)?;
    let transmission =
        TransmissionRecord::new(record.taxpayer_id.clone(), record.document_id.clone());
    let header = header(attempt, &record).await?;
    let sought = envelope::sought(&record);
    let (network, _) = attempt.sending.network().await?;
    let exchange = exchange_of(attempt, network, &header, sought.as_ref());
    let beside = beside(attempt, network, departure.as_ref(), bytes).await?;
    let stored_as = Some(PayloadKind::Ubl);
    let content = Content { stored_as, beside: &beside, ..Content::of(bytes) };
    let mut ready =
        Box::pin(transmit::prepare(exchange, transmission, content)).await?.map_err(held)?;
    let record = DocumentRecord { ubl: ready.document.take(), ..record };
    ready.transmission.note_report(departure.as_ref());
    // When this process dies the sweeper has the document go on.
    let due = Some(Due::watched(until));
    let consequences = Consequences { events: Vec::new(), inbound: None };
    let leaving = Some(Leaving { ready, header });
    Ok(MadeDocument { record, due, consequences, departure, corrects: None, leaving })
}

/// The report about a document, to be stored beside it.
async fn beside(
    attempt: Attempt<'_>,
    network: &Network,
    departure: Option<&Departure>,
    ubl: &[u8],
) -> Result<Vec<(PayloadKind, Bytes)>, StoreError> {
    let live = attempt.sending.live.as_ref();
    let (Some(departure), Some(authority)) = (departure, live.and_then(|it| it.authority.as_ref()))
    else {
        return Ok(Vec::new());
    };
    let seat = network.own_seat()?;
    let parties = Parties {
        reporting_party: &attempt.caller.taxpayer.participant_id,
        authority,
        representative: seat.spid(),
    };
    let now = attempt.sending.ctx.now();
    tax_data::beside(&departure.tax_report.tax_report, parties, ubl, now)
}

/// The header of the envelope of a document that goes out.
async fn header(attempt: Attempt<'_>, record: &DocumentRecord) -> Result<Header, StoreError> {
    let Attempt { sending: Sending { ctx, .. }, caller, .. } = attempt;
    let Taxpayer { taxpayer_id, participant_id, .. } = &caller.taxpayer;
    let settings = ctx.store.get_settings_lately(caller.mode, taxpayer_id).await?;
    envelope::header(record, participant_id, settings, ctx.now())
}

/// The exchange of a document.
fn exchange_of<'a>(
    attempt: Attempt<'a>,
    network: &'a Network,
    header: &'a Header,
    sought: Option<&'a DocumentType>,
) -> Exchange<'a> {
    let Attempt { sending, caller, time, .. } = attempt;
    let Sending { ctx, bucket, .. } = sending;
    Exchange { ctx, bucket, network, mode: caller.mode, time, header, sought }
}

/// Why a document cannot leave; nothing of it was recorded.
fn held(held: Blocked) -> Failure {
    let (code, message) = match held {
        Blocked::Breaker(_) => (
            Code::RecipientUnreachable,
            "The recipient's access point is busy or does not answer at the moment: retry the \
             same payload with the same Idempotency-Key, or use queued delivery."
                .to_owned(),
        ),
        Blocked::Lookup(_, failure) => {
            let code = match failure.why {
                Why::NotRegistered => Code::RecipientNotRegistered,
                Why::NotCapable => Code::RecipientNotCapable,
                Why::Defective => Code::RecipientRegistrationDefective,
                Why::Failed => Code::RecipientLookupFailed,
            };
            (code, failure.message)
        }
    };
    Failure::new(code, message)
}

/// Sends the message of a document that was recorded for it, and says what became of it.
pub(super) async fn leave(
    attempt: Attempt<'_>,
    record: DocumentRecord,
    Leaving { mut ready, header }: Leaving,
    render: Render,
) -> Result<Sent, Failure> {
    let document_id = record.document_id.clone();
    let unconfirmed = || {
        Failure::new(
            Code::TransmissionUnconfirmed,
            format!(
                "The document {document_id} was sent, but no receipt proves yet that it arrived. The service continues \
                 the delivery: retry the same payload with the same Idempotency-Key for the final answer, or read the \
                 document."
            ),
        )
        .about(&document_id)
    };
    let unanswered = attempt.reservation.map(|reservation| reservation.key.clone());
    let record = DocumentRecord { unanswered, ..record };
    let came = async {
        let (network, _) = attempt.sending.network().await?;
        let exchange = exchange_of(attempt, network, &header, None);
        ready.transmission.version += 1; // as it was written with the document
        let (transmission, outcome) = Box::pin(transmit::send(exchange, ready)).await;
        conclude(exchange, &record, &transmission, outcome, render).await
    };
    match came.await {
        Ok(Concluded::Answered(reply)) => match reply.failure() {
            None => {
                let document_id = record.document_id.clone();
                Ok(Sent { reply, replayed: false, document_id, import: None })
            }
            Some(failure) => Err(failure),
        },
        Ok(Concluded::GoesOn | Concluded::Lost) => Err(unconfirmed()),
        // The lease ends, and the queue finds out.
        Err(error) => Err(unconfirmed().because(error)),
    }
}
