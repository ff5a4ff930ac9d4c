//! One attempt at a delivery: due → delivering → delivered, due again or exhausted.
//!
//! Deliveries are at least once. When a worker dies after the endpoint accepted the event, the next worker sends it
//! again with the same `webhook-id`. A duplicate, late or early message has no effect: the attempt depends on the
//! delivery's record alone, and begins with a conditional write. The first attempt, for which one message asks, depends on
//! what that message says, and writes its end alone.
//!
//! Each endpoint has a circuit breaker ([`breakers`](crate::store::breakers)). It limits how many executions call an
//! endpoint that does not answer soon, and admits none while the endpoint keeps failing. A delivery that is not admitted
//! is rescheduled without an attempt. So a receiver that never answers cannot hold the executions of others.
//!
//! Attempts that are made together begin side by side. Attempts that end at about the same time are recorded side by
//! side. Each has a write and a condition of its own.

mod attempt;
mod conclusion;
mod disabling;
mod open_breakers;
mod reschedule;

use std::{pin::pin, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, sleep};
use tracing::Instrument;

use self::{
    attempt::{
        Begin, BegunDelivery, DeliveredEvent, Sign, attempt, attempts, begin_all, events_of,
        exhaust_all,
    },
    conclusion::write_down,
    reschedule::{Refusal, next_message, queue, reschedule_all, reschedule_unread},
};
use super::{Delivering, later, retry};
use crate::{
    error::{Code, Failure},
    log::{self, Field},
    store::{
        DeliverMessage, DeliveryRecord, DeliveryStatus, EndpointRecord, EndpointStatus,
        FirstAttempt, StoreError,
        breakers::{Admission, Breaker, BreakerKey, EventOutcome, Observed, Permit, Released},
        keys::JobId,
    },
    tasks::Running,
    webhook::Secret,
};

pub use self::open_breakers::OpenBreakers;
/// How long a worker owns an attempt: longer than the client's deadline and the writes about it.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The longest duration of a round. The function that makes it ends sooner.
const ROUND: Duration = Duration::from_secs(60);
/// Attempts that end within this time of each other are recorded together. None of them waits for a slower attempt.
const GATHER: Duration = Duration::from_millis(50);
/// An endpoint is slow when half of the attempts of a round still run after this.
const SLOW: Duration = Duration::from_secs(2);

/// The outcome of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoint accepted the event.
    Delivered,
    /// The endpoint did not accept the event; the next attempt is due then.
    Waiting(Timestamp),
    /// The endpoint's breaker admitted nobody: no attempt was made or counted, and the next one is due then.
    Rescheduled(Timestamp),
    /// The endpoint did not accept the event, and there is no further attempt.
    Exhausted,
    /// There was nothing to do: the delivery is not due, has ended, or belongs to another worker.
    Skipped,
    /// The attempt failed on our side: the delivery is rescheduled or parked.
    Hindered,
}

/// Makes the attempt of one message.
#[cfg(test)]
pub async fn deliver(
    delivering: &Delivering,
    message: &DeliverMessage,
) -> Result<Outcome, Failure> {
    let mut results = deliver_to_one(delivering, std::slice::from_ref(message)).await;
    results.pop().unwrap_or(Ok(Outcome::Skipped))
}

/// Makes the attempts that messages about one endpoint ask for, if they are due and the endpoint's breaker admits them.
/// They share one permit and run concurrently. The results have the order of the messages.
///
/// An error means that nothing is decided, and that the queue must bring the message again.
///
/// A failure on our side, not of the endpoint, reschedules or parks the delivery.
pub async fn deliver_to_one(
    delivering: &Delivering,
    messages: &[DeliverMessage],
) -> Vec<Result<Outcome, Failure>> {
    let Some(DeliverMessage { organization_id, endpoint_id, .. }) = messages.first() else {
        return Vec::new();
    };
    let span = log::work(
        "deliver",
        &[(Field::OrganizationId, organization_id), (Field::EndpointId, endpoint_id)],
    );
    deliver_all(delivering, messages).instrument(span).await
}

