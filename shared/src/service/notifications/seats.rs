//! Notices about seats that are nearly used. Seats exist in Live only.

use super::Turn;
use crate::{
    error::Failure,
    service::Context,
    store::{Billing, NoticeRecord, Notified},
};

/// The shares of the seats, in percent, at which members hear of it.
const LEVELS: [u64; 2] = [100, 80];

/// The highest level that the seats in use have reached.
pub(super) fn level(billing: &Billing) -> Option<(u64, u32)> {
    let seats = billing.subscription.as_ref()?.seats?;
    let used = u64::from(billing.in_use) * 100;
    let level = LEVELS.into_iter().find(|level| used >= u64::from(seats) * level)?;
    Some((level, seats))
}

pub(super) async fn turn(ctx: &Context, notice: &NoticeRecord) -> Result<Turn, Failure> {
    let billing = ctx.store.get_billing(&notice.organization_id).await?;
    // Below all levels, the next time counts again.
    let Some((level, seats)) = level(&billing) else { return Ok(Turn::default()) };
    let name = level.to_string();
    let is_new = !notice.mentioned.contains(&name);
    let notified = is_new.then_some(Notified::Seats { in_use: billing.in_use, seats });
    // A change of the number of seats is no arrival: this notice ends at once, and knows its level.
    let mentioned = LEVELS.into_iter().filter(|it| *it <= level).map(|it| it.to_string()).collect();
    Ok(Turn { notified, mentioned, next: None })
}
