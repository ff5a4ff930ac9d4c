//! Subscriptions according to the billing provider: by its events ([`event`]), and by an hourly request
//! ([`reconcile`]).
//!
//! The provider's clock orders its statements. An older statement than the known one changes nothing, however late it
//! arrives. A repeated statement confirms the known one, which is then valid for [`Freshness`](crate::store::Freshness)
//! hours. A subscription that an operator set is valid until the provider makes a newer statement.

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

/// How far the provider's clock may be ahead of ours. A later time would make all following statements look old.
const MOST_AHEAD: SignedDuration = SignedDuration::from_mins(5);

/// Whether an organization has paid, according to the billing provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// It has: Live sends are taken.
    Active,
    /// It has not, whatever the reason.
    Inactive,
}

/// A subscription as the billing provider states it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = BillingSubscription)]
pub struct Stated {
    /// Identifier of the organization.
    #[schema(value_type = String, example = "org_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub organization_id: OrganizationId,
    /// Status of the subscription.
    pub status: SubscriptionStatus,
    /// Maximum number of taxpayers, at most 1,000,000. Unlimited when left out or null.
    #[serde(default)]
    #[schema(maximum = 1_000_000)]
    pub seats: Option<u32>,
    /// Time since when this state is valid, by the provider's clock. A state older than the known one changes
    /// nothing.
    #[schema(value_type = String, format = DateTime, example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
}

/// The outcome of a statement of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It was known and is confirmed.
    Confirmed,
    /// It is new and is known from now on.
    Changed,
    /// A newer statement is known: nothing changed.
    Outdated,
    /// The event was applied before: nothing changed.
    Repeated,
}

/// Checks a statement of the provider.
fn check(stated: &Stated, now: Timestamp) -> Result<(), Failure> {
    let wrong = |message: String| Err(Failure::new(Code::InvalidRequest, message));
    if stated.updated_at.duration_since(now) > MOST_AHEAD {
        return wrong(format!(
            "updated_at of {} is more than {} minutes ahead of the clock of this service.",
            stated.organization_id,
            MOST_AHEAD.as_mins()
        ));
    }
    if stated.seats.is_some_and(|seats| seats > MAX_SEATS) {
        return wrong(format!("seats of {} are more than {MAX_SEATS}.", stated.organization_id));
    }
    Ok(())
}

/// Applies a statement of the provider that arrived at `heard_at`, with its event. Applying it twice has the effect of
/// once.
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
        let (applied, subscription) = after_statement(read.as_ref(), stated, heard_at);
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
        "The subscription is changing too often at the moment: send the event again.",
    ))
}

/// The subscription after a statement. `None` if the statement is older than the known one.
fn after_statement(
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
