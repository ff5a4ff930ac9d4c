//! Notices: the jobs that gather what members are notified about. Each is written under the condition that nothing
//! happened since it was read. So at most one mail of a kind is made for a member in each time, and none is lost.

use jiff::Timestamp;

use super::{
    Due, JobVersion, MailRecord, NoticeRecord, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, unknown},
    jobs::{as_seen, due_update},
    keys::Key,
    mails,
};
use crate::{
    access::Notification,
    types::{Mode, OrganizationId},
};

/// How often an arrival is attempted that meets a notice at its beginning or end.
const ATTEMPTS: usize = 4;

impl Store {
    /// Adds an arrival to a notice: it begins a job, or counts in the current one. A repeated call is harmless, since
    /// the notice knows what it has mentioned.
    pub async fn add_to_notice(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        kind: Notification,
        due: Due,
    ) -> Result<(), StoreError> {
        let key = Key::notice(mode, organization_id, kind);
        for _ in 0..ATTEMPTS {
            // Of a notice that is a job already, nothing but the count changes.
            let update = Update::new().add("arrivals", 1).build();
            let is_job = Expression::new("attribute_exists(due_at)");
            let write = Write::Update { key: key.clone(), update, condition: is_job };
            if let Written::Done = self.write(write).await? {
                return Ok(());
            }
            let update = Update::new()
                .set("mode", &mode)?
                .set("organization_id", organization_id)?
                .set("kind", &kind)?;
            let update = due_update(update, mode, &key, Some(due))?.build();
            let is_no_job = Expression::new("attribute_not_exists(due_at)");
            let write = Write::Update { key: key.clone(), update, condition: is_no_job };
            if let Written::Done = self.write(write).await? {
                return Ok(());
            }
        }
        Err(unknown("the notice is changing too often"))
    }

    /// A notice.
    #[cfg(test)]
    pub async fn get_notice(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        kind: Notification,
    ) -> Result<Option<NoticeRecord>, StoreError> {
        self.get(Key::notice(mode, organization_id, kind)).await
    }

    /// Creates the mails of a notice and notes what they tell, in one transaction. The notice is due again at
    /// `next`; without one it ends, if nothing arrived since it was read. Returns `false` when the notice has changed.
    pub async fn note_turn(
        &self,
        version: &JobVersion,
        read: &NoticeRecord,
        mentioned: &[String],
        (letters, sweep_at): (&[MailRecord], Timestamp),
        next: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let (key, mode) = (version.job_id.key(), version.job_id.mode());
        let update = Update::new().set("mentioned", &mentioned)?.remove("tries");
        let update = due_update(update, mode, &key, next.map(Due::watched))?;
        let (update, condition) = match next {
            Some(_) => (update, as_seen(version)),
            None if read.arrivals == 0 => {
                (update, as_seen(version).and("attribute_not_exists(arrivals)"))
            }
            None => {
                let condition = as_seen(version).and("arrivals = :arrivals");
                (update.remove("arrivals"), condition.number(":arrivals", read.arrivals))
            }
        };
        let change = Write::Update { key, update: update.build(), condition };
        let written = match letters {
            [] => self.write(change).await?,
            letters => {
                let mut writes = vec![change];
                for mail in letters {
                    writes.push(mails::write(mail, sweep_at)?);
                }
                self.transact(writes).await?
            }
        };
        Ok(matches!(written, Written::Done))
    }
}
