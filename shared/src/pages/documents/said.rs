//! Names and badges of documents, statuses and reports.

use crate::{
    document::Operation,
    store::{
        AttemptOutcome, Direction, MlsOutboundStatus, Reached, Reporting, Status, StatusCode,
        TaxReportKind, TaxReportOutcome, TaxReportStatus,
    },
};

/// The CSS class of a badge or of a timeline entry.
pub(super) const GOOD: &str = "good";
pub(super) const BAD: &str = "bad";
pub(super) const WARN: &str = "warn";
pub(super) const BUSY: &str = "busy";
pub(super) const PLAIN: &str = "plain";

/// A badge: the CSS class, and the name of the message.
pub(in crate::pages) type Badge = (&'static str, &'static str);

/// The badge of a status.
pub(in crate::pages) fn status(status: Status) -> Badge {
    match status {
        Status::Accepted => (BUSY, "status-accepted"),
        Status::Converted => (BUSY, "status-converted"),
        Status::Dispatching => (BUSY, "status-dispatching"),
        Status::Sent => (GOOD, "status-sent"),
        Status::Unconfirmed => (WARN, "status-unconfirmed"),
        Status::Failed => (BAD, "status-failed"),
        Status::Delivered => (GOOD, "status-delivered"),
        Status::Forwarded => (GOOD, "status-forwarded"),
        Status::Received => (GOOD, "status-received"),
        Status::Rejected => (BAD, "status-rejected"),
        Status::Unknown => (PLAIN, "status-unknown"),
    }
}

/// The badge of a Message Level Status.
pub(super) fn code(code: StatusCode) -> Badge {
    match code {
        StatusCode::Delivered => status(Status::Delivered),
        StatusCode::Forwarded => status(Status::Forwarded),
        StatusCode::Rejected => status(Status::Rejected),
        StatusCode::Unknown => status(Status::Unknown),
    }
}

/// The badge of the status that this service sends for a received document.
pub(super) fn answer(answer: MlsOutboundStatus, said: Option<StatusCode>) -> Badge {
    match answer {
        MlsOutboundStatus::Waiting => (BUSY, "answer-waiting"),
        MlsOutboundStatus::Answering => (BUSY, "answer-answering"),
        MlsOutboundStatus::Sent => code(said.unwrap_or(StatusCode::Unknown)),
        MlsOutboundStatus::Unconfirmed => (WARN, "attempt-unconfirmed"),
        MlsOutboundStatus::Undeliverable => (WARN, "answer-undeliverable"),
        MlsOutboundStatus::NotOwed => (PLAIN, "answer-not-owed"),
        MlsOutboundStatus::Unknown => (PLAIN, "status-unknown"),
    }
}

/// The badge of the state of a document's report.
pub(in crate::pages) fn reporting(reporting: &Reporting) -> Badge {
    reporting.outcome.map_or((BUSY, "report-open"), outcome_of_report)
}

fn outcome_of_report(outcome: TaxReportOutcome) -> Badge {
    match outcome {
        TaxReportOutcome::Reported => (GOOD, "report-reported"),
        TaxReportOutcome::NotCompliant => (BAD, "report-not-compliant"),
        TaxReportOutcome::Failed => (BAD, "report-failed"),
        TaxReportOutcome::Unknown => (PLAIN, "status-unknown"),
    }
}

/// The badge of a document, including the state of its report.
pub(in crate::pages) fn reached(reached: Reached) -> Badge {
    match reached {
        Reached::Failed => status(Status::Failed),
        Reached::Unconfirmed => status(Status::Unconfirmed),
        Reached::Rejected => status(Status::Rejected),
        Reached::Sent => status(Status::Sent),
        Reached::Forwarded => status(Status::Forwarded),
        Reached::Delivered => status(Status::Delivered),
        Reached::Received => status(Status::Received),
        Reached::Reported => outcome_of_report(TaxReportOutcome::Reported),
        Reached::NotCompliant => outcome_of_report(TaxReportOutcome::NotCompliant),
        Reached::Unreported => outcome_of_report(TaxReportOutcome::Failed),
        Reached::Unknown => status(Status::Unknown),
    }
}

pub(super) fn tax_report(status: TaxReportStatus, is_overdue: bool) -> Badge {
    match status {
        TaxReportStatus::Submitted if is_overdue => (WARN, "report-overdue"),
        TaxReportStatus::Due => (BUSY, "report-due"),
        TaxReportStatus::Filing => (BUSY, "report-filing"),
        TaxReportStatus::Submitted => (BUSY, "report-submitted"),
        TaxReportStatus::Reported => (GOOD, "report-reported"),
        TaxReportStatus::NotCompliant => (BAD, "report-not-compliant"),
        TaxReportStatus::Failed => (BAD, "report-failed"),
        TaxReportStatus::Unknown => (PLAIN, "status-unknown"),
    }
}

pub(super) fn tax_report_kind(kind: TaxReportKind) -> &'static str {
    match kind {
        TaxReportKind::Submit => "report-kind-submit",
        TaxReportKind::Resubmit => "report-kind-resubmit",
        TaxReportKind::Withdraw => "report-kind-withdraw",
        TaxReportKind::Failed => "report-kind-failed",
        TaxReportKind::Unknown => "status-unknown",
    }
}

/// The badge of an attempt; `None` stands for one that runs, or whose worker died.
pub(super) fn outcome(outcome: Option<AttemptOutcome>) -> Badge {
    match outcome {
        None => (BUSY, "attempt-open"),
        Some(AttemptOutcome::Received) => (GOOD, "attempt-received"),
        Some(AttemptOutcome::NotRegistered) => (BAD, "attempt-not-registered"),
        Some(AttemptOutcome::NotCapable) => (BAD, "attempt-not-capable"),
        Some(AttemptOutcome::Defective) => (BAD, "attempt-defective"),
        Some(AttemptOutcome::LookupFailed) => (WARN, "attempt-lookup-failed"),
        Some(AttemptOutcome::Held) => (WARN, "attempt-held"),
        Some(AttemptOutcome::Unreachable) => (WARN, "attempt-unreachable"),
        Some(AttemptOutcome::Unconfirmed) => (WARN, "attempt-unconfirmed"),
        Some(AttemptOutcome::Deferred) => (WARN, "attempt-deferred"),
        Some(AttemptOutcome::Duplicate) => (WARN, "attempt-duplicate"),
        Some(AttemptOutcome::Refused) => (BAD, "attempt-refused"),
        Some(AttemptOutcome::Unknown) => (PLAIN, "status-unknown"),
    }
}

pub(in crate::pages) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Invoice => "kind-invoice",
        Operation::CreditNote => "kind-credit-note",
        Operation::SelfBilledInvoice => "kind-self-billed-invoice",
        Operation::SelfBilledCreditNote => "kind-self-billed-credit-note",
    }
}

/// Every kind with its name in the filter of the API.
pub(super) const OPERATIONS: [(&str, Operation); 4] = [
    ("invoice", Operation::Invoice),
    ("credit_note", Operation::CreditNote),
    ("self_billed_invoice", Operation::SelfBilledInvoice),
    ("self_billed_credit_note", Operation::SelfBilledCreditNote),
];

pub(super) fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Outbound => "direction-outbound",
        Direction::Inbound => "direction-inbound",
    }
}
