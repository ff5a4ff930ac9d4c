//! The queues and their messages. A message names the item, and the work is read from the item. So a message that
//! arrives twice or late does nothing. Only the first message of a delivery holds the item too, for a short time
//! ([`FirstAttempt`]).
//!
//! Each stage has one queue for Live and one for Sandbox; the message's mode selects the queue. The message group is
//! the organization. Fair queues deliver a quiet organization's messages before those of one with many messages in
//! flight (Amazon SQS developer guide, "Amazon SQS fair queues").

use std::{fmt, marker::PhantomData, sync::Arc, time::Duration};

use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{DeliveryRecord, EnvelopeHash, EventRecord, PeppolReportId, Register, keys::JobId};
use crate::types::{
    ApplicationId, ArchiveId, ByMode, DocumentId, EndpointId, EventId, ImportId, MailId, Mode,
    OrganizationId, ReportId, TaxpayerId,
};

/// The maximum number of messages in a batch.
const BATCH: usize = 10;
/// How often a batch, or the rest of it, is sent.
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
    /// The organization that sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
}

impl StageMessage {
    /// The job of the document.
    pub fn job_id(&self) -> JobId {
        JobId::Document(self.mode, self.taxpayer_id.clone(), self.document_id.clone())
    }
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
    /// What the first attempt needs, in the only message that asks for it. Without it, another message may ask for the same
    /// attempt: a worker reads the delivery and takes a lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Box<FirstAttempt>>,
}

/// A delivery that was just made, and its event, which a current grant covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstAttempt {
    /// The delivery, as it is stored.
    pub delivery: DeliveryRecord,
    /// Its event, which watches over it.
    pub event: EventRecord,
}

impl FirstAttempt {
    /// How long it holds. After that the grant may be revoked, or another message may ask for the attempt.
    const HOLDS: SignedDuration = SignedDuration::from_secs(20);
    /// The longest body of an event in a message. A batch of messages has at most 256 KiB (Amazon SQS, "Message quotas").
    const MAX_BODY: usize = 8 * 1024;

    /// The first attempt of a delivery, if its event is short enough.
    pub fn of(delivery: &DeliveryRecord, event: &EventRecord) -> Option<Box<Self>> {
        (event.body.len() <= Self::MAX_BODY)
            .then(|| Box::new(FirstAttempt { delivery: delivery.clone(), event: event.clone() }))
    }

    /// Whether it still holds.
    pub fn holds(&self, now: Timestamp) -> bool {
        now.duration_since(self.delivery.created_at) < Self::HOLDS
    }
}

impl From<&DeliveryRecord> for DeliverMessage {
    fn from(delivery: &DeliveryRecord) -> Self {
        DeliverMessage {
            mode: delivery.mode,
            organization_id: delivery.organization_id.clone(),
            event_id: delivery.event_id.clone(),
            endpoint_id: delivery.endpoint_id.clone(),
            first: None,
        }
    }
}

impl DeliverMessage {
    /// Whether another message is about the same endpoint.
    pub fn same_endpoint(&self, other: &Self) -> bool {
        self.mode == other.mode
            && self.organization_id == other.organization_id
            && self.endpoint_id == other.endpoint_id
    }
}

/// The validation of an inbound message: the message of the queue `judge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidateInboundMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The envelope.
    pub envelope: EnvelopeHash,
    /// The taxpayer that the message is for; `None` when it is for this access point itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taxpayer_id: Option<TaxpayerId>,
}

/// An outbound MLS about a document: the message of the queue `answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MlsOutboundMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that the document belongs to.
    pub taxpayer_id: TaxpayerId,
}

/// The registration of a taxpayer in a register: the message of the queue `register`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// The register.
    pub register: Register,
}

/// An application whose business must be registered: another message of the queue `register`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The application.
    pub application_id: ApplicationId,
}

/// A report to the tax authority: the message of the queue `report`. Live only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportMessage {
    /// The taxpayer who reports.
    pub taxpayer_id: TaxpayerId,
    /// The report.
    pub report_id: ReportId,
}

/// An OpenPeppol report: another message of the queue `report`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeppolReportMessage {
    /// The report.
    #[serde(rename = "monthly")]
    pub report_id: PeppolReportId,
}

/// An import whose documents must be sent: the message of the queue `imports`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization that imports.
    pub organization_id: OrganizationId,
    /// The taxpayer that the documents belong to.
    pub taxpayer_id: TaxpayerId,
    /// The import.
    pub import_id: ImportId,
}

/// An archive whose documents must be collected: the message of the queue `archives`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that the documents belong to.
    pub taxpayer_id: TaxpayerId,
    /// The archive.
    pub archive_id: ArchiveId,
}

