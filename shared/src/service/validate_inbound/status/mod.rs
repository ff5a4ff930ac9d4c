//! Handles a status message. It applies to our document only if it comes from the provider that has the document, and
//! only once.

pub(super) mod findings;
mod verdict;

use jiff::{SignedDuration, Timestamp};

use crate::{
    peppol::{
        identifiers::{SeatId, Spid},
        mls::{self, Verdict},
        sbdh::Envelope,
    },
    service::{RELAY_GRACE, ValidatingInbound, job, later, record},
    store::{
        AttemptOutcome, DocumentRecord, Due, MessageLevelStatus, MessageRecord, Recorded,
        SettledDocument, Settling, Status, StatusCode, StatusEffect, StatusRecord, StoreError,
        TaxReportRecord, TransmissionRecord, ValidatedMessage, keys::JobId,
    },
    types::{Mode, ParticipantId},
};

/// How long a status waits for the end of our transmission, whose receipt it may have overtaken. Longer than the
/// attempts of a transmission continue.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(26);
/// The shortest pause before the next look. The pause grows with the age of the status.
const LEAST_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(60);

/// Our document and its transmission.
struct Ours {
    document: DocumentRecord,
    transmission: Option<TransmissionRecord>,
}

/// Applies a status message, or keeps it with the reason why it does not apply.
pub(super) async fn apply(
    validating: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
) -> Result<Recorded, StoreError> {
    let store = &validating.ctx.store;
    let status = match mls::read(&envelope.payload.document()) {
        Ok(status) => status,
        Err(error) => {
            // The message itself is kept. It has no content to act on.
            tracing::warn!(
                as4.sender = %leased.sender, %error, status_effect = "unreadable",
                "a status message is not valid"
            );
            return store.end_message(mode, leased, ValidatedMessage::Status(None)).await;
        }
    };
    let ours = match find(validating, mode, &status).await? {
        Some(Found::TaxReport(tax_report)) => {
            return Box::pin(verdict::apply(validating, leased, envelope, &status, *tax_report))
                .await;
        }
        Some(Found::Document(ours)) => Some(*ours),
        // What matches messages expires. One that comes again after that has its record, and changes nothing.
        None if store.is_status_kept(mode, &status.ref_to, &leased.hash()).await? => {
            return store.end_message(mode, leased, ValidatedMessage::Status(None)).await;
        }
        None => None,
    };
    let effect = match &ours {
        None => StatusEffect::NoDocument,
        Some(ours) => effect(ours, &leased.sender, &envelope.header.sender, &status.sender)?,
    };
    if effect == StatusEffect::Early
        && let Some(until) = next_look(leased.received_at, validating.ctx.now())
    {
        return wait(validating, mode, leased, until).await;
    }
    let kept = kept(leased, &status, effect)?;
    let recorded = match ours.filter(|_| effect == StatusEffect::Applied) {
        Some(ours) => Box::pin(settle(validating, mode, leased, &kept, ours, &status)).await?,
        None => {
            store.end_message(mode, leased, ValidatedMessage::Status(Some((&kept, None)))).await?
        }
    };
    if recorded == Recorded::Done {
        note(&kept);
    }
    Ok(recorded)
}

/// The record of a status message, with its effect.
fn kept(
    leased: &MessageRecord,
    status: &mls::Status,
    effect: StatusEffect,
) -> Result<StatusRecord, StoreError> {
    let envelope = leased.envelope.clone();
    Ok(StatusRecord {
        instance_id: leased.instance_id.clone(),
        sender: leased.sender.clone(),
        code: status.verdict.code().to_owned(),
        issued_at: status.issued_at,
        received_at: leased.received_at,
        envelope: envelope.ok_or_else(|| StoreError::Corrupt("no envelope".into()))?,
        receipt: leased.receipt.clone(),
        ref_to: status.ref_to.clone(),
        effect: Some(effect),
    })
}

/// The subject of a status.
enum Found {
    Document(Box<Ours>),
    TaxReport(Box<TaxReportRecord>),
}

/// The subject that a status refers to by the identifier of its envelope.
async fn find(
    validating: &ValidatingInbound,
    mode: Mode,
    status: &mls::Status,
) -> Result<Option<Found>, StoreError> {
    let store = &validating.ctx.store;
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
fn effect(
    ours: &Ours,
    signer: &SeatId,
    sender: &ParticipantId,
    says: &Spid,
) -> Result<StatusEffect, StoreError> {
    let is_theirs = |spid: &Spid| spid.main_id() == signer.spid().main_id();
    if !is_one(signer, sender, says) || !holders(ours).any(|holder| is_theirs(holder.spid())) {
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

/// Whether one provider signed a status message, sent it, and is named in it.
fn is_one(signer: &SeatId, sender: &ParticipantId, says: &Spid) -> bool {
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

/// Reschedules a message without counting an attempt.
async fn wait(
    validating: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
    until: Timestamp,
) -> Result<Recorded, StoreError> {
    let job_id = JobId::Message(mode, leased.hash());
    let Some(version) = job::version_of(job_id, leased) else { return Ok(Recorded::Lost) };
    tracing::info!(%until, "a status arrived before the receipt of its document and waits");
    let (store, due) = (&validating.ctx.store, Due::begins(until, validating.ctx.now()));
    let reschedule = store.reschedule(&version, 0, due).await?;
    Ok(if reschedule { Recorded::Done } else { Recorded::Lost })
}

/// Gives the document its final status.
async fn settle(
    validating: &ValidatingInbound,
    mode: Mode,
    leased: &MessageRecord,
    kept: &StatusRecord,
    ours: Ours,
    status: &mls::Status,
) -> Result<Recorded, StoreError> {
    let (ctx, document) = (&validating.ctx, ours.document);
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
        findings: findings::of(validating, &document, &status.verdict).await?,
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
    let settled = SettledDocument {
        read: &document,
        status: becomes,
        said: &said,
        at,
        event: &event,
        sweep_at: later(at, RELAY_GRACE),
    };
    let document_id = &document.document_id;
    tracing::info!(%document_id, status = becomes.as_str(), "a status message settles a document");
    let settling = Settling::Document(Box::new(settled));
    ctx.store
        .end_message(mode, leased, ValidatedMessage::Status(Some((kept, Some(settling)))))
        .await
}

/// The template makes a metric of `status_effect`.
fn note(kept: &StatusRecord) {
    let effect = kept.effect.map_or("", StatusEffect::as_str);
    tracing::info!(
        as4.sender = %kept.sender, ref_to = %kept.ref_to, code = kept.code,
        status_effect = effect, "a status message was kept"
    );
}

#[cfg(test)]
mod tests;
