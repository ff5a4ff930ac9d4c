//! One attempt at a delivery, from its beginning to its recorded end.

use http::StatusCode;

use super::{
    Called, LEASE, Outcome,
    conclusion::{Conclusion, Made},
};
use crate::{
    egress::{Answer, EgressError, ErrorKind},
    error::{Code, Failure},
    service::{Delivering, later, mls_outbound::confirm},
    store::{AttemptResult, Change, DeliveryRecord, DeliveryStatus, EventRecord, FirstAttempt},
    webhook::{headers, schedule::WAITS},
};

/// The event of a delivery, and whether a current grant covers it. A grant that was revoked while the delivery waited
/// does not count. Nor does a grant that was made after the event. A test event needs no grant.
pub(super) type DeliveredEvent = Result<Option<(EventRecord, bool)>, Failure>;

/// The events of deliveries. Those of first attempts need no read.
pub(super) async fn events_of(
    delivering: &Delivering,
    due: &[Begin],
) -> Result<Vec<DeliveredEvent>, Failure> {
    let leased = |begin: &Begin| match begin {
        Begin::Leased(delivery) => Some((**delivery).clone()),
        Begin::First(_) => None,
    };
    let unknown: Vec<_> = due.iter().filter_map(leased).collect();
    let mut read = read_events(delivering, &unknown).await?.into_iter();
    let events = due.iter().map(|begin| match begin {
        Begin::Leased(_) => read.next().unwrap_or(Ok(None)),
        Begin::First(first) => Ok(Some((first.event.clone(), true))),
    });
    Ok(events.collect())
}

/// Reads the events of deliveries. The relay found each covered, so the first read may be a little old. A delivery ends
/// for ever by what the second read says, which is current.
async fn read_events(
    delivering: &Delivering,
    due: &[DeliveryRecord],
) -> Result<Vec<DeliveredEvent>, Failure> {
    let mut found = covered(delivering, due, false).await?;
    let ends = |event: &DeliveredEvent| !matches!(event, Ok(Some((_, true))));
    let doubtful: Vec<_> = (0..found.len()).filter(|at| ends(&found[*at])).collect();
    if !doubtful.is_empty() {
        let again: Vec<_> = doubtful.iter().map(|at| due[*at].clone()).collect();
        for (at, event) in doubtful.into_iter().zip(covered(delivering, &again, true).await?) {
            found[at] = event;
        }
    }
    Ok(found)
}

async fn covered(
    delivering: &Delivering,
    deliveries: &[DeliveryRecord],
    current: bool,
) -> Result<Vec<DeliveredEvent>, Failure> {
    let read = delivering.ctx.store.get_events(deliveries, current).await?;
    let found = deliveries.iter().zip(read).map(|(delivery, read)| {
        let (event, grants) = read?;
        Ok(event.map(|event| {
            let concerned = || event.concerned(&grants).contains(&delivery.organization_id);
            let covered = delivery.test || concerned();
            (event, covered)
        }))
    });
    Ok(found.collect())
}

/// What an attempt says about the endpoint itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
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
pub(super) async fn attempt(
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

/// How an attempt at a delivery begins.
pub(super) enum Begin {
    /// Under a lease, which is written first.
    Leased(Box<DeliveryRecord>),
    /// Without one: only one message asks for this first attempt, and the event watches over it.
    First(Box<FirstAttempt>),
}

impl Begin {
    pub(super) fn delivery(&self) -> &DeliveryRecord {
        match self {
            Begin::Leased(delivery) => delivery,
            Begin::First(first) => &first.delivery,
        }
    }

    pub(super) fn into_delivery(self) -> DeliveryRecord {
        match self {
            Begin::Leased(delivery) => *delivery,
            Begin::First(first) => first.delivery,
        }
    }
}

/// An attempt that has begun: the delivery, and the event.
pub(super) struct BegunDelivery {
    pub(super) place: usize,
    pub(super) leased: DeliveryRecord,
    pub(super) event: EventRecord,
}

/// Begins attempts at deliveries. Returns the outcomes so far, and the attempts that have begun.
pub(super) async fn begin_all(
    delivering: &Delivering,
    due: Vec<Begin>,
    found: Vec<DeliveredEvent>,
) -> (Vec<Result<Outcome, Failure>>, Vec<BegunDelivery>) {
    let (ctx, now) = (&delivering.ctx, delivering.ctx.now());
    let until = later(now, LEASE);
    let mut results = Vec::with_capacity(due.len());
    let (mut changes, mut events) = (Vec::new(), Vec::new());
    let mut begun = Vec::with_capacity(due.len());
    for (begin, found) in due.into_iter().zip(found) {
        let checked = found.map(|found| check(begin.delivery(), found));
        let place = results.len();
        results.push(match (checked, begin) {
            (Err(failure), _) => Err(failure),
            (Ok(Err(reason)), begin) => exhaust(delivering, begin.delivery(), reason).await,
            (Ok(Ok(event)), Begin::First(first)) => {
                let leased = Change::begin_unwritten(first.delivery);
                begun.push(BegunDelivery { place, leased, event });
                Err(broken_off())
            }
            (Ok(Ok(event)), Begin::Leased(delivery)) => {
                if let Some(change) = Change::begin(*delivery, ctx.new_uuid(), now, until) {
                    changes.push(change);
                    events.push((place, event));
                }
                Ok(Outcome::Skipped)
            }
        });
    }
    let made = ctx.store.change_deliveries(&changes).await;
    for ((change, (place, event)), made) in changes.into_iter().zip(events).zip(made) {
        match made {
            Ok(true) => {
                results[place] = Err(broken_off());
                begun.push(BegunDelivery { place, leased: change.into_new(), event });
            }
            // Another worker has it.
            Ok(false) => {}
            Err(error) => results[place] = Err(error.into()),
        }
    }
    (results, begun)
}

fn broken_off() -> Failure {
    Failure::new(Code::InternalError, "The attempt broke off.")
}

/// The event to deliver, or the reason why no attempt will follow.
fn check(
    delivery: &DeliveryRecord,
    found: Option<(EventRecord, bool)>,
) -> Result<EventRecord, &'static str> {
    // Attempts whose workers died count too. Otherwise an event that kills workers would be retried for ever.
    if attempts(delivery) >= WAITS.len() {
        return Err("the last attempt was not finished");
    }
    let (event, covered) = found.ok_or("the event no longer exists")?;
    if covered { Ok(event) } else { Err("no active grant that is older than the event covers it") }
}

/// Ends a delivery without an attempt.
pub(super) async fn exhaust(
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

pub(super) async fn exhaust_all(
    delivering: &Delivering,
    due: Vec<Begin>,
    reason: &str,
) -> Vec<Result<Outcome, Failure>> {
    let mut outcomes = Vec::with_capacity(due.len());
    for begin in due {
        outcomes.push(exhaust(delivering, begin.delivery(), reason).await);
    }
    outcomes
}

/// How many attempts the current schedule has begun.
pub(super) fn attempts(delivery: &DeliveryRecord) -> usize {
    usize::try_from(delivery.begun()).unwrap_or(usize::MAX)
}

/// Ends a delivery. When the lease was lost meanwhile, the worker that has it decides.
pub(super) async fn end(
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
