//! Sends an OpenPeppol report.
//!
//! | an attempt ends with | the report |
//! |---|---|
//! | a verified receipt, or OpenPeppol's access point says that it has the report | is sent |
//! | a signed refusal | has failed |
//! | any other outcome, within [`LONGEST`] | is retried |
//! | any other outcome, later | has failed; its reason says whether it may have arrived |
//!
//! A failed report needs an operator, who may make it again.

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::{
    error::Failure,
    peppol::{
        identifiers::Process,
        sbdh::{CountryCode, DocumentIdentification, Header},
    },
    service::{
        Context, PeppolReporting,
        job::{self, Job},
        network,
        transmit::{self, Content, Exchange, SendOutcome, Time, receipts},
    },
    store::{
        AttemptOutcome, Carried, PeppolReportMessage, PeppolReportRecord, PeppolReportStatus,
        Recorded, Reported, StoreError, TransmissionRecord,
        keys::{JobId, Proves},
    },
    types::Mode,
};

/// How long attempts to send a report continue: from the first day of a month to the sixth. So an operator has time to
/// act before the 15th.
const LONGEST: SignedDuration = SignedDuration::from_hours(5 * 24);

impl Job for PeppolReporting {
    type Message = PeppolReportMessage;
    type Record = PeppolReportRecord;
    const OPERATION: &'static str = "peppol_report";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &PeppolReportMessage) -> JobId {
        JobId::PeppolReport(message.report_id.clone())
    }

    async fn lease(
        &self,
        message: &PeppolReportMessage,
    ) -> Result<Option<PeppolReportRecord>, StoreError> {
        let ctx = &self.ctx;
        let record = ctx.store.get_peppol_report(&message.report_id).await?.filter(|record| {
            matches!(record.status, PeppolReportStatus::Due | PeppolReportStatus::Sending)
                && job::is_free(ctx, record)
        });
        let Some(record) = record else {
            let proves = Proves::PeppolReport(message.report_id.clone());
            receipts::shelve_due(ctx, &self.bucket, JobId::Receipt(Mode::Live, proves)).await;
            return Ok(None);
        };
        let lease = job::new_lease(ctx, self.lease);
        ctx.store.lease_peppol_report(&record, lease, ctx.now()).await
    }

    async fn work(
        &self,
        _: &PeppolReportMessage,
        leased: &mut PeppolReportRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        Ok(work(self, leased, Time::of_turn(begun, self.time)).await?)
    }
}

/// One attempt.
async fn work(
    reporting: &PeppolReporting,
    leased: &PeppolReportRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    let PeppolReporting { ctx, bucket, connection, .. } = reporting;
    // Only the latest of several reports counts (TSR and EUSR BIS). A parked report that is redriven after its
    // replacement would undo the replacement.
    if ctx.store.get_peppol_report(&leased.id.next()).await?.is_some() {
        let why = "a later report on the month has replaced it".to_owned();
        return end(ctx, leased, Reported::Failed(why), None).await;
    }
    let network = network::connected(connection.as_deref()).await?;
    let transmission = ctx.store.get_peppol_report_transmission(&leased.id).await?;
    let transmission = transmission
        .unwrap_or_else(|| TransmissionRecord::of(Carried::PeppolReport(leased.id.clone())));
    let (header, report) = (header(leased)?, bucket.get(&leased.report).await?);
    let exchange =
        Exchange { ctx, bucket, network, mode: Mode::Live, time, header: &header, sought: None };
    let content = Content::of(&report);
    let begin = |transmission, _| ctx.store.put_transmission(exchange.mode, transmission);
    match transmit::attempt(exchange, transmission, content, begin).await? {
        Some((transmission, outcome)) => conclude(exchange, leased, &transmission, outcome).await,
        None => Ok(Recorded::Lost),
    }
}

/// TSR 1.0.2 and EUSR 1.1 BIS: the sender is the service provider, the receiver is OpenPeppol. All values come from the
/// record, so that every attempt makes the same header.
fn header(record: &PeppolReportRecord) -> Result<Header, StoreError> {
    let document = DocumentIdentification::new(record.id.kind.document_type());
    Ok(Header {
        sender: record.reporter.spid().participant().clone(),
        receiver: record.receiver.clone(),
        instance_id: (&record.instance_id).into(),
        document: document.map_err(|error| StoreError::Corrupt(error.into()))?,
        process: Process::NETWORK_REPORTING,
        created_at: record.created_at,
        country_c1: CountryCode::UAE,
        mls_to: None,
        // Only a receipt is owed for a report, and no status.
        mls_type: None,
        others: Default::default(),
    })
}

/// Records the outcome of an attempt.
async fn conclude(
    exchange: Exchange<'_>,
    leased: &PeppolReportRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Result<Recorded, StoreError> {
    let reported = decide(exchange.ctx, leased, transmission, outcome);
    end(exchange.ctx, leased, reported, Some(transmission)).await
}

/// The consequence of an attempt for its report.
fn decide(
    ctx: &Context,
    leased: &PeppolReportRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Reported {
    match transmit::send_outcome(outcome) {
        SendOutcome::Arrived => Reported::Sent,
        SendOutcome::Refused => {
            Reported::Failed(format!("the receiver refused it: {}", cause(transmission)))
        }
        SendOutcome::Open => {
            let first = begun_at(ctx, leased);
            let at = (ctx.now(), &*ctx.random);
            match transmit::next_attempt(at, transmission, first, LONGEST) {
                Some(next) => Reported::Later(next),
                None => over(transmission),
            }
        }
    }
}

fn begun_at(ctx: &Context, leased: &PeppolReportRecord) -> Timestamp {
    leased.begun_at.unwrap_or_else(|| ctx.now())
}

/// The report has failed: no further attempt is made.
fn over(transmission: &TransmissionRecord) -> Reported {
    let arrived = transmission.may_have_arrived();
    let perhaps = if arrived { ", and it may have arrived" } else { "" };
    let days = LONGEST.as_hours() / 24;
    let cause = cause(transmission);
    Reported::Failed(format!("no attempt succeeded for {days} days{perhaps}; the last: {cause}"))
}

fn cause(transmission: &TransmissionRecord) -> &str {
    transmission.last_cause().unwrap_or("nothing was said")
}

/// Ends an attempt. The template makes a metric of `monthly_failed`.
async fn end(
    ctx: &Context,
    leased: &PeppolReportRecord,
    reported: Reported,
    transmission: Option<&TransmissionRecord>,
) -> Result<Recorded, StoreError> {
    let recorded = ctx.store.end_peppol_report(leased, &reported, transmission, ctx.now()).await?;
    let id = &leased.id;
    match &reported {
        _ if recorded != Recorded::Done => {}
        Reported::Later(until) => tracing::info!(%id, %until, "an OpenPeppol report is retried"),
        Reported::Sent => tracing::info!(%id, "an OpenPeppol report was sent"),
        Reported::Failed(reason) => {
            tracing::warn!(monthly_failed = 1, %id, reason, "an OpenPeppol report has failed");
        }
    }
    Ok(recorded)
}
