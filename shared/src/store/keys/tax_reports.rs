//! Keys of reports to the tax authority and of the lists that they are in. Live only.

use super::{Key, LIST_SHARDS, TRANSMISSION, shard_of, taxpayer};
use crate::{
    store::TaxReportStatus,
    types::{Mode, ReportId, TaxpayerId},
};

/// Sort key of a tax report.
pub const FILING: &str = "FILING";

/// A list of a taxpayer's tax reports, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilingList {
    /// All tax reports.
    All,
    /// Tax reports without an outcome.
    Open,
    /// Tax reports that the authority refused.
    NotCompliant,
    /// Tax reports that did not reach the authority.
    Failed,
}

impl FilingList {
    /// The list of a status, for the statuses that few tax reports have.
    pub fn of_status(status: TaxReportStatus) -> Option<Self> {
        match status {
            TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Submitted => {
                Some(FilingList::Open)
            }
            TaxReportStatus::NotCompliant => Some(FilingList::NotCompliant),
            TaxReportStatus::Failed => Some(FilingList::Failed),
            TaxReportStatus::Reported | TaxReportStatus::Unknown => None,
        }
    }
}

/// The partition of one shard of a list of tax reports.
pub(in crate::store) fn tax_reports(
    taxpayer_id: &TaxpayerId,
    list: FilingList,
    shard: u8,
) -> String {
    let name = match list {
        FilingList::All => "ALL",
        FilingList::Open => "OPEN",
        FilingList::NotCompliant => "NOT_COMPLIANT",
        FilingList::Failed => "FAILED",
    };
    format!("{}#FILINGS#{name}#{shard}", taxpayer(Mode::Live, taxpayer_id))
}

impl Key {
    /// A tax report.
    pub fn tax_report(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(format!("{}#FILING#{id}", taxpayer(Mode::Live, taxpayer_id)), FILING)
    }

    /// The pointer to a tax report in a list.
    pub fn in_filings(taxpayer_id: &TaxpayerId, list: FilingList, id: &ReportId) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        Key::new(tax_reports(taxpayer_id, list, shard), id.to_string())
    }

    /// The transmission of a tax report.
    pub fn filing_transmission(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(Key::tax_report(taxpayer_id, id).pk, TRANSMISSION)
    }

    /// When the next tax report may be sent.
    pub fn filing_pace() -> Self {
        Key::new("LIVE#PACE".to_owned(), "FILINGS")
    }
}
