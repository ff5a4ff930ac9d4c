//! Handles the verdict of the tax authority on a report. It applies only if it comes from the authority that got the
//! report, and only once.
//!
//! | the tax report is | the verdict |
//! |---|---|
//! | due or filing | has overtaken the receipt, and waits |
//! | submitted | ends the report: AP and AB as reported, RE as not compliant |
//! | reported, not compliant | changes nothing: it is the second verdict |
//! | failed | changes nothing: it is too late, and an operator must act |

use super::{findings, is_one, kept, next_look, note, wait};
use crate::{
    peppol::{
        identifiers::{SeatId, Spid},
        mls::{self, Verdict},
        sbdh::Envelope,
    },
    service::{RELAY_GRACE, ValidatingInbound, later, tax_report_event},
    store::{
        MessageRecord, Recorded, SettledTaxReport, Settling, StatusCode, StatusEffect,
        StatusRecord, StoreError, TaxReportRecord, TaxReportStatus, TaxReportVerdict,
        ValidatedMessage,
    },
    types::{Mode, ParticipantId},
};

/// Applies a status message about a report, or keeps it with the reason why it does not apply.
pub(super) async fn apply(
    validating: &ValidatingInbound,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
    status: &mls::Status,
    tax_report: TaxReportRecord,
) -> Result<Recorded, StoreError> {
    let effect = effect(&tax_report, &leased.sender, &envelope.header.sender, &status.sender)?;
    if effect == StatusEffect::Early
        && let Some(until) = next_look(leased.received_at, validating.ctx.now())
    {
        return wait(validating, Mode::Live, leased, until).await;
    }
    let kept = kept(leased, status, effect)?;
    let recorded = match effect {
        StatusEffect::Applied => settle(validating, leased, &kept, &tax_report, status).await?,
        _ => {
            let validated = ValidatedMessage::Status(Some((&kept, None)));
            validating.ctx.store.end_message(Mode::Live, leased, validated).await?
        }
    };
    if recorded == Recorded::Done {
        note(&kept);
    }
    Ok(recorded)
}

/// The effect of a status on its tax report.
fn effect(
    tax_report: &TaxReportRecord,
    signer: &SeatId,
    sender: &ParticipantId,
    says: &Spid,
) -> Result<StatusEffect, StoreError> {
    let is_theirs = match &tax_report.authority {
        Some(authority) => authority.main_id() == signer.spid().main_id(),
        // It is known by the end of the first attempt, before which a verdict is early.
        None => tax_report.status != TaxReportStatus::Submitted,
    };
    if !is_theirs || !is_one(signer, sender, says) {
        return Ok(StatusEffect::Foreign);
    }
    Ok(match tax_report.status {
        TaxReportStatus::Due | TaxReportStatus::Filing => StatusEffect::Early,
        TaxReportStatus::Submitted => StatusEffect::Applied,
        TaxReportStatus::Reported | TaxReportStatus::NotCompliant => StatusEffect::Second,
        TaxReportStatus::Failed => StatusEffect::Late,
        TaxReportStatus::Unknown => {
            return Err(StoreError::Unavailable(
                "the tax report has a status of a newer version".into(),
            ));
        }
    })
}

/// Gives the tax report its outcome.
async fn settle(
    validating: &ValidatingInbound,
    leased: &MessageRecord,
    kept: &StatusRecord,
    tax_report: &TaxReportRecord,
    status: &mls::Status,
) -> Result<Recorded, StoreError> {
    let (ctx, at) = (&validating.ctx, validating.ctx.now());
    let (code, becomes) = match status.verdict {
        Verdict::Accepted(_) => (StatusCode::Delivered, TaxReportStatus::Reported),
        Verdict::AcceptedUnconfirmed(_) => (StatusCode::Forwarded, TaxReportStatus::Reported),
        Verdict::Rejected(_) => (StatusCode::Rejected, TaxReportStatus::NotCompliant),
    };
    let reasons = findings::all(&status.verdict, TaxReportRecord::REASON_BYTES);
    let verdict = TaxReportVerdict {
        code,
        instance_id: kept.instance_id.clone(),
        sender: kept.sender.clone(),
        issued_at: kept.issued_at,
        received_at: kept.received_at,
        description: findings::description(&status.verdict),
        envelope: kept.envelope.clone(),
    };
    let (document, participant_id) = tax_report_event::about(ctx, tax_report).await?;
    let reported = (tax_report, becomes, reasons.as_slice());
    let event = tax_report_event::event(ctx, &participant_id, &document, reported, at)?;
    let settled = SettledTaxReport {
        tax_report,
        status: becomes,
        verdict: Some(&verdict),
        reasons: &reasons,
        document: &document,
        event: &event,
        at,
        sweep_at: later(at, RELAY_GRACE),
    };
    let refused = u8::from(becomes == TaxReportStatus::NotCompliant);
    // The template makes a metric of `report_refused`.
    tracing::info!(
        report_id = %tax_report.report_id, document_id = %tax_report.document_id,
        status = becomes.as_str(), report_refused = refused, "the authority's verdict completes a tax report"
    );
    let settling = Settling::TaxReport(Box::new(settled));
    let validated = ValidatedMessage::Status(Some((kept, Some(settling))));
    ctx.store.end_message(Mode::Live, leased, validated).await
}
