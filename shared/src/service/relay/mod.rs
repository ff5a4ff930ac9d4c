//! Relays due jobs from the table to their queues (transactional outbox): an event becomes deliveries, and a document
//! goes to its next stage. The stream calls the relay at once. The sweeper calls it for jobs that the stream lost. A
//! job may be relayed twice: then its deliveries exist already, and its second message has no effect.

mod batch;
mod fan_out;

use jiff::SignedDuration;
use tracing::Instrument;

use super::{
    QUEUE_GRACE, Relaying, later, notifications,
    retry::{self, MAX_TRIES},
};
use crate::{
    error::{Code, Failure},
    store::{
        Addressee, ApplicationMessage, ApplicationRecord, ApplicationStatus, ArchiveMessage,
        ArchiveRecord, ArchiveStatus, Carried, DeliveryRecord, DeliveryStatus, DocumentRecord,
        EnvelopeHash, ImportMessage, ImportRecord, ImportStatus, Job, MailMessage, MailRecord,
        MailStatus, MailSubject, MessageRecord, MessageStatus, MlsOutboundMessage,
        MlsOutboundRecord, MlsOutboundStatus, OfDocument, PeppolReportMessage, PeppolReportRecord,
        PeppolReportStatus, QueueError, Receipt, RegisterMessage, RegistrationRecord,
        RegistrationStatus, ReportMessage, StageMessage, Status, TaxReportRecord, TaxReportStatus,
        TransmissionRecord, ValidateInboundMessage, keys::JobId,
    },
    types::Mode,
};

pub use batch::Batch;
use fan_out::fan_out;

/// What happens next to a job that was relayed.
enum Onward {
    /// A message was sent. The sweeper looks again when the message must have arrived.
    Sent,
    /// Nothing. The item expires after this time, if it expires at all.
    Done { kept: Option<SignedDuration> },
}

impl Batch {
    /// Relays the job of a stream record, if it still carries the mark. The record's image is not used, since the job may
    /// have advanced. A failed job is rescheduled. An error means that the reschedule could not be written either, and
    /// that the stream must bring the record again.
    pub async fn relay(&self, job_id: &JobId) -> Result<(), Failure> {
        let work = async {
            match forward(self, job_id, |job| job.marked).await {
                Ok(_) => Ok(()),
                Err(failure) => retry::failed(&self.relaying.ctx, job_id, failure).await,
            }
        };
        work.instrument(retry::span("relay", job_id)).await
    }
}

/// Relays a job if it is due. Returns whether it was due.
pub(super) async fn relay_due(relaying: &Relaying, job_id: &JobId) -> Result<bool, Failure> {
    let now = relaying.ctx.now();
    forward(&Batch::new(relaying), job_id, |job| job.version.due_at <= now).await
}

/// Sends a job to its queue. The message is sent before the mark is removed, so that a failure in between sends it
/// twice rather than never.
async fn forward(
    batch: &Batch,
    job_id: &JobId,
    wanted: impl Fn(&Job) -> bool,
) -> Result<bool, Failure> {
    let relaying = &batch.relaying;
    let ctx = &relaying.ctx;
    let Some(job) = ctx.store.get_job(job_id).await?.filter(wanted) else {
        return Ok(false);
    };
    let version = &job.version;
    if version.tries >= MAX_TRIES {
        let failure = Failure::new(Code::ServiceUnavailable, "no worker could finish it");
        retry::reschedule(ctx, version, version.tries, failure).await?;
        return Ok(false);
    }
    let onward = match job_id {
        JobId::Document(mode, ..) => document(relaying, *mode, &job.record()?).await?,
        JobId::Event(..) => fan_out(batch, &job.record()?).await?,
        JobId::Delivery(..) => attempt(relaying, &job.record()?).await?,
        JobId::Message(mode, envelope) => {
            message(relaying, *mode, envelope, &job.record()?).await?
        }
        JobId::MlsOutbound(mode, _) => answer(relaying, *mode, &job.record()?).await?,
        JobId::Registration(..) => registration(relaying, &job.record()?).await?,
        JobId::TaxReport(..) => tax_report(relaying, &job.record()?).await?,
        JobId::PeppolReport(..) => peppol_report(relaying, &job.record()?).await?,
        JobId::Archive(..) => archive(relaying, &job.record()?).await?,
        JobId::Import(..) => import(relaying, &job.record()?).await?,
        JobId::Receipt(mode, _) => receipt(relaying, *mode, job.record()?).await?,
        JobId::Mail(..) => mail(relaying, &job.record()?).await?,
        JobId::Application(..) => application(relaying, &job.record()?).await?,
        JobId::Notice(..) => {
            notifications::take_turn(ctx, version, &job.record()?).await?;
            return Ok(true);
        }
    };
    match onward {
        Onward::Sent => ctx.store.note_sent(version, later(ctx.now(), QUEUE_GRACE)).await?,
        Onward::Done { kept } => {
            let expires = kept.map(|kept| later(ctx.now(), kept));
            ctx.store.note_done(version, expires).await?;
        }
    }
    Ok(true)
}

