//! Lists and retrieves tax reports.
//!
//! A caller may see the reports about the documents that it may see. `invoices:read` allows every report.
//! `inbound:read` alone allows those about received documents. A report that a caller may not see is reported as
//! missing.
//!
//! Reports exist only in Live. Their keys have no mode, so every read needs a `LiveReader`, which a Sandbox key never
//! gets.

use jiff::Timestamp;

use super::{
    Context, Reading,
    documents::{self, Stored},
    page::{List, Page, PageQuery},
    report::overdue_at,
};
use crate::{
    access::{Reader, Scope},
    error::{Code, Failure},
    store::{
        DocumentRecord, PayloadMethod, Position, StoreError, TaxReportKind, TaxReportOutcome,
        TaxReportRecord, TaxReportRole, TaxReportSelection, TaxReportStatus, TransmissionAttempt,
        TransmissionRecord,
    },
    types::{Mode, ReportId, TaxpayerId},
};

/// Which reports to list. A report must match every given part. Ranges include both ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// What they have come to.
    pub outcome: Option<TaxReportOutcome>,
    /// What they say of their documents.
    pub kind: Option<TaxReportKind>,
    /// How far they are.
    pub status: Option<TaxReportStatus>,
    /// Created at this instant or later.
    pub created_from: Option<Timestamp>,
    /// Created at this instant or earlier.
    pub created_to: Option<Timestamp>,
}

/// A report in the form that callers may see.
#[derive(Debug)]
pub struct Report {
    /// The report.
    pub tax_report: TaxReportRecord,
    /// Whether the authority's verdict has been missing for a day.
    pub is_overdue: bool,
    /// The attempts to deliver it. `None` where they were not read.
    pub attempts: Option<Vec<TransmissionAttempt>>,
}

/// A reader in Live, the only mode with reports.
#[derive(Clone, Copy)]
struct LiveReader<'a>(Reader<'a>);

impl<'a> LiveReader<'a> {
    fn of(reader: Reader<'a>) -> Option<Self> {
        match reader.mode {
            Mode::Live => Some(LiveReader(reader)),
            Mode::Sandbox => None,
        }
    }

    fn taxpayer_id(&self) -> &'a TaxpayerId {
        self.0.taxpayer_id
    }

    /// The role of the reports that the reader may see. `None` if it may see all.
    fn sees(&self) -> Result<Option<TaxReportRole>, Failure> {
        if self.0.has(Scope::InvoicesRead) {
            return Ok(None);
        }
        if self.0.has(Scope::InboundRead) {
            return Ok(Some(TaxReportRole::Receiver));
        }
        Err(Failure::new(
            Code::InsufficientScope,
            "Reading reports needs the scope invoices:read or inbound:read.",
        ))
    }

    /// A report that the reader may see.
    async fn find(
        &self,
        ctx: &Context,
        report_id: &ReportId,
    ) -> Result<Option<TaxReportRecord>, Failure> {
        let sees = self.sees()?;
        let found = ctx.store.get_tax_report(self.taxpayer_id(), report_id).await?;
        Ok(found.filter(|tax_report| sees.is_none_or(|role| role == tax_report.role)))
    }
}

/// Lists reports of the caller's taxpayer, newest first. Returns the page and the cursor of the next one. There may be
/// more as long as there is a cursor, even when a page is short or empty.
pub async fn list(
    ctx: &Context,
    reader: Reader<'_>,
    filter: &Filter,
    asked: PageQuery<'_>,
) -> Result<Page<Report>, Failure> {
    let list =
        List { name: "reports", mode: reader.mode, owner: reader.taxpayer_id.as_str(), filter };
    let from = asked.after(&list).await?;
    let from = from.as_deref().map(Position::from_text).transpose()?;
    let Some(live) = LiveReader::of(reader) else { return Ok(Page::empty()) };
    let role = live.sees()?;
    let Some(status) = status(filter) else { return Ok(Page::empty()) };
    let selection = TaxReportSelection {
        status,
        kind: filter.kind,
        role,
        created: (filter.created_from, filter.created_to),
    };
    let place = (from.as_ref(), asked.limit());
    let page = ctx.store.list_tax_reports(live.taxpayer_id(), &selection, place, ctx.now()).await?;
    let items =
        page.items.into_iter().map(|(tax_report, _)| shown(ctx, tax_report, None)).collect();
    asked.page(&list, items, page.next.map(|position| position.to_text())).await
}

