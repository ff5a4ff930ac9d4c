//! One attempt at a delivery: due → delivering → delivered, due again or exhausted.
//!
//! Deliveries are at least once: when a worker dies after the endpoint took the event, the next one
//! sends it again under the same `webhook-id`. A message that comes twice, late or early does
//! nothing, since what to do is read from the delivery itself and an attempt begins with a
//! conditional write.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use jiff::{SignedDuration, Timestamp};

use super::{Delivering, later, relay};
use crate::{
    egress::{Answer, EgressError, ErrorKind},
    error::{Code, Failure},
    store::{
        AttemptResult, DeliverMessage, DeliveryRecord, DeliveryStatus, EndpointRecord,
        EndpointStatus, EventRecord, MAX_DELAY,
    },
    webhook::{
        Secret,
        schedule::{self, Hint, WAITS},
        signature,
    },
};

/// How long a worker owns an attempt: longer than the client's deadline and the writes about it.
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// What we call ourselves.
const USER_AGENT: &str = concat!("access-point/", env!("CARGO_PKG_VERSION"));

/// What came of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoint took the event.
    Delivered,
    /// It did not; the next attempt is due then.
    Waiting(Timestamp),
    /// It did not, and there is no further attempt.
    Exhausted,
    /// There was nothing to do: not due, over, or another worker's.
    Skipped,
}

/// Makes the attempt that a message asks for, if it is due.
///
/// An error means that nothing is decided and the message should come again.
pub async fn deliver(
    delivering: &Delivering,
    message: &DeliverMessage,
) -> Result<Outcome, Failure> {
    let DeliverMessage { mode, organization_id, event_id, endpoint_id } = message;
    let Some(delivery) =
        delivering.ctx.store.get_delivery(*mode, organization_id, event_id, endpoint_id).await?
    else {
        return Ok(Outcome::Skipped);
    };
    let now = delivering.ctx.now();
    if !is_due(&delivery, now) {
        return Ok(Outcome::Skipped);
    }
    let endpoint = delivering.ctx.store.get_endpoint(*mode, organization_id, endpoint_id).await?;
    let event = delivering.ctx.store.get_event(*mode, &delivery.taxpayer_id, event_id).await?;
    // A grant that was revoked while the delivery waited covers it no more.
    let covered = match &event {
        Some(event) => relay::concerns(&delivering.ctx, event, organization_id).await?,
        None => false,
    };
    let (endpoint, event) = match check(&delivery, endpoint, event, covered) {
        Ok(found) => found,
        Err(reason) => {
            let result = AttemptResult {
                at: now,
                status: None,
                duration_ms: 0,
                error: Some(reason.to_owned()),
            };
            return end(delivering, &delivery, DeliveryStatus::Exhausted, result).await;
        }
    };
    // Before the attempt is counted: a key that does not open is ours to mend, and must cost the
    // endpoint no attempt.
    let secret = open(delivering, &endpoint)?;

    let lease_until = later(now, LEASE);
    let leased = delivering
        .ctx
        .store
        .lease_delivery(&delivery, delivering.ctx.new_uuid(), now, lease_until)
        .await?;
    let Some(leased) = leased else { return Ok(Outcome::Skipped) };
    let started = delivering.ctx.now();
    let headers = headers(&secret, &event, started);
    let answer = delivering.client.post(&endpoint.url, headers, event.body.into_bytes()).await;
    conclude(delivering, &leased, &endpoint, started, answer).await
}

/// Whether an attempt may begin.
fn is_due(delivery: &DeliveryRecord, now: Timestamp) -> bool {
    match (delivery.status, &delivery.lease) {
        (DeliveryStatus::Due, _) => delivery.next_attempt_at <= now,
        (DeliveryStatus::Delivering, Some(lease)) => lease.until <= now,
        (DeliveryStatus::Delivering, None) => true,
        (DeliveryStatus::Delivered | DeliveryStatus::Exhausted, _) => false,
    }
}

/// What the attempt needs, or why there will be none.
fn check(
    delivery: &DeliveryRecord,
    endpoint: Option<EndpointRecord>,
    event: Option<EventRecord>,
    covered: bool,
) -> Result<(EndpointRecord, EventRecord), &'static str> {
    let endpoint = endpoint.ok_or("the endpoint was deleted")?;
    if endpoint.status != EndpointStatus::Enabled {
        return Err("the endpoint is disabled");
    }
    // Attempts whose workers died count: otherwise an event that kills workers would go on for ever.
    if attempts(delivery) >= WAITS.len() {
        return Err("the last attempt was not finished");
    }
    let event = event.ok_or("the event is gone")?;
    if covered { Ok((endpoint, event)) } else { Err("no active grant covers the event any more") }
}

fn attempts(delivery: &DeliveryRecord) -> usize {
    usize::try_from(delivery.attempts).unwrap_or(usize::MAX)
}

fn open(delivering: &Delivering, endpoint: &EndpointRecord) -> Result<Secret, Failure> {
    delivering
        .sealing_key
        .open(&endpoint.sealed_secret, endpoint.mode, &endpoint.endpoint_id)
        .map_err(|error| {
            Failure::new(Code::InternalError, "The endpoint's secret does not open.").because(error)
        })
}

