//! The conclusions of attempts, and how they are recorded.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::{SignedDuration, Timestamp};

use super::{Outcome, attempts, disabling, next_message, queue};
use crate::{
    egress::{Answer, EgressError, ErrorKind},
    error::Failure,
    service::{Delivering, later},
    store::{
        AttemptAnswer, AttemptExchange, AttemptResult, Change, DeliverMessage, DeliveryRecord,
        DeliveryStatus, EndpointRecord,
    },
    webhook::schedule::{self, Hint},
};

/// An attempt that was made.
pub(super) struct Made {
    pub(super) started: Timestamp,
    pub(super) sent: HeaderMap,
    pub(super) answer: Result<Answer, EgressError>,
}

/// The record of an attempt, and the outcome once it is written.
pub(super) struct Conclusion {
    change: Change,
    outcome: Outcome,
    /// The message that asks for the next attempt, if the queue can hold it for so long.
    message: Option<(DeliverMessage, SignedDuration)>,
}

impl Conclusion {
    /// The conclusion of an attempt.
    pub(super) async fn of(
        delivering: &Delivering,
        leased: DeliveryRecord,
        endpoint: &EndpointRecord,
        Made { started, sent, answer }: Made,
    ) -> Result<Self, Failure> {
        let now = delivering.ctx.now();
        let result = result(&leased, started, now, &answer);
        note(&leased, &result);
        let exchange = kept(&leased, &sent, &answer);
        let (status, outcome) = match &answer {
            Ok(answer) if answer.status.is_success() => {
                (DeliveryStatus::Delivered, Outcome::Delivered)
            }
            // "410 Gone … the sender should disable the endpoint" (Standard Webhooks 1.0.0)
            Ok(answer) if answer.status == StatusCode::GONE => {
                disabling::gone(&delivering.ctx, endpoint).await?;
                (DeliveryStatus::Exhausted, Outcome::Exhausted)
            }
            _ => {
                let hint = hint(&answer, now);
                let wait = schedule::wait(attempts(&leased), hint, &*delivering.ctx.random);
                if let Some(wait) = wait {
                    return Ok(Self::waiting(&leased, wait, result, exchange));
                }
                (DeliveryStatus::Exhausted, Outcome::Exhausted)
            }
        };
        let change = Change::end(&leased, status, result).keeping(exchange);
        Ok(Conclusion { change, outcome, message: None })
    }

    /// Schedules the next attempt. The queue holds short waits. The sweeper handles long waits, and short ones whose
    /// message was lost.
    fn waiting(
        leased: &DeliveryRecord,
        wait: SignedDuration,
        result: AttemptResult,
        exchange: AttemptExchange,
    ) -> Self {
        let next = later(result.at, wait);
        let change = Change::wait(leased, next, result).keeping(exchange);
        let message = next_message(leased.into(), wait);
        Conclusion { change, outcome: Outcome::Waiting(next), message }
    }
}

/// Records the conclusions of attempts that ended at about the same time. Returns the outcome of each. Where a lease
/// was lost meanwhile, the worker that has it decides.
pub(super) async fn write_down(
    delivering: &Delivering,
    concluded: Vec<(usize, Conclusion)>,
) -> Vec<(usize, Result<Outcome, Failure>)> {
    let (mut changes, mut rest) = (Vec::new(), Vec::new());
    for (place, Conclusion { change, outcome, message }) in concluded {
        changes.push(change);
        rest.push((place, outcome, message));
    }
    let made = delivering.ctx.store.change_deliveries(&changes).await;
    let (mut results, mut messages) = (Vec::with_capacity(rest.len()), Vec::new());
    for ((place, outcome, message), made) in rest.into_iter().zip(made) {
        let result = match made {
            Ok(true) => {
                messages.extend(message);
                Ok(outcome)
            }
            Ok(false) => Ok(Outcome::Skipped),
            Err(error) => Err(error.into()),
        };
        results.push((place, result));
    }
    if !messages.is_empty() {
        queue(delivering, &messages).await;
    }
    results
}

/// The request and the answer of an attempt, kept for the endpoint's owner.
fn kept(
    leased: &DeliveryRecord,
    sent: &HeaderMap,
    answer: &Result<Answer, EgressError>,
) -> AttemptExchange {
    let answer = answer.as_ref().ok();
    AttemptExchange {
        number: leased.attempts,
        request_headers: texts(sent),
        answer: answer.map(|answer| AttemptAnswer::of(&answer.body, answer.complete)),
    }
}

/// Header values as text. All of them are ASCII.
fn texts(headers: &HeaderMap) -> BTreeMap<String, String> {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

fn result(
    leased: &DeliveryRecord,
    started: Timestamp,
    now: Timestamp,
    answer: &Result<Answer, EgressError>,
) -> AttemptResult {
    let (status, error) = match answer {
        Ok(answer) if answer.status.is_success() => (Some(answer.status), None),
        Ok(answer) if answer.status.is_redirection() => (
            Some(answer.status),
            Some("redirect: the endpoint answered with a redirect, which the service does not follow".to_owned()),
        ),
        Ok(answer) => {
            (Some(answer.status), Some(format!("status: the endpoint answered {}", answer.status)))
        }
        Err(error) => (None, Some(format!("{}: {}", error.kind.as_str(), error.message))),
    };
    let duration = now.duration_since(started).as_millis();
    AttemptResult {
        number: Some(leased.attempts),
        at: now,
        status: status.map(|status| status.as_u16()),
        duration_ms: u64::try_from(duration).unwrap_or(0),
        error: error.map(|text| text.chars().take(300).collect()),
    }
}

/// "429, 502 and 504 … throttle" (Standard Webhooks 1.0.0). A timeout counts as an overload too.
fn hint(answer: &Result<Answer, EgressError>, now: Timestamp) -> Hint {
    match answer {
        Ok(answer) => Hint {
            overloaded: matches!(answer.status.as_u16(), 429 | 502 | 504),
            retry_after: answer.retry_after.as_deref().and_then(|h| schedule::retry_after(h, now)),
        },
        Err(error) => Hint { overloaded: error.kind == ErrorKind::Timeout, retry_after: None },
    }
}

fn note(leased: &DeliveryRecord, result: &AttemptResult) {
    tracing::info!(
        event.id = %leased.event_id, endpoint.id = %leased.endpoint_id,
        delivery.attempt = leased.attempts, http.status = result.status.unwrap_or(0),
        duration_ms = result.duration_ms, error.cause = result.error.as_deref().unwrap_or(""),
        "delivery attempted"
    );
}
