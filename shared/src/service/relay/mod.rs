//! Relays due jobs from the table to their queues (transactional outbox): an event becomes deliveries, and a document
//! goes to its next stage. The stream calls the relay at once. The sweeper calls it for jobs that the stream lost. A
//! job may be relayed twice: then its deliveries exist already, and its second message has no effect.
//!
//! An event with one delivery stays in the index of due jobs until that delivery has ended, or has an entry of its own: one
//! entry for both (`fan_out`).

mod batch;
mod endpoints;
mod fan_out;
mod outgoing;

use futures_util::future::join_all;
use jiff::SignedDuration;
use tracing::Instrument;

use super::{
    Context, Relaying, later, notifications, report,
    retry::{self, MAX_TRIES},
};
use crate::{
    error::{Code, Failure},
    store::{
        Addressee, ApplicationMessage, ApplicationRecord, ApplicationStatus, ArchiveMessage,
        ArchiveRecord, ArchiveStatus, Carried, DeliveryRecord, DeliveryStatus, DocumentRecord, Due,
        EnvelopeHash, Image, ImportMessage, ImportRecord, ImportStatus, Job, JobVersion,
        MailMessage, MailRecord, MailStatus, MailSubject, Mark, MessageRecord, MessageStatus,
        MlsOutboundMessage, MlsOutboundRecord, MlsOutboundStatus, OfDocument, PeppolReportMessage,
        PeppolReportRecord, PeppolReportStatus, QueueError, Receipt, RegisterMessage,
        RegistrationRecord, RegistrationStatus, ReportMessage, StageMessage, Status, StoreError,
        TaxReportRecord, TaxReportStatus, TransmissionRecord, ValidateInboundMessage, keys::JobId,
    },
    types::Mode,
};

pub use batch::Batch;
pub use endpoints::KnownEndpoints;
use fan_out::fan_out;
use outgoing::Outgoing;

/// How many messages of a queue are sent together.
const MESSAGES_IN_BATCH: usize = 10;

/// What happens next to a job that is relayed.
enum Onward {
    /// A message goes to the queue of its stage. The sweeper looks again when the message must have arrived.
    Send(Outgoing),
    /// Nothing, but the item stays in the index: it watches over the job that its message is about.
    Watches,
    /// Nothing. The item expires after this time, if it expires at all.
    Done { kept: Option<SignedDuration> },
    /// The relay has done the work, and has recorded it.
    Relayed,
}

impl Batch {
    /// Relays the job of a stream record, if it still carries the mark. The record's image is used until the sweeper may
    /// claim the job; then the job is read. A failed job is rescheduled. An error means that the reschedule could not be
    /// written either, and that the stream must bring the record again.
    pub async fn relay(&self, job_id: &JobId, image: Option<Image>) -> Result<(), Failure> {
        let ctx = &self.relaying.ctx;
        let work = async {
            let relayed = async {
                let job = match image.map(|image| image.job(job_id, ctx.now())) {
                    Some(Ok(Some(job))) => Some(job),
                    _ => ctx.store.get_job(job_id).await?,
                };
                match job.filter(|job| job.mark.is_some()) {
                    Some(job) => forward(self, job).await,
                    None => Ok(()),
                }
            };
            match relayed.await {
                Ok(()) => Ok(()),
                Err(failure) => retry::failed(ctx, job_id, failure).await,
            }
        };
        work.instrument(retry::span("relay", job_id)).await
    }
}

/// The result of relaying a job that may be due: whether it was.
pub(super) type Relayed = Result<bool, Failure>;

/// Relays those of several jobs that are due. Their messages share batches. Returns the results in the order of the jobs.
pub(super) async fn relay_due(relaying: &Relaying, job_ids: &[JobId]) -> Vec<Relayed> {
    let (batch, now) = (&Batch::new(relaying), relaying.ctx.now());
    let jobs = match relaying.ctx.store.get_jobs(job_ids).await {
        Ok(jobs) => jobs,
        // One by one: an item that cannot be read must not hold up the others.
        Err(_) => join_all(job_ids.iter().map(|job_id| relaying.ctx.store.get_job(job_id))).await,
    };
    list_open(&relaying.ctx, &jobs).await;
    let planned = job_ids.iter().zip(jobs).map(|(job_id, job)| {
        let planned = async move {
            match job?.filter(|job| job.due_at <= now) {
                Some(job) => plan(batch, job).await.map(Some),
                None => Ok(None),
            }
        };
        planned.instrument(retry::span("sweep", job_id))
    });
    let (mut results, mut outgoing) = (Vec::with_capacity(job_ids.len()), Vec::new());
    for (place, planned) in join_all(planned).await.into_iter().enumerate() {
        results.push(match planned {
            Ok(Some(Planned { version, onward: Onward::Send(message) })) => {
                outgoing.push((place, version, message));
                Ok(true)
            }
            Ok(Some(Planned { version, onward })) => {
                note(relaying, &version, onward).await.map(|()| true)
            }
            Ok(None) => Ok(false),
            Err(failure) => Err(failure),
        });
    }
    for (place, sent) in send_all(relaying, outgoing).await {
        results[place] = sent.map(|()| true);
    }
    results
}

