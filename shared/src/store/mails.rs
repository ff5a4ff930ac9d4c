//! Mails on their way, and the links in them. Asking for a mail is one item, whoever has the address or nobody; a worker
//! takes it under a lease and ends it, once.

use jiff::Timestamp;

use super::{
    Due, Lease, LinkRecord, MailRecord, MailStatus, Recorded, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, absent, to_item},
    jobs::{due_update, mark},
    keys::{self, Key},
    leases::{Leased, leased_by, takeable},
    sessions::kept_until,
};
use crate::types::{MailId, Mode, TokenHash};

impl Store {
    /// Has a mail sent.
    pub async fn create_mail(
        &self,
        record: &MailRecord,
        sweep_at: Timestamp,
    ) -> Result<(), StoreError> {
        // Refused is the repeated attempt that meets its own write: nobody else has this name.
        self.write(write(record, sweep_at)?).await.map(drop)
    }

    /// A mail.
    pub async fn get_mail(
        &self,
        mode: Mode,
        id: &MailId,
    ) -> Result<Option<MailRecord>, StoreError> {
        self.get(Key::mail(mode, id)).await
    }

    /// Takes a mail, as it was read, to send it. Counts the try. `None` when it is over, was taken since, or is parked.
    pub async fn lease_mail(
        &self,
        read: &MailRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<MailRecord>, StoreError> {
        let key = Key::mail(read.mode, &read.mail_id);
        let update = Update::new().set("lease", &lease)?.add("tries", 1);
        // When this worker dies the sweeper sends it on its way again.
        let update = due_update(update, read.mode, &key, Some(Due::watched(lease.until)))?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = MailRecord { lease: Some(lease), tries: read.tries + 1, ..read.clone() };
        self.take(key, (update, condition), read, taken).await
    }

    /// Ends a mail, if the lease is still its own: it forgets the address, and is gone after `gone_at`. An unknown
    /// outcome is read back.
    pub async fn end_mail(
        &self,
        leased: &MailRecord,
        status: MailStatus,
        gone_at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let key = Key::mail(leased.mode, &leased.mail_id);
        let update = Update::new()
            .set("status", &status)?
            .set(keys::TTL, &gone_at.as_second())?
            .remove("to")
            .remove("lease")
            .remove("tries");
        let update = due_update(update, leased.mode, &key, None)?.build();
        let condition = leased_by(leased);
        let written = self.write(Write::Update { key: key.clone(), update, condition }).await;
        self.ended(key, leased, written, |stands: &MailRecord| stands.status == status).await
    }

    /// Writes what a link leads to, under the hash of its token. DynamoDB removes it after its time.
    pub async fn put_link(
        &self,
        mode: Mode,
        hash: &TokenHash,
        link: &LinkRecord,
    ) -> Result<(), StoreError> {
        let item = kept_until(to_item(Key::link(mode, hash), link)?, link.expires_at);
        match self.write(Write::Put { item, condition: Expression::default() }).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }

    /// What a link leads to, by the hash of its token.
    pub async fn get_link(
        &self,
        mode: Mode,
        hash: &TokenHash,
    ) -> Result<Option<LinkRecord>, StoreError> {
        self.get(Key::link(mode, hash)).await
    }
}

/// The write that has a mail sent; the relay takes it up at once.
pub(super) fn write(record: &MailRecord, sweep_at: Timestamp) -> Result<Write, StoreError> {
    let key = Key::mail(record.mode, &record.mail_id);
    let mut item = to_item(key.clone(), record)?;
    mark(&mut item, record.mode, &key, Due::relayed(sweep_at));
    Ok(Write::Put { item, condition: absent() })
}

impl Leased for MailRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
