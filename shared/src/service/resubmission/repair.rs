//! Whether a report about a document is to be filed again, and as what.

use jiff::Timestamp;

use crate::{
    service::reports::{KnownTaxReport, is_overdue},
    store::{
        AttemptOutcome, Direction, DocumentRecord, Status, TaxReportKind, TaxReportRecord,
        TaxReportStatus, TransmissionRecord,
    },
};

/// How many reports there are about a document at most: what was refused so often is not mended by another.
pub(in crate::service) const MOST_REPORTS: usize = 20;

/// What is to be done about the reports about a document.
#[derive(Debug, PartialEq)]
pub(in crate::service) enum Repair<'a> {
    /// This one is filed again, as that kind.
    Again(&'a TaxReportRecord, TaxReportKind),
    /// None, for this reason: a clause without an end.
    Not(String),
}

/// Judges the reports about a document, the first one first, with what is known of their ways.
pub(in crate::service) fn repair<'a>(
    document: &DocumentRecord,
    reports: &'a [KnownTaxReport],
    now: Timestamp,
) -> Repair<'a> {
    let not = |why: &str| Repair::Not(why.to_owned());
    let Some((latest, way)) = reports.last() else {
        return not("there is none yet");
    };
    let id = &latest.report_id;
    if reports.len() >= MOST_REPORTS {
        return Repair::Not(format!(
            "there are {MOST_REPORTS} already; ask the service's operators"
        ));
    }
    // A verdict that came late may stand with an earlier one.
    let holds = |it: &TaxReportRecord| {
        it.kind != TaxReportKind::Withdraw && it.status == TaxReportStatus::Reported
    };
    if latest.kind != TaxReportKind::Withdraw
        && let Some((held, _)) = reports.iter().find(|(it, _)| holds(it))
    {
        return Repair::Not(format!("{} is REPORTED", held.report_id));
    }
    let is_again = match latest.status {
        TaxReportStatus::NotCompliant | TaxReportStatus::Failed => true,
        TaxReportStatus::Submitted if is_overdue(latest, now) => {
            if was_received(way.as_ref()) {
                return Repair::Not(format!(
                    "the tax authority has {id}, and its verdict is overdue: it must come first"
                ));
            }
            true
        }
        _ => false,
    };
    if !is_again {
        return Repair::Not(match (latest.kind, latest.status) {
            (TaxReportKind::Withdraw, TaxReportStatus::Reported) => {
                format!("it is withdrawn by {id}")
            }
            (_, TaxReportStatus::Submitted) => {
                format!("the tax authority's verdict on {id} is awaited")
            }
            _ => format!("{id} is on its way: its status is {}", latest.status.as_str()),
        });
    }
    match latest.kind {
        // What C3 has rejected does not hold, however often it is reported.
        TaxReportKind::Submit | TaxReportKind::Resubmit if is_rejected(document) => not(
            "the document was rejected at stage C3; send a correction of it (corrects_document_id)",
        ),
        TaxReportKind::Submit | TaxReportKind::Resubmit => Repair::Again(latest, as_what(reports)),
        TaxReportKind::Failed => Repair::Again(latest, TaxReportKind::Failed),
        TaxReportKind::Withdraw => Repair::Again(latest, TaxReportKind::Withdraw),
        TaxReportKind::Unknown => Repair::Not(format!("{id} is of a kind of a newer version")),
    }
}

/// R revises what was submitted before (Tax Data Document BIS 1.0.4, TDT-006): the authority refuses it where it
/// never had anything. What can only have failed before it was stored there is submitted, as if for the first time.
fn as_what(reports: &[KnownTaxReport]) -> TaxReportKind {
    let never_arrived = |(tax_report, way): &KnownTaxReport| {
        tax_report.status == TaxReportStatus::Failed
            && !way.as_ref().is_some_and(TransmissionRecord::may_have_arrived)
    };
    match reports.iter().all(never_arrived) {
        true => TaxReportKind::Submit,
        false => TaxReportKind::Resubmit,
    }
}

fn is_rejected(document: &DocumentRecord) -> bool {
    document.direction == Direction::Outbound && document.status == Status::Rejected
}

/// Whether the authority gave a receipt for a report, or said that it has it.
fn was_received(way: Option<&TransmissionRecord>) -> bool {
    let mut attempts = way.into_iter().flat_map(|way| &way.attempts);
    let said_so = |outcome| matches!(outcome, AttemptOutcome::Received | AttemptOutcome::Duplicate);
    attempts.any(|attempt| attempt.outcome.is_some_and(said_so))
}
