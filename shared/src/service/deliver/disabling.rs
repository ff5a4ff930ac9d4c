//! Disables endpoints automatically: an endpoint that answers 410 Gone, and one that has accepted nothing for days.
//!
//! Waiting deliveries of a disabled endpoint end at their next turn, and no new ones are made. The missed events stay
//! in the list of the organization's events. They can be sent again once the endpoint is enabled.
//!
//! One write disables the endpoint, adds an entry to the organization's audit trail, and queues mails to the members
//! who can fix it.

use jiff::{SignedDuration, Timestamp};

use crate::{
    access::{Action, By, Deed, Notification, Permission, Trail},
    error::Failure,
    service::{Context, RELAY_GRACE, audit, later, members, new_mail::NewMail, notifications},
    store::{Disabled, DisabledReason, EndpointRecord, MailSubject, breakers::Released},
};

/// How long an endpoint may accept nothing. Longer than the schedule of a delivery.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);
/// How long the mail about it is useful.
const MAIL_USEFUL: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Maximum members that get a mail, since one write holds all mails.
const MAX_MAILS: usize = 50;

/// Disables an endpoint that answered 410 Gone.
pub(super) async fn gone(ctx: &Context, endpoint: &EndpointRecord) -> Result<(), Failure> {
    disable(ctx, endpoint, DisabledReason::Gone, None).await
}

/// Disables an endpoint that has accepted nothing for [`PATIENCE`], according to its breaker. It stays enabled if it
/// accepts an event meanwhile.
pub(super) async fn failing(
    ctx: &Context,
    endpoint: &EndpointRecord,
    left: Released,
) -> Result<(), Failure> {
    let now = ctx.now();
    match left.failing_since {
        Some(since) if later(since, PATIENCE) <= now => {
            disable(ctx, endpoint, DisabledReason::Failing, Some(since)).await
        }
        Some(since) if notifications::has_failed_for_long(now, since) => {
            let (kind, id) = (Notification::Endpoint, &endpoint.organization_id);
            Ok(notifications::arrived(ctx, endpoint.mode, id, kind).await?)
        }
        _ => Ok(()),
    }
}

/// Disables an endpoint once. Of several concurrent calls only one succeeds, so that members get one mail.
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
    let notified = members::to_tell(ctx, *mode, organization_id, Permission::Develop).await?;
    let notified = notified.into_iter().filter(|member| member.gets(Notification::Endpoint));
    let mails = notified.take(MAX_MAILS).map(|member| {
        NewMail {
            mode: *mode,
            to: member.email,
            subject: MailSubject::EndpointDisabled { url: url.clone(), reason },
            language: member.language.unwrap_or_default(),
            useful: MAIL_USEFUL,
        }
        .waiting(ctx, at)
    });
    let mails: Vec<_> = mails.collect();
    let disabled = Disabled { reason, at };
    let mails = (mails.as_slice(), later(at, RELAY_GRACE));
    let done = ctx.store.disable_endpoint(endpoint, &disabled, failing_since, &entry, mails);
    done.await.map(drop).map_err(Into::into)
}
