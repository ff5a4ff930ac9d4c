//! Notices about a daily quota that is nearly used. Quotas exist in Sandbox only.

use super::Turn;
use crate::{
    error::Failure,
    service::Context,
    store::{NoticeRecord, Notified, quota_day},
    types::OrganizationId,
};

/// The shares of the quota, in percent, at which members hear of it.
const LEVELS: [u64; 2] = [100, 80];

/// The highest level that the documents of a day have reached.
pub fn quota_level(sent: u32, most: u32) -> Option<u64> {
    let used = u64::from(sent) * 100;
    LEVELS.into_iter().find(|level| used >= u64::from(most) * level)
}

/// The documents of today and the quota, when it is nearly used.
pub(super) async fn ending_quota(
    ctx: &Context,
    id: &OrganizationId,
) -> Result<Option<(u32, u32)>, Failure> {
    let quota = ctx.store.get_quota(id).await?;
    let (sent, most) = quota.on(quota_day(ctx.now()));
    Ok(most.filter(|most| sent > 0 && quota_level(sent, *most).is_some()).map(|most| (sent, most)))
}

pub(super) async fn turn(ctx: &Context, notice: &NoticeRecord) -> Result<Turn, Failure> {
    let day = quota_day(ctx.now());
    let ending = ending_quota(ctx, &notice.organization_id).await?;
    let level = ending.and_then(|(sent, most)| quota_level(sent, most));
    let (Some((sent, most)), Some(level)) = (ending, level) else {
        // The next day counts again.
        return Ok(Turn { mentioned: notice.mentioned.clone(), ..Turn::default() });
    };
    let name = |level: u64| format!("{day} {level}");
    let is_new = !notice.mentioned.contains(&name(level));
    let notified = is_new.then_some(Notified::Quota { sent, most });
    // A send is no arrival unless it reaches a level: this notice ends at once, and knows its levels.
    let mentioned = LEVELS.into_iter().filter(|it| *it <= level).map(name).collect();
    Ok(Turn { notified, mentioned, next: None })
}
