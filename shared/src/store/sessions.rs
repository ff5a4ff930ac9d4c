//! Sessions of taxpayers and of members of organizations. A session is an item under the hash of its token. A separate
//! item has an epoch that each session is compared with. So one write ends all sessions of a holder.

use jiff::Timestamp;

use super::{
    LinkUse, MailRecord, SessionPointer, SessionRecord, SessionsRecord, Store, StoreError, audit,
    dynamo::{Expression, Update, Write, Written, absent, expiring, from_item, to_item},
    keys::{self, Key},
    mails,
    text::instant,
};
use crate::{
    access::{AuditRecord, Holder, Member, Organization, Taxpayer},
    types::{MailId, MemberId, Mode, OrganizationId, TaxpayerId, TokenHash},
};

/// The outcome of the use of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// The link began the session.
    Now,
    /// The link, or another link of the same mail, was used before.
    Before,
}

/// The writes that begin a session, which expires at `gone_at`, and end the browser's previous one.
pub(super) fn session_writes(
    mode: Mode,
    (hash, session): (&TokenHash, &SessionRecord),
    before: Option<&TokenHash>,
    gone_at: Timestamp,
) -> Result<Vec<Write>, StoreError> {
    let item = expiring(to_item(Key::session(mode, hash), session)?, gone_at.as_second());
    let pointer = SessionPointer { session: hash.clone() };
    let key = Key::session_pointer(mode, &session.holder, hash);
    let pointer = expiring(to_item(key, &pointer)?, gone_at.as_second());
    let mut writes = vec![
        Write::Put { item, condition: absent() },
        Write::Put { item: pointer, condition: Expression::default() },
    ];
    writes.extend(before.map(|before| Write::Delete {
        key: Key::session(mode, before),
        condition: Expression::default(),
    }));
    Ok(writes)
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

    /// The facts that decide whether a taxpayer's session is valid: the taxpayer, and the epoch of its sessions. It
    /// takes one request.
    pub async fn get_signed_in(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<(Option<Taxpayer>, SessionsRecord), StoreError> {
        let (taxpayer, sessions) =
            (Key::taxpayer(mode, taxpayer_id), Key::sessions(mode, &taxpayer_id.into()));
        let mut found = self.get_many([taxpayer.clone(), sessions.clone()]).await?;
        let taxpayer = found.remove(&taxpayer).map(from_item).transpose()?;
        let sessions = found.remove(&sessions).map(from_item).transpose()?;
        Ok((taxpayer, sessions.unwrap_or_default()))
    }

    /// The facts that decide whether a member's session is valid: the organization, the member, and the epoch of its
    /// sessions. It takes one request.
    pub async fn get_signed_in_member(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        member_id: &MemberId,
    ) -> Result<(Option<Organization>, Option<Member>, SessionsRecord), StoreError> {
        let holder = Holder::Member {
            organization_id: organization_id.clone(),
            member_id: member_id.clone(),
        };
        let organization = Key::organization(mode, organization_id);
        let member = Key::member(mode, organization_id, member_id);
        let sessions = Key::sessions(mode, &holder);
        let wanted = [organization.clone(), member.clone(), sessions.clone()];
        let mut found = self.get_many(wanted).await?;
        Ok((
            found.remove(&organization).map(from_item).transpose()?,
            found.remove(&member).map(from_item).transpose()?,
            found.remove(&sessions).map(from_item).transpose()?.unwrap_or_default(),
        ))
    }

    /// The epoch of a holder's sessions.
    pub async fn get_sessions(
        &self,
        mode: Mode,
        holder: &Holder,
    ) -> Result<SessionsRecord, StoreError> {
        Ok(self.get(Key::sessions(mode, holder)).await?.unwrap_or_default())
    }

    /// Begins a session, with the audit entry.
    pub async fn put_session(
        &self,
        mode: Mode,
        hash: &TokenHash,
        session: &SessionRecord,
        gone_at: Timestamp,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let mut writes = vec![audit::write(entry)?];
        writes.extend(session_writes(mode, (hash, session), None, gone_at)?);
        // A refusal means that a repeated attempt met its own write, because nobody else has this hash.
        self.transact(writes).await.map(drop)
    }

    /// Uses the link of a mail once: begins a session and ends the browser's previous one, all or nothing.
    pub async fn use_link(
        &self,
        mode: Mode,
        mail_id: &MailId,
        (hash, session): (&TokenHash, &SessionRecord),
        before: Option<&TokenHash>,
        gone_at: Timestamp,
        (entry, mails, sweep_at): (&AuditRecord, &[MailRecord], Timestamp),
    ) -> Result<Used, StoreError> {
        let key = Key::link_use(mode, mail_id);
        let used = LinkUse { session: hash.clone(), at: session.created_at };
        let item = expiring(to_item(key.clone(), &used)?, gone_at.as_second());
        let mut writes = vec![Write::Put { item, condition: absent() }, audit::write(entry)?];
        writes.extend(session_writes(mode, (hash, session), before, gone_at)?);
        for mail in mails {
            writes.push(mails::write(mail, sweep_at)?);
        }
        let unknown = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(Used::Now),
            Ok(Written::Refused(_)) => None,
            Err(StoreError::Unknown(error)) => Some(error),
            Err(error) => return Err(error),
        };
        match (self.get::<LinkUse>(key).await?, unknown) {
            // A repeated attempt of the SDK meets its own write.
            (Some(current), _) if current.session == *hash => Ok(Used::Now),
            (Some(_), _) | (None, None) => Ok(Used::Before),
            (None, Some(error)) => Err(StoreError::Unknown(error)),
        }
    }

    /// Whether a link of a mail was used.
    pub async fn is_link_used(&self, mode: Mode, mail_id: &MailId) -> Result<bool, StoreError> {
        Ok(self.get_item(Key::link_use(mode, mail_id)).await?.is_some())
    }

    /// Notes that a session was used, on the condition of the last note that was read. One of several concurrent
    /// requests writes.
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

    /// Ends a session, with the audit entry. If the session has ended already, nothing is written.
    pub async fn delete_session(
        &self,
        mode: Mode,
        holder: &Holder,
        hash: &TokenHash,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let key = Key::session(mode, hash);
        let condition = match holder {
            Holder::Taxpayer { .. } => Expression::new("taxpayer_id = :id"),
            Holder::Member { .. } => Expression::new("member_id = :id"),
        };
        let condition = condition.text(":id", holder.as_str());
        let pointer = Key::session_pointer(mode, holder, hash);
        let writes = vec![
            Write::Delete { key, condition },
            Write::Delete { key: pointer, condition: Expression::default() },
            audit::write(entry)?,
        ];
        self.transact(writes).await.map(drop)
    }

    /// The sessions of a holder, each with the hash of its token, in no order. Ended ones may be included. It takes a
    /// query and a batch read.
    pub async fn list_sessions(
        &self,
        mode: Mode,
        holder: &Holder,
    ) -> Result<Vec<(TokenHash, SessionRecord)>, StoreError> {
        let partition = keys::sessions(mode, holder);
        let pointers: Vec<SessionPointer> = self.all(&partition, keys::OPEN_SESSION).await?;
        let places = pointers.iter().map(|pointer| Key::session(mode, &pointer.session));
        let mut found = self.get_many(places).await?;
        let mut sessions = Vec::with_capacity(found.len());
        for SessionPointer { session } in pointers {
            // A session that another sign-in of its browser ended leaves its pointer.
            if let Some(item) = found.remove(&Key::session(mode, &session)) {
                sessions.push((session, from_item(item)?));
            }
        }
        Ok(sessions)
    }

    /// Ends all current sessions of a holder, with the audit entry. A call that the SDK repeated meets that entry.
    pub async fn end_sessions(
        &self,
        mode: Mode,
        holder: &Holder,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let update = Update::new().add("epoch", 1).build();
        let (key, condition) = (Key::sessions(mode, holder), Expression::default());
        let writes = vec![Write::Update { key, update, condition }, audit::write(entry)?];
        self.transact(writes).await.map(drop)
    }
}
