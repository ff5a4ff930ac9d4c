//! Reports of a month to OpenPeppol: one item for each filing of a kind and month, under a name that follows from these,
//! so that whoever makes one, and however often, there is one. A worker takes it under a lease and ends it, once. All of
//! this is in Live: no function here takes a mode.

use jiff::Timestamp;

use super::{
    Due, Lease, MonthlyId, MonthlyRecord, MonthlyStatus, Recorded, Store, StoreError,
    TransmissionRecord,
    dynamo::{Update, Write, Written, absent, to_item},
    keys::{self, Key},
    leases::{Leased, leased_by, takeable},
    relaying::{due_update, mark},
    transmissions,
};
use crate::{
    peppol::statistics::{Kind, Month},
    types::Mode,
};

/// What an attempt at a monthly report has come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Reported {
    /// Another attempt is due then.
    Later(Timestamp),
    /// OpenPeppol has it.
    Sent,
    /// Nothing more is tried; why.
    Failed(String),
}

impl Reported {
    fn status(&self) -> MonthlyStatus {
        match self {
            Reported::Later(_) => MonthlyStatus::Sending,
            Reported::Sent => MonthlyStatus::Sent,
            Reported::Failed(_) => MonthlyStatus::Failed,
        }
    }
}

impl Store {
    /// All filings of a kind of report on a month, the latest last.
    pub async fn list_monthly(
        &self,
        month: Month,
        kind: Kind,
    ) -> Result<Vec<MonthlyRecord>, StoreError> {
        self.all(&keys::monthly(month), &keys::monthly_prefix(kind)).await
    }

    /// A monthly report.
    pub async fn get_monthly(&self, id: &MonthlyId) -> Result<Option<MonthlyRecord>, StoreError> {
        self.get(Key::monthly(id)).await
    }

    /// Makes a monthly report, once; `false` when there is another one of this name.
    pub async fn create_monthly(
        &self,
        record: &MonthlyRecord,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::monthly(&record.id);
        let mut item = to_item(key.clone(), record)?;
        mark(&mut item, Mode::Live, &key, Due::relayed(sweep_at));
        match self.write(Write::Put { item, condition: absent() }).await? {
            Written::Done => Ok(true),
            // A repeated attempt of the SDK meets its own write, which may have gone on its way since.
            Written::Refused(_) => {
                let stands = self.get_monthly(&record.id).await?;
                Ok(stands.is_some_and(|stands| stands.instance_id == record.instance_id))
            }
        }
    }

    /// Takes a monthly report, as it was read, to send it. Counts the try. `None` when it has come on, was taken since,
    /// or is parked.
    pub async fn lease_monthly(
        &self,
        read: &MonthlyRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<MonthlyRecord>, StoreError> {
        let key = Key::monthly(&read.id);
        let begun_at = read.begun_at.unwrap_or(now);
        let update = Update::new()
            .set("status", &MonthlyStatus::Sending)?
            .set("begun_at", &begun_at)?
            .set("lease", &lease)?
            .add("tries", 1);
        // When this worker dies the sweeper sends it on its way again.
        let due = Some(Due::watched(lease.until));
        let update = due_update(update, Mode::Live, &key, due)?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = MonthlyRecord {
            status: MonthlyStatus::Sending,
            begun_at: Some(begun_at),
            lease: Some(lease),
            tries: read.tries + 1,
            ..read.clone()
        };
        self.take(key, (update, condition), read, taken).await
    }

    /// Ends an attempt, if the lease is still its own, together with what was learned of the way. An unknown outcome is
    /// read back. No exchange is counted: these reports are none of what they count.
    pub async fn end_monthly(
        &self,
        leased: &MonthlyRecord,
        reported: &Reported,
        transmission: Option<&TransmissionRecord>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let (key, status) = (Key::monthly(&leased.id), reported.status());
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
        let is_ended = |stands: &MonthlyRecord| stands.lease.is_none() && stands.status == status;
        self.ended(key, leased, written, is_ended).await
    }
}

impl Leased for MonthlyRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