/// A mail that must be sent: the message of the queue `mail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailMessage {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The mail.
    pub mail_id: MailId,
}

/// What the queue itself needs to know of a message.
pub trait Message: Serialize {
    /// The mode, which selects the queue.
    fn mode(&self) -> Mode;
    /// The identifier of the tenant. Fair queues are fair between these groups.
    fn group(&self) -> &(dyn fmt::Display + Send + Sync);
}

impl Message for StageMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        match &self.organization_id {
            Some(organization_id) => organization_id,
            None => &self.taxpayer_id,
        }
    }
}

impl Message for ValidateInboundMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        match &self.taxpayer_id {
            Some(taxpayer_id) => taxpayer_id,
            None => &self.envelope,
        }
    }
}

impl Message for MlsOutboundMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.taxpayer_id
    }
}

impl Message for RegisterMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.taxpayer_id
    }
}

impl Message for ApplicationMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.application_id
    }
}

impl Message for ReportMessage {
    fn mode(&self) -> Mode {
        Mode::Live
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.taxpayer_id
    }
}

impl Message for PeppolReportMessage {
    fn mode(&self) -> Mode {
        Mode::Live
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.report_id.month
    }
}

impl Message for ImportMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.organization_id
    }
}

impl Message for ArchiveMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.taxpayer_id
    }
}

impl Message for MailMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.mail_id
    }
}

impl Message for DeliverMessage {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn group(&self) -> &(dyn fmt::Display + Send + Sync) {
        &self.organization_id
    }
}

/// The queue did not accept a message.
#[derive(Debug, thiserror::Error)]
#[error("the queue cannot be reached: {0}")]
pub struct QueueError(#[source] Box<dyn std::error::Error + Send + Sync>);

/// The queues for one kind of message, one for each mode. Clients are built once and shared.
pub struct Queue<M> {
    sqs: aws_sdk_sqs::Client,
    urls: Arc<ByMode<String>>,
    message: PhantomData<fn(M)>,
}

impl<M> Clone for Queue<M> {
    fn clone(&self) -> Self {
        Queue { sqs: self.sqs.clone(), urls: self.urls.clone(), message: PhantomData }
    }
}

impl<M: Message> Queue<M> {
    /// Queues by their URLs.
    pub fn new(sqs: aws_sdk_sqs::Client, urls: ByMode<String>) -> Self {
        Queue { sqs, urls: urls.into(), message: PhantomData }
    }

    /// The queue of a stage that exists in Live only.
    pub fn of_live(sqs: aws_sdk_sqs::Client, url: String) -> Self {
        Queue::new(sqs, ByMode { live: url.clone(), sandbox: url })
    }

    /// Sends messages without delay.
    pub async fn send(&self, messages: Vec<M>) -> Result<(), QueueError> {
        let messages: Vec<_> =
            messages.into_iter().map(|message| (message, SignedDuration::ZERO)).collect();
        self.send_later(&messages).await
    }

    /// Sends messages, each to its mode's queue and with its delay (at most [`MAX_DELAY`]; the sweeper handles longer
    /// delays).
    pub async fn send_later(&self, messages: &[(M, SignedDuration)]) -> Result<(), QueueError> {
        for mode in [Mode::Live, Mode::Sandbox] {
            let messages: Vec<_> =
                messages.iter().filter(|(message, _)| message.mode() == mode).collect();
            for batch in messages.chunks(BATCH) {
                let entries: Result<Vec<_>, _> = batch
                    .iter()
                    .enumerate()
                    .map(|(place, (message, delay))| entry(place, message, *delay))
                    .collect();
                self.send_batch(self.urls.of(mode), entries?).await?;
            }
        }
        Ok(())
    }

    /// Sends a batch. Messages that the queue refuses are sent again.
    async fn send_batch(
        &self,
        url: &str,
        mut entries: Vec<SendMessageBatchRequestEntry>,
    ) -> Result<(), QueueError> {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
            }
            let output = self
                .sqs
                .send_message_batch()
                .queue_url(url)
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

fn entry<M: Message>(
    place: usize,
    message: &M,
    delay: SignedDuration,
) -> Result<SendMessageBatchRequestEntry, QueueError> {
    let body = serde_json::to_string(message).map_err(|error| QueueError(error.into()))?;
    let delay = i32::try_from(delay.min(MAX_DELAY).as_secs()).unwrap_or_default().max(0);
    SendMessageBatchRequestEntry::builder()
        .id(place.to_string())
        .message_body(body)
        .message_group_id(message.group().to_string())
        .set_delay_seconds((delay > 0).then_some(delay))
        .build()
        .map_err(|error| QueueError(error.into()))
}
