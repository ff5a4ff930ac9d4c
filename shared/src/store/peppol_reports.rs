//! Monthly reports to OpenPeppol: one item for each submission of a kind and month. The name follows from these, so
//! there is only one, however often it is created. A worker leases it and ends it, once. Monthly reports exist in Live
//! only, so no function here takes a mode.

use jiff::Timestamp;

use super::{
    Due, Lease, PeppolReportId, PeppolReportRecord, PeppolReportStatus, Recorded, Store,
    StoreError, TransmissionRecord,
    dynamo::{Update, Write, Written, absent, to_item},
    jobs::{due_update, mark},
    keys::{self, Key},
    leases::{Leased, leased_by, takeable},
    transmissions,
};
use crate::{
    peppol::statistics::{Kind, Month},
    types::Mode,
};

/// The outcome of an attempt to send a monthly report.
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

    /// A monthly report.
    pub async fn get_peppol_report(
        &self,
        id: &PeppolReportId,
    ) -> Result<Option<PeppolReportRecord>, StoreError> {
        self.get(Key::peppol_report(id)).await
    }

    /// Creates a monthly report; `false` when one with this name exists.
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
                let stands = self.get_peppol_report(&record.id).await?;
                Ok(stands.is_some_and(|stands| stands.instance_id == record.instance_id))
            }
        }
    }

    /// Leases a monthly report, as it was read, and counts the attempt. Returns `None` when another worker has it or
    /// has changed it, or when it is parked.
    pub async fn lease_peppol_report(
        &self,
        read: &PeppolReportRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<PeppolReportRecord>, StoreError> {
        let key = Key::peppol_report(&read.id);
        let begun_at = read.begun_at.unwrap_or(now);
        let update = Update::new()
            .set("status", &PeppolReportStatus::Sending)?
            .set("begun_at", &begun_at)?
            .set("lease", &lease)?
            .add("tries", 1);
        // If this worker dies, the sweeper sends the report to its queue again.
        let due = Some(Due::watched(lease.until));
        let update = due_update(update, Mode::Live, &key, due)?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = PeppolReportRecord {
            status: PeppolReportStatus::Sending,
            begun_at: Some(begun_at),
            lease: Some(lease),
            tries: read.tries + 1,
            ..read.clone()
        };
        self.take(key, (update, condition), read, taken).await
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
        let (key, status) = (Key::peppol_report(&leased.id), reported.status());
        let update = Update::new().set("status", &status)?.remove("lease").remove("tries");
        let (update, due) = match reported {
            Reported::Later(next) => (update, Some(Due::watched(*next))),
            Reported::Sent => (update.set("ended_at", &at)?, None),
            Reported::Failed(why) => (update.set("ended_at", &at)?.set("reason", why)?, None),
        };
        let update = due_update(update, Mode::Live, &key, due)?.build();
        let condition = leased_by(leased);
        let mut writes = vec![Write::Update { key: key.clone(), update, condition }];
        writes.extend(transmission.map(|it| transmissions::put(Mode::Live, it)).transpose()?);
        let written = self.transact(writes).await;
        let is_ended =
            |stands: &PeppolReportRecord| stands.lease.is_none() && stands.status == status;
        self.ended(key, leased, written, is_ended).await
    }
}

impl Leased for PeppolReportRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