async fn deliver_all(
    delivering: &Delivering,
    messages: &[DeliverMessage],
) -> Vec<Result<Outcome, Failure>> {
    // Boxed: the state of a round is large.
    let outcomes = match Box::pin(deliver_due(delivering, messages)).await {
        Ok(outcomes) => outcomes,
        Err(failure) => messages.iter().map(|_| Err(failure.clone())).collect(),
    };
    let mut noted = Vec::with_capacity(outcomes.len());
    for (message, outcome) in messages.iter().zip(outcomes) {
        noted.push(match outcome {
            Ok(outcome) => Ok(outcome),
            Err(failure) => hindered(delivering, message, failure).await,
        });
    }
    noted
}

/// Reschedules or parks a delivery after a failure on our side. From then on its event does not watch over it.
async fn hindered(
    delivering: &Delivering,
    message: &DeliverMessage,
    failure: Failure,
) -> Result<Outcome, Failure> {
    let (ctx, store, now) = (&delivering.ctx, &delivering.ctx.store, delivering.ctx.now());
    let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = message;
    let watches = async {
        let read = store.get_delivery(*mode, organization_id, event_id, endpoint_id).await?;
        if let Some(delivery) = read.filter(DeliveryRecord::is_watched_by_event) {
            store.watch_delivery(&delivery, now).await?;
            store.release_event(&delivery, now).await?;
        }
        Ok(())
    };
    // A corrupt delivery is parked, or else its event when the sweeper relays it again.
    if let Err(StoreError::Unavailable(_) | StoreError::Unknown(_)) = watches.await {
        return Err(failure);
    }
    retry::failed(ctx, &job_id(message), failure).await.map(|()| Outcome::Hindered)
}

fn job_id(message: &DeliverMessage) -> JobId {
    let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = message.clone();
    JobId::Delivery(mode, organization_id, event_id, endpoint_id)
}

async fn deliver_due(
    delivering: &Delivering,
    messages: &[DeliverMessage],
) -> Result<Vec<Result<Outcome, Failure>>, Failure> {
    let Some(first) = messages.first() else {
        return Ok(Vec::new());
    };
    // A delivery that a known open breaker refuses is rescheduled without a read. The others (not due, or too old) are
    // read like all deliveries.
    let known = delivering.open_breakers.refusal(first, delivering.ctx.now());
    let mut outcomes = match known {
        Some(refusal) => reschedule_unread(delivering, messages, refusal).await,
        None => messages.iter().map(|_| None).collect(),
    };
    let left = messages.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_none());
    let left: Vec<_> = left.map(|(message, _)| message.clone()).collect();
    let mut looked_at = look(delivering, first, &left).await?.into_iter();
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.is_none()) {
        *outcome = looked_at.next();
    }
    Ok(outcomes.into_iter().flatten().collect())
}

/// Reads the deliveries that messages ask for, and attempts those that are due.
async fn look(
    delivering: &Delivering,
    first: &DeliverMessage,
    messages: &[DeliverMessage],
) -> Result<Vec<Result<Outcome, Failure>>, Failure> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let DeliverMessage { mode, organization_id, endpoint_id, .. } = first;
    let now = delivering.ctx.now();
    let firsts: Vec<_> =
        messages.iter().map(|message| first_attempt(message, messages, now)).collect();
    let unknown = messages.iter().zip(&firsts).filter(|(_, first)| first.is_none());
    let events: Vec<_> = unknown.map(|(message, _)| message.event_id.clone()).collect();
    let store = &delivering.ctx.store;
    let (called, deliveries) = tokio::join!(
        store.get_endpoint_and_breaker(*mode, organization_id, endpoint_id),
        store.get_deliveries_to(*mode, organization_id, endpoint_id, &events),
    );
    let ((endpoint, breaker), deliveries) = (called?, deliveries?);
    let mut read = deliveries.into_iter();
    let mut outcomes = Vec::with_capacity(messages.len());
    let mut due = Vec::new();
    for first in firsts {
        let begin = match first {
            Some(first) => Ok(Some(Begin::First(first))),
            None => read.next().unwrap_or(Ok(None)).map(|found| {
                found.filter(|delivery| is_due(delivery, now)).map(|it| Begin::Leased(Box::new(it)))
            }),
        };
        outcomes.push(match begin {
            Ok(begin) => {
                due.extend(begin.map(|begin| (outcomes.len(), begin)));
                Ok(Outcome::Skipped)
            }
            Err(error) => Err(error.into()),
        });
    }
    let (places, due): (Vec<_>, Vec<_>) = due.into_iter().unzip();
    let results = round(delivering, messages, (endpoint, breaker), due).await?;
    for (place, result) in places.into_iter().zip(results) {
        outcomes[place] = result;
    }
    Ok(outcomes)
}

