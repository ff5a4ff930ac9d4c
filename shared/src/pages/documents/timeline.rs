//! The history of a document, the latest entry first.

use jiff::{SignedDuration, Timestamp};

use super::{
    super::excerpt::cut,
    said::{self, BUSY, GOOD, PLAIN},
};
use crate::{
    service::history::History,
    store::{
        AttemptOutcome, Direction, EventOfDocument, MlsOutboundStatus, Status, TaxReportStatus,
        TransmissionAttempt,
    },
};

/// Something that happened.
#[derive(Debug)]
pub(super) struct Entry {
    /// When.
    pub(super) at: Timestamp,
    /// The CSS class of the entry.
    pub(super) tone: &'static str,
    /// The name of the message with the title.
    pub(super) title: &'static str,
    /// The name of the message with the outcome.
    pub(super) outcome: Option<&'static str>,
    /// Facts: the name of a message and a value each.
    pub(super) facts: Vec<(&'static str, String)>,
    /// Texts of the other side or of this service.
    pub(super) said: Vec<String>,
    /// The event about it, which links to its deliveries.
    pub(super) event: Option<EventOfDocument>,
}

impl Entry {
    fn new(at: Timestamp, tone: &'static str, title: &'static str) -> Self {
        Entry { at, tone, title, outcome: None, facts: Vec::new(), said: Vec::new(), event: None }
    }

    /// Shortens each text to a number of characters.
    pub(super) fn shorten(&mut self, most: usize) {
        let facts = self.facts.iter_mut().map(|(_, text)| text);
        facts.chain(&mut self.said).for_each(|text| *text = cut(text, most));
    }

