//! What documents, statuses and reports are called, and how grave they look.

use crate::{
    document::Operation,
    store::{
        AnswerStatus, AttemptOutcome, Direction, FilingKind, FilingOutcome, FilingStatus, Reached,
        Reporting, Status, StatusCode,
    },
};

/// How something stands: the class of a badge, or of an entry of a timeline.
pub(super) const GOOD: &str = "good";
pub(super) const BAD: &str = "bad";
pub(super) const WARN: &str = "warn";
pub(super) const BUSY: &str = "busy";
pub(super) const PLAIN: &str = "plain";

/// A word for how something stands: the class, and the name of the message.
pub(in crate::pages) type Badge = (&'static str, &'static str);

pub(super) fn status(status: Status) -> Badge {
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

/// What a Message Level Status says.
pub(super) fn code(code: StatusCode) -> Badge {
    match code {
        StatusCode::Delivered => status(Status::Delivered),
        StatusCode::Forwarded => status(Status::Forwarded),
        StatusCode::Rejected => status(Status::Rejected),
        StatusCode::Unknown => status(Status::Unknown),
    }
}

/// How far the status is that we owe for a document, or what it said.
pub(super) fn answer(answer: AnswerStatus, said: Option<StatusCode>) -> Badge {
    match answer {
        AnswerStatus::Waiting => (BUSY, "answer-waiting"),
        AnswerStatus::Answering => (BUSY, "answer-answering"),
        AnswerStatus::Sent => code(said.unwrap_or(StatusCode::Unknown)),
        AnswerStatus::Unconfirmed => (WARN, "attempt-unconfirmed"),
        AnswerStatus::Undeliverable => (WARN, "answer-undeliverable"),
        AnswerStatus::NotOwed => (PLAIN, "answer-not-owed"),
        AnswerStatus::Unknown => (PLAIN, "status-unknown"),
    }
}

pub(super) fn reporting(reporting: &Reporting) -> Badge {
    reporting.outcome.map_or((BUSY, "report-open"), outcome_of_report)
}

fn outcome_of_report(outcome: FilingOutcome) -> Badge {
    match outcome {
        FilingOutcome::Reported => (GOOD, "report-reported"),
        FilingOutcome::NotCompliant => (BAD, "report-not-compliant"),
        FilingOutcome::Failed => (BAD, "report-failed"),
        FilingOutcome::Unknown => (PLAIN, "status-unknown"),
    }
}

/// What a document has come to, by itself or with its report.
pub(in crate::pages) fn reached(reached: Reached) -> Badge {
    match reached {
        Reached::Failed => status(Status::Failed),
        Reached::Unconfirmed => status(Status::Unconfirmed),
        Reached::Rejected => status(Status::Rejected),
        Reached::Sent => status(Status::Sent),
        Reached::Forwarded => status(Status::Forwarded),
        Reached::Delivered => status(Status::Delivered),
        Reached::Received => status(Status::Received),
        Reached::Reported => outcome_of_report(FilingOutcome::Reported),
        Reached::NotCompliant => outcome_of_report(FilingOutcome::NotCompliant),
        Reached::Unreported => outcome_of_report(FilingOutcome::Failed),
        Reached::Unknown => status(Status::Unknown),
    }
}

pub(super) fn filing(status: FilingStatus, is_overdue: bool) -> Badge {
    match status {
        FilingStatus::Submitted if is_overdue => (WARN, "report-overdue"),
        FilingStatus::Due => (BUSY, "report-due"),
        FilingStatus::Filing => (BUSY, "report-filing"),
        FilingStatus::Submitted => (BUSY, "report-submitted"),
        FilingStatus::Reported => (GOOD, "report-reported"),
        FilingStatus::NotCompliant => (BAD, "report-not-compliant"),
        FilingStatus::Failed => (BAD, "report-failed"),
        FilingStatus::Unknown => (PLAIN, "status-unknown"),
    }
}

pub(super) fn filing_kind(kind: FilingKind) -> &'static str {
    match kind {
        FilingKind::Submit => "report-kind-submit",
        FilingKind::Resubmit => "report-kind-resubmit",
        FilingKind::Withdraw => "report-kind-withdraw",
        FilingKind::Failed => "report-kind-failed",
        FilingKind::Unknown => "status-unknown",
    }
}

/// What came of an attempt; none of one that runs, or whose worker died.
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

pub(super) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Invoice => "kind-invoice",
        Operation::CreditNote => "kind-credit-note",
        Operation::SelfBilledInvoice => "kind-self-billed-invoice",
        Operation::SelfBilledCreditNote => "kind-self-billed-credit-note",
    }
}

/// Every kind, as the API names it in its filter.
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
