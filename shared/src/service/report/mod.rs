//! Filings, the reports about documents to the tax authority (corner 5): due → filing → submitted →
//! reported, not compliant or failed.
//!
//! | the document | what is filed | when |
//! |---|---|---|
//! | goes out | S in role 01 | at once, beside the exchange: written down before its first byte leaves |
//! | is for a predefined endpoint | S in role 01, without a TransportHeaderID | at once; nothing is exchanged |
//! | came, and is valid | S in role 02 | when its positive status was sent, or is due at the latest |
//! | came, and breaks the rules | F in role 02 | at once |
//!
//! A filing is made in the transaction of what it reports (`first.rs`), and goes its way beside it: nothing
//! of it delays or fails a document. The first attempt makes the Tax Data Document of the stored UBL; from
//! then on it is one message like any other (`transmit`), and no retry ever makes another filing. The
//! status message of the authority ends it (`judge`), whenever that comes; without one it stays submitted,
//! and an alarm asks somebody to look.
//!
//! Filings are Live's alone, by their keys: what is here reads documents under the key of Live, and has no
//! mode that could be another.

pub(super) mod first;
pub(crate) mod outcome;
mod tax_data;
mod turn;

use jiff::SignedDuration;
use tracing::Instrument;

use self::{outcome::Ended, tax_data::Made, turn::Turn};
use super::{
    Filing, exchanges, later, lease,
    network::{Missed, Network},
    transmit::{self, Held, Ready, Time, Way, receipts},
    waiting,
};
use crate::{
    error::{Failure, Finding},
    peppol::identifiers::Spid,
    store::{
        AttemptOutcome, Filed, FilingRecord, FilingStatus, Lease, Recorded, ReportMessage,
        StoreError, TransmissionRecord,
        keys::{Place, Proves},
    },
    types::Mode,
};

/// How long it is tried to deliver a filing.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);
/// How long the authority may take for its verdict before somebody is asked to look, and asked again.
pub const OVERDUE: SignedDuration = SignedDuration::from_hours(24);
/// How long a filing waits where no authority is set.
const UNSET: SignedDuration = SignedDuration::from_hours(1);

/// Files a report: works on a message of the report queue. One that comes twice does nothing twice. An error
/// means that it should come again.
pub async fn file(filing: &Filing, message: &ReportMessage) -> Result<(), Failure> {
    let place = Place::Filing(message.taxpayer_id.clone(), message.report_id.clone());
    let span = waiting::span("report", &place);
    stage(filing, message, place).instrument(span).await
}

async fn stage(filing: &Filing, message: &ReportMessage, place: Place) -> Result<(), Failure> {
    let time = Time::of_turn(filing.time);
    let taken = lease::taken(&filing.ctx, &place, take(filing, message, &place).await).await?;
    let Some((leased, authority)) = taken else { return Ok(()) };
    let result = match leased.status {
        FilingStatus::Submitted => look(filing, &leased).await,
        // Boxed: the state of a whole stage is large.
        _ => Box::pin(work(filing, &leased, authority, time)).await,
    };
    lease::finish(&filing.ctx, place, leased.lease.as_ref(), leased.tries, result).await
}

/// Takes the filing when its turn has come; `None` when there is nothing to do, when it waits, or when another
/// worker has it.
async fn take<'a>(
    filing: &'a Filing,
    message: &ReportMessage,
    place: &Place,
) -> Result<Option<(FilingRecord, &'a Spid)>, StoreError> {
    let Filing { ctx, authority, .. } = filing;
    let now = ctx.now();
    let Some(waiting) = ctx.store.get_waiting(place).await? else {
        shelve_due(filing, message).await;
        return Ok(None);
    };
    if waiting.lease.as_ref().is_some_and(|lease| now < lease.until) {
        return Ok(None);
    }
    let record: FilingRecord = waiting.record()?;
    let Some(authority) = authority else {
        let until = later(now, UNSET);
        tracing::warn!(%until, "a filing waits: no tax authority is set (TAX_AUTHORITY)");
        ctx.store.put_off(&waiting.seen, 0, until).await?;
        return Ok(None);
    };
    let status = match record.status {
        FilingStatus::Due | FilingStatus::Filing => FilingStatus::Filing,
        FilingStatus::Submitted if overdue_at(&record) <= now => FilingStatus::Submitted,
        _ => {
            shelve_due(filing, message).await;
            return Ok(None);
        }
    };
    if status == FilingStatus::Filing
        && turn::of(filing, &record, &waiting.seen, message).await? == Turn::Waits
    {
        return Ok(None);
    }
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, filing.lease) };
    let leased = ctx.store.lease_filing(&record, status, lease, now).await?;
    Ok(leased.map(|leased| (leased, authority)))
}

/// Moves the receipt of a report to the bucket, where that was left to the sweeper.
async fn shelve_due(filing: &Filing, message: &ReportMessage) {
    let ReportMessage { taxpayer_id, report_id } = message.clone();
    let place = Place::Receipt(Mode::Live, Proves::Filing(taxpayer_id, report_id));
    receipts::shelve_due(&filing.ctx, &filing.bucket, place).await;
}

/// When a verdict is overdue.
pub(super) fn overdue_at(record: &FilingRecord) -> jiff::Timestamp {
    later(record.submitted_at.unwrap_or(record.updated_at), OVERDUE)
}

