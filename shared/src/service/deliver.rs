//! One attempt at a delivery: due → delivering → delivered, due again or exhausted.
//!
//! Deliveries are at least once. When a worker dies after the endpoint accepted the event, the next worker sends it
//! again with the same `webhook-id`. A duplicate, late or early message has no effect: the attempt depends on the
//! delivery's record alone, and begins with a conditional write.
//!
//! Each endpoint has a circuit breaker ([`breakers`](crate::store::breakers)). It limits how many executions call the
//! endpoint at a time, and admits none while the endpoint keeps failing. A delivery that is not admitted is rescheduled
//! without an attempt. So a receiver that never answers cannot hold the executions of others.
//!
//! Attempts that are made together begin in one write. Attempts that end at about the same time are recorded in one
//! write. Each attempt has its own condition there. If a condition fails, or the write fails, the attempts are written
//! one by one.

mod conclusion;
mod disabling;
mod open_breakers;
mod reschedule;

use std::{sync::Arc, time::Duration};

use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use tracing::Instrument;

pub use self::open_breakers::OpenBreakers;
use self::{
    conclusion::{Conclusion, Made, write_down},
    reschedule::{Refusal, next_message, queue, reschedule_all, reschedule_unread},
};
use super::{Delivering, later, mls_outbound::confirm, retry};
use crate::{
    egress::{Answer, EgressError, ErrorKind},
    error::{Code, Failure},
    log::{self, Field},
    store::{
        AttemptResult, Change, DeliverMessage, DeliveryRecord, DeliveryStatus, EndpointRecord,
        EndpointStatus, EventRecord,
        breakers::{Admission, BreakerKey, EventOutcome, Observed, Permit, Released},
        keys::JobId,
    },
    tasks::Running,
    webhook::{Secret, headers, schedule::WAITS},
};

/// How long a worker owns an attempt: longer than the client's deadline and the writes about it.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The longest duration of a round. The function that makes it ends sooner.
const ROUND: Duration = Duration::from_secs(60);
/// Attempts that end within this time of each other are recorded together. None of them waits for a slower attempt.
const GATHER: Duration = Duration::from_millis(50);

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

/// Makes the attempt that a message asks for, if it is due and the endpoint's breaker admits it.
///
/// An error means that nothing is decided, and that the queue must bring the message again.
pub async fn deliver(
    delivering: &Delivering,
    message: &DeliverMessage,
) -> Result<Outcome, Failure> {
    let mut results = deliver_to_one(delivering, std::slice::from_ref(message)).await;
    results.pop().unwrap_or(Ok(Outcome::Skipped))
}

/// Like [`deliver`], for several messages about one endpoint. They share one permit and their attempts run
/// concurrently. The results have the order of the messages.
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
            Err(failure) => {
                let failed = retry::failed(&delivering.ctx, &job_id(message), failure).await;
                failed.map(|()| Outcome::Hindered)
            }
        });
    }
    noted
}

fn job_id(message: &DeliverMessage) -> JobId {
    let DeliverMessage { mode, organization_id, event_id, endpoint_id } = message.clone();
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
    let events: Vec<_> = messages.iter().map(|message| message.event_id.clone()).collect();
    let (endpoint, deliveries) = delivering
        .ctx
        .store
        .get_deliveries_to(*mode, organization_id, endpoint_id, &events)
        .await?;
    let now = delivering.ctx.now();
    let mut outcomes = Vec::with_capacity(messages.len());
    let mut due = Vec::new();
    for delivery in deliveries {
        outcomes.push(match delivery {
            Ok(Some(delivery)) if is_due(&delivery, now) => {
                due.push((outcomes.len(), delivery));
                Ok(Outcome::Skipped)
            }
            Ok(_) => Ok(Outcome::Skipped),
            Err(error) => Err(error.into()),
        });
    }
    let (places, due): (Vec<_>, Vec<_>) = due.into_iter().unzip();
    let results = round(delivering, first, endpoint, due).await?;
    for (place, result) in places.into_iter().zip(results) {
        outcomes[place] = result;
    }
    Ok(outcomes)
}

