//! Decides whether a report about a document is resubmitted, and as which kind.

use jiff::Timestamp;

use crate::{
    service::reports::{KnownTaxReport, is_overdue},
    store::{
        AttemptOutcome, Direction, DocumentRecord, Status, TaxReportKind, TaxReportRecord,
        TaxReportStatus, TransmissionRecord,
    },
};

/// Maximum reports about a document. After so many refusals another one would not help.
pub(in crate::service) const MOST_REPORTS: usize = 20;

/// The decision about a document's reports.
#[derive(Debug, PartialEq)]
pub(in crate::service) enum Repair<'a> {
    /// Resubmit this report, as this kind.
    Again(&'a TaxReportRecord, TaxReportKind),
    /// Do not resubmit, for this reason: a clause without a full stop.
    Not(String),
}

/// Decides about the reports of a document, in the order of their creation, with their transmissions.
pub(in crate::service) fn repair<'a>(
    document: &DocumentRecord,
    reports: &'a [KnownTaxReport],
    now: Timestamp,
) -> Repair<'a> {
    let not = |why: &str| Repair::Not(why.to_owned());
    let Some((latest, transmission)) = reports.last() else {
        return not("there is no report yet");
    };
    let id = &latest.report_id;
    if reports.len() >= MOST_REPORTS {
        return Repair::Not(format!(
            "there are {MOST_REPORTS} already; ask the service's operators"
        ));
    }
    // A late verdict may have accepted an earlier report.
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
            if was_received(transmission.as_ref()) {
                return Repair::Not(format!(
                    "the tax authority has {id}, and its verdict is overdue: wait for the verdict"
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
            _ => format!("{id} is being sent: its status is {}", latest.status.as_str()),
        });
    }
    match latest.kind {
        // A document that C3 has rejected is not valid, so reporting it again does not help.
        TaxReportKind::Submit | TaxReportKind::Resubmit if is_rejected(document) => not(
            "the document was rejected at stage C3; send a correction of it (corrects_document_id)",
        ),
        TaxReportKind::Submit | TaxReportKind::Resubmit => Repair::Again(latest, as_what(reports)),
        TaxReportKind::Failed => Repair::Again(latest, TaxReportKind::Failed),
        TaxReportKind::Withdraw => Repair::Again(latest, TaxReportKind::Withdraw),
        TaxReportKind::Unknown => Repair::Not(format!("{id} is of a kind of a newer version")),
    }
}

/// R revises an earlier report (Tax Data Document BIS 1.0.4, TDT-006): the authority refuses it if it has no earlier
/// one. If no earlier report can have arrived, S is sent again as the first one.
fn as_what(reports: &[KnownTaxReport]) -> TaxReportKind {
    let never_arrived = |(tax_report, transmission): &KnownTaxReport| {
        tax_report.status == TaxReportStatus::Failed
            && !transmission.as_ref().is_some_and(TransmissionRecord::may_have_arrived)
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
fn was_received(transmission: Option<&TransmissionRecord>) -> bool {
    let mut attempts = transmission.into_iter().flat_map(|transmission| &transmission.attempts);
    let said_so = |outcome| matches!(outcome, AttemptOutcome::Received | AttemptOutcome::Duplicate);
    attempts.any(|attempt| attempt.outcome.is_some_and(said_so))
}
