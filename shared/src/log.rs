//! What is logged: one JSON object a line, with the level, the time and dotted fields.
//!
//! Never logged: bodies, UBL, metadata, headers, keys, secrets. A failure is logged once, at the
//! boundary where it becomes an answer.

use std::fmt::Display;

use tracing::{Level, Span, field::Empty};

/// Starts logging to standard output, which Lambda sends to CloudWatch, and has panics logged too.
pub fn start(level: Level) {
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_max_level(level)
        .init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // The message of a panic can quote what was worked on; the place says enough.
        tracing::error!(panic.place = place, "the function panicked");
    }));
}

/// The span of a request, a message or whatever else a function works on at a time: each line that
/// is logged within carries its fields. At the level of errors, so that no configured level takes
/// the fields from the lines that it leaves.
pub fn span(request_id: &str) -> Span {
    tracing::error_span!(
        "request",
        request.id = request_id,
        operation = Empty,
        message.id = Empty,
        organization_id = Empty,
        key_id = Empty,
        taxpayer_id = Empty,
        document_id = Empty,
        event_id = Empty,
        endpoint_id = Empty,
    )
}

/// Fills a field of the current [`span`], once it is known.
pub fn note(field: &'static str, value: &dyn Display) {
    Span::current().record(field, tracing::field::display(value));
}