/// Lists the tax reports among jobs that the sweeper comes to: they are open for longer than most. The job of a report that
/// cannot be listed is done all the same, and lists it the next time.
async fn list_open(ctx: &Context, jobs: &[Result<Option<Job>, StoreError>]) {
    let found = jobs.iter().filter_map(|job| job.as_ref().ok()?.as_ref());
    let reports = found.filter(|job| matches!(job.version.job_id, JobId::TaxReport(..)));
    let reports: Vec<TaxReportRecord> = reports.filter_map(|job| job.record().ok()).collect();
    if let Err(error) = ctx.store.list_open_tax_reports(&reports, ctx.now()).await {
        tracing::warn!(%error, "open tax reports were not listed");
    }
}

/// A job whose next step is known.
struct Planned {
    version: JobVersion,
    onward: Onward,
}

/// Decides the next step of a job. The work that the relay does itself is done here.
async fn plan(batch: &Batch, job: Job) -> Result<Planned, Failure> {
    let relaying = &batch.relaying;
    let ctx = &relaying.ctx;
    let version = job.version.clone();
    if version.tries >= MAX_TRIES {
        let failure = Failure::new(Code::ServiceUnavailable, "no worker could finish it");
        retry::reschedule(ctx, &version, version.tries, failure).await?;
        return Ok(Planned { version, onward: Onward::Relayed });
    }
    let onward = match &version.job_id {
        JobId::Document(mode, ..) => document(*mode, &job.record()?)?,
        JobId::Event(..) => fan_out(batch, &job.record()?).await?,
        JobId::Delivery(..) => attempt(&job.record()?)?,
        JobId::Message(mode, envelope) => message(*mode, envelope, &job.record()?)?,
        JobId::MlsOutbound(mode, _) => answer(*mode, &job.record()?)?,
        JobId::Registration(..) => registration(&job.record()?)?,
        JobId::TaxReport(..) => {
            let record = job.record()?;
            let overdue_at = report::overdue_at(&record);
            if record.status == TaxReportStatus::Submitted && ctx.now() < overdue_at {
                ctx.store.reschedule(&version, 0, Due::watched(overdue_at)).await?;
                return Ok(Planned { version, onward: Onward::Relayed });
            }
            tax_report(&record)?
        }
        JobId::PeppolReport(..) => peppol_report(&job.record()?)?,
        JobId::Archive(..) => archive(&job.record()?)?,
        JobId::Import(..) => import(&job.record()?)?,
        JobId::Receipt(mode, _) => receipt(*mode, job.record()?)?,
        JobId::Mail(..) => mail(&job.record()?)?,
        JobId::Application(..) => application(&job.record()?)?,
        JobId::Notice(..) => {
            notifications::take_turn(ctx, &version, &job.record()?).await?;
            Onward::Relayed
        }
    };
    Ok(Planned { version, onward })
}

/// Sends a job to its queue. The message is sent before the mark is removed, so that a failure in between sends it
/// twice rather than never.
async fn forward(batch: &Batch, job: Job) -> Result<(), Failure> {
    let (relaying, mark) = (&batch.relaying, job.mark);
    let Planned { version, onward } = plan(batch, job).await?;
    let Onward::Send(message) = onward else { return note(relaying, &version, onward).await };
    let now = relaying.ctx.now();
    let delay = mark.map_or(SignedDuration::ZERO, |mark| mark.delay(now));
    outgoing::send(relaying, &[(message, delay)]).await?;
    Ok(relaying.ctx.store.note_sent(&version, mark, later(now, delay)).await?)
}

/// Records what has no message of its own.
async fn note(relaying: &Relaying, version: &JobVersion, onward: Onward) -> Result<(), Failure> {
    let ctx = &relaying.ctx;
    match onward {
        Onward::Watches => ctx.store.note_sent(version, Some(Mark::Now), ctx.now()).await?,
        Onward::Done { kept } => {
            let expires = kept.map(|kept| later(ctx.now(), kept));
            ctx.store.note_done(version, expires).await?;
        }
        Onward::Send(_) | Onward::Relayed => {}
    }
    Ok(())
}

