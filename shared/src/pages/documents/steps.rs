//! The four steps of a document, for its reader: issued, delivered, accepted and reported. A received document is
//! received, checked, answered and reported.

use jiff::Timestamp;

use super::{
    said::{self, BAD, BUSY, Badge, GOOD, PLAIN},
    timeline::ended_at,
};
use crate::{
    pages::Icon,
    service::history::History,
    store::{AttemptOutcome, Awaited, Direction, DocumentRecord, MlsOutboundStatus, Status},
};

/// A step: its name, its state, and the time of that state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// The name of the message with its name.
    pub(super) name: &'static str,
    /// The CSS class of its state.
    pub(super) tone: &'static str,
    /// The name of the message with its state.
    pub(super) word: &'static str,
    /// When it reached this state, if it did.
    pub(super) at: Option<Timestamp>,
}

impl Step {
    fn new(name: &'static str, (tone, word): Badge, at: Option<Timestamp>) -> Self {
        Step { name, tone, word, at }
    }

    /// The icon of its state.
    pub(super) fn icon(&self) -> Icon {
        match self.tone {
            said::GOOD => Icon::Good,
            said::BAD => Icon::Bad,
            said::WARN => Icon::Warn,
            said::BUSY => Icon::Waiting,
            _ => Icon::Pending,
        }
    }
}

/// Whether a step is in progress, so that the page refreshes itself.
pub(super) fn are_busy(steps: &[Step]) -> bool {
    steps.iter().any(|step| step.tone == BUSY)
}

/// The steps of a document.
pub(super) fn of(history: &History) -> [Step; 4] {
    let created = Some(history.document.created_at);
    let reported = Step::new("step-reported", report(history), reported_at(&history.document));
    match history.document.direction {
        Direction::Outbound => [
            Step::new("step-issued", (GOOD, "event-accepted"), created),
            delivered(history),
            accepted(history),
            reported,
        ],
        Direction::Inbound => [
            Step::new("step-received", (GOOD, "event-received"), created),
            Step::new("step-checked", checked(&history.document), created),
            answered(history),
            reported,
        ],
    }
}

/// The delivery to the recipient's access point.
fn delivered(history: &History) -> Step {
    let document = &history.document;
    let (state, at) = match document.status {
        Status::Accepted | Status::Converted | Status::Dispatching => {
            (said::status(document.status), None)
        }
        Status::Failed => (said::status(Status::Failed), Some(document.updated_at)),
        Status::Unconfirmed | Status::Unknown => (said::status(document.status), arrived(history)),
        _ => ((GOOD, "step-handed-over"), arrived(history)),
    };
    Step::new("step-delivered", state, at)
}

/// When the recipient's access point got the document. A document without a transmission stayed in this service.
fn arrived(History { document, transmission, .. }: &History) -> Option<Timestamp> {
    let attempts = transmission.iter().flat_map(|it| it.attempts.iter().rev());
    let mut ended = attempts.filter(|it| {
        matches!(it.outcome, Some(AttemptOutcome::Received | AttemptOutcome::Duplicate))
    });
    ended.next().map(ended_at).or(document.dispatching_at).or(Some(document.created_at))
}

/// The answer of the recipient's access point.
fn accepted(History { document, awaits, .. }: &History) -> Step {
    let name = "step-accepted";
    if let Some(status) = &document.message_level_status {
        return Step::new(name, said::code(status.code), Some(status.received_at));
    }
    let state = match document.status {
        Status::Accepted | Status::Converted | Status::Dispatching => (PLAIN, "step-later"),
        Status::Failed => (PLAIN, "step-never"),
        Status::Delivered | Status::Forwarded | Status::Rejected => said::status(document.status),
        _ if awaits.contains(&Awaited::Status) => (BUSY, "step-awaits-recipient"),
        _ => (PLAIN, "step-no-answer"),
    };
    let is_answered = state.0 == GOOD || state.0 == BAD;
    Step::new(name, state, is_answered.then_some(document.updated_at))
}

fn checked(document: &DocumentRecord) -> Badge {
    match document.status {
        Status::Rejected => (BAD, "status-rejected"),
        Status::Received if document.warnings.is_empty() => (GOOD, "step-valid"),
        Status::Received => (said::WARN, "step-valid-warnings"),
        status => said::status(status),
    }
}

/// The status that this service owes to the sender's access point.
fn answered(History { answer, .. }: &History) -> Step {
    let Some((answer, way)) = answer else {
        return Step::new("step-answered", (PLAIN, "answer-not-owed"), None);
    };
    let at = match answer.status {
        MlsOutboundStatus::Sent => answer.sent_at,
        MlsOutboundStatus::Unconfirmed | MlsOutboundStatus::Undeliverable => {
            way.iter().filter_map(|way| way.attempts.last()).next_back().map(ended_at)
        }
        _ => None,
    };
    Step::new("step-answered", said::answer(answer.status, answer.code), at)
}

fn report(History { document, awaits, .. }: &History) -> Badge {
    match (&document.reporting, document.status) {
        (Some(reporting), _) => said::reporting(reporting),
        (None, Status::Accepted | Status::Converted | Status::Dispatching) => (PLAIN, "step-later"),
        (None, _) if awaits.contains(&Awaited::Verdict) => (BUSY, "report-open"),
        (None, _) => (PLAIN, "step-no-report"),
    }
}

fn reported_at(document: &DocumentRecord) -> Option<Timestamp> {
    let reporting = document.reporting.as_ref()?;
    reporting.outcome.is_some().then_some(reporting.updated_at)
}
