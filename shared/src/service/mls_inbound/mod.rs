//! Validates a status message. It applies to our document only if it comes from the provider that has the document, and
//! only once. The validation writes nothing: `receive` records it with the message, or `validate_inbound` later.

pub(super) mod findings;
mod verdict;

use jiff::{SignedDuration, Timestamp};

use super::{Context, later, record};
use crate::{
    peppol::{
        identifiers::{InstanceId, SeatId, Spid},
        mls::{self, Verdict},
        sbdh::Envelope,
    },
    store::{
        AttemptOutcome, Bucket, DocumentRecord, MessageLevelStatus, MessageRecord, SettledDocument,
        SettledTaxReport, Settling, Status, StatusCode, StatusEffect, StatusRecord, StoreError,
        TaxReportRecord, TaxReportStatus, TransmissionRecord, ValidatedStatus,
    },
    types::{Mode, ParticipantId},
};

/// How long a status waits for the end of our transmission, whose receipt it may have overtaken. Longer than the
/// attempts of a report continue.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(50);
/// The shortest pause before the next look. The pause grows with the age of the status.
const LEAST_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(60);

/// Our document and its transmission.
struct Ours {
    document: DocumentRecord,
    transmission: Option<TransmissionRecord>,
}

/// What becomes of a status message.
#[derive(Debug)]
pub(super) enum StatusValidation {
    /// It overtook the receipt of its subject. It is validated again at this instant.
    Waits(Timestamp),
    /// It is kept with its effect, or with the reason why it has none. `None` when it is not a valid status message, or
    /// is kept already: then only the message ends.
    Ends(Option<Box<ValidatedStatus>>),
}

/// Validates a stored status message.
pub(super) async fn validate(
    (ctx, bucket): (&Context, &Bucket),
    mode: Mode,
    message: &MessageRecord,
    envelope: &Envelope<'_>,
) -> Result<StatusValidation, StoreError> {
    let status = match mls::read(&envelope.payload.document()) {
        Ok(status) => status,
        Err(error) => {
            // The message itself is kept. It has no content to act on.
            tracing::warn!(
                as4.sender = %message.sender, %error, status_effect = "unreadable",
                "a status message is not valid"
            );
            return Ok(StatusValidation::Ends(None));
        }
    };
    let about = find(ctx, mode, &status).await?;
    // What matches messages expires. One that comes again after that changes nothing.
    let is_known = match &about {
        Some(found) => found.said() == Some(&message.instance_id),
        None => ctx.store.is_status_kept(mode, &status.ref_to, &message.hash()).await?,
    };
    if is_known {
        return Ok(StatusValidation::Ends(None));
    }
    let theirs = (&message.sender, &envelope.header.sender, &status.sender);
    let effect = match &about {
        None => StatusEffect::NoDocument,
        Some(Found::Document(ours)) => effect(ours, theirs)?,
        Some(Found::TaxReport(tax_report)) => verdict::effect(tax_report, theirs)?,
    };
    if effect == StatusEffect::Early
        && let Some(until) = next_look(message.received_at, ctx.now())
    {
        tracing::info!(%until, "a status arrived before the receipt of its subject and waits");
        return Ok(StatusValidation::Waits(until));
    }
    let kept = kept(message, &status, effect)?;
    let settling = match about.filter(|_| effect == StatusEffect::Applied) {
        None => None,
        Some(Found::Document(ours)) => {
            Some(Box::pin(settle((ctx, bucket), mode, &kept, ours.document, &status)).await?)
        }
        Some(Found::TaxReport(tax_report)) => {
            Some(Box::pin(verdict::settle(ctx, &kept, *tax_report, &status)).await?)
        }
    };
    Ok(StatusValidation::Ends(Some(Box::new(ValidatedStatus { status: kept, settling }))))
}

/// The record of a status message, with its effect.
fn kept(
    message: &MessageRecord,
    status: &mls::Status,
    effect: StatusEffect,
) -> Result<StatusRecord, StoreError> {
    let envelope = message.envelope.clone();
    Ok(StatusRecord {
        instance_id: message.instance_id.clone(),
        sender: message.sender.clone(),
        code: status.verdict.code().to_owned(),
        issued_at: status.issued_at,
        received_at: message.received_at,
        envelope: envelope.ok_or_else(|| StoreError::Corrupt("no envelope".into()))?,
        receipt: message.receipt.clone(),
        ref_to: status.ref_to.clone(),
        effect: Some(effect),
    })
}

/// The subject of a status.
enum Found {
    Document(Box<Ours>),
    TaxReport(Box<TaxReportRecord>),
}

impl Found {
    /// The message of the status that it has.
    fn said(&self) -> Option<&InstanceId> {
        match self {
            Found::Document(ours) => {
                ours.document.message_level_status.as_ref().map(|said| &said.instance_id)
            }
            Found::TaxReport(report) => report.verdict.as_ref().map(|said| &said.instance_id),
        }
    }
}

/// The subject that a status refers to by the identifier of its envelope.
async fn find(
    ctx: &Context,
    mode: Mode,
    status: &mls::Status,
) -> Result<Option<Found>, StoreError> {
    let store = &ctx.store;
    // Our own identifiers are UUIDs.
    let Ok(name) = status.ref_to.as_str().parse::<uuid::Uuid>() else { return Ok(None) };
    let Some(carried) = store.find_transmitted(mode, &name.into()).await? else { return Ok(None) };
    let (taxpayer_id, document_id) = (&carried.taxpayer_id, &carried.document_id);
    if let Some(report_id) = &carried.report_id {
        let tax_report = store.get_tax_report(taxpayer_id, report_id).await?;
        return Ok(tax_report.map(|tax_report| Found::TaxReport(Box::new(tax_report))));
    }
    let Some(document) = store.get_document(mode, taxpayer_id, document_id).await? else {
        return Ok(None);
    };
    let transmission = store.get_transmission(mode, taxpayer_id, document_id).await?;
    Ok(Some(Found::Document(Box::new(Ours { document, transmission }))))
}

