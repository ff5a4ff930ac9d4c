//! Compares the known subscriptions with the provider's every hour, since an event may be lost.
//!
//! Every listed subscription is applied like a new statement: an equal one is confirmed, a different one is corrected.
//! A subscription that is not listed any more is ended, but only after a complete listing. So a listing that breaks off
//! ends no subscription. Subscriptions that an operator set and the provider never knew stay unchanged.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Applied, Stated, apply, provider::Provider};
use crate::{
    error::{Code, Failure},
    service::{Context, grants::ATTEMPTS},
    store::{Heard, Known, Recorded, Subscription, keys::SUBSCRIBER_SHARDS},
    types::OrganizationId,
};

/// Maximum subscriptions of a listing, so that the comparison fits into the function's time.
pub const MAX_SUBSCRIPTIONS: usize = 20_000;
/// Maximum pages of a listing.
pub const MAX_PAGES: usize = 1_000;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Subscriptions that agreed.
    pub confirmed: usize,
    /// Subscriptions that were corrected.
    pub corrected: usize,
    /// Subscriptions that the provider does not list any more.
    pub ended: usize,
    /// Statements of the provider that are older than the known ones.
    pub outdated: usize,
    /// Subscriptions of organizations that are unknown here.
    pub unknown: usize,
}

/// Compares all subscriptions. After an error, the listing was incomplete or a part could not be applied. Then all
/// other parts were applied, and no subscription was ended.
pub async fn reconcile(ctx: &Context, provider: &dyn Provider) -> Result<Reconciled, Failure> {
    let began = ctx.now();
    let (mut done, mut listed, mut wrong) = (Reconciled::default(), HashSet::new(), 0_usize);
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        // A page describes the time of its request, and may be outdated since.
        let asked_at = ctx.now();
        let page = provider.page(cursor.as_deref()).await.map_err(|why| {
            Failure::new(Code::ServiceUnavailable, "The request to the billing provider failed.")
                .because(why)
        })?;
        for stated in page.subscriptions {
            match take_in(ctx, stated, asked_at, &mut done).await {
                Ok(id) => drop(listed.insert(id)),
                Err(failure) => {
                    wrong += 1;
                    let cause = failure.source.map_or(failure.message, |why| why.to_string());
                    tracing::error!(error.cause = cause, "a subscription could not be compared");
                }
            }
        }
        if listed.len() + wrong > MAX_SUBSCRIPTIONS {
            return Err(unfinished(&format!("it has more than {MAX_SUBSCRIPTIONS} subscriptions")));
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    match (cursor, wrong) {
        (None, 0) => {}
        (Some(_), _) => return Err(unfinished(&format!("it has more than {MAX_PAGES} pages"))),
        (None, wrong) => return Err(unfinished(&format!("{wrong} of it could not be processed"))),
    }
    for shard in 0..SUBSCRIBER_SHARDS {
        for id in ctx.store.list_subscribers(shard).await? {
            if !listed.contains(&id) && end(ctx, &id, began).await? {
                done.ended += 1;
            }
        }
    }
    Ok(done)
}

/// The failure of an incomplete comparison.
fn unfinished(why: &str) -> Failure {
    let message = format!("The comparison with the billing provider's list is incomplete: {why}.");
    Failure::new(Code::ServiceUnavailable, message)
}

/// Applies a listed subscription and returns its organization.
async fn take_in(
    ctx: &Context,
    stated: Result<Stated, String>,
    asked_at: Timestamp,
    done: &mut Reconciled,
) -> Result<OrganizationId, Failure> {
    let stated = stated.map_err(|why| Failure::new(Code::InvalidRequest, why))?;
    match apply(ctx, &stated, asked_at, None).await {
        Ok(Applied::Confirmed) => done.confirmed += 1,
        Ok(Applied::Changed) => done.corrected += 1,
        Ok(Applied::Outdated | Applied::Repeated) => done.outdated += 1,
        // Other access points may use the same provider.
        Err(failure) if failure.code == Code::NotFound => done.unknown += 1,
        Err(failure) => return Err(failure),
    }
    Ok(stated.organization_id)
}

/// Ends a subscription that the provider does not list any more, unless a statement about it arrived meanwhile. `as_of`
/// stays, so that the subscription is active again as soon as the provider lists it again.
async fn end(ctx: &Context, id: &OrganizationId, began: Timestamp) -> Result<bool, Failure> {
    for attempt in 0..ATTEMPTS {
        let Known { subscription: read, .. } = ctx.store.get_known_billing(id, None).await?;
        let heard_before = |it: &&Subscription| it.confirmed_at.is_some_and(|heard| heard < began);
        let Some(known) = read.as_ref().filter(|it| it.active).filter(heard_before) else {
            return Ok(false);
        };
        let ended = Subscription { active: false, confirmed_at: Some(began), ..known.clone() };
        let heard = Heard {
            organization_id: id,
            read: Some(known),
            subscription: Some(ended),
            event: None,
        };
        if ctx.store.record_heard(&heard).await? == Recorded::Done {
            tracing::warn!(organization_id = %id, "the billing provider does not know the subscription: it was ended");
            return Ok(true);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(unfinished(&format!("the subscription of {id} is changing too often at the moment")))
}
