//! What is known of subscriptions against what the provider knows, every hour: an event may have been lost.
//!
//! Whatever the provider lists is taken in as if it had just said so: what agrees is confirmed, what does not is corrected.
//! What it does not list any more is ended, once a listing has come to its end whole: a provider that breaks off in the
//! middle has nobody's subscription ended. What an operator set, and the provider never heard of, is left alone.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Applied, Stated, apply, provider::Provider};
use crate::{
    error::{Code, Failure},
    service::{Context, grants::ATTEMPTS},
    store::{Heard, Known, Recorded, Subscription, keys::SUBSCRIBER_SHARDS},
    types::OrganizationId,
};

/// The most subscriptions of a listing: so many are compared within the time that a function has.
pub const MAX_SUBSCRIPTIONS: usize = 20_000;
/// The most pages of a listing.
pub const MAX_PAGES: usize = 1_000;

/// What came of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// How many were known as the provider has them.
    pub confirmed: usize,
    /// How many were not.
    pub corrected: usize,
    /// How many the provider does not know any more.
    pub ended: usize,
    /// How many the provider said something about that is older than what is known.
    pub outdated: usize,
    /// How many are of organizations that are not known here.
    pub unknown: usize,
}

/// Compares everything. An error says that the listing did not come to its end, or that something of it could not be
/// taken in: then all the rest was, and nothing was ended.
pub async fn reconcile(ctx: &Context, provider: &dyn Provider) -> Result<Reconciled, Failure> {
    let began = ctx.now();
    let (mut done, mut listed, mut wrong) = (Reconciled::default(), HashSet::new(), 0_usize);
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        // What a page says was so when it was asked for, and may have changed since.
        let asked_at = ctx.now();
        let page = provider.page(cursor.as_deref()).await.map_err(|why| {
            Failure::new(Code::ServiceUnavailable, "The billing provider could not be asked.")
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
        (None, wrong) => return Err(unfinished(&format!("{wrong} of it could not be taken in"))),
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

/// The listing was not compared whole.
fn unfinished(why: &str) -> Failure {
    let message = format!("The billing provider's listing was not compared whole: {why}.");
    Failure::new(Code::ServiceUnavailable, message)
}

/// Takes in one that the provider listed, and gives whose it is.
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
        // Other access points may have the same provider.
        Err(failure) if failure.code == Code::NotFound => done.unknown += 1,
        Err(failure) => return Err(failure),
    }
    Ok(stated.organization_id)
}

/// Ends a subscription that the provider does not know any more, unless it said something of it meanwhile. When the
/// provider lists it again it counts again: of when it was is not changed.
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
    Err(unfinished(&format!("the subscription of {id} changes too often just now")))
}
