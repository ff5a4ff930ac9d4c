//! The mail about a sign-in with a browser that has no open session.

use crate::{
    access::{Member, Notification},
    error::Failure,
    service::{Context, sessions},
    store::{MailRecord, Notified, SessionRecord},
};

/// The mail to a member about a new session, if the member chose to get it and the browser is new.
pub(in crate::service) async fn mails(
    ctx: &Context,
    organization: &str,
    member: &Member,
    session: &SessionRecord,
) -> Result<Vec<MailRecord>, Failure> {
    if !member.gets(Notification::SignIn) {
        return Ok(Vec::new());
    }
    let open = ctx.store.list_sessions(member.mode, &session.holder).await?;
    // The end of all sessions of a holder leaves their records, of an earlier epoch.
    let is_open = |other: &SessionRecord| {
        other.epoch == session.epoch && sessions::is_active(other, session.created_at)
    };
    let is_known = |other: &SessionRecord| other.user_agent == session.user_agent;
    if open.iter().any(|(_, other)| is_open(other) && is_known(other)) {
        return Ok(Vec::new());
    }
    let notified = Notified::SignIn { browser: session.user_agent.clone(), at: session.created_at };
    Ok(vec![super::mail(ctx, organization, member.clone(), notified)])
}
