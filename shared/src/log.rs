//! What is logged: one JSON object a line, with the level, the time and dotted fields.
//!
//! Never logged: bodies, UBL, metadata, headers, keys, secrets. A failure is logged once, at the
//! boundary where it becomes an answer.

use std::{fmt::Display, net::IpAddr};

use tracing::{Level, Span, field::Empty};
use tracing_subscriber::{Layer, filter::filter_fn, layer::SubscriberExt, util::SubscriberInitExt};

/// The identifier of a request, which the runtime puts into the request's extensions. Without one
/// the edge makes its own.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// The address that a request came from, which the runtime puts into the request's extensions. What a header says of
/// it anybody may write.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

/// Starts logging to standard output, which Lambda sends to CloudWatch, and has panics logged too.
/// A line has the spans within which it was logged, the outermost first: the runtime's with the id
/// of the invocation, then ours.
pub fn start(level: Level) {
    // Spans are kept whatever the level: the few lines that a high one leaves need their fields
    // most.
    let spans = level.max(Level::INFO);
    let filter = filter_fn(move |metadata| {
        *metadata.level() <= if metadata.is_span() { spans } else { level }
    });
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(true)
        .with_filter(filter.with_max_level_hint(spans));
    tracing_subscriber::registry().with(lines).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // The message of a panic can quote what was worked on; the place says enough.
        tracing::error!(panic.place = place, "the function panicked");
    }));
}

/// The span of a request: each line that is logged within carries its fields.
pub fn request(id: &str) -> Span {
    tracing::info_span!(
        "request",
        request.id = id,
        operation = Empty,
        organization_id = Empty,
        key_id = Empty,
        client_id = Empty,
        taxpayer_id = Empty,
        document_id = Empty,
        report_id = Empty,
    )
}

/// The span of work that is no request: which operation, and on what.
pub fn work(operation: &'static str, on: &[(&'static str, &dyn Display)]) -> Span {
    let span = tracing::info_span!(
        "work",
        operation,
        organization_id = Empty,
        taxpayer_id = Empty,
        document_id = Empty,
        report_id = Empty,
        event_id = Empty,
        endpoint_id = Empty,
        envelope = Empty,
        mail_id = Empty,
    );
    for (field, value) in on {
        span.record(*field, tracing::field::display(value));
    }
    span
}

/// The span of the receipt of a message: who sent it and what it is called, once that is known.
pub fn receipt() -> Span {
    tracing::info_span!(
        "receive",
        as4.sender = Empty,
        as4.message_id = Empty,
        sbdh.instance_id = Empty,
        taxpayer_id = Empty,
        document_id = Empty,
    )
}

/// Fills a field of the current span, once it is known.
pub fn note(field: &'static str, value: &dyn Display) {
    Span::current().record(field, tracing::field::display(value));
}