/// The effect of a status on its document. Peppol MLS: it comes from the receiver's provider (C3), and there is one for
/// each message.
fn effect(ours: &Ours, theirs: Theirs<'_>) -> Result<StatusEffect, StoreError> {
    let (signer, ..) = theirs;
    let is_theirs = |spid: &Spid| spid.main_id() == signer.spid().main_id();
    if !is_one(theirs) || !holders(ours).any(|holder| is_theirs(holder.spid())) {
        return Ok(StatusEffect::Foreign);
    }
    Ok(match ours.document.status {
        Status::Accepted | Status::Converted | Status::Dispatching => StatusEffect::Early,
        Status::Sent | Status::Unconfirmed => StatusEffect::Applied,
        Status::Delivered | Status::Forwarded | Status::Rejected => StatusEffect::Second,
        Status::Failed => StatusEffect::Late,
        Status::Received => StatusEffect::NoDocument,
        Status::Unknown => {
            return Err(StoreError::Unavailable(
                "the document has a status of a newer version".into(),
            ));
        }
    })
}

/// Who signed a status message, who sent it, and who it says has sent it.
type Theirs<'a> = (&'a SeatId, &'a ParticipantId, &'a Spid);

/// Whether one provider signed a status message, sent it, and is named in it.
fn is_one((signer, sender, says): Theirs<'_>) -> bool {
    let is_theirs = |spid: &Spid| spid.main_id() == signer.spid().main_id();
    is_theirs(says) && Spid::try_from(sender).is_ok_and(|sender| is_theirs(&sender))
}

/// The seats that have the document. A seat that gave a receipt or said that it has the document is certain. Without
/// one, all seats count that may have received a message.
fn holders(ours: &Ours) -> impl Iterator<Item = SeatId> {
    let attempts = ours.transmission.iter().flat_map(|transmission| &transmission.attempts);
    let said_so = |outcome| matches!(outcome, AttemptOutcome::Received | AttemptOutcome::Duplicate);
    let known = attempts.clone().any(|attempt| attempt.outcome.is_some_and(said_so));
    let holds = move |outcome: Option<AttemptOutcome>| match outcome {
        Some(outcome) if known => said_so(outcome),
        None => !known,
        Some(outcome) => matches!(outcome, AttemptOutcome::Unconfirmed | AttemptOutcome::Unknown),
    };
    let holders =
        attempts.filter(move |attempt| attempt.message_id.is_some() && holds(attempt.outcome));
    holders.filter_map(|attempt| attempt.receiver.as_deref()?.parse().ok())
}

/// When to look again at a status that came too early. `None` when it has waited long enough.
fn next_look(received_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let age = now.duration_since(received_at);
    (age < LONGEST_WAIT).then(|| later(now, age.clamp(LEAST_PAUSE, LONGEST_PAUSE)))
}

/// Gives the document its final status.
async fn settle(
    (ctx, bucket): (&Context, &Bucket),
    mode: Mode,
    kept: &StatusRecord,
    document: DocumentRecord,
    status: &mls::Status,
) -> Result<Settling, StoreError> {
    let taxpayer = ctx.taxpayer_of_job(mode, &document.taxpayer_id).await?;
    let (code, becomes) = match status.verdict {
        Verdict::Accepted(_) => (StatusCode::Delivered, Status::Delivered),
        Verdict::AcceptedUnconfirmed(_) => (StatusCode::Forwarded, Status::Forwarded),
        Verdict::Rejected(_) => (StatusCode::Rejected, Status::Rejected),
    };
    let said = MessageLevelStatus {
        code,
        instance_id: kept.instance_id.clone(),
        sender: kept.sender.clone(),
        issued_at: kept.issued_at,
        received_at: kept.received_at,
        description: findings::description(&status.verdict),
        findings: findings::of(bucket, &document, &status.verdict).await?,
    };
    let at = ctx.now();
    let changed = DocumentRecord {
        status: becomes,
        updated_at: at,
        message_level_status: Some(said.clone()),
        ..document.clone()
    };
    let event =
        record::status_event(ctx, mode, &taxpayer.participant_id, document.status, &changed)
            .map_err(|error| StoreError::Corrupt(error.into()))?;
    let settled = SettledDocument { read: document, status: becomes, said, at, event };
    Ok(Settling::Document(Box::new(settled)))
}

/// Notes that a status message is kept, with its effect. The template makes metrics of `status_effect` and
/// `report_refused`.
pub(super) fn note(ValidatedStatus { status: kept, settling }: &ValidatedStatus) {
    match settling {
        Some(Settling::Document(settled)) => tracing::info!(
            document_id = %settled.read.document_id, status = settled.status.as_str(),
            "a status message settles a document"
        ),
        Some(Settling::TaxReport(settled)) => {
            let SettledTaxReport { tax_report, status, .. } = &**settled;
            let refused = u8::from(*status == TaxReportStatus::NotCompliant);
            tracing::info!(
                report_id = %tax_report.report_id, document_id = %tax_report.document_id,
                status = status.as_str(), report_refused = refused,
                "the authority's verdict completes a tax report"
            );
        }
        None => {}
    }
    let effect = kept.effect.map_or("", StatusEffect::as_str);
    tracing::info!(
        as4.sender = %kept.sender, ref_to = %kept.ref_to, code = kept.code,
        status_effect = effect, "a status message was kept"
    );
}

#[cfg(test)]
mod tests;