/// One round at an endpoint: it gets a permit, makes one attempt at each delivery, and releases the permit.
async fn round(
    delivering: &Delivering,
    message: &DeliverMessage,
    endpoint: Option<EndpointRecord>,
    mut due: Vec<DeliveryRecord>,
) -> Result<Vec<Result<Outcome, Failure>>, Failure> {
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let endpoint = match open_to_deliveries(endpoint) {
        Ok(endpoint) => endpoint,
        Err(reason) => return Ok(give_up_all(delivering, &due, reason).await),
    };
    // The secrets are opened before anything is counted. A key that does not open them is our fault, and must cost the
    // endpoint no attempt.
    let (ctx, now) = (&delivering.ctx, delivering.ctx.now());
    let secrets = open(delivering, &endpoint, now)?;
    let entry = ctx
        .store
        .admit(&BreakerKey::endpoint(&endpoint), ctx.new_uuid(), now, later(now, LEASE))
        .await?;
    let entry = match entry {
        Admission::Admitted(permit) => Ok(permit),
        Admission::Full { answers } => Err(Refusal::Full { answers }),
        Admission::Open { until, pause } => Err(Refusal::Open { until, pause }),
    };
    let permit = match entry {
        Ok(permit) => permit,
        Err(refusal) => {
            delivering.open_breakers.remember(message, refusal, now);
            return Ok(reschedule_all(delivering, due, refusal).await);
        }
    };
    let rest = if permit.probe { due.split_off(1) } else { Vec::new() };
    let told = match told(delivering, &due).await {
        Ok(told) => told,
        Err(failure) => {
            leave(delivering, &endpoint, permit, Observed::default()).await;
            return Err(failure);
        }
    };
    let called = Arc::new((endpoint, secrets));
    let (observed, mut results) = attempt_all(delivering, &called, due, told).await;
    let left = leave(delivering, &called.0, permit, observed).await;
    if observed.events == EventOutcome::Missed {
        disabling::failing(ctx, &called.0, left).await?;
    }
    results.extend(
        reschedule_all(delivering, rest, Refusal::Full { answers: observed.answers > 0 }).await,
    );
    Ok(results)
}

/// The endpoint that is called, and the secrets that sign.
type Called = Arc<(EndpointRecord, Vec<Secret>)>;

