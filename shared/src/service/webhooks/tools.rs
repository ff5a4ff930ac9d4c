//! Sends on request of an endpoint's owner: one delivery again, all failed deliveries again, or a test event.
//!
//! **Schedule.** A delivery that has ended restarts its schedule: it gets all ten attempts, the first one now. A
//! delivery that waits for an attempt gets it now, and its schedule continues. The event's identifier stays, so that a
//! receiver recognizes it. No attempt begins while another one runs.
//!
//! **Test events** belong to the organization, not to a taxpayer. They describe a taxpayer and documents that do not
//! exist. The relay sends them like all events, but only to the requested endpoint.
//!
//! Every request is recorded in the organization's audit trail.

use jiff::Timestamp;

use super::{
    events::{get_event, position},
    get, samples, unknown_endpoint,
};
use crate::{
    access::{Action, By, Deed, Trail},
    error::{Code, Failure},
    service::{
        Context, Notifying, RELAY_GRACE, audit, later,
        page::{List, MAX_LIMIT, PageQuery},
    },
    store::{
        DeliveryRecord, DeliveryState, DeliveryStatus, Due, EndpointRecord, EndpointStatus,
        EventType, PublishedEvent,
    },
    types::{EndpointId, EventId, Mode, OrganizationId},
};

pub use super::samples::Outcome;

/// Which deliveries to send again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again {
    /// Deliveries of events from this instant or later.
    pub since: Timestamp,
    /// Whether to include events that the endpoint has accepted.
    pub include_delivered: bool,
}

/// The result of sending again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    /// How many of the checked deliveries are sent again.
    pub retried: usize,
    /// The cursor for the next deliveries. `None` when all were checked.
    pub next_cursor: Option<String>,
}

/// Sends an event to an endpoint now. A failed delivery restarts, a waiting one is sent at once, and a missing one is
/// created.
pub async fn retry(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    event_id: &EventId,
    endpoint_id: &EndpointId,
    include_delivered: bool,
    by: &By,
) -> Result<DeliveryRecord, Failure> {
    let endpoint = open(ctx, mode, organization_id, endpoint_id).await?;
    for attempt in 0..super::ATTEMPTS {
        let read = ctx.store.get_delivery(mode, organization_id, event_id, endpoint_id).await?;
        let now = ctx.now();
        let sweep_at = later(now, RELAY_GRACE);
        let (action, subject) = (Action::DeliveryRetried, event_id.as_str());
        let deed = Deed { mode, by, action, subject, at: now };
        let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
        let Some(read) = read else {
            let PublishedEvent { event, test } =
                get_event(ctx, mode, organization_id, event_id).await?;
            let delivery = DeliveryRecord::due(&endpoint, &event, test, now);
            let due = Due::relayed(sweep_at);
            return Ok(ctx.store.create_delivery_wished(&delivery, due, &entry).await?);
        };
        if read.state() == DeliveryState::Delivered && !include_delivered {
            let message =
                "The endpoint has accepted the event. Set include_delivered to send it again.";
            return Err(Failure::new(Code::AlreadyDelivered, message));
        }
        if is_running(&read, now) {
            let message =
                "An attempt at the delivery is running: read the delivery again in a minute.";
            return Err(Failure::new(Code::DeliveryInProgress, message));
        }
        if let Some(due) = ctx.store.retry_delivery(&read, now, sweep_at, Some(&entry)).await? {
            return Ok(due);
        }
        ctx.store.back_off(attempt).await;
    }
    let message = "The delivery is changing too often at the moment: retry.";
    Err(Failure::new(Code::ServiceUnavailable, message))
}

/// Sends the failing and failed deliveries of an endpoint again: up to [`MAX_LIMIT`], the newest first. There may be
/// more as long as there is a cursor. A delivery that another worker claims meanwhile is left to that worker.
pub async fn retry_failed(
    notifying: &Notifying,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    again: &Again,
    cursor: Option<&str>,
    by: &By,
) -> Result<Retried, Failure> {
    let ctx = &notifying.ctx;
    let asked = PageQuery { cursors: &notifying.cursors, cursor, limit: MAX_LIMIT };
    let filter = (endpoint_id, again);
    let owner = organization_id.as_str();
    let list = List { name: "retries", mode, owner, filter: &filter };
    let from = position(asked.after(&list).await?)?;
    open(ctx, mode, organization_id, endpoint_id).await?;
    let states: &[_] = match again.include_delivered {
        true => &[DeliveryState::Failing, DeliveryState::Failed, DeliveryState::Delivered],
        false => &[DeliveryState::Failing, DeliveryState::Failed],
    };
    let (owner, since) = ((organization_id, endpoint_id), Some(again.since));
    let limit = asked.limit();
    let found = ctx.store.list_deliveries(mode, owner, states, since, from.as_ref(), limit).await?;
    let found = found.ok_or_else(unknown_endpoint)?;
    let now = ctx.now();
    let (action, subject) = (Action::EndpointReplayed, endpoint_id.as_str());
    let deed = Deed { mode, by, action, subject, at: now };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    // One entry covers all deliveries. It is written with the first one.
    let (mut retried, mut entry) = (0, Some(entry));
    for (delivery, _) in &found.items {
        let (store, sweep_at) = (&ctx.store, later(now, RELAY_GRACE));
        if store.retry_delivery(delivery, now, sweep_at, entry.as_ref()).await?.is_some() {
            (retried, entry) = (retried + 1, None);
        }
    }
    let page = asked.page::<()>(&list, Vec::new(), found.next.map(|next| next.to_text())).await?;
    Ok(Retried { retried, next_cursor: page.next_cursor })
}

/// Sends a test event to an endpoint, even if the endpoint does not take its type. `outcome` is the outcome of a
/// simulated report (specification 1, Sandbox 6), in Sandbox only.
pub async fn test(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    event_type: EventType,
    outcome: Option<Outcome>,
    by: &By,
) -> Result<DeliveryRecord, Failure> {
    let endpoint = open(ctx, mode, organization_id, endpoint_id).await?;
    let now = ctx.now();
    let event =
        samples::event(ctx, mode, organization_id, event_type, outcome.unwrap_or_default())?;
    let delivery = DeliveryRecord::due(&endpoint, &event, true, now);
    let (action, subject) = (Action::EventTested, event.event_id.as_str());
    let deed = Deed { mode, by, action, subject, at: now };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    ctx.store.create_test(&event, &delivery, later(now, RELAY_GRACE), &entry).await?;
    Ok(delivery)
}

/// An endpoint that takes deliveries.
async fn open(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
) -> Result<EndpointRecord, Failure> {
    let endpoint = get(ctx, mode, organization_id, endpoint_id).await?.endpoint;
    if endpoint.status != EndpointStatus::Enabled {
        let message = "The endpoint is disabled: enable it first.";
        return Err(Failure::new(Code::EndpointDisabled, message));
    }
    Ok(endpoint)
}

/// Whether an attempt may be running. Its worker may be dead until the lease ends.
fn is_running(delivery: &DeliveryRecord, now: Timestamp) -> bool {
    let is_leased = delivery.lease.as_ref().is_some_and(|lease| now < lease.until);
    delivery.status == DeliveryStatus::Delivering && is_leased
}
