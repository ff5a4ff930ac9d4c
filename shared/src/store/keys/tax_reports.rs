//! Keys of reports to the tax authority and of the lists that they are in. Live only.

use super::{Key, LIST_SHARDS, TRANSMISSION, shard_of, taxpayer};
use crate::{
    store::TaxReportStatus,
    types::{Mode, ReportId, TaxpayerId},
};

/// Sort key of a tax report.
pub const TAX_REPORT: &str = "FILING";

/// A list of a taxpayer's tax reports, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaxReportList {
    /// All tax reports.
    All,
    /// Tax reports without an outcome, once they are open for longer than most.
    Open,
    /// Tax reports that the authority refused.
    NotCompliant,
    /// Tax reports that did not reach the authority.
    Failed,
}

impl TaxReportList {
    /// The list of a status, for the statuses that few tax reports have.
    pub fn of_status(status: TaxReportStatus) -> Option<Self> {
        match status {
            TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Submitted => {
                Some(TaxReportList::Open)
            }
            TaxReportStatus::NotCompliant => Some(TaxReportList::NotCompliant),
            TaxReportStatus::Failed => Some(TaxReportList::Failed),
            TaxReportStatus::Reported | TaxReportStatus::Unknown => None,
        }
    }
}

/// The partition of one shard of a list of tax reports.
pub(in crate::store) fn tax_reports(
    taxpayer_id: &TaxpayerId,
    list: TaxReportList,
    shard: u8,
) -> String {
    let name = match list {
        TaxReportList::All => "ALL",
        TaxReportList::Open => "OPEN",
        TaxReportList::NotCompliant => "NOT_COMPLIANT",
        TaxReportList::Failed => "FAILED",
    };
    format!("{}#FILINGS#{name}#{shard}", taxpayer(Mode::Live, taxpayer_id))
}

impl Key {
    /// A tax report.
    pub fn tax_report(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(format!("{}#FILING#{id}", taxpayer(Mode::Live, taxpayer_id)), TAX_REPORT)
    }

    /// The pointer to a tax report in a list.
    pub fn in_tax_reports(taxpayer_id: &TaxpayerId, list: TaxReportList, id: &ReportId) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        Key::new(tax_reports(taxpayer_id, list, shard), id.to_string())
    }

    /// The transmission of a tax report.
    pub fn tax_report_transmission(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(Key::tax_report(taxpayer_id, id).pk, TRANSMISSION)
    }

    /// When the next tax report may be sent.
    pub fn tax_report_pace(shard: u8) -> Self {
        // The first one has the name that it had alone.
        let partition = match shard {
            0 => "LIVE#PACE".to_owned(),
            shard => format!("LIVE#PACE#{shard}"),
        };
        Key::new(partition, "FILINGS")
    }
}
