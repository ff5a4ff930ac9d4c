//! Sessions of taxpayers. One is an item under the hash of its token. That all of a taxpayer end is a counter beside
//! them, which each is compared with: one write, however many there are.

use jiff::Timestamp;

use super::{
    LinkUse, SessionRecord, SessionsRecord, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item},
    keys::{self, Key},
    text::instant,
};
use crate::{
    access::Taxpayer,
    types::{MailId, Mode, TaxpayerId, TokenHash},
};

/// How the use of a link went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// It began the session.
    Now,
    /// It, or another link of the same mail, was used before.
    Before,
}

/// The write of a new session, which DynamoDB removes after `gone_at`.
pub(super) fn session_write(
    mode: Mode,
    hash: &TokenHash,
    session: &SessionRecord,
    gone_at: Timestamp,
) -> Result<Write, StoreError> {
    let item = kept_until(to_item(Key::session(mode, hash), session)?, gone_at);
    Ok(Write::Put { item, condition: absent() })
}

/// An item that DynamoDB may remove from then on.
pub(super) fn kept_until(mut item: super::dynamo::Item, gone_at: Timestamp) -> super::dynamo::Item {
    let seconds = gone_at.as_second().to_string();
    item.insert(keys::TTL.to_owned(), aws_sdk_dynamodb::types::AttributeValue::N(seconds));
    item
}

impl Store {
    /// A session, by the hash of its token.
    pub async fn get_session(
        &self,
        mode: Mode,
        hash: &TokenHash,
    ) -> Result<Option<SessionRecord>, StoreError> {
        self.get(Key::session(mode, hash)).await
    }

    /// What decides whether a session of a taxpayer still stands: the taxpayer, and the epoch of its sessions. One
    /// request.
    pub async fn get_signed_in(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<(Option<Taxpayer>, SessionsRecord), StoreError> {
        let (taxpayer, sessions) =
            (Key::taxpayer(mode, taxpayer_id), Key::sessions(mode, taxpayer_id));
        let mut found = self.get_many([taxpayer.clone(), sessions.clone()]).await?;
        let taxpayer = found.remove(&taxpayer).map(from_item).transpose()?;
        let sessions = found.remove(&sessions).map(from_item).transpose()?;
        Ok((taxpayer, sessions.unwrap_or_default()))
    }

    /// The epoch of a taxpayer's sessions.
    pub async fn get_sessions(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<SessionsRecord, StoreError> {
        Ok(self.get(Key::sessions(mode, taxpayer_id)).await?.unwrap_or_default())
    }

    /// Begins a session.
    pub async fn put_session(
        &self,
        mode: Mode,
        hash: &TokenHash,
        session: &SessionRecord,
        gone_at: Timestamp,
    ) -> Result<(), StoreError> {
        // Refused is the repeated attempt that meets its own write: nobody else has this hash.
        self.write(session_write(mode, hash, session, gone_at)?).await.map(drop)
    }

    /// Uses the link of a mail, which begins a session and ends the one that the browser had: all or nothing, once.
    pub async fn use_link(
        &self,
        mode: Mode,
        mail_id: &MailId,
        (hash, session): (&TokenHash, &SessionRecord),
        before: Option<&TokenHash>,
        gone_at: Timestamp,
    ) -> Result<Used, StoreError> {
        let key = Key::link_use(mode, mail_id);
        let used = LinkUse { session: hash.clone(), at: session.created_at };
        let item = kept_until(to_item(key.clone(), &used)?, gone_at);
        let mut writes = vec![
            Write::Put { item, condition: absent() },
            session_write(mode, hash, session, gone_at)?,
        ];
        writes.extend(before.map(|before| Write::Delete {
            key: Key::session(mode, before),
            condition: Expression::default(),
        }));
        let unknown = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(Used::Now),
            Ok(Written::Refused(_)) => None,
            Err(StoreError::Unknown(error)) => Some(error),
            Err(error) => return Err(error),
        };
        match (self.get::<LinkUse>(key).await?, unknown) {
            // A repeated attempt of the SDK meets its own write.
            (Some(stands), _) if stands.session == *hash => Ok(Used::Now),
            (Some(_), _) | (None, None) => Ok(Used::Before),
            (None, Some(error)) => Err(StoreError::Unknown(error)),
        }
    }

    /// Whether a link of a mail was used.
    pub async fn is_link_used(&self, mode: Mode, mail_id: &MailId) -> Result<bool, StoreError> {
        Ok(self.get_item(Key::link_use(mode, mail_id)).await?.is_some())
    }

    /// Notes that a session was used, if that was last noted as it was read. Of requests at once one writes.
    pub async fn note_seen(
        &self,
        mode: Mode,
        hash: &TokenHash,
        read: &SessionRecord,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let update = Update::new().set("last_seen_at", &instant(now))?.build();
        let condition = Expression::new("attribute_exists(pk) AND last_seen_at = :seen")
            .text(":seen", instant(read.last_seen_at));
        let key = Key::session(mode, hash);
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }

    /// Ends a session. One that is over stays so.
    pub async fn delete_session(&self, mode: Mode, hash: &TokenHash) -> Result<(), StoreError> {
        let key = Key::session(mode, hash);
        self.write(Write::Delete { key, condition: Expression::default() }).await.map(drop)
    }

    /// Ends all sessions of a taxpayer that there are. A call that the SDK repeated may count twice, which ends them too.
    pub async fn end_sessions(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<(), StoreError> {
        let update = Update::new().add("epoch", 1).build();
        let (key, condition) = (Key::sessions(mode, taxpayer_id), Expression::default());
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }
}