/// Makes one attempt at each delivery, concurrently. Returns what was observed of the endpoint, and the outcome of each
/// delivery.
async fn attempt_all(
    delivering: &Delivering,
    called: &Called,
    due: Vec<DeliveryRecord>,
    told: Vec<DeliveredEvent>,
) -> (Observed, Vec<Result<Outcome, Failure>>) {
    let (mut results, begun) = begin_all(delivering, due, told).await;
    let (mut places, mut work) = (Vec::new(), Vec::new());
    for BegunDelivery { place, leased, event } in begun {
        let (delivering, called) = (delivering.clone(), called.clone());
        places.push(place);
        work.push(async move { attempt(&delivering, &called, leased, event).await });
    }
    let mut observed = Observed::default();
    let mut running = Running::start(work, Instant::now() + ROUND);
    loop {
        let ended = running.next(GATHER).await;
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

/// The event of a delivery, and whether a current grant covers it. A grant that was revoked while the delivery waited
/// does not count. Nor does a grant that was made after the event. A test event needs no grant.
type DeliveredEvent = Result<Option<(EventRecord, bool)>, Failure>;

/// Reads the events of deliveries in one read.
async fn told(
    delivering: &Delivering,
    due: &[DeliveryRecord],
) -> Result<Vec<DeliveredEvent>, Failure> {
    let read = delivering.ctx.store.get_events(due).await?;
    let told = due.iter().zip(read).map(|(delivery, read)| {
        let (event, grants) = read?;
        Ok(event.map(|event| {
            let concerned = || event.concerned(&grants).contains(&delivery.organization_id);
            let covered = delivery.test || concerned();
            (event, covered)
        }))
    });
    Ok(told.collect())
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

/// What an attempt says about the endpoint itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// The endpoint accepts the event.
    Takes,
    /// The endpoint answers, and does not accept the event.
    Refuses,
    /// The endpoint does not answer, or reports an error of its own or an overload.
    Fails,
    /// Nothing may be sent to the endpoint's address.
    Barred,
}

fn sign(answer: &Result<Answer, EgressError>) -> Sign {
    match answer {
        Ok(answer) if answer.status.is_success() => Sign::Takes,
        Ok(answer) if answer.status.is_server_error() => Sign::Fails,
        Ok(answer) if answer.status == StatusCode::TOO_MANY_REQUESTS => Sign::Fails,
        Ok(_) => Sign::Refuses,
        Err(EgressError { kind: ErrorKind::InvalidUrl | ErrorKind::Blocked, .. }) => Sign::Barred,
        Err(_) => Sign::Fails,
    }
}

/// Makes one attempt at a delivery that is leased for it.
async fn attempt(
    delivering: &Delivering,
    called: &Called,
    leased: DeliveryRecord,
    event: EventRecord,
) -> (Sign, Result<Conclusion, Failure>) {
    let (endpoint, secrets) = &**called;
    let started = delivering.ctx.now();
    let (id, body) = (event.event_id.as_str(), event.body.clone().into_bytes());
    let headers = headers(secrets, id, started, &body);
    let sent = headers.clone();
    let answer = delivering.client.post(&endpoint.url, headers, body).await;
    let sign = sign(&answer);
    // This is written before the delivery ends: until then a failure is retried. A test event concerns no document.
    if !leased.test
        && answer.as_ref().is_ok_and(|answer| answer.status.is_success())
        && let Err(error) = confirm::acknowledged(&delivering.ctx, &event).await
    {
        return (sign, Err(error.into()));
    }
    let made = Made { started, sent, answer };
    (sign, Conclusion::of(delivering, leased, endpoint, made).await)
}

/// An attempt that has begun: the delivery under its lease, and the event.
struct BegunDelivery {
    place: usize,
    leased: DeliveryRecord,
    event: EventRecord,
}

/// Begins attempts at deliveries. Returns the outcomes so far, and the attempts that have begun.
async fn begin_all(
    delivering: &Delivering,
    due: Vec<DeliveryRecord>,
    told: Vec<DeliveredEvent>,
) -> (Vec<Result<Outcome, Failure>>, Vec<BegunDelivery>) {
    let (ctx, now) = (&delivering.ctx, delivering.ctx.now());
    let until = later(now, LEASE);
    let mut results = Vec::with_capacity(due.len());
    let (mut changes, mut events) = (Vec::new(), Vec::new());
    for (delivery, told) in due.into_iter().zip(told) {
        let checked = told.map(|told| check(&delivery, told));
        results.push(match checked {
            Err(failure) => Err(failure),
            Ok(Err(reason)) => give_up(delivering, &delivery, reason).await,
            Ok(Ok(event)) => {
                if let Some(change) = Change::begin(delivery, ctx.new_uuid(), now, until) {
                    changes.push(change);
                    events.push((results.len(), event));
                }
                Ok(Outcome::Skipped)
            }
        });
    }
    let made = ctx.store.change_deliveries(&changes).await;
    let mut begun = Vec::with_capacity(changes.len());
    for ((change, (place, event)), made) in changes.into_iter().zip(events).zip(made) {
        match made {
            Ok(true) => {
                let failure = Failure::new(Code::InternalError, "The attempt broke off.");
                results[place] = Err(failure);
                begun.push(BegunDelivery { place, leased: change.into_new(), event });
            }
            // Another worker has it.
            Ok(false) => {}
            Err(error) => results[place] = Err(error.into()),
        }
    }
    (results, begun)
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

/// The event to deliver, or the reason why no attempt will follow.
fn check(
    delivery: &DeliveryRecord,
    told: Option<(EventRecord, bool)>,
) -> Result<EventRecord, &'static str> {
    // Attempts whose workers died count too. Otherwise an event that kills workers would be retried for ever.
    if attempts(delivery) >= WAITS.len() {
        return Err("the last attempt was not finished");
    }
    let (event, covered) = told.ok_or("the event no longer exists")?;
    if covered { Ok(event) } else { Err("no active grant that is older than the event covers it") }
}

/// Ends a delivery without an attempt.
async fn give_up(
    delivering: &Delivering,
    delivery: &DeliveryRecord,
    reason: &str,
) -> Result<Outcome, Failure> {
    let result = AttemptResult {
        number: None,
        at: delivering.ctx.now(),
        status: None,
        duration_ms: 0,
        error: Some(reason.to_owned()),
    };
    end(delivering, delivery, DeliveryStatus::Exhausted, result).await
}

async fn give_up_all(
    delivering: &Delivering,
    deliveries: &[DeliveryRecord],
    reason: &str,
) -> Vec<Result<Outcome, Failure>> {
    let mut outcomes = Vec::with_capacity(deliveries.len());
    for delivery in deliveries {
        outcomes.push(give_up(delivering, delivery, reason).await);
    }
    outcomes
}

/// How many attempts the current schedule has begun.
fn attempts(delivery: &DeliveryRecord) -> usize {
    usize::try_from(delivery.begun()).unwrap_or(usize::MAX)
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

/// Ends a delivery. When the lease was lost meanwhile, the worker that has it decides.
async fn end(
    delivering: &Delivering,
    delivery: &DeliveryRecord,
    status: DeliveryStatus,
    result: AttemptResult,
) -> Result<Outcome, Failure> {
    let change = Change::end(delivery, status, result);
    let ours = delivering.ctx.store.change_delivery(&change).await?;
    Ok(match (ours, status) {
        (true, DeliveryStatus::Delivered) => Outcome::Delivered,
        (true, _) => Outcome::Exhausted,
        (false, _) => Outcome::Skipped,
    })
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
