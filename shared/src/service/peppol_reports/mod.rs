//! The OpenPeppol reports, Transaction Statistics and End User Statistics: due → sending → sent or failed.
//!
//! | who | does |
//! |---|---|
//! | the schedule ([`make_due`]) | makes both reports for the last month, once that is [`SETTLED`] |
//! | an operator ([`file()`]) | makes the reports for any month, also again: the latest counts |
//! | a worker (`send`) | sends a report through the network, like any message (`transmit`) |
//!
//! A report is counted, written, checked against its schema and rules, and stored before its job is created. The stored
//! report fixes the content of the message, so no retry counts again. A report that breaks its rules is our fault: it
//! raises an alarm and makes no job.
//!
//! These reports are not counted as exchanges. They exist only in Live, by their keys. A status message about such a
//! report is kept like every other status message that is not about one of our documents.
//!
//! The function `report` makes and sends them. Its role can read all of Live, has the network's keys, and its queue
//! belongs to Live. So it needs only two further permissions: to query the counters and to use the partitions of these
//! reports. `trust_refresh` writes nothing to the table, and should stay so.

mod file;
mod send;

use jiff::{SignedDuration, Timestamp};

pub use file::{Filed, Files, fault, file};

use super::{Context, PeppolReporting, later};
use crate::{
    peppol::statistics::{Kind, Month},
    store::{
        EnvelopeHash, Parked, PeppolReportRecord, PeppolReportStatus, StatusRecord, StoreError,
        TransmissionRecord, keys::JobId,
    },
    types::Mode,
};

/// How long after its end a month is completely counted. An exchange belongs to the month of its instant, which is
/// taken just before the transaction that counts it. The transaction ends with its function, at most half a minute
/// later. The rest allows for clock differences.
pub const SETTLED: SignedDuration = SignedDuration::from_hours(2);
/// How long after a month an alarm is raised for an unsent report. OpenPeppol accepts reports from the 1st to the 15th
/// of the following month.
pub const LATE: SignedDuration = SignedDuration::from_hours(9 * 24);

/// Whether a report that was made at that instant counted the whole month.
fn is_whole(month: Month, made: Timestamp) -> bool {
    later(month.end(), SETTLED) <= made
}

/// Makes the due reports for the last month. Does nothing where the deployment is not connected to a network, or where
/// no receiver is configured. A second run makes nothing twice.
pub async fn make_due(reporting: &PeppolReporting) -> Result<(), StoreError> {
    let PeppolReporting { ctx, bucket, connection, receiver, .. } = reporting;
    let (Some(connection), Some(receiver)) = (connection, receiver) else {
        tracing::info!("no OpenPeppol reports: there is no network, or no STATISTICS_RECEIVER");
        return Ok(());
    };
    let seat = connection.network().await?.own_seat()?;
    let files = Files { ctx, bucket, reporter: &seat, receiver };
    let month = Month::of(ctx.now()).previous();
    if !is_whole(month, ctx.now()) {
        return Ok(());
    }
    let mut outcome = Ok(());
    for kind in Kind::ALL {
        // A failure of one report does not stop the other.
        if let Err(error) = make_one(&files, month, kind).await {
            tracing::error!(%month, %kind, %error, "an OpenPeppol report was not created");
            outcome = Err(error);
        }
    }
    outcome
}

/// Makes the report of a kind, unless one exists that counted the whole month.
async fn make_one(files: &Files<'_>, month: Month, kind: Kind) -> Result<(), StoreError> {
    let tax_reports = files.ctx.store.list_peppol_report(month, kind).await?;
    match tax_reports.last() {
        Some(latest) if is_whole(month, latest.created_at) => watch(files.ctx, latest),
        latest => {
            if let Filed::OnItsWay(earlier) = file(files, month, kind, latest).await? {
                tracing::warn!(id = %earlier.id, "a report waits for an earlier one, from before the end of the month");
            }
        }
    }
    Ok(())
}

/// Raises an alarm for a late report. The template makes a metric of `monthly_late`.
fn watch(ctx: &Context, latest: &PeppolReportRecord) {
    let PeppolReportRecord { id, status, .. } = latest;
    if *status != PeppolReportStatus::Sent && later(id.month.end(), LATE) <= ctx.now() {
        tracing::warn!(monthly_late = 1, %id, status = status.as_str(), "an OpenPeppol report is late");
    }
}

/// Makes both reports for a month on request of an operator. A month that has reports is left alone unless `again` is
/// set: then each report is replaced, unless it is still being sent.
pub async fn report(
    files: &Files<'_>,
    month: Month,
    again: bool,
) -> Result<Vec<Filed>, StoreError> {
    let mut done = Vec::new();
    for kind in Kind::ALL {
        let tax_reports = files.ctx.store.list_peppol_report(month, kind).await?;
        done.push(match tax_reports.last() {
            Some(latest) if !again => Filed::Existing(latest.clone()),
            latest => file(files, month, kind, latest).await?,
        });
    }
    Ok(done)
}

/// An OpenPeppol report with its history.
#[derive(Debug)]
pub struct KnownPeppolReport {
    /// The report.
    pub record: PeppolReportRecord,
    /// Its transmission with the receipt, once it has begun.
    pub transmission: Option<TransmissionRecord>,
    /// Why it was parked, if it was.
    pub parked: Option<Parked>,
    /// The status messages about it.
    pub statuses: Vec<StatusRecord>,
}

/// All reports for a month, those of a kind in the order of their creation.
pub async fn known(ctx: &Context, month: Month) -> Result<Vec<KnownPeppolReport>, StoreError> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        for record in ctx.store.list_peppol_report(month, kind).await? {
            let about = EnvelopeHash::of(&(&record.instance_id).into());
            all.push(KnownPeppolReport {
                transmission: ctx.store.get_peppol_report_transmission(&record.id).await?,
                parked: ctx.store.get_parked(&JobId::PeppolReport(record.id.clone())).await?,
                statuses: ctx.store.list_status_messages(Mode::Live, &about).await?,
                record,
            });
        }
    }
    Ok(all)
}