/// One round at an endpoint: it gets a permit, makes one attempt at each delivery, and releases the permit.
async fn round(
    delivering: &Delivering,
    messages: &[DeliverMessage],
    (endpoint, breaker): (Option<EndpointRecord>, Breaker),
    mut due: Vec<Begin>,
) -> Result<Vec<Result<Outcome, Failure>>, Failure> {
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let endpoint = match open_to_deliveries(endpoint) {
        Ok(endpoint) => endpoint,
        Err(reason) => return Ok(exhaust_all(delivering, due, reason).await),
    };
    // The secrets are opened before anything is counted. A key that does not open them is our fault, and must cost the
    // endpoint no attempt.
    let (ctx, now) = (&delivering.ctx, delivering.ctx.now());
    let secrets = open(delivering, &endpoint, now)?;
    let leave_by = later(now, LEASE);
    let entry = ctx
        .store
        .admit(&BreakerKey::endpoint(&endpoint), &breaker, ctx.new_uuid(), now, leave_by)
        .await?;
    let entry = match entry {
        Admission::Admitted(permit) => Ok(permit),
        Admission::Full { answers } => Err(Refusal::Full { answers }),
        Admission::Open { until, pause } => Err(Refusal::Open { until, pause }),
    };
    let permit = match entry {
        Ok(permit) => permit,
        Err(refusal) => {
            delivering.open_breakers.remember(&messages[0], refusal, now);
            let due = due.into_iter().map(Begin::into_delivery).collect();
            return Ok(reschedule_all(delivering, due, refusal).await);
        }
    };
    let rest = if permit.probe { due.split_off(1) } else { Vec::new() };
    let found = match events_of(delivering, &due).await {
        Ok(found) => found,
        Err(failure) => {
            leave(delivering, &endpoint, permit, Observed::default()).await;
            return Err(failure);
        }
    };
    let called = Arc::new((endpoint, secrets));
    let (observed, mut results) = attempt_all(delivering, &called, &permit, due, found).await;
    let left = leave(delivering, &called.0, permit, observed).await;
    if observed.events == EventOutcome::Missed {
        disabling::failing(ctx, &called.0, left).await?;
    }
    let rest = rest.into_iter().map(Begin::into_delivery).collect();
    let refusal = Refusal::Full { answers: observed.answers > 0 };
    results.extend(reschedule_all(delivering, rest, refusal).await);
    Ok(results)
}

/// What a message says of its first attempt, if that still holds and no other message asks for the attempt.
fn first_attempt(
    message: &DeliverMessage,
    messages: &[DeliverMessage],
    now: Timestamp,
) -> Option<Box<FirstAttempt>> {
    let asking = messages.iter().filter(|other| other.event_id == message.event_id).count();
    message.first.clone().filter(|first| asking == 1 && first.holds(now))
}

/// The endpoint that is called, and the secrets that sign.
type Called = Arc<(EndpointRecord, Vec<Secret>)>;

/// Makes one attempt at each delivery, concurrently. Returns what was observed of the endpoint, and the outcome of each
/// delivery.
async fn attempt_all(
    delivering: &Delivering,
    called: &Called,
    permit: &Permit,
    due: Vec<Begin>,
    found: Vec<DeliveredEvent>,
) -> (Observed, Vec<Result<Outcome, Failure>>) {
    let (mut results, begun) = begin_all(delivering, due, found).await;
    let (mut places, mut work) = (Vec::new(), Vec::new());
    for BegunDelivery { place, leased, event } in begun {
        let (delivering, called) = (delivering.clone(), called.clone());
        places.push(place);
        work.push(async move { attempt(&delivering, &called, leased, event).await });
    }
    let mut observed = Observed::default();
    let all = work.len();
    let mut running = Running::start(work, Instant::now() + ROUND);
    let mut slow = pin!(sleep(SLOW));
    loop {
        let ended = tokio::select! {
            ended = running.next(GATHER) => ended,
            () = &mut slow, if !observed.slow && running.left() * 2 >= all => {
                observed.slow = true;
                require_permits(delivering, &called.0, permit).await;
                continue;
            }
        };
        if ended.is_empty() {
            return (observed, results);
        }
        let mut concluded = Vec::with_capacity(ended.len());
        for (number, (sign, conclusion)) in ended {
            see(&mut observed, sign);
            match conclusion {
                Ok(conclusion) => concluded.push((places[number], conclusion)),
                Err(failure) => results[places[number]] = Err(failure),
            }
        }
        for (place, result) in write_down(delivering, concluded).await {
            results[place] = result;
        }
    }
}

