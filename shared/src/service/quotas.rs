//! The quota of the Sandbox (specification 1: it "is free and has its own test quotas"): an organization's sends in a
//! day.

use super::{
    Context, audit,
    notifications::{self, quota_level},
    organizations,
};
use crate::{
    access::{Action, By, Deed, Notification, Trail},
    error::{Code, Failure},
    store::Quota,
    types::{Mode, OrganizationId},
};

/// The highest daily quota that an organization may get.
pub const MOST: u32 = 10_000_000;

/// Counts a valid send, and refuses it beyond the quota. A send that is refused for another reason is not counted.
pub(super) async fn count(ctx: &Context, id: &OrganizationId, most: u32) -> Result<(), Failure> {
    let taken = ctx.store.take_send(id, most, ctx.now()).await?;
    if taken.is_given {
        if reaches_level(taken.rate.most, taken.rate.most - taken.remaining) {
            // A send does not fail for a mail.
            let kind = Notification::Quota;
            if let Err(error) = notifications::arrived(ctx, Mode::Sandbox, id, kind).await {
                tracing::warn!(%error, "a notice of the quota was not noted");
            }
        }
        return Ok(());
    }
    let most = taken.rate.most;
    let message = format!(
        "The organization has sent its maximum of {most} documents in Sandbox on this day (UTC): send again tomorrow, \
         or ask the operator of the access point for a higher quota."
    );
    Err(Failure::new(Code::QuotaExceeded, message).retry_after(taken.wait))
}

/// Whether a send is the first at a level of which members are notified, or one of the next two: the SDK may repeat a
/// call, which then counts twice.
pub(super) fn reaches_level(most: u32, taken: u32) -> bool {
    let is_at = |taken: u32| quota_level(taken, most);
    taken > 0 && is_at(taken) != is_at(taken.saturating_sub(3))
}

/// An organization's own daily quota in Sandbox, if it has one, and its sends.
pub async fn show(ctx: &Context, id: &OrganizationId) -> Result<Quota, Failure> {
    organizations::get(ctx, Mode::Sandbox, id).await?;
    Ok(ctx.store.get_quota(id).await?)
}

/// Sets an organization's daily quota in Sandbox, or resets it to the default.
pub async fn set(
    ctx: &Context,
    id: &OrganizationId,
    most: Option<u32>,
    by: &By,
) -> Result<(), Failure> {
    if most.is_some_and(|most| most > MOST) {
        let message = format!("An organization may send at most {MOST} documents a day.");
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    organizations::get(ctx, Mode::Sandbox, id).await?;
    let (at, mode) = (ctx.now(), Mode::Sandbox);
    let deed = Deed { mode, by, action: Action::QuotaSet, subject: id.as_str(), at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(id.clone()));
    Ok(ctx.store.set_quota(id, most, &entry).await?)
}
