//! Sessions of taxpayers, and of members of organizations.
//!
//! A session is 256 random bits in a cookie. The table holds their hash. A session is active as long as all of the
//! following holds. [`current`] checks this for every request, in two round trips and at most three requests to the
//! table:
//!
//! | limit | | ASVS 5 |
//! |---|---|---|
//! | [`IDLE`] | it was used within 30 minutes | 7.3.1 |
//! | [`ABSOLUTE`] | it began within 12 hours | 7.3.2 |
//! | its taxpayer | exists, and is neither suspended nor deregistered | 7.4.2 |
//! | or its member | exists, and its organization exists | 7.4.2 |
//! | its epoch | the holder's sessions were not all ended since | 7.4.3, 7.4.5 |
//!
//! **Time limits** (ASVS 5, 7.1.1). NIST SP 800-63B-4, section 2.2.3 asks at its second level for one hour and 24 hours
//! at most. A browser in an office is left alone more easily, so both limits are half of that.
//!
//! **Concurrent sessions** (ASVS 5, 7.1.2). Their number is unlimited: the people of a business share one address, and
//! each signs in separately. No session ends because of another one. [`end_all`] ends all of them, for the holder and
//! for operators.
//!
//! **Account attributes** (ASVS 5, 7.5.1). No session can change how a person signs in. The address comes from the
//! national tax portal or the operator, and changes only there. A consent needs no further authentication (7.5.3, which
//! only the third level requires).
//!
//! **No federation** (ASVS 5, 7.1.3, 7.6): sessions begin and end only here. A grant is no session. It outlives
//! sessions until it is revoked.

use jiff::{SignedDuration, Timestamp};

use super::{Context, audit, later};
use crate::{
    access::{Action, AuditRecord, By, Deed, Holder, Member, Organization, Origin, Taxpayer},
    error::Failure,
    store::SessionRecord,
    types::{Mode, OpaqueToken, TokenHash},
};

/// How long an unused session stays active.
pub const IDLE: SignedDuration = SignedDuration::from_mins(30);
/// The longest duration of a session.
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(12);
/// How often the use of a session is recorded at most. It may end for inactivity that much earlier.
pub const SEEN_EVERY: SignedDuration = SignedDuration::from_mins(5);

/// The value of a session's cookie.
pub type SessionToken = OpaqueToken;

/// The holder of an active session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CurrentSession {
    /// A taxpayer.
    Taxpayer(SignedIn),
    /// A member of an organization.
    Member(SignedInMember),
}

impl CurrentSession {
    /// The taxpayer, if it is one.
    pub fn taxpayer(self) -> Option<SignedIn> {
        match self {
            CurrentSession::Taxpayer(signed_in) => Some(signed_in),
            CurrentSession::Member(_) => None,
        }
    }

    /// The member, if it is one.
    pub fn member(self) -> Option<SignedInMember> {
        match self {
            CurrentSession::Member(signed_in) => Some(signed_in),
            CurrentSession::Taxpayer(_) => None,
        }
    }

    /// The holder's identifier.
    pub fn holder(&self) -> Holder {
        match self {
            CurrentSession::Taxpayer(signed_in) => (&signed_in.taxpayer.taxpayer_id).into(),
            CurrentSession::Member(signed_in) => (&signed_in.member).into(),
        }
    }
}

/// A signed-in member of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedInMember {
    /// The organization.
    pub organization: Organization,
    /// The member.
    pub member: Member,
    /// The session, by its hash.
    pub session: TokenHash,
}

/// A signed-in taxpayer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The taxpayer.
    pub taxpayer: Taxpayer,
    /// The hash of the session's token, which the audit trail may name.
    pub session: TokenHash,
    /// When the session began.
    pub since: Timestamp,
}

/// The record of a new session.
pub(super) async fn record(
    ctx: &Context,
    mode: Mode,
    holder: Holder,
    origin: &Origin,
) -> Result<SessionRecord, Failure> {
    let epoch = ctx.store.get_sessions(mode, &holder).await?.epoch;
    let now = ctx.now();
    let user_agent = origin.user_agent.clone();
    Ok(SessionRecord { holder, epoch, created_at: now, last_seen_at: now, user_agent })
}

/// The audit entry of a session, or of all sessions of a holder.
pub(super) fn entry(
    ctx: &Context,
    mode: Mode,
    holder: &Holder,
    by: &By,
    (action, subject): (Action, &str),
) -> AuditRecord {
    let deed = Deed { mode, by, action, subject, at: ctx.now() };
    audit::entry(ctx, &deed, holder.trail())
}

/// When the record of a session can be removed.
pub(super) fn gone_at(session: &SessionRecord) -> Timestamp {
    later(session.created_at, ABSOLUTE)
}

/// Begins a session of a taxpayer or a member, under a new token.
///
/// ASVS 5, 7.2.4: "Verify that the application generates a new session token on user authentication, including
/// re-authentication, and terminates the current session token." The caller ends the previous session.
pub async fn begin(
    ctx: &Context,
    mode: Mode,
    holder: impl Into<Holder>,
    origin: Origin,
) -> Result<SessionToken, Failure> {
    let token = SessionToken::generate(&*ctx.random);
    let session = record(ctx, mode, holder.into(), &origin).await?;
    let (hash, gone_at) = (token.hash(), gone_at(&session));
    let entry = begun(ctx, mode, &session.holder, origin, &hash);
    ctx.store.put_session(mode, &hash, &session, gone_at, &entry).await?;
    Ok(token)
}

