//! The queues and their messages. A message names the item; what to do is read from the item, so
//! that a message that comes twice or late does nothing.

use std::{sync::Arc, time::Duration};

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

/// Why a message could not be sent.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The function has no such queue.
    #[error("this function has no {0}")]
    NotConfigured(&'static str),
    /// The queue did not take it.
    #[error("the queue cannot be reached: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The queues that a function sends to. Clients are built once and shared.
#[derive(Clone)]
pub struct Queues {
    sqs: aws_sdk_sqs::Client,
    convert: Option<Arc<str>>,
    dispatch: Option<Arc<str>>,
    deliver: Option<Arc<str>>,
}

impl Queues {
    /// No queue; `with_…` adds those that the function has.
    pub fn new(sqs: aws_sdk_sqs::Client) -> Self {
        Queues { sqs, convert: None, dispatch: None, deliver: None }
    }

    /// Adds the convert queue.
    #[must_use]
    pub fn with_convert(self, url: &str) -> Self {
        Queues { convert: Some(url.into()), ..self }
    }

    /// Adds the dispatch queue.
    #[must_use]
    pub fn with_dispatch(self, url: &str) -> Self {
        Queues { dispatch: Some(url.into()), ..self }
    }

    /// Adds the deliver queue.
    #[must_use]
    pub fn with_deliver(self, url: &str) -> Self {
        Queues { deliver: Some(url.into()), ..self }
    }

    /// Sends a document to its conversion.
    pub async fn send_convert(&self, message: &StageMessage) -> Result<(), QueueError> {
        let queue = self.convert.as_ref().ok_or(QueueError::NotConfigured("CONVERT_QUEUE_URL"))?;
        self.send(queue, std::slice::from_ref(message), SignedDuration::ZERO).await
    }

    /// Sends a document to its dispatch.
    pub async fn send_dispatch(&self, message: &StageMessage) -> Result<(), QueueError> {
        let queue =
            self.dispatch.as_ref().ok_or(QueueError::NotConfigured("DISPATCH_QUEUE_URL"))?;
        self.send(queue, std::slice::from_ref(message), SignedDuration::ZERO).await
    }

    /// Sends attempts at deliveries, to be made after `delay` (at most [`MAX_DELAY`]; longer ones
    /// are the sweeper's).
    pub async fn send_deliver(
        &self,
        messages: &[DeliverMessage],
        delay: SignedDuration,
    ) -> Result<(), QueueError> {
        let queue = self.deliver.as_ref().ok_or(QueueError::NotConfigured("DELIVER_QUEUE_URL"))?;
        self.send(queue, messages, delay).await
    }

    async fn send<T: Serialize>(
        &self,
        queue: &str,
        messages: &[T],
        delay: SignedDuration,
    ) -> Result<(), QueueError> {
        let delay = i32::try_from(delay.min(MAX_DELAY).as_secs()).unwrap_or_default().max(0);
        for batch in messages.chunks(BATCH) {
            let entries: Result<Vec<_>, QueueError> = batch
                .iter()
                .enumerate()
                .map(|(place, message)| {
                    let body = serde_json::to_string(message)
                        .map_err(|error| QueueError::Unavailable(error.into()))?;
                    SendMessageBatchRequestEntry::builder()
                        .id(place.to_string())
                        .message_body(body)
                        .set_delay_seconds((delay > 0).then_some(delay))
                        .build()
                        .map_err(|error| QueueError::Unavailable(error.into()))
                })
                .collect();
            self.send_batch(queue, entries?).await?;
        }
        Ok(())
    }

    /// Sends a batch; what the queue refuses of it is sent again.
    async fn send_batch(
        &self,
        queue: &str,
        mut entries: Vec<SendMessageBatchRequestEntry>,
    ) -> Result<(), QueueError> {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
            }
            let output = self
                .sqs
                .send_message_batch()
                .queue_url(queue)
                .set_entries(Some(entries.clone()))
                .send()
                .await
                .map_err(|error| QueueError::Unavailable(error.into()))?;
            let refused: Vec<_> = output.failed().iter().map(|entry| entry.id()).collect();
            entries.retain(|entry| refused.contains(&entry.id()));
            if entries.is_empty() {
                return Ok(());
            }
        }
        Err(QueueError::Unavailable("the queue refused messages again and again".into()))
    }
}
