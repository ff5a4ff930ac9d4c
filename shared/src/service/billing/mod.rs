//! What the billing provider says of subscriptions: by events that it sends ([`event`]), and when it is asked every hour
//! ([`reconcile`]).
//!
//! The provider's clock orders what it says: what is older than what is known changes nothing, however late it comes. What
//! it says again confirms what is known, which counts for [`Freshness`](crate::store::Freshness) hours from then on. An
//! operator may have set a subscription; it counts until the provider says something newer.

pub mod event;
pub mod provider;
pub mod reconcile;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Context, grants::ATTEMPTS, subscriptions::MAX_SEATS};
use crate::{
    error::{Code, Failure},
    store::{BillingEvent, Heard, Known, Recorded, Subscription},
    types::OrganizationId,
};

/// How far the provider's clock may be ahead of ours: what is of a later time would hide all that follows.
const MOST_AHEAD: SignedDuration = SignedDuration::from_mins(5);

/// Whether an organization has paid, by the provider's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// It has: Live sends are taken.
    Active,
    /// It has not, whatever the reason.
    Inactive,
}

/// A subscription as the provider says it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = BillingSubscription)]
pub struct Stated {
    /// Whose.
    #[schema(value_type = String, example = "org_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub organization_id: OrganizationId,
    /// Whether it is active.
    pub status: SubscriptionStatus,
    /// For how many taxpayers, at most 1,000,000; for any number when left out or null.
    #[serde(default)]
    #[schema(maximum = 1_000_000)]
    pub seats: Option<u32>,
    /// Since when that is so, by the provider's clock: what is older than what is known changes nothing.
    #[schema(value_type = String, format = DateTime, example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
}

/// What became of what the provider said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It was known, and is confirmed.
    Confirmed,
    /// It is known from now on.
    Changed,
    /// Something newer is known: nothing changed.
    Outdated,
    /// The event was taken before: nothing changed.
    Repeated,
}

/// What is wrong with something that the provider said.
fn check(stated: &Stated, now: Timestamp) -> Result<(), Failure> {
    let wrong = |message: String| Err(Failure::new(Code::InvalidRequest, message));
    if stated.updated_at.duration_since(now) > MOST_AHEAD {
        return wrong(format!(
            "updated_at of {} is more than {} minutes ahead of the time here.",
            stated.organization_id,
            MOST_AHEAD.as_mins()
        ));
    }
    if stated.seats.is_some_and(|seats| seats > MAX_SEATS) {
        return wrong(format!("seats of {} are more than {MAX_SEATS}.", stated.organization_id));
    }
    Ok(())
}

/// Takes in what the provider said, heard at an instant, with the event that said it. Done twice it is the same.
async fn apply(
    ctx: &Context,
    stated: &Stated,
    heard_at: Timestamp,
    event: Option<&BillingEvent>,
) -> Result<Applied, Failure> {
    check(stated, heard_at)?;
    let id = &stated.organization_id;
    for attempt in 0..ATTEMPTS {
        let Known { is_organization, is_repeated, subscription: read } =
            ctx.store.get_known_billing(id, event).await?;
        if !is_organization {
            let message = format!("There is no organization {id} in live.");
            return Err(Failure::new(Code::NotFound, message));
        }
        if is_repeated {
            return Ok(Applied::Repeated);
        }
        let (applied, subscription) = judge(read.as_ref(), stated, heard_at);
        let heard = Heard { organization_id: id, read: read.as_ref(), subscription, event };
        if ctx.store.record_heard(&heard).await? == Recorded::Done {
            if let (Applied::Changed, Some(now)) = (applied, &heard.subscription) {
                let Subscription { active, seats, .. } = now;
                tracing::info!(organization_id = %id, active, seats, "the subscription changed");
            }
            return Ok(applied);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(Failure::new(
        Code::ServiceUnavailable,
        "The subscription changes too often just now: send it again.",
    ))
}

/// What is known after something was said; nothing where that is older than what is known.
fn judge(
    read: Option<&Subscription>,
    stated: &Stated,
    heard_at: Timestamp,
) -> (Applied, Option<Subscription>) {
    let as_of = read.and_then(|read| read.as_of);
    if as_of.is_some_and(|known| stated.updated_at < known) {
        return (Applied::Outdated, None);
    }
    let confirmed_at = read.and_then(|read| read.confirmed_at).max(Some(heard_at));
    let said = Subscription {
        active: stated.status == SubscriptionStatus::Active,
        seats: stated.seats,
        as_of: Some(stated.updated_at),
        confirmed_at,
        version: 0,
    };
    let is_known = read.is_some_and(|read| read.says_the_same_as(&said));
    (if is_known { Applied::Confirmed } else { Applied::Changed }, Some(said))
}