/// Sends a document to its next stage.
async fn document(
    relaying: &Relaying,
    mode: Mode,
    record: &DocumentRecord,
) -> Result<Onward, Failure> {
    let message = vec![StageMessage {
        mode,
        taxpayer_id: record.taxpayer_id.clone(),
        document_id: record.document_id.clone(),
        organization_id: record.organization_id.clone(),
    }];
    match record.status {
        Status::Accepted => relaying.convert.send(message).await?,
        Status::Converted | Status::Dispatching => relaying.dispatch.send(message).await?,
        Status::Sent
        | Status::Unconfirmed
        | Status::Failed
        | Status::Delivered
        | Status::Forwarded
        | Status::Received
        | Status::Rejected => return Ok(Onward::Done { kept: None }),
        Status::Unknown => return Err(newer("document")),
    }
    Ok(Onward::Sent)
}

/// Sends a message of another access point to its validation.
async fn message(
    relaying: &Relaying,
    mode: Mode,
    envelope: &EnvelopeHash,
    record: &MessageRecord,
) -> Result<Onward, Failure> {
    match record.status {
        MessageStatus::Received => {
            let taxpayer_id = match &record.addressee {
                Addressee::Taxpayer { taxpayer_id, .. } => Some(taxpayer_id.clone()),
                Addressee::Provider => None,
                Addressee::Unknown => return Err(newer("message")),
            };
            let message = ValidateInboundMessage { mode, envelope: envelope.clone(), taxpayer_id };
            relaying.validate_inbound.send(vec![message]).await?;
            Ok(Onward::Sent)
        }
        MessageStatus::Claimed | MessageStatus::Validated => Ok(Onward::Done { kept: None }),
        MessageStatus::Unknown => Err(newer("message")),
    }
}

/// Dispatches the Message Level Status that we owe for a document.
async fn answer(
    relaying: &Relaying,
    mode: Mode,
    record: &MlsOutboundRecord,
) -> Result<Onward, Failure> {
    match record.status {
        MlsOutboundStatus::Waiting | MlsOutboundStatus::Answering => {
            let (document_id, taxpayer_id) = (&record.document_id, &record.taxpayer_id);
            let (document_id, taxpayer_id) = (document_id.clone(), taxpayer_id.clone());
            relaying
                .mls_outbound
                .send(vec![MlsOutboundMessage { mode, document_id, taxpayer_id }])
                .await?;
            Ok(Onward::Sent)
        }
        MlsOutboundStatus::Sent
        | MlsOutboundStatus::Unconfirmed
        | MlsOutboundStatus::Undeliverable
        | MlsOutboundStatus::NotOwed => Ok(Onward::Done { kept: None }),
        MlsOutboundStatus::Unknown => Err(newer("MLS")),
    }
}

/// Sends a taxpayer to the publication in a register.
async fn registration(relaying: &Relaying, record: &RegistrationRecord) -> Result<Onward, Failure> {
    if record.status == RegistrationStatus::Unknown {
        return Err(newer("registration"));
    }
    if record.status.after_update().is_none() {
        return Ok(Onward::Done { kept: None });
    }
    let RegistrationRecord { mode, taxpayer_id, register, .. } = record.clone();
    relaying.register.send(vec![RegisterMessage { mode, taxpayer_id, register }]).await?;
    Ok(Onward::Sent)
}

/// Dispatches a tax report, or checks whether its verdict is overdue.
async fn tax_report(relaying: &Relaying, record: &TaxReportRecord) -> Result<Onward, Failure> {
    match record.status {
        TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Submitted => {
            let TaxReportRecord { taxpayer_id, report_id, .. } = record.clone();
            relaying.report.send(vec![ReportMessage { taxpayer_id, report_id }]).await?;
            Ok(Onward::Sent)
        }
        TaxReportStatus::Reported | TaxReportStatus::NotCompliant | TaxReportStatus::Failed => {
            Ok(Onward::Done { kept: None })
        }
        TaxReportStatus::Unknown => Err(newer("tax report")),
    }
}

/// Dispatches an OpenPeppol report.
async fn peppol_report(
    relaying: &Relaying,
    record: &PeppolReportRecord,
) -> Result<Onward, Failure> {
    match record.status {
        PeppolReportStatus::Due | PeppolReportStatus::Sending => {
            relaying
                .peppol_reports
                .send(vec![PeppolReportMessage { report_id: record.id.clone() }])
                .await?;
            Ok(Onward::Sent)
        }
        PeppolReportStatus::Sent | PeppolReportStatus::Failed => Ok(Onward::Done { kept: None }),
        PeppolReportStatus::Unknown => Err(newer("OpenPeppol report")),
    }
}

