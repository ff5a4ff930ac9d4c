//! The verdict of the tax authority on a report: it holds if it comes from the authority that the report went
//! to, and once for all.
//!
//! | the filing is | a verdict of the authority |
//! |---|---|
//! | due or filing | has overtaken the receipt, and waits |
//! | submitted | ends it: AP and AB reported, RE not compliant |
//! | reported, not compliant | changes nothing: it is the second |
//! | failed | changes nothing: it is late, and somebody must look |

use super::status::{findings, is_one, kept, next_look, note, wait};
use crate::{
    peppol::{
        identifiers::{SeatId, Spid},
        mls::{self, Verdict},
        sbdh::Envelope,
    },
    service::{Judging, RELAY_GRACE, later, report::outcome},
    store::{
        FilingRecord, FilingSettled, FilingStatus, FilingVerdict, Judged, MessageRecord, Recorded,
        Settling, StatusCode, StatusEffect, StatusRecord, StoreError,
    },
    types::{Mode, ParticipantId},
};

/// Applies a status message about a report, or keeps it with the reason why not.
pub(super) async fn judge(
    judging: &Judging,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
    status: &mls::Status,
    filing: FilingRecord,
) -> Result<Recorded, StoreError> {
    let effect = effect(&filing, &leased.sender, &envelope.header.sender, &status.sender)?;
    if effect == StatusEffect::Early
        && let Some(until) = next_look(leased.received_at, judging.ctx.now())
    {
        return wait(judging, Mode::Live, leased, until).await;
    }
    let kept = kept(leased, status, effect)?;
    let recorded = match effect {
        StatusEffect::Applied => settle(judging, leased, &kept, &filing, status).await?,
        _ => {
            let judged = Judged::Status(Some((&kept, None)));
            judging.ctx.store.end_message(Mode::Live, leased, judged).await?
        }
    };
    if recorded == Recorded::Done {
        note(&kept);
    }
    Ok(recorded)
}

/// What a status does to the filing that it names.
fn effect(
    filing: &FilingRecord,
    signer: &SeatId,
    sender: &ParticipantId,
    says: &Spid,
) -> Result<StatusEffect, StoreError> {
    let authority = filing.authority.as_ref();
    let is_theirs = authority.is_some_and(|it| it.main_id() == signer.spid().main_id());
    if !is_theirs || !is_one(signer, sender, says) {
        return Ok(StatusEffect::Foreign);
    }
    Ok(match filing.status {
        FilingStatus::Due | FilingStatus::Filing => StatusEffect::Early,
        FilingStatus::Submitted => StatusEffect::Applied,
        FilingStatus::Reported | FilingStatus::NotCompliant => StatusEffect::Second,
        FilingStatus::Failed => StatusEffect::Late,
        FilingStatus::Unknown => {
            return Err(StoreError::Unavailable(
                "the filing has a status of a newer version".into(),
            ));
        }
    })
}

/// Gives the filing its outcome.
async fn settle(
    judging: &Judging,
    leased: &MessageRecord,
    kept: &StatusRecord,
    filing: &FilingRecord,
    status: &mls::Status,
) -> Result<Recorded, StoreError> {
    let (ctx, at) = (&judging.ctx, judging.ctx.now());
    let (code, becomes) = match status.verdict {
        Verdict::Accepted(_) => (StatusCode::Delivered, FilingStatus::Reported),
        Verdict::AcceptedUnconfirmed(_) => (StatusCode::Forwarded, FilingStatus::Reported),
        Verdict::Rejected(_) => (StatusCode::Rejected, FilingStatus::NotCompliant),
    };
    let reasons = findings::all(&status.verdict, FilingRecord::REASON_BYTES);
    let verdict = FilingVerdict {
        code,
        instance_id: kept.instance_id.clone(),
        sender: kept.sender.clone(),
        issued_at: kept.issued_at,
        received_at: kept.received_at,
        description: findings::description(&status.verdict),
        envelope: kept.envelope.clone(),
    };
    let (document, participant_id) = outcome::about(ctx, filing).await?;
    let told = (filing, becomes, reasons.as_slice());
    let event = outcome::event(ctx, &participant_id, &document, told, at)?;
    let settled = FilingSettled {
        filing,
        status: becomes,
        verdict: Some(&verdict),
        reasons: &reasons,
        document: &document,
        event: &event,
        at,
        sweep_at: later(at, RELAY_GRACE),
    };
    let refused = u8::from(becomes == FilingStatus::NotCompliant);
    // The template makes a metric of `report_refused`.
    tracing::info!(
        report_id = %filing.report_id, document_id = %filing.document_id,
        status = becomes.as_str(), report_refused = refused, "the authority's verdict ends a filing"
    );
    let settling = Settling::Filing(Box::new(settled));
    let judged = Judged::Status(Some((kept, Some(settling))));
    ctx.store.end_message(Mode::Live, leased, judged).await
}
