//! Corrections: a document that was rejected at stage C3 is sent again under its number (`corrects_document_id`,
//! specification 2.5 A). Before that, its tax reports are withdrawn.
//!
//! | tax reports of the rejected document | the correction |
//! |---|---|
//! | none, or all are NOT_COMPLIANT or FAILED | is sent: the authority has nothing |
//! | a report is being sent, or waits for its verdict | 409, until the result is known |
//! | REPORTED, or a verdict is overdue for a day: the authority may have it | 409, and the report is withdrawn (W) |
//! | the withdrawal is being sent, or waits for its verdict | 409, until the result is known |
//! | the withdrawal is REPORTED | is sent |
//! | the withdrawal FAILED: it never arrived | 409, and a new withdrawal is made |
//! | the withdrawal is NOT_COMPLIANT | 409, until the withdrawal is resubmitted (`resubmission`) |
//!
//! The correction that needs a withdrawal makes it. The transaction is conditional: no other report may have been added
//! to the document. So there is one withdrawal at a time, however many corrections are tried.
//!
//! The transaction that accepts a correction writes its identifier to the document. So only one of two corrections is
//! accepted. A correction that was never sent may be replaced by another one, once its own reports are withdrawn.

use jiff::Timestamp;

use super::{
    Context,
    report::first,
    reports::{self, KnownTaxReport, is_overdue},
    resubmission::MOST_REPORTS,
};
use crate::{
    error::{Code, Failure},
    store::{DocumentRecord, Status, TaxReportKind, TaxReportRecord, TaxReportStatus},
    types::{DocumentId, Mode},
};

/// Checks that `own` may correct a document: no other correction exists, or the other one was never sent. Returns that
/// failed correction, if there is one.
pub(super) async fn permit(
    ctx: &Context,
    mode: Mode,
    corrected: &DocumentRecord,
    own: &DocumentId,
) -> Result<Option<DocumentRecord>, Failure> {
    let Some(by) = corrected.corrected_by.as_ref().filter(|by| *by != own) else { return Ok(None) };
    let former = ctx.store.get_document(mode, &corrected.taxpayer_id, by).await?;
    match former {
        Some(former) if former.status != Status::Failed => {
            let hint = match former.status {
                Status::Rejected => ", which was rejected too: correct that document",
                _ => "",
            };
            let message = format!(
                "The document {} has already been corrected, by {by}{hint}.",
                corrected.document_id
            );
            Err(Failure::new(Code::AlreadyCorrected, message).about(by))
        }
        former => Ok(former),
    }
}

/// Withdraws the tax reports of a document, as far as that is still necessary.
pub(super) async fn recover(ctx: &Context, document: &DocumentRecord) -> Result<(), Failure> {
    let known = reports::known(ctx, document).await?;
    let of = match recovery(&known, ctx.now()) {
        Recovery::Done => return Ok(()),
        Recovery::Pending(why) => return Err(pending(document, &why)),
        Recovery::Withdraw(of) => of,
    };
    if known.len() >= MOST_REPORTS {
        let why = format!("there are {MOST_REPORTS} reports about it; ask the service's operators");
        return Err(pending(document, &why));
    }
    let new = first::again(ctx, of, TaxReportKind::Withdraw);
    // If a concurrent request was faster, its withdrawal is awaited as well.
    ctx.store.add_tax_report(document, &new, None).await?;
    tracing::info!(
        document_id = %document.document_id, report_id = %new.tax_report.report_id,
        "the reports of a rejected document are being withdrawn"
    );
    Err(pending(document, "the withdrawal is in progress"))
}

fn pending(document: &DocumentRecord, why: &str) -> Failure {
    let message = format!(
        "The reports of {} to the tax authority must be withdrawn before its correction: {why}. Retry the same payload \
         with the same Idempotency-Key.",
        document.document_id
    );
    Failure::new(Code::CorrectionRecoveryPending, message).about(&document.document_id)
}

/// Explains why a permitted correction could not be recorded, if the document changed meanwhile.
pub(super) async fn overtaken(
    ctx: &Context,
    mode: Mode,
    read: &DocumentRecord,
    own: &DocumentId,
) -> Result<(), Failure> {
    let (taxpayer_id, document_id) = (&read.taxpayer_id, &read.document_id);
    match ctx.store.get_document(mode, taxpayer_id, document_id).await? {
        Some(current) => {
            permit(ctx, mode, &current, own).await?;
            recover(ctx, &current).await
        }
        None => Ok(()),
    }
}

/// The progress of withdrawing a document's tax reports.
#[derive(Debug, PartialEq)]
enum Recovery<'a> {
    /// The authority has no valid report about it.
    Done,
    /// That is not known yet, for this reason: a clause without a full stop.
    Pending(String),
    /// A withdrawal must be made, about the same transaction as this report.
    Withdraw(&'a TaxReportRecord),
}

