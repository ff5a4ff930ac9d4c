//! The reports of a month to OpenPeppol, Transaction Statistics and End User Statistics: due → sending → sent or failed.
//!
//! | who | does |
//! |---|---|
//! | the schedule ([`make_due`]) | makes both reports on the month that ended, once that is [`SETTLED`] |
//! | an operator ([`file()`]) | makes those on any month, and makes them again: the latest counts |
//! | a worker ([`send()`]) | sends one by the network, like any message (`transmit`) |
//!
//! A report is counted, written, checked against its schema and rules and stored before there is an item for it, and that
//! holds all that its message will say: no retry counts again, or makes another. One that breaks its rules is a fault of
//! ours, an alarm and no item. Nothing of it is an exchange that is counted. It is Live's alone, by its keys. A status
//! message about one is kept like every other that is about no document of ours.
//!
//! Function `report` does both: it may read all of Live, has the network's keys, and its queue is Live's alone, so that
//! what it gains is a query of counters and the partitions of these reports. `trust_refresh` writes nothing to the table so far,
//! and stays so.

mod file;
mod send;

use jiff::{SignedDuration, Timestamp};

pub use file::{Filed, Files, fault, file};
pub use send::send;

use super::{Context, PeppolReporting, later};
use crate::{
    peppol::statistics::{Kind, Month},
    store::{
        EnvelopeHash, Parked, PeppolReportRecord, PeppolReportStatus, StatusRecord, StoreError,
        TransmissionRecord, keys::JobId,
    },
    types::Mode,
};

/// How long after a month its exchanges are all counted. One belongs to the month of its own instant, which is taken just
/// before the transaction that counts it: that ends with its function, half a minute later at most. The rest is for
/// clocks.
pub const SETTLED: SignedDuration = SignedDuration::from_hours(2);
/// How long after a month somebody is asked to look where a report was not sent. OpenPeppol takes reports from the 1st to
/// the 15th of the month that follows, and none later.
pub const LATE: SignedDuration = SignedDuration::from_hours(9 * 24);

/// Whether a report made at that instant counted all of its month.
fn is_whole(month: Month, made: Timestamp) -> bool {
    later(month.end(), SETTLED) <= made
}

/// Makes what is due of the month that ended last, whatever was missed before; nothing where the deployment is not
/// connected to a network or no receiver is set. Done twice it makes nothing twice.
pub async fn make_due(reporting: &PeppolReporting) -> Result<(), StoreError> {
    let PeppolReporting { ctx, bucket, connection, receiver, .. } = reporting;
    let (Some(connection), Some(receiver)) = (connection, receiver) else {
        tracing::info!("no monthly reports: there is no network, or no STATISTICS_RECEIVER");
        return Ok(());
    };
    let seat = connection.network().await?.seat();
    let seat = seat.ok_or_else(|| StoreError::Unavailable("we have no seat".into()))?;
    let files = Files { ctx, bucket, reporter: &seat, receiver };
    let month = Month::of(ctx.now()).previous();
    if !is_whole(month, ctx.now()) {
        return Ok(());
    }
    let mut outcome = Ok(());
    for kind in Kind::ALL {
        // What is wrong with one keeps the other from nothing.
        if let Err(error) = make_one(&files, month, kind).await {
            tracing::error!(%month, %kind, %error, "a monthly report was not made");
            outcome = Err(error);
        }
    }
    outcome
}

/// Makes the report of a kind unless there is one that counted the whole month.
async fn make_one(files: &Files<'_>, month: Month, kind: Kind) -> Result<(), StoreError> {
    let tax_reports = files.ctx.store.list_peppol_report(month, kind).await?;
    match tax_reports.last() {
        Some(latest) if is_whole(month, latest.created_at) => watch(files.ctx, latest),
        latest => {
            if let Filed::OnItsWay(earlier) = file(files, month, kind, latest).await? {
                tracing::warn!(id = %earlier.id, "a report waits for one made before the month ended");
            }
        }
    }
    Ok(())
}

/// Asks somebody to look at a report that is late. The template makes a metric of `monthly_late`.
fn watch(ctx: &Context, latest: &PeppolReportRecord) {
    let PeppolReportRecord { id, status, .. } = latest;
    if *status != PeppolReportStatus::Sent && later(id.month.end(), LATE) <= ctx.now() {
        tracing::error!(monthly_late = 1, %id, status = status.as_str(), "a monthly report is late");
    }
}

/// What an operator has done: makes both reports on a month and lets them be sent. A month that has reports is left as
/// it is unless it is to be reported `again`: then each is replaced once it is not on its way any more.
pub async fn report(
    files: &Files<'_>,
    month: Month,
    again: bool,
) -> Result<Vec<Filed>, StoreError> {
    let mut done = Vec::new();
    for kind in Kind::ALL {
        let tax_reports = files.ctx.store.list_peppol_report(month, kind).await?;
        done.push(match tax_reports.last() {
            Some(latest) if !again => Filed::Stands(latest.clone()),
            latest => file(files, month, kind, latest).await?,
        });
    }
    Ok(done)
}

/// A monthly report with all that became of it.
#[derive(Debug)]
pub struct KnownPeppolReport {
    /// The report.
    pub record: PeppolReportRecord,
    /// Its way, once that was begun, with the receipt.
    pub transmission: Option<TransmissionRecord>,
    /// Why it was given up, if it was.
    pub parked: Option<Parked>,
    /// The status messages about it.
    pub statuses: Vec<StatusRecord>,
}

/// All reports on a month, those of a kind in the order in which they were made.
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
