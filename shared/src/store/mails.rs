//! Mails and the links in them. A requested mail is one item, whether or not anybody has the address. A worker leases
//! it and ends it, once.

use jiff::Timestamp;

use super::{
    Due, LinkRecord, MailRecord, MailStatus, Recorded, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, absent, expiring, to_item},
    jobs::mark,
    keys::{self, Key},
    leases::leased,
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

    /// Ends a mail, if the lease is still its own: removes the address, and sets its expiry to `gone_at`. An unknown
    /// outcome is read back.
    pub async fn end_mail(
        &self,
        leased: &MailRecord,
        status: MailStatus,
        gone_at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let update = Update::new()
            .set("status", &status)?
            .set(keys::TTL, &gone_at.as_second())?
            .remove("to");
        let is_ended = |current: &MailRecord| current.status == status;
        self.end_lease(leased.mode, leased, (update, None), Vec::new(), is_ended).await
    }

    /// Writes the target of a link under the hash of its token. DynamoDB removes it when it expires.
    pub async fn put_link(
        &self,
        mode: Mode,
        hash: &TokenHash,
        link: &LinkRecord,
    ) -> Result<(), StoreError> {
        let item = expiring(to_item(Key::link(mode, hash), link)?, link.expires_at.as_second());
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

leased!(MailRecord, |it, _| Key::mail(it.mode, &it.mail_id));