/// The headers of an attempt: Standard Webhooks 1.0.0, "Webhook headers".
fn headers(secret: &Secret, event: &EventRecord, at: Timestamp) -> HeaderMap {
    let id = event.event_id.as_str();
    let signature = signature(std::slice::from_ref(secret), id, at, event.body.as_bytes());
    let texts = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::USER_AGENT, USER_AGENT.to_owned()),
        (HeaderName::from_static("webhook-id"), id.to_owned()),
        (HeaderName::from_static("webhook-timestamp"), at.as_second().to_string()),
        (HeaderName::from_static("webhook-signature"), signature),
    ];
    let valid = texts.into_iter().filter_map(|(name, text)| {
        // All of these are ASCII.
        HeaderValue::try_from(text).ok().map(|value| (name, value))
    });
    valid.collect()
}

/// Writes down what came of an attempt.
async fn conclude(
    delivering: &Delivering,
    leased: &DeliveryRecord,
    endpoint: &EndpointRecord,
    started: Timestamp,
    answer: Result<Answer, EgressError>,
) -> Result<Outcome, Failure> {
    let now = delivering.ctx.now();
    let result = result(started, now, &answer);
    log(leased, &result);
    match &answer {
        Ok(answer) if answer.status.is_success() => {
            end(delivering, leased, DeliveryStatus::Delivered, result).await
        }
        // "410 Gone … the sender should disable the endpoint" (Standard Webhooks 1.0.0)
        Ok(answer) if answer.status == StatusCode::GONE => {
            delivering.ctx.store.disable_endpoint(endpoint).await?;
            end(delivering, leased, DeliveryStatus::Exhausted, result).await
        }
        _ => match schedule::wait(attempts(leased), hint(&answer, now), &*delivering.ctx.random) {
            None => end(delivering, leased, DeliveryStatus::Exhausted, result).await,
            Some(wait) => wait_for_next(delivering, leased, wait, result).await,
        },
    }
}

fn result(
    started: Timestamp,
    now: Timestamp,
    answer: &Result<Answer, EgressError>,
) -> AttemptResult {
    let (status, error) = match answer {
        Ok(answer) if answer.status.is_success() => (Some(answer.status), None),
        Ok(answer) if answer.status.is_redirection() => (
            Some(answer.status),
            Some("redirect: the endpoint sent us elsewhere; redirects are not followed".to_owned()),
        ),
        Ok(answer) => {
            (Some(answer.status), Some(format!("status: the endpoint answered {}", answer.status)))
        }
        Err(error) => (None, Some(format!("{}: {}", error.kind.as_str(), error.message))),
    };
    let duration = now.duration_since(started).as_millis();
    AttemptResult {
        at: now,
        status: status.map(|status| status.as_u16()),
        duration_ms: u64::try_from(duration).unwrap_or(0),
        error: error.map(|text| text.chars().take(300).collect()),
    }
}

/// "429, 502 and 504 … throttle" (Standard Webhooks 1.0.0); so does an endpoint too slow to answer.
fn hint(answer: &Result<Answer, EgressError>, now: Timestamp) -> Hint {
    match answer {
        Ok(answer) => Hint {
            overloaded: matches!(answer.status.as_u16(), 429 | 502 | 504),
            retry_after: answer.retry_after.as_deref().and_then(|h| schedule::retry_after(h, now)),
        },
        Err(error) => Hint { overloaded: error.kind == ErrorKind::Timeout, retry_after: None },
    }
}

/// Ends a delivery. When the lease was lost meanwhile, the worker that has it decides.
async fn end(
    delivering: &Delivering,
    delivery: &DeliveryRecord,
    status: DeliveryStatus,
    result: AttemptResult,
) -> Result<Outcome, Failure> {
    let ours = delivering.ctx.store.finish_delivery(delivery, status, result).await?;
    Ok(match (ours, status) {
        (true, DeliveryStatus::Delivered) => Outcome::Delivered,
        (true, _) => Outcome::Exhausted,
        (false, _) => Outcome::Skipped,
    })
}

/// Puts the next attempt off. A short wait is the queue's; the sweeper has the long ones, and the
/// short ones whose message got lost.
async fn wait_for_next(
    delivering: &Delivering,
    leased: &DeliveryRecord,
    wait: SignedDuration,
    result: AttemptResult,
) -> Result<Outcome, Failure> {
    let next = later(result.at, wait);
    if !delivering.ctx.store.reschedule_delivery(leased, next, result).await? {
        return Ok(Outcome::Skipped);
    }
    // A queue counts whole seconds: one more, so that the message does not come too early.
    let delay = SignedDuration::from_secs(wait.as_secs() + 1);
    if delay <= MAX_DELAY {
        let message = DeliverMessage {
            mode: leased.mode,
            organization_id: leased.organization_id.clone(),
            event_id: leased.event_id.clone(),
            endpoint_id: leased.endpoint_id.clone(),
        };
        if let Err(error) = delivering.queue.send(&[message], delay).await {
            tracing::warn!(
                event.id = %leased.event_id, endpoint.id = %leased.endpoint_id,
                error.cause = %error, "the next attempt is left to the sweeper"
            );
        }
    }
    Ok(Outcome::Waiting(next))
}

fn log(leased: &DeliveryRecord, result: &AttemptResult) {
    tracing::info!(
        event.id = %leased.event_id, endpoint.id = %leased.endpoint_id,
        delivery.attempt = leased.attempts, http.status = result.status.unwrap_or(0),
        duration_ms = result.duration_ms, error.cause = result.error.as_deref().unwrap_or(""),
        "delivery attempted"
    );
}

#[cfg(test)]
mod tests;
