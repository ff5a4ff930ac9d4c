//! Endpoints that are switched off by themselves: one that says it is gone, and one that has taken nothing for days.
//!
//! What is waiting for such an endpoint ends at its next turn, and no delivery is made for it any more; what it misses is
//! among its organization's events, and can be sent again once it is enabled. Its organization's trail tells of it, and
//! those of its members who can mend it get a mail, all in the one write that switches it off.

use jiff::{SignedDuration, Timestamp};

use crate::{
    access::{Action, By, Deed, Permission, Trail},
    error::Failure,
    i18n::Language,
    service::{Context, RELAY_GRACE, audit, later, members},
    store::{
        Disabled, DisabledReason, EndpointRecord, MailRecord, MailStatus, MailSubject,
        breakers::Released,
    },
    types::MailId,
};

/// How long an endpoint may take nothing: longer than the schedule of a delivery.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);
/// How long the mail about it is of use.
const MAIL_USEFUL: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How many members are told at most: one write holds all of their mails.
const MOST_TOLD: usize = 50;

/// Disables an endpoint that says it is gone for good.
pub(super) async fn gone(ctx: &Context, endpoint: &EndpointRecord) -> Result<(), Failure> {
    disable(ctx, endpoint, DisabledReason::Gone, None).await
}

/// Disables an endpoint that has taken nothing for [`PATIENCE`], as its breaker has it. An event that it takes meanwhile is
/// reason enough to leave it.
pub(super) async fn failing(
    ctx: &Context,
    endpoint: &EndpointRecord,
    left: Released,
) -> Result<(), Failure> {
    match left.failing_since {
        Some(since) if later(since, PATIENCE) <= ctx.now() => {
            disable(ctx, endpoint, DisabledReason::Failing, Some(since)).await
        }
        _ => Ok(()),
    }
}

/// Disables an endpoint, once: of several that wish so one does it, and it is told once.
async fn disable(
    ctx: &Context,
    endpoint: &EndpointRecord,
    reason: DisabledReason,
    failing_since: Option<Timestamp>,
) -> Result<(), Failure> {
    let EndpointRecord { mode, organization_id, endpoint_id, url, .. } = endpoint;
    let (at, by) = (ctx.now(), By::service());
    let (action, subject) = (Action::EndpointDisabled, endpoint_id.as_str());
    let deed = Deed { mode: *mode, by: &by, action, subject, at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    let told = members::to_tell(ctx, *mode, organization_id, Permission::Develop).await?;
    let mails = told.into_iter().take(MOST_TOLD).map(|member| MailRecord {
        mode: *mode,
        mail_id: MailId::new(at, &*ctx.random),
        to: Some(member.email),
        subject: MailSubject::EndpointDisabled { url: url.clone(), reason },
        // A member has no language of its own.
        language: Language::default(),
        status: MailStatus::Waiting,
        created_at: at,
        useless_at: later(at, MAIL_USEFUL),
        lease: None,
        tries: 0,
    });
    let mails: Vec<_> = mails.collect();
    let disabled = Disabled { reason, at };
    let mails = (mails.as_slice(), later(at, RELAY_GRACE));
    let done = ctx.store.disable_endpoint(endpoint, &disabled, failing_since, &entry, mails);
    done.await.map(drop).map_err(Into::into)
}
