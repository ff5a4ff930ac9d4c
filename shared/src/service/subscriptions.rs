//! Subscriptions that an operator views and sets: without a billing provider, or for separate agreements. Such a
//! subscription is valid until the provider makes a newer statement.

use jiff::Timestamp;

use super::{Context, audit, grants::ATTEMPTS, organizations};
use crate::{
    access::{Action, By, Deed, Trail},
    error::{Code, Failure},
    store::{Billing, Recorded, Subscription},
    types::{Mode, OrganizationId},
};

/// Maximum seats of a subscription.
pub const MAX_SEATS: u32 = 1_000_000;

/// An organization's subscription and its seats in use.
pub async fn show(ctx: &Context, id: &OrganizationId) -> Result<Billing, Failure> {
    organizations::get(ctx, Mode::Live, id).await?;
    Ok(ctx.store.get_billing(id).await?)
}

/// Activates a subscription for this number of taxpayers, or for any number. Existing connections beyond the number
/// stay. New ones are refused until enough have ended.
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
        "The subscription is changing too often at the moment: try again.",
    ))
}