/// The status that a filter requires, if any. `None` when no report can match.
fn status(filter: &Filter) -> Option<Option<TaxReportStatus>> {
    let Some(outcome) = filter.outcome else { return Some(filter.status) };
    let status = TaxReportStatus::of_outcome(outcome)?;
    filter.status.is_none_or(|asked| asked == status).then_some(Some(status))
}

/// Every report about a document that the caller may see, in the order of their creation.
pub async fn about(
    ctx: &Context,
    reader: Reader<'_>,
    document_id: &str,
) -> Result<Vec<Report>, Failure> {
    let document = documents::get(ctx, reader, document_id).await?;
    let known = of(ctx, reader, &document).await?.unwrap_or_default();
    Ok(known.into_iter().map(|known| with_attempts(ctx, known)).collect())
}

/// A report and its transmission.
pub(super) type KnownTaxReport = (TaxReportRecord, Option<TransmissionRecord>);

/// The reports about a caller's document, in the order of their creation. `None` in Sandbox.
pub(super) async fn of(
    ctx: &Context,
    reader: Reader<'_>,
    document: &DocumentRecord,
) -> Result<Option<Vec<KnownTaxReport>>, StoreError> {
    match LiveReader::of(reader) {
        Some(_) => known(ctx, document).await.map(Some),
        None => Ok(None),
    }
}

/// The reports about a Live document, in the order of their creation.
pub(super) async fn known(
    ctx: &Context,
    document: &DocumentRecord,
) -> Result<Vec<KnownTaxReport>, StoreError> {
    let tax_reports = ctx.store.list_tax_reports_about(document).await?;
    let transmissions =
        ctx.store.get_tax_report_transmissions(&document.taxpayer_id, &tax_reports).await?;
    Ok(tax_reports.into_iter().zip(transmissions).collect())
}

/// A report that the caller may see.
pub async fn get(ctx: &Context, reader: Reader<'_>, report_id: &str) -> Result<Report, Failure> {
    let tax_report = find(ctx, reader, report_id).await?;
    let TaxReportRecord { taxpayer_id, report_id, .. } = &tax_report;
    let transmission = ctx.store.get_tax_report_transmission(taxpayer_id, report_id).await?;
    Ok(with_attempts(ctx, (tax_report, transmission)))
}

/// The Tax Data Document of a report. Up to `here` bytes are returned directly; a larger one by its address. The
/// address is valid for `method`.
pub async fn xml(
    reading: &Reading,
    reader: Reader<'_>,
    report_id: &str,
    here: usize,
    method: PayloadMethod,
) -> Result<Stored, Failure> {
    let tax_report = find(&reading.ctx, reader, report_id).await?;
    let store = &reading.ctx.store;
    let sent =
        store.get_tax_report_transmission(&tax_report.taxpayer_id, &tax_report.report_id).await?;
    let tax_data = tax_report.tax_data(sent.as_ref()).ok_or_else(|| {
        let message = format!(
            "The report has no Tax Data Document yet: its status is {}. Retry later.",
            tax_report.status.as_str()
        );
        Failure::new(Code::NotFound, message)
    })?;
    documents::stored(reading, tax_data, here, method).await
}

async fn find(
    ctx: &Context,
    reader: Reader<'_>,
    report_id: &str,
) -> Result<TaxReportRecord, Failure> {
    let found = match (LiveReader::of(reader), report_id.parse()) {
        (Some(live), Ok(report_id)) => live.find(ctx, &report_id).await?,
        _ => None,
    };
    found.ok_or_else(missing)
}

fn missing() -> Failure {
    Failure::new(Code::NotFound, "There is no report with that report_id for this taxpayer.")
}

pub(super) fn with_attempts(ctx: &Context, (tax_report, transmission): KnownTaxReport) -> Report {
    shown(
        ctx,
        tax_report,
        Some(transmission.map_or_else(Vec::new, |transmission| transmission.attempts)),
    )
}

/// A report with its current overdue state.
pub(super) fn shown(
    ctx: &Context,
    tax_report: TaxReportRecord,
    attempts: Option<Vec<TransmissionAttempt>>,
) -> Report {
    Report { is_overdue: is_overdue(&tax_report, ctx.now()), tax_report, attempts }
}

/// Whether the authority's verdict has been missing for a day.
pub(super) fn is_overdue(tax_report: &TaxReportRecord, now: Timestamp) -> bool {
    tax_report.status == TaxReportStatus::Submitted && overdue_at(tax_report) <= now
}
