//! OpenPeppol reports: one item for each submission of a kind and month. The name follows from these, so
//! there is only one, however often it is created. A worker leases it and ends it, once. OpenPeppol reports exist in Live
//! only, so no function here takes a mode.

use jiff::Timestamp;

use super::{
    Due, Lease, PeppolReportId, PeppolReportRecord, PeppolReportStatus, Recorded, Store,
    StoreError, TransmissionRecord,
    dynamo::{Update, Write, Written, absent, to_item},
    jobs::mark,
    keys::{self, Key},
    leases::{leasable, leased},
};
use crate::{
    peppol::statistics::{Kind, Month},
    types::Mode,
};

/// The outcome of an attempt to send an OpenPeppol report.
#[derive(Debug, Clone, PartialEq)]
pub enum Reported {
    /// Another attempt is due at this instant.
    Later(Timestamp),
    /// OpenPeppol has it.
    Sent,
    /// There are no more attempts; the reason.
    Failed(String),
}

impl Reported {
    fn status(&self) -> PeppolReportStatus {
        match self {
            Reported::Later(_) => PeppolReportStatus::Sending,
            Reported::Sent => PeppolReportStatus::Sent,
            Reported::Failed(_) => PeppolReportStatus::Failed,
        }
    }
}

impl Store {
    /// All submissions of a kind of report on a month, the latest last.
    pub async fn list_peppol_report(
        &self,
        month: Month,
        kind: Kind,
    ) -> Result<Vec<PeppolReportRecord>, StoreError> {
        self.all(&keys::peppol_reports(month), &keys::peppol_report_prefix(kind)).await
    }

    /// An OpenPeppol report.
    pub async fn get_peppol_report(
        &self,
        id: &PeppolReportId,
    ) -> Result<Option<PeppolReportRecord>, StoreError> {
        self.get(Key::peppol_report(id)).await
    }

    /// Creates an OpenPeppol report; `false` when one with this name exists.
    pub async fn create_peppol_report(
        &self,
        record: &PeppolReportRecord,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::peppol_report(&record.id);
        let mut item = to_item(key.clone(), record)?;
        mark(&mut item, Mode::Live, &key, Due::relayed(sweep_at));
        match self.write(Write::Put { item, condition: absent() }).await? {
            Written::Done => Ok(true),
            // A repeated attempt of the SDK meets its own write, which may have been dispatched since.
            Written::Refused(_) => {
                let current = self.get_peppol_report(&record.id).await?;
                Ok(current.is_some_and(|current| current.instance_id == record.instance_id))
            }
        }
    }

    /// Leases an OpenPeppol report, as it was read, and counts the attempt. Returns `None` when another worker has it or
    /// has changed it, or when it is parked.
    pub async fn lease_peppol_report(
        &self,
        read: &PeppolReportRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<PeppolReportRecord>, StoreError> {
        let (status, begun_at) = (PeppolReportStatus::Sending, read.begun_at.unwrap_or(now));
        let update = Update::new().set("status", &status)?.set("begun_at", &begun_at)?;
        let changed = PeppolReportRecord { status, begun_at: Some(begun_at), ..read.clone() };
        self.lease_changed(Mode::Live, read, (update, leasable(read, now)), changed, lease).await
    }

    /// Ends an attempt that still has its lease, together with its transmission. An unknown outcome is read back. These
    /// reports do not count as exchanges.
    pub async fn end_peppol_report(
        &self,
        leased: &PeppolReportRecord,
        reported: &Reported,
        transmission: Option<&TransmissionRecord>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let status = reported.status();
        let update = Update::new().set("status", &status)?;
        let (update, due) = match reported {
            Reported::Later(next) => (update, Some(Due::begins(*next, at))),
            Reported::Sent => (update.set("ended_at", &at)?, None),
            Reported::Failed(why) => (update.set("ended_at", &at)?.set("reason", why)?, None),
        };
        if !self.end_attempt(Mode::Live, transmission).await? {
            return Ok(Recorded::Lost);
        }
        let is_ended =
            |current: &PeppolReportRecord| current.lease.is_none() && current.status == status;
        self.end_lease(Mode::Live, leased, (update, due), Vec::new(), is_ended).await
    }
}

leased!(PeppolReportRecord, |it, _| Key::peppol_report(&it.id));
