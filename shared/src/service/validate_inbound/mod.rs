//! Validates messages of other access points: received → validated.
//!
//! A document is validated by schema and rules. Then it becomes the taxpayer's document, received or rejected. A
//! Message Level Status that could not be validated when it was received ends the exchange of its document, and is kept under
//! the envelope of that document.

mod document;

use tokio::time::Instant;

use super::{
    Context, ValidatingInbound,
    job::{self, Job},
    mls_inbound::{self, StatusValidation},
    mls_outbound, record,
    report::first,
};
use crate::{
    document::Operation,
    error::{Failure, Finding},
    peppol::{
        mls,
        sbdh::{self, Envelope, Header},
    },
    store::{
        Addressee, DocumentRecord, Due, EventType, MessageRecord, MessageStatus, PayloadKind,
        Recorded, Reporting, Status, StoreError, ValidateInboundMessage, ValidatedMessage,
        keys::JobId,
    },
    types::{DocumentId, Mode, TaxpayerId},
};

impl Job for ValidatingInbound {
    type Message = ValidateInboundMessage;
    type Record = MessageRecord;
    const OPERATION: &'static str = "validate_inbound";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &ValidateInboundMessage) -> JobId {
        JobId::Message(message.mode, message.envelope.clone())
    }

    async fn lease(
        &self,
        ValidateInboundMessage { mode, envelope, .. }: &ValidateInboundMessage,
    ) -> Result<Option<MessageRecord>, StoreError> {
        let record = self.ctx.store.get_message(*mode, envelope).await?;
        let received = record.filter(|record| record.status == MessageStatus::Received);
        job::lease(&self.ctx, *mode, received, self.lease).await
    }

    async fn work(
        &self,
        message: &ValidateInboundMessage,
        leased: &mut MessageRecord,
        _: Instant,
    ) -> Result<Recorded, Failure> {
        Ok(work(self, message.mode, leased).await?)
    }
}

/// All findings in a document that was received in an envelope.
pub(crate) fn findings(document: &[u8], header: &Header) -> Vec<Finding> {
    document::check(document, header).findings
}

/// All findings that a status reports about our document, with this UBL. `None` if it is not a status.
pub(crate) fn said(status: &[u8], operation: Operation, ubl: &[u8]) -> Option<Vec<Finding>> {
    let status = mls::read(status).ok()?;
    mls_inbound::findings::within(&status.verdict, operation, ubl).ok()
}

async fn work(
    validating: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
) -> Result<Recorded, StoreError> {
    let payload = leased.envelope.as_ref();
    let payload =
        payload.ok_or_else(|| StoreError::Corrupt("a received message has no envelope".into()))?;
    let (_held, bytes) = validating.bucket.get_with_room(payload).await?;
    let envelope = sbdh::receive(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    match &leased.addressee {
        Addressee::Taxpayer { taxpayer_id, document_id } => {
            validate_document(validating, mode, leased, &envelope, taxpayer_id, document_id).await
        }
        Addressee::Provider => apply(validating, mode, leased, &envelope).await,
        Addressee::Unknown => {
            Err(StoreError::Unavailable("the message has a receiver of a newer version".into()))
        }
    }
}

/// Applies a status message, or keeps it with the reason why it does not apply. One that is early waits, and that is no
/// attempt.
async fn apply(
    ValidatingInbound { ctx, bucket, .. }: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
) -> Result<Recorded, StoreError> {
    let status = match mls_inbound::validate((ctx, bucket), mode, leased, envelope).await? {
        StatusValidation::Ends(status) => status,
        StatusValidation::Waits(until) => {
            let job_id = JobId::Message(mode, leased.hash());
            let Some(version) = job::version_of(job_id, leased) else { return Ok(Recorded::Lost) };
            let due = Due::begins(until, ctx.now());
            let reschedule = ctx.store.reschedule(&version, 0, due).await?;
            return Ok(if reschedule { Recorded::Done } else { Recorded::Lost });
        }
    };
    let validated = ValidatedMessage::Status(status.as_deref());
    let recorded = ctx.store.end_message(mode, leased, validated).await?;
    if let (Recorded::Done, Some(status)) = (recorded, &status) {
        mls_inbound::note(status);
    }
    Ok(recorded)
}

/// Makes the taxpayer's document and the status that is owed for it. Publishes an event if the document is valid.
async fn validate_document(
    validating: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
    taxpayer_id: &TaxpayerId,
    document_id: &DocumentId,
) -> Result<Recorded, StoreError> {
    let ValidatingInbound { ctx, bucket, .. } = validating;
    let taxpayer = ctx.taxpayer_of_job(mode, taxpayer_id).await?;
    let bytes = envelope.payload.document();
    let checked = document::check(&bytes, &envelope.header);
    // A repeated attempt stores it under the same name.
    let (kind, begun) = (PayloadKind::Ubl, &mut Vec::new());
    let ubl = bucket.put(mode, taxpayer_id, document_id, kind, bytes.into_owned(), begun).await?;
    let names = (taxpayer_id.clone(), document_id.clone());
    let document = document::record(leased, names, &envelope.header, checked, ubl, ctx.now())?;
    tracing::info!(%document_id, status = document.status.as_str(), "a document was validated");
    let (answer, due) = mls_outbound::owed(validating, leased, &envelope.header, &document);
    let tax_report = first::of_received(ctx, mode, leased, &document, due);
    let reporting = tax_report.as_ref().map(|new| Reporting::of(&new.tax_report));
    let document = DocumentRecord { reporting, ..document };
    let events = match document.status {
        Status::Received => {
            let (kind, participant) = (EventType::DocumentReceived, &taxpayer.participant_id);
            let event = record::event(ctx, mode, kind, participant, &document);
            vec![event.map_err(|error| StoreError::Corrupt(error.into()))?]
        }
        _ => Vec::new(),
    };
    let validated = ValidatedMessage::Document {
        document: &document,
        events: &events,
        answer: (&answer, due),
        tax_report: tax_report.as_ref(),
    };
    ctx.store.end_message(mode, leased, validated).await
}
