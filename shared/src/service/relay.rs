//! Puts on its way what a transaction has left marked: an event becomes one delivery an endpoint,
//! a queued document a message of its next stage.
//!
//! The stream's relay calls this at once, the sweeper when that was lost. It may run twice for one
//! item, at the same time even: deliveries are made only where there is none, and a message that
//! comes twice does nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, QUEUE_GRACE, later};
use crate::{
    access::{Grant, GrantStatus, Scope},
    error::{Code, Failure},
    store::{
        DeliverMessage, DeliveryRecord, DeliveryStatus, DocumentRecord, EventRecord, EventType,
        QueueError, StageMessage, Status, keys::Place,
    },
    types::{DocumentId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// Sends one marked item on its way. An error means that it keeps its mark and comes again.
pub async fn relay(ctx: &Context, place: &Place) -> Result<(), Failure> {
    match place {
        Place::Event(mode, taxpayer_id, event_id) => {
            relay_event(ctx, *mode, taxpayer_id, event_id).await
        }
        Place::Document(mode, taxpayer_id, document_id) => {
            relay_document(ctx, *mode, taxpayer_id, document_id).await
        }
        Place::Delivery(mode, organization_id, event_id, endpoint_id) => {
            let found =
                ctx.store.get_delivery(*mode, organization_id, event_id, endpoint_id).await?;
            match found {
                Some(delivery) => relay_delivery(ctx, &delivery).await,
                None => Ok(()),
            }
        }
    }
}

/// Makes the event's deliveries and sends their messages.
async fn relay_event(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    event_id: &EventId,
) -> Result<(), Failure> {
    let Some(event) = ctx.store.get_unrelayed_event(mode, taxpayer_id, event_id).await? else {
        return Ok(());
    };
    let grants = ctx.store.list_grants_on(mode, taxpayer_id).await?;
    let now = ctx.now();
    let look_again = later(now, QUEUE_GRACE);
    let mut messages = Vec::new();
    for organization_id in entitled(&event, &grants) {
        for endpoint in ctx.store.list_endpoints(mode, organization_id).await? {
            if !endpoint.takes(event.event_type) {
                continue;
            }
            let delivery = DeliveryRecord {
                mode,
                organization_id: organization_id.clone(),
                event_id: event.event_id.clone(),
                endpoint_id: endpoint.endpoint_id,
                taxpayer_id: event.taxpayer_id.clone(),
                status: DeliveryStatus::Due,
                attempts: 0,
                lease: None,
                next_attempt_at: now,
                last_attempt: None,
                created_at: now,
                updated_at: now,
            };
            let stands = ctx.store.create_delivery(&delivery, look_again).await?;
            if stands.status == DeliveryStatus::Due {
                messages.push(message(&stands));
            }
        }
    }
    ctx.queues.send_deliver(&messages, jiff::SignedDuration::ZERO).await?;
    Ok(ctx.store.mark_event_relayed(&event).await?)
}

/// The organizations whose active grants cover the event's document (specification 6.1, point 4):
/// those that may read it, and the one that sent it.
fn entitled<'a>(event: &EventRecord, grants: &'a [Grant]) -> Vec<&'a OrganizationId> {
    let mut scopes: BTreeMap<&OrganizationId, BTreeSet<Scope>> = BTreeMap::new();
    for grant in grants.iter().filter(|grant| grant.status == GrantStatus::Active) {
        scopes.entry(&grant.organization_id).or_default().extend(&grant.scopes);
    }
    let covers = |organization: &OrganizationId, scopes: &BTreeSet<Scope>| {
        scopes.contains(&Scope::InvoicesRead)
            || match event.event_type {
                EventType::DocumentReceived => scopes.contains(&Scope::InboundRead),
                EventType::DocumentSent | EventType::DocumentStatus => {
                    scopes.contains(&Scope::InvoicesWrite)
                        && event.issuer.as_ref() == Some(organization)
                }
            }
    };
    scopes
        .iter()
        .filter(|(organization, scopes)| covers(organization, scopes))
        .map(|(organization, _)| *organization)
        .collect()
}

/// Sends a queued document to the stage that its status asks for.
async fn relay_document(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    document_id: &DocumentId,
) -> Result<(), Failure> {
    let Some(document) = ctx.store.get_document(mode, taxpayer_id, document_id).await? else {
        return Ok(());
    };
    let DocumentRecord { taxpayer_id, document_id, status, .. } = &document;
    let message =
        StageMessage { mode, taxpayer_id: taxpayer_id.clone(), document_id: document_id.clone() };
    match status {
        Status::Accepted => ctx.queues.send_convert(&message).await?,
        Status::Converted | Status::Dispatching => ctx.queues.send_dispatch(&message).await?,
        Status::Sent | Status::Failed | Status::Received => return Ok(()),
    }
    let look_again = later(ctx.now(), QUEUE_GRACE);
    Ok(ctx.store.mark_document_relayed(mode, &document, look_again).await?)
}

/// Sends a delivery to its next attempt.
async fn relay_delivery(ctx: &Context, delivery: &DeliveryRecord) -> Result<(), Failure> {
    match delivery.status {
        DeliveryStatus::Delivered | DeliveryStatus::Exhausted => return Ok(()),
        DeliveryStatus::Due | DeliveryStatus::Delivering => {}
    }
    ctx.queues.send_deliver(&[message(delivery)], jiff::SignedDuration::ZERO).await?;
    let look_again = later(ctx.now(), QUEUE_GRACE);
    Ok(ctx.store.mark_delivery_relayed(delivery, look_again).await?)
}

fn message(delivery: &DeliveryRecord) -> DeliverMessage {
    DeliverMessage {
        mode: delivery.mode,
        organization_id: delivery.organization_id.clone(),
        event_id: delivery.event_id.clone(),
        endpoint_id: delivery.endpoint_id.clone(),
    }
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::new(Code::ServiceUnavailable, "A queue cannot be reached: retry.").because(error)
    }
}