fn see(observed: &mut Observed, sign: Sign) {
    match sign {
        Sign::Takes | Sign::Refuses => observed.answers += 1,
        Sign::Fails => observed.failures += 1,
        Sign::Barred => {}
    }
    observed.events = match (observed.events, sign) {
        (EventOutcome::Taken, _) | (_, Sign::Takes) => EventOutcome::Taken,
        (EventOutcome::Missed | EventOutcome::None, _) => EventOutcome::Missed,
    };
}

/// Limits the calls of an endpoint that is slow. A failure to write that is logged: the calls end in any case.
async fn require_permits(delivering: &Delivering, endpoint: &EndpointRecord, permit: &Permit) {
    if let Err(error) = delivering.ctx.store.require_permits(permit).await {
        tracing::warn!(endpoint.id = %endpoint.endpoint_id, %error, "a slow endpoint was not noted");
    }
}

/// Releases the permit. A release that cannot be written is not repeated: the permit expires with the lease.
async fn leave(
    delivering: &Delivering,
    endpoint: &EndpointRecord,
    permit: Permit,
    observed: Observed,
) -> Released {
    let endpoint_id = &endpoint.endpoint_id;
    let left = delivering.ctx.store.release(permit, observed, delivering.ctx.now()).await;
    let left = left.unwrap_or_else(|error| {
        tracing::warn!(endpoint.id = %endpoint_id, %error, "a permit was not released");
        Released::default()
    });
    if let Some(until) = left.opened_until {
        tracing::warn!(
            endpoint.id = %endpoint_id, organization.id = %endpoint.organization_id, %until,
            "the circuit breaker of an endpoint opened: its deliveries wait"
        );
    }
    left
}

/// Whether an attempt may begin.
fn is_due(delivery: &DeliveryRecord, now: Timestamp) -> bool {
    match (delivery.status, &delivery.lease) {
        (DeliveryStatus::Due, _) => delivery.next_attempt_at <= now,
        (DeliveryStatus::Delivering, Some(lease)) => lease.until <= now,
        (DeliveryStatus::Delivering, None) => true,
        (DeliveryStatus::Delivered | DeliveryStatus::Exhausted | DeliveryStatus::Unknown, _) => {
            false
        }
    }
}

/// The endpoint, or the reason why no attempt will follow.
fn open_to_deliveries(endpoint: Option<EndpointRecord>) -> Result<EndpointRecord, &'static str> {
    let endpoint = endpoint.ok_or("the endpoint was deleted")?;
    match endpoint.status {
        EndpointStatus::Enabled => Ok(endpoint),
        EndpointStatus::Disabled | EndpointStatus::Unknown => Err("the endpoint is disabled"),
    }
}

/// The secrets that sign. During a rotation both sign (specification 6.4, point 4).
fn open(
    delivering: &Delivering,
    endpoint: &EndpointRecord,
    now: Timestamp,
) -> Result<Vec<Secret>, Failure> {
    let previous = endpoint.previous_secret.as_ref().filter(|previous| now < previous.until);
    let sealed = [Some(&endpoint.sealed_secret), previous.map(|previous| &previous.sealed_secret)];
    let opened = sealed.into_iter().flatten().map(|sealed| {
        delivering.sealing_key.open(sealed, endpoint.mode, &endpoint.endpoint_id).map_err(|error| {
            Failure::new(Code::InternalError, "The endpoint's secret cannot be decrypted.")
                .because(error)
        })
    });
    opened.collect()
}

#[cfg(test)]
mod bench;
#[cfg(test)]
mod breaker_tests;
#[cfg(test)]
mod fairness;
#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
