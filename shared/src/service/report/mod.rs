//! Tax reports, the reports about documents to the tax authority (corner 5): due → filing → submitted → reported, not
//! compliant or failed.
//!
//! | the document | the report | when |
//! |---|---|---|
//! | is sent | S in role 01 | at once, concurrently with the exchange: written before its first byte leaves |
//! | is for a predefined endpoint | S in role 01, without a TransportHeaderID | at once; nothing is exchanged |
//! | was received and is valid | S in role 02 | when its positive status is sent, or at the latest when that is due |
//! | was received and breaks the rules | F in role 02 | at once |
//!
//! A tax report is created in the transaction of the reported event (`first.rs`). From then on it is independent: it
//! never delays or fails a document. The first attempt makes the Tax Data Document from the stored UBL. From then on it
//! is one message like any other (`transmit`), and no retry makes another one.
//!
//! The authority's status message ends the report (`validate_inbound`), whenever it arrives. Without one the report
//! stays submitted, and an alarm calls an operator.
//!
//! Tax reports exist only in Live, by their keys. This code reads documents under the key of Live, and takes no mode.

pub(super) mod first;
pub(crate) mod outcome;
mod tax_data;
mod turn;

use jiff::SignedDuration;
use tracing::Instrument;

use self::{outcome::Ended, tax_data::Made, turn::Turn};
use super::{
    TaxReporting, exchange_counts, later, lease,
    network::{LookupFailure, Network},
    retry,
    transmit::{self, Blocked, Exchange, Ready, Time, receipts},
};
use crate::{
    error::{Failure, Finding},
    peppol::identifiers::Spid,
    store::{
        AttemptOutcome, Filed, Lease, Recorded, ReportMessage, StoreError, TaxReportRecord,
        TaxReportStatus, TransmissionRecord,
        keys::{JobId, Proves},
    },
    types::Mode,
};

/// How long attempts to deliver a tax report continue.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);
/// How long the authority may take for its verdict. Then an alarm is raised, and again after each such time.
pub const OVERDUE: SignedDuration = SignedDuration::from_hours(24);
/// How long a tax report waits where no authority is configured.
const UNSET: SignedDuration = SignedDuration::from_hours(1);

/// Sends a tax report, for a message of the report queue. A duplicate message has no effect. An error means that the
/// queue must bring the message again.
pub async fn file(reporting: &TaxReporting, message: &ReportMessage) -> Result<(), Failure> {
    let job_id = JobId::TaxReport(message.taxpayer_id.clone(), message.report_id.clone());
    let span = retry::span("report", &job_id);
    stage(reporting, message, job_id).instrument(span).await
}

async fn stage(
    reporting: &TaxReporting,
    message: &ReportMessage,
    job_id: JobId,
) -> Result<(), Failure> {
    let time = Time::of_turn(reporting.time);
    let taken =
        lease::taken(&reporting.ctx, &job_id, take(reporting, message, &job_id).await).await?;
    let Some((leased, authority)) = taken else { return Ok(()) };
    let result = match leased.status {
        TaxReportStatus::Submitted => look(reporting, &leased).await,
        // Boxed: the state of a whole stage is large.
        _ => Box::pin(work(reporting, &leased, authority, time)).await,
    };
    lease::finish(&reporting.ctx, job_id, leased.lease.as_ref(), leased.tries, result).await
}

/// Leases the tax report when its turn has come. `None` when there is nothing to do, when the report waits, or when
/// another worker has the lease.
async fn take<'a>(
    reporting: &'a TaxReporting,
    message: &ReportMessage,
    job_id: &JobId,
) -> Result<Option<(TaxReportRecord, &'a Spid)>, StoreError> {
    let TaxReporting { ctx, authority, .. } = reporting;
    let now = ctx.now();
    let Some(job) = ctx.store.get_job(job_id).await? else {
        shelve_due(reporting, message).await;
        return Ok(None);
    };
    if job.lease.as_ref().is_some_and(|lease| now < lease.until) {
        return Ok(None);
    }
    let record: TaxReportRecord = job.record()?;
    let Some(authority) = authority else {
        let until = later(now, UNSET);
        tracing::warn!(%until, "a tax report waits: no tax authority is configured (TAX_AUTHORITY)");
        ctx.store.reschedule(&job.version, 0, until).await?;
        return Ok(None);
    };
    let status = match record.status {
        TaxReportStatus::Due | TaxReportStatus::Filing => TaxReportStatus::Filing,
        TaxReportStatus::Submitted if overdue_at(&record) <= now => TaxReportStatus::Submitted,
        _ => {
            shelve_due(reporting, message).await;
            return Ok(None);
        }
    };
    if status == TaxReportStatus::Filing
        && turn::of(reporting, &record, &job.version, message).await? == Turn::Waits
    {
        return Ok(None);
    }
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, reporting.lease) };
    let leased = ctx.store.lease_tax_report(&record, status, lease, now).await?;
    Ok(leased.map(|leased| (leased, authority)))
}

/// Moves the receipt of a report to the bucket, if an earlier attempt at that failed.
async fn shelve_due(reporting: &TaxReporting, message: &ReportMessage) {
    let ReportMessage { taxpayer_id, report_id } = message.clone();
    let job_id = JobId::Receipt(Mode::Live, Proves::TaxReport(taxpayer_id, report_id));
    receipts::shelve_due(&reporting.ctx, &reporting.bucket, job_id).await;
}