/// Sends messages in the batches of their queues, and notes that they are sent.
async fn send_all(
    relaying: &Relaying,
    mut messages: Vec<(usize, JobVersion, Outgoing)>,
) -> Vec<(usize, Result<(), Failure>)> {
    messages.sort_by_key(|(_, _, message)| message.queue());
    let batches = messages.chunk_by(|(_, _, one), (_, _, other)| one.queue() == other.queue());
    let batches = batches.flat_map(|of_queue| of_queue.chunks(MESSAGES_IN_BATCH));
    let sent = join_all(batches.map(async |batch| {
        let messages: Vec<_> =
            batch.iter().map(|(_, _, it)| (it.clone(), SignedDuration::ZERO)).collect();
        let together = outgoing::send(relaying, &messages).await.is_ok();
        let now = relaying.ctx.now();
        let noted = batch.iter().zip(messages).map(async |((place, version, _), message)| {
            let work = async {
                // A message that the queue refuses must not hold up the others.
                if !together {
                    outgoing::send(relaying, &[message]).await?;
                }
                Ok(relaying.ctx.store.note_sent(version, None, now).await?)
            };
            (*place, work.instrument(retry::span("sweep", &version.job_id)).await)
        });
        join_all(noted).await
    }));
    sent.await.into_iter().flatten().collect()
}

/// Sends a document to its next stage.
fn document(mode: Mode, record: &DocumentRecord) -> Result<Onward, Failure> {
    let message = StageMessage {
        mode,
        taxpayer_id: record.taxpayer_id.clone(),
        document_id: record.document_id.clone(),
        organization_id: record.organization_id.clone(),
    };
    Ok(match record.status {
        Status::Accepted => Onward::Send(Outgoing::Convert(message)),
        Status::Converted | Status::Dispatching => Onward::Send(Outgoing::Dispatch(message)),
        Status::Sent
        | Status::Unconfirmed
        | Status::Failed
        | Status::Delivered
        | Status::Forwarded
        | Status::Received
        | Status::Rejected => Onward::Done { kept: None },
        Status::Unknown => return Err(newer("document")),
    })
}

/// Sends a message of another access point to its validation.
fn message(mode: Mode, envelope: &EnvelopeHash, record: &MessageRecord) -> Result<Onward, Failure> {
    match record.status {
        MessageStatus::Received => {
            let taxpayer_id = match &record.addressee {
                Addressee::Taxpayer { taxpayer_id, .. } => Some(taxpayer_id.clone()),
                Addressee::Provider => None,
                Addressee::Unknown => return Err(newer("message")),
            };
            let message = ValidateInboundMessage { mode, envelope: envelope.clone(), taxpayer_id };
            Ok(Onward::Send(Outgoing::ValidateInbound(message)))
        }
        MessageStatus::Claimed | MessageStatus::Validated => Ok(Onward::Done { kept: None }),
        MessageStatus::Unknown => Err(newer("message")),
    }
}

/// Dispatches the Message Level Status that we owe for a document.
fn answer(mode: Mode, record: &MlsOutboundRecord) -> Result<Onward, Failure> {
    match record.status {
        MlsOutboundStatus::Waiting | MlsOutboundStatus::Answering => {
            let (document_id, taxpayer_id) = (&record.document_id, &record.taxpayer_id);
            let (document_id, taxpayer_id) = (document_id.clone(), taxpayer_id.clone());
            let message = MlsOutboundMessage { mode, document_id, taxpayer_id };
            Ok(Onward::Send(Outgoing::MlsOutbound(message)))
        }
        MlsOutboundStatus::Sent
        | MlsOutboundStatus::Unconfirmed
        | MlsOutboundStatus::Undeliverable
        | MlsOutboundStatus::NotOwed => Ok(Onward::Done { kept: None }),
        MlsOutboundStatus::Unknown => Err(newer("MLS")),
    }
}

/// Sends a taxpayer to the publication in a register.
fn registration(record: &RegistrationRecord) -> Result<Onward, Failure> {
    if record.status == RegistrationStatus::Unknown {
        return Err(newer("registration"));
    }
    if record.status.after_update().is_none() {
        return Ok(Onward::Done { kept: None });
    }
    let RegistrationRecord { mode, taxpayer_id, register, .. } = record.clone();
    Ok(Onward::Send(Outgoing::Register(RegisterMessage { mode, taxpayer_id, register })))
}