/// Asks somebody to look at a filing whose verdict is overdue. It stays what it is: nobody guesses.
async fn look(filing: &Filing, leased: &FilingRecord) -> Result<Recorded, StoreError> {
    let at = filing.ctx.now();
    // The template makes a metric of `report_overdue`.
    tracing::error!(
        report_overdue = 1, document_id = %leased.document_id,
        submission_message_id = %leased.instance_id, "a filing has no verdict"
    );
    let filed = Filed::Overdue { look_again: later(at, OVERDUE) };
    filing.ctx.store.end_filing(leased, filed, None, None, at).await
}

/// One attempt.
async fn work(
    filing: &Filing,
    leased: &FilingRecord,
    authority: &Spid,
    time: Time,
) -> Result<Recorded, StoreError> {
    let Filing { ctx, bucket, connection, .. } = filing;
    let connection = connection.as_ref().ok_or_else(|| {
        StoreError::Unavailable("this deployment is not connected to the network".into())
    })?;
    let network = connection.network().await?;
    let (taxpayer_id, report_id) = (&leased.taxpayer_id, &leased.report_id);
    let transmission = ctx.store.get_filing_transmission(taxpayer_id, report_id).await?;
    let transmission = transmission.unwrap_or_else(|| {
        let (taxpayer_id, document_id) = (taxpayer_id.clone(), leased.document_id.clone());
        TransmissionRecord::of_report(taxpayer_id, document_id, report_id.clone())
    });
    let made = match made(filing, network, leased, authority, &transmission).await? {
        Ok(made) => made,
        Err(finding) => {
            let ended = Ended::Failed(Box::new(finding));
            return outcome::end(ctx, leased, ended, None, None).await;
        }
    };
    let way =
        Way { ctx, bucket, network, mode: Mode::Live, time, header: &made.header, sought: None };
    // One that is put off asks for another turn, behind all that have one.
    match Box::pin(transmit::prepare(way, transmission, &made.bytes, &mut Vec::new())).await? {
        Ok(ready) => send(way, leased, &made, ready).await,
        Err(Held::Lookup(transmission, Missed { why, .. })) => {
            conclude(way, leased, &transmission, transmit::outcome_of(why)).await
        }
        Err(Held::Gate { transmission, until }) => {
            let ended = outcome::held(ctx, leased, &transmission, until);
            outcome::end(ctx, leased, ended, Some(&transmission), None).await
        }
    }
}

/// The report as the first attempt made it, or made now; why there is none where the authority would take none.
async fn made(
    filing: &Filing,
    network: &Network,
    leased: &FilingRecord,
    authority: &Spid,
    transmission: &TransmissionRecord,
) -> Result<Result<Made, Finding>, StoreError> {
    match (&leased.tax_data, &leased.authority, &transmission.envelope) {
        (Some(tax_data), Some(authority), Some(envelope)) => {
            tax_data::stored(filing, tax_data, authority, envelope).await.map(Ok)
        }
        (None, _, None) => {
            let seat = network.seat();
            let seat = seat.ok_or_else(|| StoreError::Unavailable("we have no seat".into()))?;
            tax_data::make(filing, leased, authority, seat.spid()).await
        }
        _ => Err(StoreError::Corrupt("a filing was begun in part".into())),
    }
}

/// Sends the message of an attempt once that is written down.
async fn send(
    way: Way<'_>,
    leased: &FilingRecord,
    made: &Made,
    ready: Ready,
) -> Result<Recorded, StoreError> {
    let begun = begin(way, leased, made, ready.transmission.clone()).await;
    match transmit::transmit_written(way, ready, begun).await? {
        Some((transmission, outcome)) => conclude(way, leased, &transmission, outcome).await,
        None => Ok(Recorded::Lost),
    }
}

/// Writes an attempt down before its first byte leaves, with what it carries.
async fn begin(
    way: Way<'_>,
    leased: &FilingRecord,
    made: &Made,
    transmission: TransmissionRecord,
) -> Result<Option<TransmissionRecord>, StoreError> {
    let tax_data = tax_data::keep(way.bucket, leased, made).await?;
    way.ctx.store.begin_filing(leased, transmission, &made.authority, &tax_data).await
}

/// Writes down what an attempt came to.
async fn conclude(
    way: Way<'_>,
    leased: &FilingRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Result<Recorded, StoreError> {
    let ended = outcome::decide(way.ctx, leased, transmission, outcome);
    // Transaction Statistics BIS 1.0.2: what a receipt confirmed counts, whatever it carries.
    let exchange = match outcome {
        AttemptOutcome::Received => exchanges::sent(way.header, transmission, way.ctx.now()),
        _ => None,
    };
    let (known, exchange) = (Some(transmission), exchange.as_ref());
    let recorded = outcome::end(way.ctx, leased, ended, known, exchange).await?;
    if recorded == Recorded::Done {
        receipts::shelve(way.ctx, way.bucket, way.mode, transmission).await;
    }
    Ok(recorded)
}

/// Why a filing did not arrive.
fn failure(rule: &'static str, what: &str, transmission: &TransmissionRecord) -> Ended {
    let cause = transmission.last_cause().unwrap_or("no attempt was made");
    let finding = Finding::error("", rule, format!("{what}: {cause}"));
    Ended::Failed(Box::new(finding))
}
