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
//! The authority's status message ends the report (`mls_inbound`), whenever it arrives. Without one the report
//! stays submitted, and an alarm calls an operator.
//!
//! Tax reports exist only in Live, by their keys. This code reads documents under the key of Live, and takes no mode.

pub(super) mod first;
pub(crate) mod outcome;
mod pace;
pub(super) mod tax_data;
mod turn;

use jiff::SignedDuration;
use tokio::time::Instant;

pub use self::pace::Pace;
use self::{
    outcome::{Ended, note_unsubmitted},
    tax_data::{Made, Parties, Stored},
    turn::Turn,
};
use super::{
    Context, TaxReporting, exchange_counts,
    job::{Job, new_lease},
    later,
    network::{self, Network},
    tax_report_event,
    transmit::{self, Content, Exchange, Known, Time, receipts},
};
use crate::{
    error::{Failure, Finding},
    peppol::identifiers::Spid,
    store::{
        AttemptOutcome, Due, Filed, PayloadKind, Recorded, ReportMessage, StoreError,
        TaxReportRecord, TaxReportStatus, TransmissionRecord,
        keys::{JobId, Proves},
    },
    types::Mode,
};

/// How long attempts to deliver a tax report continue. The time before its first attempt does not count: a report that
/// waited for a circuit breaker or for its turn was not attempted.
const LONGEST: SignedDuration = SignedDuration::from_hours(48);
/// How long the authority may take for its verdict. Then an alarm is raised, and again after each such time.
pub const OVERDUE: SignedDuration = SignedDuration::from_hours(24);
/// How long a tax report waits where no authority is configured.
const UNSET: SignedDuration = SignedDuration::from_hours(1);

impl Job for TaxReporting {
    type Message = ReportMessage;
    type Record = TaxReportRecord;
    const OPERATION: &'static str = "report";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &ReportMessage) -> JobId {
        JobId::TaxReport(message.taxpayer_id.clone(), message.report_id.clone())
    }

    async fn lease(&self, message: &ReportMessage) -> Result<Option<TaxReportRecord>, StoreError> {
        lease(self, message).await
    }

    async fn work(
        &self,
        _: &ReportMessage,
        leased: &mut TaxReportRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        let recorded = match leased.status {
            TaxReportStatus::Submitted => look(self, leased).await,
            _ => work(self, leased, Time::of_turn(begun, self.time)).await,
        };
        Ok(recorded?)
    }
}

/// Leases the tax report when its turn has come. `None` when there is nothing to do, when the report waits, or when
/// another worker has the lease.
async fn lease(
    reporting: &TaxReporting,
    message: &ReportMessage,
) -> Result<Option<TaxReportRecord>, StoreError> {
    let TaxReporting { ctx, authority, .. } = reporting;
    let now = ctx.now();
    let Some(job) = ctx.store.get_job(&TaxReporting::id(message)).await? else {
        shelve_due(reporting, message).await;
        return Ok(None);
    };
    if job.lease.as_ref().is_some_and(|lease| now < lease.until) {
        return Ok(None);
    }
    let record: TaxReportRecord = job.record()?;
    if authority.is_none() {
        let until = later(now, UNSET);
        tracing::warn!(%until, "a tax report waits: no tax authority is configured (TAX_AUTHORITY)");
        ctx.store.list_open_tax_reports(std::slice::from_ref(&record), now).await?;
        ctx.store.reschedule(&job.version, 0, Due::watched(until)).await?;
        note_unsubmitted(&record, now);
        return Ok(None);
    }
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
    let lease = new_lease(ctx, reporting.lease);
    ctx.store.lease_tax_report(&record, status, lease, now).await
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
    tracing::warn!(
        report_overdue = 1, document_id = %leased.document_id,
        submission_message_id = %leased.instance_id, "a tax report has no verdict"
    );
    let filed = Filed::Overdue { look_again: later(at, OVERDUE) };
    reporting.ctx.store.end_tax_report(leased, filed, None, None, at).await
}

/// One attempt.
async fn work(
    reporting: &TaxReporting,
    leased: &mut TaxReportRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    let TaxReporting { ctx, bucket, connection, authority, .. } = reporting;
    let authority = authority.as_ref();
    let authority = authority
        .ok_or_else(|| StoreError::Unavailable("no tax authority is configured".into()))?;
    let network = network::connected(connection.as_deref()).await?;
    let (taxpayer_id, report_id) = (&leased.taxpayer_id, &leased.report_id);
    let transmission = match is_first_attempt(reporting, leased) {
        true => None,
        false => ctx.store.get_tax_report_transmission(taxpayer_id, report_id).await?,
    };
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
    let known = made.stored.as_ref().map(|Stored { envelope, tax_data }| Known {
        stored: &envelope.payload,
        envelope: &envelope.bytes,
        document: tax_data.as_ref(),
    });
    let stored_as = Some(PayloadKind::TaxData);
    let content = Content { stored_as, known, ..Content::of(&made.bytes) };
    let begin = |transmission, tax_data| ctx.store.begin_tax_report(leased, transmission, tax_data);
    let attempted = transmit::attempt(exchange, transmission, content, begin).await?;
    let Some((transmission, outcome)) = attempted else { return Ok(Recorded::Lost) };
    if transmission.envelope.is_some() {
        leased.authority = Spid::try_from(&made.header.receiver).ok();
    }
    conclude(exchange, leased, &transmission, outcome).await
}

/// Whether nothing was attempted before: the report began when its current lease did.
fn is_first_attempt(reporting: &TaxReporting, leased: &TaxReportRecord) -> bool {
    let first_lease_until = leased.begun_at.map(|begun_at| later(begun_at, reporting.lease));
    first_lease_until.is_some_and(|until| leased.lease.as_ref().is_some_and(|it| it.until == until))
}

/// The report of the first attempt, the one that was stored beside its document, or a new one. Otherwise the reason why the
/// authority would not accept a report.
async fn made(
    reporting: &TaxReporting,
    network: &Network,
    leased: &TaxReportRecord,
    authority: &Spid,
    transmission: &TransmissionRecord,
) -> Result<Result<Made, Finding>, StoreError> {
    if let Some(envelope) = &transmission.envelope {
        return tax_data::stored(reporting, envelope).await.map(Ok);
    }
    let document = tax_report_event::document(&reporting.ctx, leased).await?;
    let beside = tax_data::found_beside(reporting, leased, &document, authority).await?;
    if let Some(made) = beside {
        return Ok(Ok(made));
    }
    let taxpayer = reporting.ctx.taxpayer_of_job(Mode::Live, &leased.taxpayer_id).await?;
    let seat = network.own_seat()?;
    let reporting_party = &taxpayer.participant_id;
    let parties = Parties { reporting_party, authority, representative: seat.spid() };
    tax_data::make(reporting, leased, &document, parties).await
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
    outcome::end(exchange.ctx, leased, ended, known, counted).await
}

/// The failure of a report that did not arrive.
fn failure(rule: &'static str, what: &str, transmission: &TransmissionRecord) -> Ended {
    let cause = transmission.last_cause().unwrap_or("no attempt was made");
    let finding = Finding::error("", rule, format!("{what}: {cause}"));
    Ended::Failed(Box::new(finding))
}