/// Dispatches a tax report, or checks whether its verdict is overdue.
fn tax_report(record: &TaxReportRecord) -> Result<Onward, Failure> {
    match record.status {
        TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Submitted => {
            let TaxReportRecord { taxpayer_id, report_id, .. } = record.clone();
            Ok(Onward::Send(Outgoing::Report(ReportMessage { taxpayer_id, report_id })))
        }
        TaxReportStatus::Reported | TaxReportStatus::NotCompliant | TaxReportStatus::Failed => {
            Ok(Onward::Done { kept: None })
        }
        TaxReportStatus::Unknown => Err(newer("tax report")),
    }
}

/// Dispatches an OpenPeppol report.
fn peppol_report(record: &PeppolReportRecord) -> Result<Onward, Failure> {
    match record.status {
        PeppolReportStatus::Due | PeppolReportStatus::Sending => {
            let message = PeppolReportMessage { report_id: record.id.clone() };
            Ok(Onward::Send(Outgoing::PeppolReport(message)))
        }
        PeppolReportStatus::Sent | PeppolReportStatus::Failed => Ok(Onward::Done { kept: None }),
        PeppolReportStatus::Unknown => Err(newer("OpenPeppol report")),
    }
}

/// Sends a delivery to its next attempt.
fn attempt(delivery: &DeliveryRecord) -> Result<Onward, Failure> {
    match delivery.status {
        DeliveryStatus::Due | DeliveryStatus::Delivering => {
            Ok(Onward::Send(Outgoing::Deliver(delivery.into())))
        }
        DeliveryStatus::Delivered | DeliveryStatus::Exhausted => Ok(Onward::Done { kept: None }),
        DeliveryStatus::Unknown => Err(newer("delivery")),
    }
}

/// Sends an archive to the function that gathers it.
fn archive(record: &ArchiveRecord) -> Result<Onward, Failure> {
    match record.status {
        ArchiveStatus::Running => {
            let ArchiveRecord { mode, taxpayer_id, archive_id, .. } = record.clone();
            let message = ArchiveMessage { mode, taxpayer_id, archive_id };
            Ok(Onward::Send(Outgoing::Archive(message)))
        }
        ArchiveStatus::Completed | ArchiveStatus::TooLarge => Ok(Onward::Done { kept: None }),
        ArchiveStatus::Unknown => Err(newer("archive")),
    }
}

/// Sends an import to the function that works on it.
fn import(record: &ImportRecord) -> Result<Onward, Failure> {
    match record.status {
        ImportStatus::Running => {
            let ImportRecord { mode, organization_id, taxpayer_id, import_id, .. } = record.clone();
            let message = ImportMessage { mode, organization_id, taxpayer_id, import_id };
            Ok(Onward::Send(Outgoing::Import(message)))
        }
        ImportStatus::Completed => Ok(Onward::Done { kept: None }),
        ImportStatus::Unknown => Err(newer("import")),
    }
}

/// Sends a receipt that did not move to the bucket to the stage that got it.
fn receipt(mode: Mode, record: TransmissionRecord) -> Result<Onward, Failure> {
    let Some(Receipt::Inline(_)) = record.receipt else { return Ok(Onward::Done { kept: None }) };
    Ok(Onward::Send(match record.carries {
        Carried::Document(OfDocument { taxpayer_id, document_id }) => {
            let organization_id = None;
            Outgoing::Dispatch(StageMessage { mode, taxpayer_id, document_id, organization_id })
        }
        Carried::Status(OfDocument { taxpayer_id, document_id }) => {
            Outgoing::MlsOutbound(MlsOutboundMessage { mode, document_id, taxpayer_id })
        }
        Carried::Report(OfDocument { taxpayer_id, .. }, report_id) => {
            Outgoing::Report(ReportMessage { taxpayer_id, report_id })
        }
        Carried::PeppolReport(report_id) => {
            Outgoing::PeppolReport(PeppolReportMessage { report_id })
        }
        Carried::Unknown => return Err(newer("receipt")),
    }))
}

/// Sends a mail to the function that hands it over.
fn mail(record: &MailRecord) -> Result<Onward, Failure> {
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
            Ok(Onward::Send(Outgoing::Mail(message)))
        }
        (MailStatus::Sent | MailStatus::Dropped, _) => Ok(Onward::Done { kept: None }),
        (MailStatus::Unknown, _) | (_, MailSubject::Unknown) => Err(newer("mail")),
    }
}

/// Sends an application to the function that registers its business.
fn application(record: &ApplicationRecord) -> Result<Onward, Failure> {
    match record.status {
        ApplicationStatus::Registration => {
            let ApplicationRecord { mode, application_id, .. } = record.clone();
            let message = ApplicationMessage { mode, application_id };
            Ok(Onward::Send(Outgoing::Application(message)))
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