/// Sends a delivery to its next attempt.
async fn attempt(relaying: &Relaying, delivery: &DeliveryRecord) -> Result<Onward, Failure> {
    match delivery.status {
        DeliveryStatus::Due | DeliveryStatus::Delivering => {
            relaying.deliver.send(vec![delivery.into()]).await?;
            Ok(Onward::Sent)
        }
        DeliveryStatus::Delivered | DeliveryStatus::Exhausted => Ok(Onward::Done { kept: None }),
        DeliveryStatus::Unknown => Err(newer("delivery")),
    }
}

/// Sends an archive to the function that gathers it.
async fn archive(relaying: &Relaying, record: &ArchiveRecord) -> Result<Onward, Failure> {
    match record.status {
        ArchiveStatus::Running => {
            let ArchiveRecord { mode, taxpayer_id, archive_id, .. } = record.clone();
            let message = ArchiveMessage { mode, taxpayer_id, archive_id };
            relaying.archives.send(vec![message]).await?;
            Ok(Onward::Sent)
        }
        ArchiveStatus::Completed | ArchiveStatus::TooLarge => Ok(Onward::Done { kept: None }),
        ArchiveStatus::Unknown => Err(newer("archive")),
    }
}

/// Sends an import to the function that works on it.
async fn import(relaying: &Relaying, record: &ImportRecord) -> Result<Onward, Failure> {
    match record.status {
        ImportStatus::Running => {
            let ImportRecord { mode, organization_id, taxpayer_id, import_id, .. } = record.clone();
            let message = ImportMessage { mode, organization_id, taxpayer_id, import_id };
            relaying.imports.send(vec![message]).await?;
            Ok(Onward::Sent)
        }
        ImportStatus::Completed => Ok(Onward::Done { kept: None }),
        ImportStatus::Unknown => Err(newer("import")),
    }
}

/// Sends a receipt that did not move to the bucket to the stage that got it.
async fn receipt(
    relaying: &Relaying,
    mode: Mode,
    record: TransmissionRecord,
) -> Result<Onward, Failure> {
    let Some(Receipt::Inline(_)) = record.receipt else { return Ok(Onward::Done { kept: None }) };
    match record.carries {
        Carried::Document(OfDocument { taxpayer_id, document_id }) => {
            let organization_id = None;
            let message = StageMessage { mode, taxpayer_id, document_id, organization_id };
            relaying.dispatch.send(vec![message]).await?;
        }
        Carried::Status(OfDocument { taxpayer_id, document_id }) => {
            relaying
                .mls_outbound
                .send(vec![MlsOutboundMessage { mode, document_id, taxpayer_id }])
                .await?;
        }
        Carried::Report(OfDocument { taxpayer_id, .. }, report_id) => {
            relaying.report.send(vec![ReportMessage { taxpayer_id, report_id }]).await?;
        }
        Carried::PeppolReport(report_id) => {
            relaying.peppol_reports.send(vec![PeppolReportMessage { report_id }]).await?
        }
        Carried::Unknown => return Err(newer("receipt")),
    }
    Ok(Onward::Sent)
}

/// Sends a mail to the function that hands it over.
async fn mail(relaying: &Relaying, record: &MailRecord) -> Result<Onward, Failure> {
    match (record.status, &record.subject) {
        (
            MailStatus::Waiting,
            MailSubject::SignIn { .. }
            | MailSubject::SignUp { .. }
            | MailSubject::AccessEnded { .. }
            | MailSubject::AccessRevoked { .. }
            | MailSubject::NoticesMoved { .. }
            | MailSubject::Invited { .. }
            | MailSubject::EndpointDisabled { .. }
            | MailSubject::Notification { .. }
            | MailSubject::Onboarding { .. },
        ) => {
            let message = MailMessage { mode: record.mode, mail_id: record.mail_id.clone() };
            relaying.mail.send(vec![message]).await?;
            Ok(Onward::Sent)
        }
        (MailStatus::Sent | MailStatus::Dropped, _) => Ok(Onward::Done { kept: None }),
        (MailStatus::Unknown, _) | (_, MailSubject::Unknown) => Err(newer("mail")),
    }
}

/// Sends an application to the function that registers its business.
async fn application(relaying: &Relaying, record: &ApplicationRecord) -> Result<Onward, Failure> {
    match record.status {
        ApplicationStatus::Registration => {
            let ApplicationRecord { mode, application_id, .. } = record.clone();
            relaying.application.send(vec![ApplicationMessage { mode, application_id }]).await?;
            Ok(Onward::Sent)
        }
        ApplicationStatus::Appointment
        | ApplicationStatus::Verification
        | ApplicationStatus::Details
        | ApplicationStatus::HandedOver
        | ApplicationStatus::Finished => Ok(Onward::Done { kept: None }),
        ApplicationStatus::Unknown => Err(newer("application")),
    }
}

/// A job with a status of a newer version waits for that version: it must neither be lost nor go to a wrong queue.
fn newer(what: &str) -> Failure {
    let message = format!("The {what} is one of a newer version.");
    Failure::new(Code::ServiceUnavailable, message.clone()).because(message)
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::new(Code::ServiceUnavailable, "A queue cannot be reached: retry.").because(error)
    }
}
