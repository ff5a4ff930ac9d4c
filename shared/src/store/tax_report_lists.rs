//! Lists of tax reports. They work as the lists of documents do. The first report about a sent document is found by the
//! pointer of its document. The open ones are in two lists: those of the last hour are among all, the older ones have a
//! list of their own ([`TaxReportList::Open`]).

use jiff::{SignedDuration, Timestamp};

use super::{
    Position, PositionedPage, Store, StoreError, TaxReportKind, TaxReportRecord, TaxReportRole,
    TaxReportStatus, TransmissionRecord,
    dynamo::{corrupt, from_item},
    keys::{Key, TaxReportList},
    list_partitions,
    listing::{Filter, READ_TOGETHER, created_between},
    tax_reports::pointer_key,
};
use crate::types::{ReportId, TaxpayerId};

/// Which tax reports to list. All given conditions must hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaxReportSelection {
    /// Their status.
    pub status: Option<TaxReportStatus>,
    /// What they report about their documents.
    pub kind: Option<TaxReportKind>,
    /// The taxpayer's side of the documents.
    pub role: Option<TaxReportRole>,
    /// The first and the last instant of creation.
    pub created: (Option<Timestamp>, Option<Timestamp>),
}

impl TaxReportSelection {
    /// The shortest list that contains all matches.
    fn list(&self) -> TaxReportList {
        self.status.and_then(TaxReportList::of_status).unwrap_or(TaxReportList::All)
    }

    /// Whether first reports about sent documents can match.
    fn has_first_reports(&self) -> bool {
        self.kind.is_none_or(|kind| kind == TaxReportKind::Submit)
            && self.role.is_none_or(|role| role == TaxReportRole::Sender)
    }

    fn filter(&self) -> Filter {
        let mut filter = Filter::default();
        filter.equal("kind", self.kind.map(|kind| kind.as_str().to_owned()));
        filter.equal("role", self.role.map(|role| role.as_str().to_owned()));
        filter
    }
}

/// Open tax reports of this age are found among all. The sweeper has come to older ones, and has listed them.
const RECENT: SignedDuration = SignedDuration::from_hours(1);

impl Store {
    /// A page of at most `limit` (1 to 100) tax reports of a taxpayer, newest first.
    pub async fn list_tax_reports(
        &self,
        taxpayer_id: &TaxpayerId,
        selection: &TaxReportSelection,
        (from, limit): (Option<&Position>, usize),
        now: Timestamp,
    ) -> Result<PositionedPage<TaxReportRecord>, StoreError> {
        let floor = |at| ReportId::floor(at).to_string();
        let range = created_between(ReportId::PREFIX, floor, selection.created);
        let Some((low, high)) = range else { return Ok(PositionedPage::empty()) };
        let list = selection.list();
        let with_first = selection.has_first_reports();
        let partitions = |list| list_partitions::of_tax_reports(taxpayer_id, list, with_first);
        // A list of an outcome contains only that outcome. Pointers in the other lists do not have the status.
        let filtered_by_records =
            selection.status.is_some() && matches!(list, TaxReportList::All | TaxReportList::Open);
        let read = if filtered_by_records { READ_TOGETHER } else { limit };
        let filter = selection.filter();
        let recent = floor(now.saturating_sub(RECENT).unwrap_or(Timestamp::MIN));
        let pointers = async |list, range, from, read| {
            self.list_pointers(partitions(list), range, &filter, from, read).await
        };
        let (sorts, next) = if list != TaxReportList::Open {
            pointers(list, (low, high), from, read).await?
        } else {
            let (mut sorts, mut next) = (Vec::new(), None);
            if from.is_none_or(|from| from.sort >= recent) && high >= recent {
                let range = (low.clone().max(recent.clone()), high.clone());
                (sorts, next) = pointers(TaxReportList::All, range, from, read).await?;
            }
            let rest = read.saturating_sub(sorts.len());
            if next.is_none() && low < recent && rest == 0 {
                next = Some(Position { sort: recent.clone(), sparse: false });
            } else if next.is_none() && low < recent {
                let range = (low, high.min(recent.clone()));
                let from = from.filter(|from| from.sort < recent);
                let (older, more) = pointers(list, range, from, rest).await?;
                sorts.extend(older);
                next = more;
            }
            (sorts, next)
        };
        let mut wanted = Vec::with_capacity(sorts.len());
        for sort in &sorts {
            let id: ReportId = sort.parse().map_err(corrupt)?;
            wanted.push((Key::tax_report(taxpayer_id, &id), id.as_first_of()));
        }
        let mut found = self.get_many_or_retired(taxpayer_id, &wanted).await?;
        let mut tax_reports = Vec::with_capacity(wanted.len());
        for ((key, _), sort) in wanted.into_iter().zip(sorts) {
            let Some(item) = found.remove(&key) else { continue };
            let tax_report: TaxReportRecord = from_item(item)?;
            if list == TaxReportList::Open && tax_report.status.outcome().is_some() {
                if sort < recent {
                    self.remove_pointer(pointer_key(&tax_report, list)).await;
                }
            } else if selection.status.is_none_or(|status| status == tax_report.status) {
                tax_reports.push((tax_report, Position { sort, sparse: false }));
            }
        }
        Ok(PositionedPage::of(tax_reports, next, limit))
    }

    /// The transmissions of a taxpayer's tax reports, in their order.
    pub async fn get_tax_report_transmissions(
        &self,
        taxpayer_id: &TaxpayerId,
        tax_reports: &[TaxReportRecord],
    ) -> Result<Vec<Option<TransmissionRecord>>, StoreError> {
        let wanted =
            tax_reports.iter().map(|TaxReportRecord { report_id, document_id, .. }| {
                (Key::tax_report_transmission(taxpayer_id, report_id), document_id.clone())
            });
        let wanted: Vec<_> = wanted.collect();
        let mut found = self.get_many_or_retired(taxpayer_id, &wanted).await?;
        wanted.iter().map(|(key, _)| found.remove(key).map(from_item).transpose()).collect()
    }
}
