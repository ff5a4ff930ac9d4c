//! Handles the verdict of the tax authority on a report. It applies only if it comes from the authority that got the
//! report, and only once.
//!
//! | the tax report is | the verdict |
//! |---|---|
//! | due or filing | has overtaken the receipt, and waits |
//! | submitted | ends the report: AP and AB as reported, RE as not compliant |
//! | reported, not compliant | changes nothing: it is the second verdict |
//! | failed | changes nothing: it is too late, and an operator must act |

use super::{Theirs, findings, is_one};
use crate::{
    peppol::mls::{self, Verdict},
    service::{Context, tax_report_event},
    store::{
        SettledTaxReport, Settling, StatusCode, StatusEffect, StatusRecord, StoreError,
        TaxReportRecord, TaxReportStatus, TaxReportVerdict,
    },
};

/// The effect of a status on its tax report.
pub(super) fn effect(
    tax_report: &TaxReportRecord,
    theirs: Theirs<'_>,
) -> Result<StatusEffect, StoreError> {
    let (signer, ..) = theirs;
    let is_theirs = match &tax_report.authority {
        Some(authority) => authority.main_id() == signer.spid().main_id(),
        // It is known by the end of the first attempt, before which a verdict is early.
        None => tax_report.status != TaxReportStatus::Submitted,
    };
    if !is_theirs || !is_one(theirs) {
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
pub(super) async fn settle(
    ctx: &Context,
    kept: &StatusRecord,
    tax_report: TaxReportRecord,
    status: &mls::Status,
) -> Result<Settling, StoreError> {
    let at = ctx.now();
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
    let (document, participant_id) = tax_report_event::about(ctx, &tax_report).await?;
    let reported = (&tax_report, becomes, reasons.as_slice());
    let event = tax_report_event::event(ctx, &participant_id, &document, reported, at)?;
    Ok(Settling::TaxReport(Box::new(SettledTaxReport {
        tax_report,
        status: becomes,
        verdict: Some(verdict),
        reasons,
        document,
        event,
        at,
    })))
}
