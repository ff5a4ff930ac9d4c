//! What the table says must go on its way, goes: events become deliveries, documents go to their
//! next stage. The stream calls this at once, the sweeper for what the stream lost. It may happen
//! twice; then deliveries are found made and messages do nothing.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use tracing::Instrument;

use super::{
    Context, QUEUE_GRACE, Relaying, later,
    waiting::{self, MAX_TRIES},
};
use crate::{
    access::Audience,
    error::{Code, Failure},
    store::{
        Addressee, AnswerMessage, AnswerRecord, AnswerStatus, ApplicationMessage,
        ApplicationRecord, ApplicationStatus, ArchiveMessage, ArchiveRecord, ArchiveStatus,
        Awaited, Carried, DeliveryRecord, DeliveryStatus, DocumentRecord, Due, EVENT_KEPT,
        EnvelopeHash, EventRecord, EventType, FilingRecord, FilingStatus, ImportMessage,
        ImportRecord, ImportStatus, JudgeMessage, MailMessage, MailRecord, MailStatus, MailSubject,
        MessageRecord, MessageStatus, MonthlyMessage, MonthlyRecord, MonthlyStatus, OfDocument,
        QueueError, Reached, Receipt, RegisterMessage, RegistrationRecord, RegistrationStatus,
        ReportMessage, StageMessage, Status, StoreError, TransmissionRecord, Waiting, keys::Place,
    },
    types::{Mode, OrganizationId},
};

/// What is left to wait for.
enum Onward {
    /// A message is on its way: the sweeper looks again when it must have come.
    Sent,
    /// Nothing; the item is removed after this time, if ever.
    Done { kept: Option<SignedDuration> },
}

/// Relays the item of a stream record, if it still carries the mark. The record's image is not
/// used: the item may have moved on. What fails is put off; an error means that not even this
/// could be noted, and that the record should come again.
pub async fn relay(relaying: &Relaying, place: &Place) -> Result<(), Failure> {
    let work = async {
        match forward(relaying, place, |waiting| waiting.marked).await {
            Ok(_) => Ok(()),
            Err(failure) => waiting::failed(&relaying.ctx, place, failure).await,
        }
    };
    work.instrument(waiting::span("relay", place)).await
}

/// Relays the item at a place if it is due; tells whether it was.
pub(super) async fn relay_due(relaying: &Relaying, place: &Place) -> Result<bool, Failure> {
    let now = relaying.ctx.now();
    forward(relaying, place, |waiting| waiting.seen.due_at <= now).await
}

/// Sends an item to where it must go. The message goes before the mark: what fails between is sent
/// twice rather than never.
async fn forward(
    relaying: &Relaying,
    place: &Place,
    wanted: impl Fn(&Waiting) -> bool,
) -> Result<bool, Failure> {
    let ctx = &relaying.ctx;
    let Some(waiting) = ctx.store.get_waiting(place).await?.filter(wanted) else {
        return Ok(false);
    };
    let seen = &waiting.seen;
    if seen.tries >= MAX_TRIES {
        let failure =
            Failure::new(Code::ServiceUnavailable, "no worker has come to its end with it");
        waiting::put_off(ctx, seen, seen.tries, failure).await?;
        return Ok(false);
    }
    let onward = match place {
        Place::Document(mode, ..) => document(relaying, *mode, &waiting.record()?).await?,
        Place::Event(..) => fan_out(relaying, &waiting.record()?).await?,
        Place::Delivery(..) => attempt(relaying, &waiting.record()?).await?,
        Place::Message(mode, envelope) => {
            message(relaying, *mode, envelope, &waiting.record()?).await?
        }
        Place::Answer(mode, _) => answer(relaying, *mode, &waiting.record()?).await?,
        Place::Registration(..) => registration(relaying, &waiting.record()?).await?,
        Place::Filing(..) => filing(relaying, &waiting.record()?).await?,
        Place::Monthly(..) => monthly(relaying, &waiting.record()?).await?,
        Place::Archive(..) => archive(relaying, &waiting.record()?).await?,
        Place::Import(..) => import(relaying, &waiting.record()?).await?,
        Place::Receipt(mode, _) => receipt(relaying, *mode, waiting.record()?).await?,
        Place::Mail(..) => mail(relaying, &waiting.record()?).await?,
        Place::Application(..) => application(relaying, &waiting.record()?).await?,
    };
    match onward {
        Onward::Sent => ctx.store.note_sent(seen, later(ctx.now(), QUEUE_GRACE)).await?,
        Onward::Done { kept } => {
            let expires = kept.map(|kept| later(ctx.now(), kept));
            ctx.store.note_done(seen, expires).await?;
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

/// Sends a message of another access point to its judgement.
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
            let message = JudgeMessage { mode, envelope: envelope.clone(), taxpayer_id };
            relaying.judge.send(vec![message]).await?;
            Ok(Onward::Sent)
        }
        MessageStatus::Claimed | MessageStatus::Judged => Ok(Onward::Done { kept: None }),
        MessageStatus::Unknown => Err(newer("message")),
    }
}

