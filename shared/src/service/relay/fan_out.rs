//! Publishes events.

use super::{Batch, Onward, newer};
use crate::{
    access::{Audience, Notification},
    error::Failure,
    service::{QUEUE_GRACE, later, notifications},
    store::{
        Awaited, DeliveryRecord, DeliveryStatus, Due, EVENT_KEPT, EventRecord, EventType, Reached,
    },
    types::Mode,
};

/// Publishes an event: makes a delivery for each endpoint that it concerns, and lists it for each organization that it
/// concerns. Deliveries come first: a program waits for them.
pub(super) async fn fan_out(batch: &Batch, event: &EventRecord) -> Result<Onward, Failure> {
    let tells_more =
        event.reached == Some(Reached::Unknown) || event.awaits.contains(&Awaited::Unknown);
    if event.event_type == EventType::Unknown || event.audience == Audience::Unknown || tells_more {
        return Err(newer("event"));
    }
    let (relaying, ctx) = (&batch.relaying, &batch.relaying.ctx);
    let now = ctx.now();
    let mut messages = Vec::new();
    let concerned = event.concerned(&batch.grants(event.mode, &event.taxpayer_id).await?);
    for organization_id in &concerned {
        let endpoints = batch.endpoints(event, organization_id).await?;
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.takes(event)) {
            let delivery = DeliveryRecord::due(endpoint, event, false, now);
            let due = Due::watched(later(now, QUEUE_GRACE));
            let current = ctx.store.create_delivery(&delivery, due).await?;
            // One that an earlier relay made may not have been sent yet.
            if current.status == DeliveryStatus::Due && current.attempts == 0 {
                messages.push((&current).into());
            }
        }
    }
    relaying.deliver.send(messages).await?;
    for organization_id in &concerned {
        ctx.store.tell(organization_id, event).await?;
    }
    // The list that the notice reads has the event by now.
    if let Some(kind) = notification(event) {
        for organization_id in &concerned {
            notifications::arrived(ctx, event.mode, organization_id, kind).await?;
        }
    }
    Ok(Onward::Done { kept: Some(EVENT_KEPT) })
}

/// The notification that an event may bring. A new business takes a seat in Live.
fn notification(event: &EventRecord) -> Option<Notification> {
    let takes_seat = event.event_type == EventType::TaxpayerCreated && event.mode == Mode::Live;
    let reached = event.reached.and_then(Reached::notification);
    reached.or(takes_seat.then_some(Notification::Seats))
}
