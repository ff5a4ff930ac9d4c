//! Mails and the links in them. A requested mail is one item, whether or not anybody has the address. A worker leases
//! it and ends it, once.

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
    /// Creates a mail, which is then sent.
    pub async fn create_mail(
        &self,
        record: &MailRecord,
        sweep_at: Timestamp,
    ) -> Result<(), StoreError> {
        // A refusal means that a repeated attempt met its own write, because nobody else has this identifier.
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

    /// Leases a mail, as it was read, and counts the attempt. Returns `None` when it has ended, another worker has it,
    /// or it is parked.
    pub async fn lease_mail(
        &self,
        read: &MailRecord,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<MailRecord>, StoreError> {
        let key = Key::mail(read.mode, &read.mail_id);
        let update = Update::new().set("lease", &lease)?.add("tries", 1);
        // If this worker dies, the sweeper sends the mail to its queue again.
        let update = due_update(update, read.mode, &key, Some(Due::watched(lease.until)))?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = MailRecord { lease: Some(lease), tries: read.tries + 1, ..read.clone() };
        self.take(key, (update, condition), read, taken).await
    }

    /// Ends a mail, if the lease is still its own: removes the address, and sets its expiry to `gone_at`. An unknown
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

    /// Writes the target of a link under the hash of its token. DynamoDB removes it when it expires.
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

    /// The target of a link, by the hash of its token.
    pub async fn get_link(
        &self,
        mode: Mode,
        hash: &TokenHash,
    ) -> Result<Option<LinkRecord>, StoreError> {
        self.get(Key::link(mode, hash)).await
    }
}

/// The write that creates a mail; the relay claims it at once.
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