/// When a verdict is overdue.
pub(super) fn overdue_at(record: &TaxReportRecord) -> jiff::Timestamp {
    later(record.submitted_at.unwrap_or(record.updated_at), OVERDUE)
}

/// Raises an alarm for a report whose verdict is overdue. The report's status does not change.
async fn look(reporting: &TaxReporting, leased: &TaxReportRecord) -> Result<Recorded, StoreError> {
    let at = reporting.ctx.now();
    // The template makes a metric of `report_overdue`.
    tracing::error!(
        report_overdue = 1, document_id = %leased.document_id,
        submission_message_id = %leased.instance_id, "a tax report has no verdict"
    );
    let filed = Filed::Overdue { look_again: later(at, OVERDUE) };
    reporting.ctx.store.end_tax_report(leased, filed, None, None, at).await
}

/// One attempt.
async fn work(
    reporting: &TaxReporting,
    leased: &TaxReportRecord,
    authority: &Spid,
    time: Time,
) -> Result<Recorded, StoreError> {
    let TaxReporting { ctx, bucket, connection, .. } = reporting;
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
    let made = match made(reporting, network, leased, authority, &transmission).await? {
        Ok(made) => made,
        Err(finding) => {
            let ended = Ended::Failed(Box::new(finding));
            return outcome::end(ctx, leased, ended, None, None).await;
        }
    };
    let exchange = Exchange {
        ctx,
        bucket,
        network,
        mode: Mode::Live,
        time,
        header: &made.header,
        sought: None,
    };
    // A report that is rescheduled needs another turn, behind all reports that have one.
    match Box::pin(transmit::prepare(exchange, transmission, &made.bytes, &mut Vec::new())).await? {
        Ok(ready) => send(exchange, leased, &made, ready).await,
        Err(Blocked::Lookup(transmission, LookupFailure { why, .. })) => {
            conclude(exchange, leased, &transmission, transmit::outcome_of(why)).await
        }
        Err(Blocked::Breaker { transmission, until }) => {
            let ended = outcome::held(ctx, leased, &transmission, until);
            outcome::end(ctx, leased, ended, Some(&transmission), None).await
        }
    }
}

/// The report of the first attempt, or a new one. Otherwise the reason why the authority would not accept a report.
async fn made(
    reporting: &TaxReporting,
    network: &Network,
    leased: &TaxReportRecord,
    authority: &Spid,
    transmission: &TransmissionRecord,
) -> Result<Result<Made, Finding>, StoreError> {
    match (&leased.tax_data, &leased.authority, &transmission.envelope) {
        (Some(tax_data), Some(authority), Some(envelope)) => {
            tax_data::stored(reporting, tax_data, authority, envelope).await.map(Ok)
        }
        (None, _, None) => {
            let seat = network.seat();
            let seat = seat
                .ok_or_else(|| StoreError::Unavailable("this deployment has no seat id".into()))?;
            tax_data::make(reporting, leased, authority, seat.spid()).await
        }
        _ => Err(StoreError::Corrupt("a tax report is incomplete".into())),
    }
}

/// Records an attempt and sends its message.
async fn send(
    exchange: Exchange<'_>,
    leased: &TaxReportRecord,
    made: &Made,
    ready: Ready,
) -> Result<Recorded, StoreError> {
    let begun = begin(exchange, leased, made, ready.transmission.clone()).await;
    match transmit::transmit_written(exchange, ready, begun).await? {
        Some((transmission, outcome)) => conclude(exchange, leased, &transmission, outcome).await,
        None => Ok(Recorded::Lost),
    }
}

/// Writes an attempt with its payload before its first byte leaves.
async fn begin(
    exchange: Exchange<'_>,
    leased: &TaxReportRecord,
    made: &Made,
    transmission: TransmissionRecord,
) -> Result<Option<TransmissionRecord>, StoreError> {
    let tax_data = tax_data::keep(exchange.bucket, leased, made).await?;
    exchange.ctx.store.begin_tax_report(leased, transmission, &made.authority, &tax_data).await
}

/// Records the outcome of an attempt.
async fn conclude(
    exchange: Exchange<'_>,
    leased: &TaxReportRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Result<Recorded, StoreError> {
    let ended = outcome::decide(exchange.ctx, leased, transmission, outcome);
    // Transaction Statistics BIS 1.0.2: every exchange with a receipt counts, whatever its payload is.
    let counted = match outcome {
        AttemptOutcome::Received => {
            exchange_counts::sent(exchange.header, transmission, exchange.ctx.now())
        }
        _ => None,
    };
    let (known, counted) = (Some(transmission), counted.as_ref());
    let recorded = outcome::end(exchange.ctx, leased, ended, known, counted).await?;
    if recorded == Recorded::Done {
        receipts::shelve(exchange.ctx, exchange.bucket, exchange.mode, transmission).await;
    }
    Ok(recorded)
}

/// The failure of a report that did not arrive.
fn failure(rule: &'static str, what: &str, transmission: &TransmissionRecord) -> Ended {
    let cause = transmission.last_cause().unwrap_or("no attempt was made");
    let finding = Finding::error("", rule, format!("{what}: {cause}"));
    Ended::Failed(Box::new(finding))
}
