//! Publishes events.

use std::{collections::BTreeSet, time::Duration};

use super::{Batch, Onward, newer};
use crate::{
    access::{Audience, Notification},
    error::Failure,
    service::{Context, QUEUE_GRACE, later, notifications},
    store::{
        Awaited, DeliverMessage, DeliveryRecord, DeliveryStatus, Due, EVENT_KEPT, EventRecord,
        EventType, FirstAttempt, Reached,
    },
    types::{Mode, OrganizationId},
};

/// How long the messages of an event wait for its publication.
const PUBLISHED_WITHIN: Duration = Duration::from_millis(500);

/// Publishes an event: makes a delivery for each endpoint that it concerns, and lists it for each organization that it
/// concerns.
///
/// An event with one delivery watches over it: the event stays in the index of due jobs until the delivery has ended, or
/// has an entry of its own. So all else must be done before the message of that delivery is sent. A program waits for the
/// message, so it does not wait long for that, nor for ever: then the delivery gets an entry of its own.
pub(super) async fn fan_out(batch: &Batch, event: &EventRecord) -> Result<Onward, Failure> {
    let tells_more =
        event.reached == Some(Reached::Unknown) || event.awaits.contains(&Awaited::Unknown);
    if event.event_type == EventType::Unknown || event.audience == Audience::Unknown || tells_more {
        return Err(newer("event"));
    }
    let (relaying, ctx) = (&batch.relaying, &batch.relaying.ctx);
    let concerned = event.concerned(&batch.grants(event.mode, &event.taxpayer_id).await?);
    let created = create_all(batch, event, &concerned).await?;
    let mut publication = Box::pin(publish(ctx, event, &concerned));
    let published = tokio::time::timeout(PUBLISHED_WITHIN, &mut publication).await;
    let is_published = matches!(published, Ok(Ok(())));
    let mut messages: Vec<DeliverMessage> = Vec::new();
    for (delivery, is_new) in &created {
        let is_watched = delivery.is_watched_by_event();
        if is_watched && !is_published {
            ctx.store.watch_delivery(delivery, later(ctx.now(), QUEUE_GRACE)).await?;
        }
        // One that an earlier relay made may not have been sent yet.
        if is_watched || (delivery.status == DeliveryStatus::Due && delivery.attempts == 0) {
            let is_asked_once = *is_new && delivery.is_watched_by_event();
            let first = is_asked_once.then(|| FirstAttempt::of(delivery, event)).flatten();
            messages.push(DeliverMessage { first, ..delivery.into() });
        }
    }
    relaying.deliver.send(messages).await?;
    match published {
        Ok(published) => published?,
        Err(_) => publication.await?,
    }
    let watches = is_published && created.iter().any(|(it, _)| it.is_watched_by_event());
    Ok(if watches { Onward::Watches } else { Onward::Done { kept: Some(EVENT_KEPT) } })
}

/// Makes the deliveries of an event. Those that exist are returned as they are. Each comes with whether it is new.
async fn create_all(
    batch: &Batch,
    event: &EventRecord,
    concerned: &BTreeSet<OrganizationId>,
) -> Result<Vec<(DeliveryRecord, bool)>, Failure> {
    let (store, now) = (&batch.relaying.ctx.store, batch.relaying.ctx.now());
    let mut due = Vec::new();
    for organization_id in concerned {
        let endpoints = batch.endpoints(event, organization_id).await?;
        let takers = endpoints.iter().filter(|endpoint| endpoint.takes(event));
        due.extend(takers.map(|endpoint| DeliveryRecord::due(endpoint, event, false, now)));
    }
    let watch = (due.len() > 1).then(|| Due::watched(later(now, QUEUE_GRACE)));
    let mut deliveries = Vec::with_capacity(due.len());
    for delivery in &due {
        deliveries.push(store.create_delivery(delivery, watch).await?);
    }
    Ok(deliveries)
}

/// Lists an event for the organizations that it concerns, and notifies their members.
async fn publish(
    ctx: &Context,
    event: &EventRecord,
    concerned: &BTreeSet<OrganizationId>,
) -> Result<(), Failure> {
    for organization_id in concerned {
        ctx.store.tell(organization_id, event).await?;
    }
    // The list that the notice reads has the event by now.
    if let Some(kind) = notification(event) {
        for organization_id in concerned {
            notifications::arrived(ctx, event.mode, organization_id, kind).await?;
        }
    }
    Ok(())
}

/// The notification that an event may bring. A new business takes a seat in Live.
fn notification(event: &EventRecord) -> Option<Notification> {
    let takes_seat = event.event_type == EventType::TaxpayerCreated && event.mode == Mode::Live;
    let reached = event.reached.and_then(Reached::notification);
    reached.or(takes_seat.then_some(Notification::Seats))
}
