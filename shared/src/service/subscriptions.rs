//! Subscriptions as an operator sees and sets them: for a deployment without a billing provider, and where something was
//! settled beside it. What an operator set stays until the provider says something newer.

use jiff::Timestamp;

use super::{Context, audit, grants::ATTEMPTS, organizations};
use crate::{
    access::{Action, By, Deed, Trail},
    error::{Code, Failure},
    store::{Billing, Recorded, Subscription},
    types::{Mode, OrganizationId},
};

/// The most seats that a subscription may have.
pub const MAX_SEATS: u32 = 1_000_000;

/// An organization's subscription, and how many of its seats are in use.
pub async fn show(ctx: &Context, id: &OrganizationId) -> Result<Billing, Failure> {
    organizations::get(ctx, Mode::Live, id).await?;
    Ok(ctx.store.get_billing(id).await?)
}

/// Has a subscription be active, for so many taxpayers, or for any number. Connections beyond that stay; there are no
/// new ones until enough have ended.
pub async fn set(
    ctx: &Context,
    id: &OrganizationId,
    seats: Option<u32>,
    by: &By,
) -> Result<Subscription, Failure> {
    if seats.is_some_and(|seats| seats > MAX_SEATS) {
        let message = format!("A subscription has at most {MAX_SEATS} seats.");
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    let set = |_: Option<&Subscription>, now| Subscription {
        active: true,
        seats,
        as_of: Some(now),
        ..Subscription::default()
    };
    change(ctx, id, Action::SubscriptionSet, by, set).await
}

/// Ends a subscription: the next Live send is refused. Connections and their seats stay.
pub async fn end(ctx: &Context, id: &OrganizationId, by: &By) -> Result<Subscription, Failure> {
    let ended = |read: Option<&Subscription>, now| Subscription {
        active: false,
        seats: read.and_then(|read| read.seats),
        as_of: Some(now),
        ..Subscription::default()
    };
    change(ctx, id, Action::SubscriptionEnded, by, ended).await
}

async fn change(
    ctx: &Context,
    id: &OrganizationId,
    action: Action,
    by: &By,
    to: impl Fn(Option<&Subscription>, Timestamp) -> Subscription,
) -> Result<Subscription, Failure> {
    organizations::get(ctx, Mode::Live, id).await?;
    for attempt in 0..ATTEMPTS {
        let read = ctx.store.get_subscription(id).await?;
        let at = ctx.now();
        let subscription = to(read.as_ref(), at);
        let deed = Deed { mode: Mode::Live, by, action, subject: id.as_str(), at };
        let entry = audit::entry(ctx, &deed, Trail::Organization(id.clone()));
        let put = ctx.store.put_subscription(id, read.as_ref(), &subscription, &entry).await?;
        if put == Recorded::Done {
            return Ok(subscription);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(Failure::new(
        Code::ServiceUnavailable,
        "The subscription changes too often just now: try again.",
    ))
}
