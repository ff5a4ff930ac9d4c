//! The mail about a sign-in with a browser that has no open session.

use crate::{
    access::{Member, Notification},
    error::Failure,
    service::Context,
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
    if open.iter().any(|(_, other)| other.user_agent == session.user_agent) {
        return Ok(Vec::new());
    }
    let notified = Notified::SignIn { browser: session.user_agent.clone(), at: session.created_at };
    Ok(vec![super::mail(ctx, organization, member.clone(), notified)])
}
