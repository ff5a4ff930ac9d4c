//! What the table says must go on its way, goes: events become deliveries, documents go to their
//! next stage. The stream calls this at once, the sweeper for what the stream lost. It may happen
//! twice; then deliveries are found made and messages do nothing.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use super::{Context, QUEUE_GRACE, Relaying, later};
use crate::{
    access::Audience,
    error::{Code, Failure},
    store::{
        DeliverMessage, DeliveryRecord, DeliveryStatus, DocumentRecord, EventRecord, EventType,
        QueueError, StageMessage, Status, StoreError, What, keys::Place,
    },
    types::{Mode, OrganizationId},
};

/// Relays the item of a stream record, if it still carries the mark. The record's image is not
/// used: the item may have moved on. An error means that it should come again.
pub async fn relay(relaying: &Relaying, place: &Place) -> Result<(), Failure> {
    match relaying.ctx.store.get_waiting(place).await? {
        Some(waiting) if waiting.marked => send_on(relaying, waiting.what).await,
        _ => Ok(()),
    }
}

/// Relays the item at a place if it is due; tells whether it was.
pub(super) async fn relay_due(relaying: &Relaying, place: &Place) -> Result<bool, Failure> {
    match relaying.ctx.store.get_waiting(place).await? {
        Some(waiting) if waiting.due_at <= relaying.ctx.now() => {
            send_on(relaying, waiting.what).await?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

async fn send_on(relaying: &Relaying, what: What) -> Result<(), Failure> {
    match what {
        What::Document(mode, record) => document(relaying, mode, &record).await,
        What::Event(event) => fan_out(relaying, &event).await,
        What::Delivery(delivery) => attempt(relaying, &delivery).await,
    }
}

/// Sends a document to its next stage. The message goes before the mark: what fails between is
/// sent twice rather than never.
async fn document(relaying: &Relaying, mode: Mode, record: &DocumentRecord) -> Result<(), Failure> {
    let message = [StageMessage {
        mode,
        taxpayer_id: record.taxpayer_id.clone(),
        document_id: record.document_id.clone(),
    }];
    match record.status {
        Status::Accepted => relaying.convert.send(&message, SignedDuration::ZERO).await?,
        Status::Converted | Status::Dispatching => {
            relaying.dispatch.send(&message, SignedDuration::ZERO).await?
        }
        Status::Sent | Status::Failed | Status::Received => return Ok(()),
    }
    let look_again = later(relaying.ctx.now(), QUEUE_GRACE);
    Ok(relaying.ctx.store.mark_document_relayed(mode, record, look_again).await?)
}

/// Sends a delivery to its next attempt.
async fn attempt(relaying: &Relaying, delivery: &DeliveryRecord) -> Result<(), Failure> {
    if matches!(delivery.status, DeliveryStatus::Delivered | DeliveryStatus::Exhausted) {
        return Ok(());
    }
    relaying.deliver.send(&[message_of(delivery)], SignedDuration::ZERO).await?;
    let look_again = later(relaying.ctx.now(), QUEUE_GRACE);
    Ok(relaying.ctx.store.mark_delivery_relayed(delivery, look_again).await?)
}

/// Turns an event into a delivery for each endpoint that it concerns.
async fn fan_out(relaying: &Relaying, event: &EventRecord) -> Result<(), Failure> {
    // Nothing may get lost, and nothing go where it should not: it waits for the version that can
    // read it.
    if event.event_type == EventType::Unknown || event.audience == Audience::Unknown {
        let message = "The event is one of a newer version.";
        return Err(Failure::new(Code::InternalError, message).because(message));
    }
    let now = relaying.ctx.now();
    let mut messages = Vec::new();
    for organization_id in concerned(&relaying.ctx, event).await? {
        let endpoints = relaying.ctx.store.list_endpoints(event.mode, &organization_id).await?;
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.takes(event.event_type)) {
            let delivery = DeliveryRecord {
                mode: event.mode,
                organization_id: organization_id.clone(),
                event_id: event.event_id.clone(),
                endpoint_id: endpoint.endpoint_id.clone(),
                taxpayer_id: event.taxpayer_id.clone(),
                status: DeliveryStatus::Due,
                attempts: 0,
                lease: None,
                next_attempt_at: now,
                results: Vec::new(),
                created_at: now,
                updated_at: now,
            };
            let stands =
                relaying.ctx.store.create_delivery(&delivery, later(now, QUEUE_GRACE)).await?;
            // One that an earlier relay made may not have been sent yet.
            if stands.status == DeliveryStatus::Due && stands.attempts == 0 {
                messages.push(message_of(&stands));
            }
        }
    }
    relaying.deliver.send(&messages, SignedDuration::ZERO).await?;
    Ok(relaying.ctx.store.mark_event_relayed(event, relaying.ctx.now()).await?)
}

fn message_of(delivery: &DeliveryRecord) -> DeliverMessage {
    DeliverMessage {
        mode: delivery.mode,
        organization_id: delivery.organization_id.clone(),
        event_id: delivery.event_id.clone(),
        endpoint_id: delivery.endpoint_id.clone(),
    }
}

/// The organizations that an event is for, as the grants stand now.
async fn concerned(
    ctx: &Context,
    event: &EventRecord,
) -> Result<BTreeSet<OrganizationId>, StoreError> {
    let grants = ctx.store.list_active_grants(event.mode, &event.taxpayer_id).await?;
    Ok(event.audience.among(&grants))
}

/// Whether an event is for an organization, as its grants stand now.
pub(super) async fn concerns(
    ctx: &Context,
    event: &EventRecord,
    organization_id: &OrganizationId,
) -> Result<bool, StoreError> {
    let grants = ctx.store.list_active_grants(event.mode, &event.taxpayer_id).await?;
    Ok(event.audience.among(&grants).contains(organization_id))
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::new(Code::ServiceUnavailable, "A queue cannot be reached: retry.").because(error)
    }
}
