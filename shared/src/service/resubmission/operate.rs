//! Resubmits reports on request of an operator, after a fault of ours was fixed.

use jiff::Timestamp;

use super::{Repair, repair};
use crate::{
    service::{Context, report, reports},
    store::{
        Position, Recorded, StoreError, TaxReportKind, TaxReportOutcome, TaxReportRecord,
        TaxReportSelection, TaxReportStatus,
    },
    types::{Mode, TaxpayerId},
};

/// How many reports are read at once.
const PAGE: usize = 100;

/// Which reports to resubmit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Reports from this instant or later.
    pub since: Timestamp,
    /// The outcomes of the reports.
    pub outcomes: Vec<TaxReportOutcome>,
    /// Whether to list the reports only.
    pub dry_run: bool,
}

/// A report that was not accepted, and its resubmission.
#[derive(Debug)]
pub struct Found {
    /// The report.
    pub tax_report: TaxReportRecord,
    /// The kind of its resubmission, or why there is none.
    pub again: Result<TaxReportKind, String>,
}

/// Resubmits the reports of a taxpayer that were not accepted, and passes each of them to `tell`, newest first. For a
/// report that was resubmitted since, or concurrently, it passes that as the reason.
pub async fn resubmit<E>(
    ctx: &Context,
    taxpayer_id: &TaxpayerId,
    wanted: &Wanted,
    mut tell: impl FnMut(Found) -> Result<(), E>,
) -> Result<Result<(), E>, StoreError> {
    for outcome in &wanted.outcomes {
        let mut from = None;
        loop {
            let (page, next) =
                page(ctx, taxpayer_id, *outcome, wanted.since, from.as_ref()).await?;
            for tax_report in page {
                let again = one(ctx, &tax_report, wanted.dry_run).await?;
                if let Err(error) = tell(Found { tax_report, again }) {
                    return Ok(Err(error));
                }
            }
            match next {
                Some(next) => from = Some(next),
                None => break,
            }
        }
    }
    Ok(Ok(()))
}

async fn page(
    ctx: &Context,
    taxpayer_id: &TaxpayerId,
    outcome: TaxReportOutcome,
    since: Timestamp,
    from: Option<&Position>,
) -> Result<(Vec<TaxReportRecord>, Option<Position>), StoreError> {
    let status = TaxReportStatus::of_outcome(outcome);
    if status.is_none() {
        return Ok((Vec::new(), None));
    }
    let created = (Some(since), None);
    let selection = TaxReportSelection { status, created, ..TaxReportSelection::default() };
    let page = ctx.store.list_tax_reports(taxpayer_id, &selection, (from, PAGE), ctx.now()).await?;
    Ok((page.items.into_iter().map(|(tax_report, _)| tax_report).collect(), page.next))
}

/// Resubmits one report, unless this is a dry run.
async fn one(
    ctx: &Context,
    tax_report: &TaxReportRecord,
    dry_run: bool,
) -> Result<Result<TaxReportKind, String>, StoreError> {
    let (taxpayer_id, document_id) = (&tax_report.taxpayer_id, &tax_report.document_id);
    let document = ctx.store.get_document(Mode::Live, taxpayer_id, document_id).await?;
    let document =
        document.ok_or_else(|| StoreError::Corrupt("its document no longer exists".into()))?;
    let known = reports::known(ctx, &document).await?;
    let (of, kind) = match repair(&document, &known, ctx.now()) {
        Repair::Not(why) => return Ok(Err(why)),
        Repair::Again(of, _) if of.report_id != tax_report.report_id => {
            return Ok(Err(format!("{} was filed after it", of.report_id)));
        }
        Repair::Again(of, kind) => (of, kind),
    };
    if dry_run {
        return Ok(Ok(kind));
    }
    let new = report::first::again(ctx, of, kind);
    Ok(match ctx.store.add_tax_report(&document, &new, None).await? {
        Recorded::Done => Ok(kind),
        Recorded::Lost => Err("another was filed at the same time".to_owned()),
    })
}
