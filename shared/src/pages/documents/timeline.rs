//! What became of a document, in the order in which it happened, the latest first.

use jiff::Timestamp;

use super::said::{self, BAD, BUSY, GOOD, PLAIN};
use crate::{
    service::history::History,
    store::{Direction, EventOfDocument, Status, StatusCode, TransmissionAttempt},
};

/// Something that happened.
#[derive(Debug)]
pub(super) struct Entry {
    /// When.
    pub(super) at: Timestamp,
    /// How it stands with it: the class of the entry.
    pub(super) tone: &'static str,
    /// The name of the message that says what it is.
    pub(super) title: &'static str,
    /// The name of the message that says what came of it.
    pub(super) outcome: Option<&'static str>,
    /// What is known of it: the name of a message each, and a value.
    pub(super) facts: Vec<(&'static str, String)>,
    /// In words, as the other side or this service wrote them.
    pub(super) said: Vec<String>,
    /// The event that tells of it, with its deliveries on a page of its own.
    pub(super) event: Option<EventOfDocument>,
}

impl Entry {
    fn new(at: Timestamp, tone: &'static str, title: &'static str) -> Self {
        Entry { at, tone, title, outcome: None, facts: Vec::new(), said: Vec::new(), event: None }
    }
}

/// Everything that is known.
pub(super) fn of(history: &History) -> Vec<Entry> {
    let mut entries = vec![beginning(history)];
    if let Some(transmission) = &history.transmission {
        entries.extend(transmission.attempts.iter().map(|it| attempt("event-attempt", it)));
    }
    entries.extend(present(history));
    entries.extend(verdict_of_recipient(history));
    entries.extend(reports(history));
    entries.extend(told(history));
    // What is of one millisecond stays as it was put: later below, so that it is above in the end.
    entries.sort_by_key(|entry| entry.at);
    entries.reverse();
    entries
}

fn beginning(History { document, .. }: &History) -> Entry {
    match document.direction {
        Direction::Outbound => Entry::new(document.created_at, PLAIN, "event-accepted"),
        Direction::Inbound => Entry::new(document.created_at, GOOD, "event-received"),
    }
}

/// The state of today, where nothing below tells of it.
fn present(History { document, .. }: &History) -> Option<Entry> {
    let told_otherwise = match document.status {
        Status::Received => true,
        Status::Delivered | Status::Forwarded | Status::Rejected => {
            document.message_level_status.is_some()
        }
        _ => document.updated_at == document.created_at && document.status == Status::Accepted,
    };
    let (tone, word) = said::status(document.status);
    let entry =
        Entry { outcome: Some(word), ..Entry::new(document.updated_at, tone, "event-state") };
    (!told_otherwise).then_some(entry)
}

fn attempt(title: &'static str, attempt: &TransmissionAttempt) -> Entry {
    let (tone, outcome) = said::outcome(attempt.outcome);
    let texts = [
        ("fact-attempt", Some(attempt.number.to_string())),
        ("fact-endpoint", attempt.endpoint.clone()),
        ("fact-access-point", attempt.receiver.clone()),
        ("fact-message", attempt.message_id.clone()),
        ("fact-ebms", attempt.ebms_code.clone()),
        ("fact-duration", attempt.duration_ms.map(|duration| format!("{duration} ms"))),
    ];
    Entry {
        outcome: Some(outcome),
        facts: texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        said: attempt.cause.iter().cloned().collect(),
        ..Entry::new(attempt.started_at, tone, title)
    }
}

fn verdict_of_recipient(History { document, .. }: &History) -> Option<Entry> {
    let status = document.message_level_status.as_ref()?;
    let (tone, word) = match status.code {
        StatusCode::Delivered => (GOOD, "status-delivered"),
        StatusCode::Forwarded => (GOOD, "status-forwarded"),
        StatusCode::Rejected => (BAD, "status-rejected"),
        StatusCode::Unknown => (PLAIN, "status-unknown"),
    };
    Some(Entry {
        outcome: Some(word),
        facts: vec![
            ("fact-code", status.code.as_str().to_owned()),
            ("fact-access-point", status.sender.to_string()),
            ("fact-message", status.instance_id.to_string()),
        ],
        said: status.description.iter().cloned().collect(),
        ..Entry::new(status.received_at, tone, "event-mls")
    })
}

/// What the organization heard of all that, the first event first.
fn told(History { told, .. }: &History) -> impl Iterator<Item = Entry> {
    told.iter().rev().map(|event| Entry {
        event: Some(event.clone()),
        ..Entry::new(event.created_at, PLAIN, "event-told")
    })
}

/// Each report: that it was made, the attempts to deliver it, and what the authority said.
fn reports(history: &History) -> Vec<Entry> {
    let mut entries = Vec::new();
    for report in &history.reports {
        let filing = &report.filing;
        let (tone, word) = said::filing(filing.status, report.is_overdue);
        let kind = said::filing_kind(filing.kind);
        entries.push(Entry {
            facts: vec![("fact-report", filing.report_id.to_string())],
            ..Entry::new(filing.created_at, PLAIN, kind)
        });
        let attempts = report.attempts.iter().flatten();
        entries.extend(attempts.map(|it| attempt("event-report-attempt", it)));
        if let Some(verdict) = &filing.verdict {
            entries.push(Entry {
                outcome: Some(word),
                facts: vec![
                    ("fact-code", verdict.code.as_str().to_owned()),
                    ("fact-access-point", verdict.sender.to_string()),
                    ("fact-message", verdict.instance_id.to_string()),
                ],
                said: verdict.description.iter().cloned().collect(),
                ..Entry::new(verdict.received_at, tone, "event-verdict")
            });
        } else if tone != BUSY || filing.updated_at != filing.created_at {
            entries.push(Entry {
                outcome: Some(word),
                facts: vec![("fact-report", filing.report_id.to_string())],
                ..Entry::new(filing.updated_at, tone, "event-report-state")
            });
        }
    }
    entries
}