    /// Its bytes on a page with its markup.
    pub(super) fn weight(&self) -> usize {
        let facts: usize = self.facts.iter().map(|(_, text)| 100 + written(text)).sum();
        let said: usize = self.said.iter().map(|text| 40 + written(text)).sum();
        let event = if self.event.is_some() { 180 } else { 0 };
        let details = if self.facts.is_empty() { 0 } else { 120 };
        300 + facts + said + event + details
    }
}

/// The complete history.
pub(super) fn of(history: &History) -> Vec<Entry> {
    let mut entries = vec![beginning(history)];
    entries.extend(on_its_way(history));
    if let Some(transmission) = &history.transmission {
        entries.extend(transmission.attempts.iter().map(|it| attempt("event-attempt", it)));
    }
    entries.extend(left(history));
    entries.extend(present(history));
    entries.extend(verdict_of_recipient(history));
    entries.extend(answer(history));
    entries.extend(reports(history));
    entries.extend(notified(history));
    // The sort is stable: entries of the same millisecond keep their order, so the later one is above after the
    // reversal.
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

/// The states of a document before its first message was sent.
fn on_its_way(History { document, .. }: &History) -> impl Iterator<Item = Entry> {
    let states = [
        (document.converted_at, Status::Converted),
        (document.dispatching_at, Status::Dispatching),
    ];
    states.into_iter().filter_map(|(at, status)| Some(state(at?, status)))
}

/// The state before the current one. Records keep only the current state; the last attempt has the time of the change,
/// and whether there was a proof.
fn left(History { document, transmission, .. }: &History) -> Option<Entry> {
    document.message_level_status.as_ref()?;
    let last = transmission.as_ref()?.attempts.last()?;
    let status = match last.outcome {
        Some(AttemptOutcome::Received | AttemptOutcome::Duplicate) => Status::Sent,
        Some(AttemptOutcome::Unconfirmed) => Status::Unconfirmed,
        _ => return None,
    };
    (document.status != status).then(|| state(ended_at(last), status))
}

fn state(at: Timestamp, status: Status) -> Entry {
    let (tone, word) = said::status(status);
    Entry { outcome: Some(word), ..Entry::new(at, tone, "event-state") }
}

/// The end of an attempt.
pub(super) fn ended_at(attempt: &TransmissionAttempt) -> Timestamp {
    let took = i64::try_from(attempt.duration_ms.unwrap_or_default()).unwrap_or(i64::MAX);
    let took = SignedDuration::from_millis(took);
    attempt.started_at.saturating_add(took).unwrap_or(attempt.started_at)
}

/// The current state, if no other entry shows it.
fn present(History { document, .. }: &History) -> Option<Entry> {
    let told_otherwise = match document.status {
        Status::Received => true,
        Status::Delivered | Status::Forwarded | Status::Rejected => {
            document.message_level_status.is_some()
        }
        Status::Converted => document.converted_at.is_some(),
        Status::Dispatching => document.dispatching_at.is_some(),
        _ => document.updated_at == document.created_at && document.status == Status::Accepted,
    };
    (!told_otherwise).then(|| state(document.updated_at, document.status))
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
    let (tone, word) = said::code(status.code);
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

/// The status for the sender's access point: each attempt to send it, and its state.
fn answer(History { answer, .. }: &History) -> Vec<Entry> {
    let Some((answer, way)) = answer else { return Vec::new() };
    let attempts = way.iter().flat_map(|way| &way.attempts);
    let mut entries: Vec<_> =
        attempts.clone().map(|it| attempt("event-answer-attempt", it)).collect();
    let at = match answer.status {
        MlsOutboundStatus::Sent => answer.sent_at,
        // The last attempt already shows that no more attempts follow.
        MlsOutboundStatus::Unconfirmed | MlsOutboundStatus::Undeliverable => {
            attempts.last().map(ended_at)
        }
        _ => None,
    };
    let (tone, word) = said::answer(answer.status, answer.code);
    let code = answer.code.map(|code| ("fact-code", code.as_str().to_owned()));
    let names = [
        ("fact-receiver", answer.receiver.participant().to_string()),
        ("fact-message", answer.instance_id.to_string()),
        ("fact-refers-to", answer.ref_to.to_string()),
    ];
    entries.push(Entry {
        outcome: Some(word),
        facts: code.into_iter().chain(names).collect(),
        ..Entry::new(at.unwrap_or(answer.created_at), tone, "event-answer")
    });
    entries
}

/// The events that the organization received, the first one first, each with its state.
fn notified(History { events, .. }: &History) -> impl Iterator<Item = Entry> {
    events.iter().rev().map(|event| {
        let (tone, outcome) = event.reached.map(said::reached).unzip();
        Entry {
            outcome,
            event: Some(event.clone()),
            ..Entry::new(event.created_at, tone.unwrap_or(PLAIN), "event-notified")
        }
    })
}

/// Each report: its creation, the attempts to deliver it, and the verdict of the authority.
fn reports(history: &History) -> Vec<Entry> {
    let mut entries = Vec::new();
    for report in &history.reports {
        let tax_report = &report.tax_report;
        let (tone, word) = said::tax_report(tax_report.status, report.is_overdue);
        let kind = said::tax_report_kind(tax_report.kind);
        entries.push(Entry {
            facts: vec![("fact-report", tax_report.report_id.to_string())],
            ..Entry::new(tax_report.created_at, PLAIN, kind)
        });
        let attempts = report.attempts.iter().flatten();
        entries.extend(attempts.map(|it| attempt("event-report-attempt", it)));
        // Reports that were submitted and have a verdict since.
        if let Some(at) =
            tax_report.submitted_at.filter(|_| tax_report.status != TaxReportStatus::Submitted)
        {
            let (tone, word) = said::tax_report(TaxReportStatus::Submitted, false);
            let outcome = Some(word);
            entries.push(Entry { outcome, ..Entry::new(at, tone, "event-report-state") });
        }
        if let Some(verdict) = &tax_report.verdict {
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
        } else if tone != BUSY || tax_report.updated_at != tax_report.created_at {
            entries.push(Entry {
                outcome: Some(word),
                facts: vec![("fact-report", tax_report.report_id.to_string())],
                ..Entry::new(tax_report.updated_at, tone, "event-report-state")
            });
        }
    }
    entries
}

/// The bytes of a text in HTML; an escaped character takes five.
pub(super) fn written(text: &str) -> usize {
    text.bytes().map(|byte| if b"\"'&<>".contains(&byte) { 5 } else { 1 }).sum()
}
