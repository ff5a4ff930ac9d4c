//! The second stage of queued delivery: converted → dispatching → sent, unconfirmed or failed. A Live
//! document goes to the network, as often as it takes. In Sandbox nothing leaves the service; the
//! recipient's document is made here.

use tokio::time::Instant;

use super::{
    Context, Sending,
    job::{self, Job},
    local_delivery::{self, Outgoing},
    record::counterparty,
    report::first::{self, Exchanged},
    transmit::{
        self, Content, Exchange, Time,
        conclude::{Concluded, conclude},
        envelope, receipts,
    },
};
use crate::{
    document::is_predefined,
    error::Failure,
    store::{
        DocumentRecord, Effects, Payload, Progress, Recorded, Reporting, StageMessage, Status,
        Step, StoreError, TransmissionRecord,
        keys::{JobId, Proves},
    },
    types::Mode,
};

/// The dispatch of a queued document.
#[derive(Clone)]
pub struct Dispatch(pub Sending);

impl Job for Dispatch {
    type Message = StageMessage;
    type Record = DocumentRecord;
    const OPERATION: &'static str = "dispatch";

    fn ctx(&self) -> &Context {
        &self.0.ctx
    }

    fn id(message: &StageMessage) -> JobId {
        message.job_id()
    }

    async fn lease(&self, message: &StageMessage) -> Result<Option<DocumentRecord>, StoreError> {
        let from = [Status::Converted, Status::Dispatching];
        let leased = job::lease_document(&self.0, message, &from, Status::Dispatching).await?;
        if leased.is_none() {
            let StageMessage { mode, taxpayer_id, document_id, .. } = message.clone();
            let job_id = JobId::Receipt(mode, Proves::Document(taxpayer_id, document_id));
            receipts::shelve_due(&self.0.ctx, &self.0.bucket, job_id).await;
        }
        Ok(leased)
    }

    async fn work(
        &self,
        message: &StageMessage,
        leased: &mut DocumentRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        let time = Time::of_turn(begun, self.0.settings.time);
        Ok(work(&self.0, message.mode, leased, time).await?)
    }
}

async fn work(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    if goes_out(mode, leased) {
        return Box::pin(go_out(sending, mode, leased, time)).await;
    }
    let taxpayer = sending.ctx.taxpayer_of_job(mode, &leased.taxpayer_id).await?;
    let (_held, bytes) = sending.bucket.get_with_room(ubl(leased)?).await?;
    let (at, progress) = (sending.ctx.now(), Progress::Sent);
    // As it will stand there: what the event tells.
    let departure = first::of_sent(&sending.ctx, mode, leased, Exchanged::None)?;
    let reporting = departure.as_ref().map(|it| Reporting::of(&it.tax_report.tax_report));
    let sent = DocumentRecord {
        status: progress.status(),
        updated_at: at,
        reporting: reporting.clone().or_else(|| leased.reporting.clone()),
        ..leased.clone()
    };
    let outgoing = Outgoing {
        mode,
        sender: &taxpayer.participant_id,
        record: &sent,
        bytes: &bytes,
        // When the document was first taken up for dispatch; a later worker does not change it.
        begun: leased.updated_at,
    };
    // What is stored has the same name the next time.
    let consequences = local_delivery::consequences(sending, &outgoing, &mut Vec::new()).await?;
    let effects = Effects {
        events: &consequences.events,
        inbound: consequences.inbound.as_ref(),
        exchange: None,
    };
    let step = Step {
        progress: &progress,
        at,
        due: None,
        reply: None,
        transmission: None,
        departure: departure.as_ref(),
        reporting: reporting.as_ref(),
        effects: Some(effects),
    };
    sending.ctx.store.advance_document(mode, leased, step).await
}

/// Whether a document leaves for the network: a Live one for a real recipient. The predefined
/// endpoints are nobody's: what is for them reaches the tax authority alone.
pub(super) fn goes_out(mode: Mode, record: &DocumentRecord) -> bool {
    let recipient = counterparty(record).participant_id.as_ref();
    mode == Mode::Live && !recipient.is_some_and(is_predefined)
}

/// One attempt at a document that goes out.
async fn go_out(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    let (network, render) = sending.network().await?;
    let Sending { ctx, bucket, .. } = sending;
    let (taxpayer, settings) = tokio::try_join!(
        ctx.taxpayer_of_job(mode, &leased.taxpayer_id),
        ctx.store.get_settings_lately(mode, &leased.taxpayer_id),
    )?;
    let header = envelope::header(leased, &taxpayer.participant_id, settings, ctx.now())?;
    let sought = envelope::sought(leased);
    let sought = sought.as_ref();
    let exchange = Exchange { ctx, bucket, network, mode, time, header: &header, sought };
    let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
    let transmission = ctx.store.get_transmission(mode, taxpayer_id, document_id).await?;
    let transmission = transmission
        .unwrap_or_else(|| TransmissionRecord::new(taxpayer_id.clone(), document_id.clone()));
    let (_held, bytes) = bucket.get_with_room(ubl(leased)?).await?;
    let content = Content::of(&bytes);
    let begin = |transmission, _| begin(ctx, mode, leased, transmission);
    let Some((transmission, outcome)) =
        transmit::attempt(exchange, transmission, content, begin).await?
    else {
        return Ok(Recorded::Lost);
    };
    Ok(match conclude(exchange, leased, &transmission, outcome, render).await? {
        Concluded::Answered(_) | Concluded::GoesOn => Recorded::Done,
        Concluded::Lost => Recorded::Lost,
    })
}

/// Records an attempt; the first one together with its departure.
async fn begin(
    ctx: &Context,
    mode: Mode,
    leased: &DocumentRecord,
    mut transmission: TransmissionRecord,
) -> Result<Option<TransmissionRecord>, StoreError> {
    let departure = match transmission.reported {
        true => None,
        false => first::of_sent(ctx, mode, leased, Exchanged::Sent)?,
    };
    transmission.note_report(departure.as_ref());
    ctx.store.begin_transmission(mode, transmission, departure.as_ref()).await
}

fn ubl(leased: &DocumentRecord) -> Result<&Payload, StoreError> {
    let ubl = leased.ubl.as_ref();
    ubl.ok_or_else(|| StoreError::Corrupt("a converted document has no UBL".into()))
}