/// The audit entry of a new session.
pub(super) fn begun(
    ctx: &Context,
    mode: Mode,
    holder: &Holder,
    origin: Origin,
    session: &TokenHash,
) -> AuditRecord {
    let by = By { actor: holder.actor(), origin };
    entry(ctx, mode, holder, &by, (Action::SignInSucceeded, session.as_str()))
}

/// The holder of a token's session. `None` when there is no active session.
///
/// ASVS 5, 7.2.1: "Verify that the application performs all session token verification using a trusted, backend
/// service."
pub async fn current(
    ctx: &Context,
    mode: Mode,
    token: &SessionToken,
) -> Result<Option<CurrentSession>, Failure> {
    let (hash, now) = (token.hash(), ctx.now());
    let Some(session) = ctx.store.get_session(mode, &hash).await? else { return Ok(None) };
    if !is_active(&session, now) {
        return Ok(None);
    }
    let seen = async {
        if now.duration_since(session.last_seen_at) >= SEEN_EVERY {
            // If this write fails, the session ends earlier.
            if let Err(error) = ctx.store.note_seen(mode, &hash, &session, now).await {
                tracing::warn!(%error, "the use of a session was not recorded");
            }
        }
    };
    let (current, ()) = tokio::join!(holding(ctx, mode, hash.clone(), &session), seen);
    current
}

/// The holder of an unexpired session, if it still may sign in.
async fn holding(
    ctx: &Context,
    mode: Mode,
    hash: TokenHash,
    session: &SessionRecord,
) -> Result<Option<CurrentSession>, Failure> {
    Ok(match &session.holder {
        Holder::Taxpayer { taxpayer_id } => {
            let (taxpayer, sessions) = ctx.store.get_signed_in(mode, taxpayer_id).await?;
            let is_good = sessions.epoch == session.epoch;
            let taxpayer = taxpayer.filter(|taxpayer| is_good && may_sign_in(taxpayer));
            taxpayer.map(|taxpayer| {
                CurrentSession::Taxpayer(SignedIn {
                    taxpayer,
                    session: hash,
                    since: session.created_at,
                })
            })
        }
        Holder::Member { organization_id, member_id } => {
            let known = ctx.store.get_signed_in_member(mode, organization_id, member_id).await?;
            match known {
                (Some(organization), Some(member), sessions) if sessions.epoch == session.epoch => {
                    Some(CurrentSession::Member(SignedInMember {
                        organization,
                        member,
                        session: hash,
                    }))
                }
                _ => None,
            }
        }
    })
}

/// ASVS 5, 7.3.1: "there is an inactivity timeout"; 7.3.2: "there is an absolute maximum session lifetime".
pub(super) fn is_active(session: &SessionRecord, now: Timestamp) -> bool {
    now < later(session.last_seen_at, IDLE) && now < later(session.created_at, ABSOLUTE)
}

/// ASVS 5, 7.4.2: "Verify that the application terminates all active sessions when a user account is disabled or
/// deleted".
pub(super) fn may_sign_in(taxpayer: &Taxpayer) -> bool {
    taxpayer.status.may_sign_in()
}

/// Ends a session.
///
/// ASVS 5, 7.4.1: "Verify that logout and expiration terminate the user's session".
pub async fn end(
    ctx: &Context,
    mode: Mode,
    token: &SessionToken,
    origin: Origin,
) -> Result<(), Failure> {
    let hash = token.hash();
    let Some(session) = ctx.store.get_session(mode, &hash).await? else { return Ok(()) };
    end_one(ctx, mode, session.holder, &hash, origin).await
}

/// Ends one of a holder's sessions, by the hash of its token. Another holder's session is not affected.
pub async fn end_one(
    ctx: &Context,
    mode: Mode,
    holder: impl Into<Holder>,
    session: &TokenHash,
    origin: Origin,
) -> Result<(), Failure> {
    let holder = &holder.into();
    let by = By { actor: holder.actor(), origin };
    let entry = entry(ctx, mode, holder, &by, (Action::SessionEnded, session.as_str()));
    Ok(ctx.store.delete_session(mode, holder, session, &entry).await?)
}

/// The active sessions of a holder, the last used first.
///
/// ASVS 5, 7.5.2: "Verify that users are able to view and (having authenticated again with at least one factor)
/// terminate any or all currently active sessions." There is no further authentication: the only factor was checked
/// when the session began, at most 12 hours ago. Ending sessions only removes access.
pub async fn list(
    ctx: &Context,
    mode: Mode,
    holder: impl Into<Holder>,
) -> Result<Vec<(TokenHash, SessionRecord)>, Failure> {
    let (now, store, holder) = (ctx.now(), &ctx.store, &holder.into());
    let (found, sessions) =
        tokio::try_join!(store.list_sessions(mode, holder), store.get_sessions(mode, holder))?;
    let good = |session: &SessionRecord| is_active(session, now) && session.epoch == sessions.epoch;
    let mut open: Vec<_> = found.into_iter().filter(|(_, session)| good(session)).collect();
    open.sort_by_key(|(_, session)| std::cmp::Reverse(session.last_seen_at));
    Ok(open)
}

/// Ends all sessions of a taxpayer or a member, on every device.
///
/// ASVS 5, 7.4.5: "Verify that application administrators are able to terminate active sessions for an individual
/// user"; 7.5.2: "users are able to … terminate any or all currently active sessions".
pub async fn end_all(
    ctx: &Context,
    mode: Mode,
    holder: impl Into<Holder>,
    by: &By,
) -> Result<(), Failure> {
    let holder = holder.into();
    let entry = entry(ctx, mode, &holder, by, (Action::SessionEnded, holder.as_str()));
    Ok(ctx.store.end_sessions(mode, &holder, &entry).await?)
}
