//! The queues and their messages. A message names the item; what to do is read from the item, so
//! that a message that comes twice or late does nothing.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::types::{DocumentId, EndpointId, EventId, Mode, OrganizationId, TaxpayerId};

/// How many messages a batch takes.
const BATCH: usize = 10;
/// How often a batch, or what is left of it, is sent.
const ATTEMPTS: u32 = 4;
/// The longest delay that SQS allows.
pub const MAX_DELAY: SignedDuration = SignedDuration::from_mins(15);

/// A document's next stage: the message of the queues `convert` and `dispatch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that the document belongs to.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
}

/// An attempt at a delivery: the message of the queue `deliver`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliverMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The endpoint's organization.
    pub organization_id: OrganizationId,
    /// The event.
    pub event_id: EventId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
}

/// The queue did not take a message.
#[derive(Debug, thiserror::Error)]
#[error("the queue cannot be reached: {0}")]
pub struct QueueError(#[source] Box<dyn std::error::Error + Send + Sync>);

/// A queue that takes one kind of message. Clients are built once and shared.
pub struct Queue<M> {
    sqs: aws_sdk_sqs::Client,
    url: Arc<str>,
    message: PhantomData<fn(M)>,
}

impl<M> Clone for Queue<M> {
    fn clone(&self) -> Self {
        Queue { sqs: self.sqs.clone(), url: self.url.clone(), message: PhantomData }
    }
}

impl<M: Serialize> Queue<M> {
    /// A queue by its URL.
    pub fn new(sqs: aws_sdk_sqs::Client, url: &str) -> Self {
        Queue { sqs, url: url.into(), message: PhantomData }
    }

    /// Sends messages, to be received after `delay` (at most [`MAX_DELAY`]; longer waits are the
    /// sweeper's).
    pub async fn send(&self, messages: &[M], delay: SignedDuration) -> Result<(), QueueError> {
        let delay = i32::try_from(delay.min(MAX_DELAY).as_secs()).unwrap_or_default().max(0);
        for batch in messages.chunks(BATCH) {
            let entries: Result<Vec<_>, QueueError> = batch
                .iter()
                .enumerate()
                .map(|(place, message)| {
                    let body =
                        serde_json::to_string(message).map_err(|error| QueueError(error.into()))?;
                    SendMessageBatchRequestEntry::builder()
                        .id(place.to_string())
                        .message_body(body)
                        .set_delay_seconds((delay > 0).then_some(delay))
                        .build()
                        .map_err(|error| QueueError(error.into()))
                })
                .collect();
            self.send_batch(entries?).await?;
        }
        Ok(())
    }

    /// Sends a batch; what the queue refuses of it is sent again.
    async fn send_batch(
        &self,
        mut entries: Vec<SendMessageBatchRequestEntry>,
    ) -> Result<(), QueueError> {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
            }
            let output = self
                .sqs
                .send_message_batch()
                .queue_url(&*self.url)
                .set_entries(Some(entries.clone()))
                .send()
                .await
                .map_err(|error| QueueError(error.into()))?;
            let refused: Vec<_> = output.failed().iter().map(|entry| entry.id()).collect();
            entries.retain(|entry| refused.contains(&entry.id()));
            if entries.is_empty() {
                return Ok(());
            }
        }
        Err(QueueError("the queue refused messages again and again".into()))
    }
}