/// Sends the status that is owed for a document on its way.
async fn answer(relaying: &Relaying, mode: Mode, record: &AnswerRecord) -> Result<Onward, Failure> {
    match record.status {
        AnswerStatus::Waiting | AnswerStatus::Answering => {
            let (document_id, taxpayer_id) = (&record.document_id, &record.taxpayer_id);
            let (document_id, taxpayer_id) = (document_id.clone(), taxpayer_id.clone());
            relaying.answer.send(vec![AnswerMessage { mode, document_id, taxpayer_id }]).await?;
            Ok(Onward::Sent)
        }
        AnswerStatus::Sent
        | AnswerStatus::Unconfirmed
        | AnswerStatus::Undeliverable
        | AnswerStatus::NotOwed => Ok(Onward::Done { kept: None }),
        AnswerStatus::Unknown => Err(newer("answer")),
    }
}

/// Has a register told of a taxpayer.
async fn registration(relaying: &Relaying, record: &RegistrationRecord) -> Result<Onward, Failure> {
    if record.status == RegistrationStatus::Unknown {
        return Err(newer("registration"));
    }
    if record.status.told().is_none() {
        return Ok(Onward::Done { kept: None });
    }
    let RegistrationRecord { mode, taxpayer_id, register, .. } = record.clone();
    relaying.register.send(vec![RegisterMessage { mode, taxpayer_id, register }]).await?;
    Ok(Onward::Sent)
}

/// Sends a filing on its way, or has somebody look whether its verdict is overdue.
async fn filing(relaying: &Relaying, record: &FilingRecord) -> Result<Onward, Failure> {
    match record.status {
        FilingStatus::Due | FilingStatus::Filing | FilingStatus::Submitted => {
            let FilingRecord { taxpayer_id, report_id, .. } = record.clone();
            relaying.report.send(vec![ReportMessage { taxpayer_id, report_id }]).await?;
            Ok(Onward::Sent)
        }
        FilingStatus::Reported | FilingStatus::NotCompliant | FilingStatus::Failed => {
            Ok(Onward::Done { kept: None })
        }
        FilingStatus::Unknown => Err(newer("filing")),
    }
}

/// Sends a report of a month on its way.
async fn monthly(relaying: &Relaying, record: &MonthlyRecord) -> Result<Onward, Failure> {
    match record.status {
        MonthlyStatus::Due | MonthlyStatus::Sending => {
            relaying.monthly.send(vec![MonthlyMessage { monthly: record.id.clone() }]).await?;
            Ok(Onward::Sent)
        }
        MonthlyStatus::Sent | MonthlyStatus::Failed => Ok(Onward::Done { kept: None }),
        MonthlyStatus::Unknown => Err(newer("monthly report")),
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

/// Turns an event into a delivery for each endpoint that it concerns, and has each organization that it concerns find it.
async fn fan_out(relaying: &Relaying, event: &EventRecord) -> Result<Onward, Failure> {
    let tells_more =
        event.reached == Some(Reached::Unknown) || event.awaits.contains(&Awaited::Unknown);
    if event.event_type == EventType::Unknown || event.audience == Audience::Unknown || tells_more {
        return Err(newer("event"));
    }
    let now = relaying.ctx.now();
    let mut messages = Vec::new();
    for organization_id in concerned(&relaying.ctx, event).await? {
        relaying.ctx.store.tell(&organization_id, event).await?;
        let endpoints = relaying.ctx.store.list_endpoints(event.mode, &organization_id).await?;
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.takes(event)) {
            let delivery = DeliveryRecord::due(endpoint, event, false, now);
            let due = Due::watched(later(now, QUEUE_GRACE));
            let stands = relaying.ctx.store.create_delivery(&delivery, due).await?;
            // One that an earlier relay made may not have been sent yet.
            if stands.status == DeliveryStatus::Due && stands.attempts == 0 {
                messages.push((&stands).into());
            }
        }
    }
    relaying.deliver.send(messages).await?;
    Ok(Onward::Done { kept: Some(EVENT_KEPT) })
}

/// Sends an archive to who brings it on.
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

/// Sends an import to who brings it on.
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
            relaying.answer.send(vec![AnswerMessage { mode, document_id, taxpayer_id }]).await?;
        }
        Carried::Report(OfDocument { taxpayer_id, .. }, report_id) => {
            relaying.report.send(vec![ReportMessage { taxpayer_id, report_id }]).await?;
        }
        Carried::Monthly(monthly) => {
            relaying.monthly.send(vec![MonthlyMessage { monthly }]).await?
        }
        Carried::Unknown => return Err(newer("receipt")),
    }
    Ok(Onward::Sent)
}

/// Sends a mail to who hands it over.
async fn mail(relaying: &Relaying, record: &MailRecord) -> Result<Onward, Failure> {
    match (record.status, &record.subject) {
        (
            MailStatus::Waiting,
            MailSubject::SignIn { .. }
            | MailSubject::AccessEnded { .. }
            | MailSubject::NoticesMoved { .. }
            | MailSubject::Invited { .. }
            | MailSubject::EndpointDisabled { .. }
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

/// Sends an application to who registers its business.
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

/// Nothing may get lost, and nothing go where it should not: an item whose words are those of a newer
/// version waits for it.
fn newer(what: &str) -> Failure {
    let message = format!("The {what} is one of a newer version.");
    Failure::new(Code::ServiceUnavailable, message.clone()).because(message)
}

/// The organizations that an event is for: grants since then have ended, and those made since then
/// do not count.
async fn concerned(
    ctx: &Context,
    event: &EventRecord,
) -> Result<BTreeSet<OrganizationId>, StoreError> {
    let grants = ctx.store.list_active_grants(event.mode, &event.taxpayer_id).await?;
    Ok(event.concerned(&grants))
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::new(Code::ServiceUnavailable, "A queue cannot be reached: retry.").because(error)
    }
}