/// Decides from the reports about a rejected document, in the order of their creation.
fn recovery(reports: &[KnownTaxReport], now: Timestamp) -> Recovery<'_> {
    let tax_reports = || reports.iter().map(|(tax_report, _)| tax_report);
    let may_pass = |it: &&TaxReportRecord| match it.status {
        TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Unknown => true,
        // A withdrawal without a verdict has not withdrawn anything yet.
        TaxReportStatus::Submitted => it.kind == TaxReportKind::Withdraw || !is_overdue(it, now),
        TaxReportStatus::Reported | TaxReportStatus::NotCompliant | TaxReportStatus::Failed => {
            false
        }
    };
    if let Some(open) = tax_reports().find(may_pass) {
        let (id, status) = (&open.report_id, open.status.as_str());
        return Recovery::Pending(format!("the report {id} is still {status}"));
    }
    let is_held = |it: &&TaxReportRecord| {
        it.kind != TaxReportKind::Withdraw
            && matches!(it.status, TaxReportStatus::Reported | TaxReportStatus::Submitted)
    };
    let Some(held) = tax_reports().rfind(is_held) else { return Recovery::Done };
    match tax_reports().rfind(|it| it.kind == TaxReportKind::Withdraw) {
        Some(withdrawal) if withdrawal.status == TaxReportStatus::Reported => Recovery::Done,
        Some(withdrawal) if withdrawal.status == TaxReportStatus::NotCompliant => {
            Recovery::Pending(format!(
                "the authority refused the withdrawal {}. Its reasons say why. File it again (POST …/reports)",
                withdrawal.report_id
            ))
        }
        _ => Recovery::Withdraw(held),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::{store::Direction, testing::World};
    use TaxReportKind::{Resubmit as R, Submit as S, Withdraw as W};
    use TaxReportStatus::{Due, Failed, Filing, NotCompliant, Reported, Submitted};

    /// The effect of a correction, by the earlier reports.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Does {
        Goes,
        Waits,
        Withdraws,
    }
    use Does::{Goes, Waits, Withdraws};

    #[tokio::test]
    async fn a_correction_waits_for_what_the_authority_may_hold() {
        let world = World::unconnected().await;
        let caller = world.caller("Falcon", "1001234501").await;
        let (taxpayer_id, organization) = (&caller.taxpayer.taxpayer_id, &caller.organization_id);
        let direction = Direction::Outbound;
        let (document, _) = world.reported(taxpayer_id, organization, direction, Due).await;
        let now = world.now();
        // On the day of the submission, and a day later.
        for (tax_reports, at_once, a_day_later) in [
            (&[][..], Goes, Goes),
            (&[(S, Due)], Waits, Waits),
            (&[(S, Filing)], Waits, Waits),
            (&[(S, Submitted)], Waits, Withdraws),
            (&[(S, Reported)], Withdraws, Withdraws),
            (&[(S, NotCompliant)], Goes, Goes),
            (&[(S, Failed)], Goes, Goes),
            (&[(S, TaxReportStatus::Unknown)], Waits, Waits),
            (&[(S, NotCompliant), (R, Due)], Waits, Waits),
            (&[(S, NotCompliant), (R, Reported)], Withdraws, Withdraws),
            (&[(S, NotCompliant), (R, NotCompliant)], Goes, Goes),
            // Whatever the last report is, the authority may have the first one.
            (&[(S, Submitted), (R, NotCompliant)], Waits, Withdraws),
            (&[(S, Reported), (R, NotCompliant)], Withdraws, Withdraws),
            (&[(S, Reported), (W, Due)], Waits, Waits),
            (&[(S, Reported), (W, Filing)], Waits, Waits),
            (&[(S, Reported), (W, Submitted)], Waits, Waits),
            (&[(S, Reported), (W, Reported)], Goes, Goes),
            (&[(S, Reported), (W, NotCompliant)], Waits, Waits),
            (&[(S, Reported), (W, Failed)], Withdraws, Withdraws),
            (&[(S, Reported), (W, Failed), (W, Reported)], Goes, Goes),
            (&[(S, Reported), (W, NotCompliant), (W, Reported)], Goes, Goes),
            // The verdict came after all: there is nothing to withdraw.
            (&[(S, NotCompliant), (W, NotCompliant)], Goes, Goes),
            (&[(S, Submitted), (W, Reported)], Waits, Goes),
        ] {
            let known: Vec<KnownTaxReport> = tax_reports
                .iter()
                .map(|(kind, status)| {
                    let tax_report = world.tax_report_about(&document, *kind, *status);
                    (TaxReportRecord { submitted_at: Some(now), ..tax_report }, None)
                })
                .collect();
            for (hours, expected) in [(0, at_once), (24, a_day_later)] {
                let at = now + SignedDuration::from_hours(hours);
                let does = match recovery(&known, at) {
                    Recovery::Done => Goes,
                    Recovery::Pending(_) => Waits,
                    Recovery::Withdraw(of) => {
                        assert_ne!(of.kind, W);
                        Withdraws
                    }
                };
                assert_eq!(does, expected, "{tax_reports:?} after {hours} h");
            }
        }
    }
}
