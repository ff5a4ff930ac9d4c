//! Events of the billing provider: signed callbacks (Standard Webhooks 1.0.0). Each event is applied once. A duplicate
//! gets the same answer and has no effect.

use jiff::SignedDuration;
use serde::Deserialize;

use super::{Applied, Stated, apply};
use crate::{
    error::{Code, Failure},
    log::{self, Field},
    service::Subscribing,
    store::BillingEvent,
    webhook::{self, Headers},
};

/// How long the identifiers of events are remembered. That is longer than a timestamp is accepted, and longer than
/// senders retry as Standard Webhooks recommends (75 hours).
pub const REMEMBERED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The only event type that has an effect here.
const SUBSCRIPTION_UPDATED: &str = "subscription.updated";

/// The members of every event (Standard Webhooks, "Payload structure").
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
}

/// The members of an event about a subscription.
#[derive(Deserialize)]
struct Updated {
    data: Stated,
}

/// Handles an event: its headers and its exact bytes.
pub async fn take(
    subscribing: &Subscribing,
    headers: Headers<'_>,
    body: &[u8],
) -> Result<(), Failure> {
    let Subscribing { ctx, secrets } = subscribing;
    if secrets.is_empty() {
        return Err(Failure::new(
            Code::ServiceUnavailable,
            "This deployment has no signing secret of a billing provider; see infra/OPERATE.md, \"Billing\".",
        ));
    }
    let now = ctx.now();
    let id = webhook::verify(secrets, headers, body, now).map_err(|why| {
        Failure::new(
            Code::InvalidSignature,
            format!("The signature of the event is not valid: {why}."),
        )
    })?;
    // The signature is verified before the body is read.
    let Event { kind } = serde_json::from_slice(body).map_err(|why| {
        Failure::new(Code::MalformedJson, format!("The body is not a JSON event: {why}"))
    })?;
    if kind != SUBSCRIPTION_UPDATED {
        // The answer is a success, so that a provider that sends all its events does not regard us as failing.
        tracing::info!("an event of an irrelevant type was ignored");
        return Ok(());
    }
    let Updated { data: stated } = serde_json::from_slice(body).map_err(|why| {
        Failure::new(
            Code::InvalidRequest,
            format!("data of a {SUBSCRIPTION_UPDATED} is wrong: {why}"),
        )
    })?;
    log::note(Field::OrganizationId, &stated.organization_id);
    let event = BillingEvent::new(id, now, REMEMBERED);
    match apply(ctx, &stated, now, Some(&event)).await? {
        Applied::Confirmed | Applied::Changed => {}
        Applied::Outdated => {
            tracing::info!("an event that is older than the stored one was ignored")
        }
        Applied::Repeated => tracing::info!("a repeated event was ignored"),
    }
    Ok(())
}
