//! Reschedules deliveries that an endpoint's breaker does not admit. They cost no attempt.

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{Outcome, ROUND, attempt::exhaust};
use crate::{
    egress::DEADLINE,
    error::{Code, Failure},
    service::{Delivering, RELAY_GRACE, later, part},
    store::{DeliverMessage, DeliveryRecord, MAX_DELAY},
    tasks::side_by_side,
    types::Random,
};

/// The longest duration of an attempt: [`DEADLINE`].
const ATTEMPT: SignedDuration = SignedDuration::from_secs(DEADLINE.as_secs().cast_signed());
const SECOND: SignedDuration = SignedDuration::from_secs(1);
/// A rescheduled delivery that is older than this ends, so that a dead endpoint does not collect deliveries for ever.
/// Longer than the whole schedule.
const LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Why the breaker refused.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refusal {
    Full { answers: bool },
    Open { until: Timestamp, pause: SignedDuration },
}

impl Refusal {
    /// When to try again. The instant is random, so that not all deliveries ask at once.
    fn next(self, now: Timestamp, random: &dyn Random) -> Timestamp {
        match self {
            Refusal::Full { answers: true } => later(now, SECOND + part(SECOND * 2, random)),
            // Every running attempt ends by its deadline.
            Refusal::Full { answers: false } => later(now, SECOND + part(ATTEMPT, random)),
            Refusal::Open { until, pause } => later(until, part(pause / 2, random)),
        }
    }
}

/// Reschedules deliveries that the breaker did not admit. No request is sent to the endpoint.
pub(super) async fn reschedule_all(
    delivering: &Delivering,
    deliveries: Vec<DeliveryRecord>,
    refusal: Refusal,
) -> Vec<Result<Outcome, Failure>> {
    let work = deliveries.into_iter().map(|delivery| {
        let delivering = delivering.clone();
        async move { reschedule(&delivering, delivery, refusal).await }
    });
    let pieces = side_by_side(work, usize::MAX, Instant::now() + ROUND).await;
    let (mut outcomes, mut messages) = (Vec::new(), Vec::new());
    for piece in pieces {
        outcomes.push(match piece.done() {
            Some(Ok((outcome, message))) => {
                messages.extend(message);
                Ok(outcome)
            }
            Some(Err(failure)) => Err(failure),
            None => Err(not_rescheduled()),
        });
    }
    queue(delivering, &messages).await;
    outcomes
}

/// Reschedules deliveries of a breaker that is known to be open, without reading them. `None` for a delivery that is
/// not due or is old enough to end: the caller must read it.
pub(super) async fn reschedule_unread(
    delivering: &Delivering,
    messages: &[DeliverMessage],
    refusal: Refusal,
) -> Vec<Option<Result<Outcome, Failure>>> {
    let work = messages.iter().cloned().map(|message| {
        let delivering = delivering.clone();
        async move {
            let now = delivering.ctx.now();
            let next = refusal.next(now, &*delivering.ctx.random);
            let rescheduled = Rescheduled::until(next, now, &message);
            let oldest = next.checked_sub(LIFETIME).unwrap_or(Timestamp::MIN);
            let store = &delivering.ctx.store;
            let done =
                store.reschedule_unread(&message, now, next, rescheduled.sweep_at, oldest).await;
            Ok::<_, Failure>(done?.then_some((next, rescheduled.message)))
        }
    });
    let pieces = side_by_side(work, usize::MAX, Instant::now() + ROUND).await;
    let (mut outcomes, mut queued) = (Vec::new(), Vec::new());
    for piece in pieces {
        outcomes.push(match piece.done() {
            Some(Ok(Some((next, message)))) => {
                queued.extend(message);
                Some(Ok(Outcome::Rescheduled(next)))
            }
            Some(Ok(None)) => None,
            Some(Err(failure)) => Some(Err(failure)),
            None => Some(Err(not_rescheduled())),
        });
    }
    queue(delivering, &queued).await;
    outcomes
}

fn not_rescheduled() -> Failure {
    Failure::new(Code::InternalError, "The delivery was not rescheduled.")
}

/// When a rescheduled delivery comes again, and by which means.
struct Rescheduled {
    /// The message that asks for the attempt, if the queue can hold it for so long.
    message: Option<(DeliverMessage, SignedDuration)>,
    /// When the sweeper relays the delivery. It covers waits that are too long for the queue, and messages that the
    /// queue lost.
    sweep_at: Timestamp,
}

impl Rescheduled {
    fn until(next: Timestamp, now: Timestamp, message: &DeliverMessage) -> Self {
        let message = next_message(message.clone(), next.duration_since(now));
        let sweep_at = if message.is_some() { later(next, RELAY_GRACE) } else { next };
        Rescheduled { message, sweep_at }
    }
}

/// Reschedules one delivery. Returns the message that asks for it later, if the queue can hold it for so long.
async fn reschedule(
    delivering: &Delivering,
    delivery: DeliveryRecord,
    refusal: Refusal,
) -> Result<(Outcome, Option<(DeliverMessage, SignedDuration)>), Failure> {
    let now = delivering.ctx.now();
    let next = refusal.next(now, &*delivering.ctx.random);
    if next > later(delivery.scheduled_at(), LIFETIME) {
        let reason = "the endpoint failed for so long that the delivery is abandoned";
        return Ok((exhaust(delivering, &delivery, reason).await?, None));
    }
    let Rescheduled { message, sweep_at } = Rescheduled::until(next, now, &(&delivery).into());
    if delivering.ctx.store.reschedule_delivery(&delivery, next, sweep_at).await? {
        Ok((Outcome::Rescheduled(next), message))
    } else {
        Ok((Outcome::Skipped, None))
    }
}

/// The message with its delay, for a later attempt than it asked for. `None` when the queue cannot hold it for so long: then
/// the sweeper relays the delivery.
pub(super) fn next_message(
    message: DeliverMessage,
    wait: SignedDuration,
) -> Option<(DeliverMessage, SignedDuration)> {
    // A queue counts whole seconds: one more, so that the message does not come too early.
    let delay = SignedDuration::from_secs(wait.as_secs()) + SECOND;
    (delay <= MAX_DELAY).then_some((DeliverMessage { first: None, ..message }, delay))
}

/// Puts messages on their queue. The sweeper relays the deliveries whose messages the queue did not accept.
pub(super) async fn queue(delivering: &Delivering, messages: &[(DeliverMessage, SignedDuration)]) {
    if let Err(error) = delivering.queue.send_later(messages).await {
        tracing::warn!(
            messages = messages.len(), error.cause = %error,
            "next attempts are left to the sweeper"
        );
    }
}
