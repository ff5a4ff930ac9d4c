//! What is logged: one JSON object a line, with the level, the time and dotted fields.
//!
//! Never logged: bodies, UBL, metadata, headers, keys, secrets. A failure is logged once, at the
//! boundary where it becomes an answer.

use std::{fmt::Display, net::IpAddr};

use tracing::{Level, Span, Subscriber, field::Empty};
use tracing_subscriber::{
    Layer, filter::filter_fn, fmt::MakeWriter, layer::SubscriberExt, registry::LookupSpan,
    util::SubscriberInitExt,
};

/// The identifier of a request, which the runtime puts into the request's extensions. Without one
/// the edge makes its own.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// The address that a request came from, which the runtime puts into the request's extensions. What a header says of
/// it anybody may write.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

/// The fields that the template makes metrics of. Lines with one are logged whatever the level is, or alarms would never ring.
const MEASURES: [&str; 12] = [
    "corrected",
    "days_left",
    "mls_seconds",
    "mls_unsent",
    "monthly_failed",
    "monthly_late",
    "parked",
    "report_failed",
    "report_overdue",
    "report_refused",
    "report_seconds",
    "status_effect",
];

/// Starts logging to standard output, which Lambda sends to CloudWatch, and has panics logged too.
/// A line has the spans within which it was logged, the outermost first: the runtime's with the id
/// of the invocation, then ours.
pub fn start(level: Level) {
    tracing_subscriber::registry().with(lines(level, std::io::stdout)).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // The message of a panic can quote what was worked on; the place says enough.
        tracing::error!(panic.place = place, "the function panicked");
    }));
}

/// What is logged at a level, as lines.
fn lines<S, W>(level: Level, writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    // Spans are kept whatever the level: the few lines that a high one leaves need their fields
    // most.
    let spans = level.max(Level::INFO);
    let filter = filter_fn(move |metadata| {
        let measures = || MEASURES.iter().any(|name| metadata.fields().field(name).is_some());
        *metadata.level() <= if metadata.is_span() || measures() { spans } else { level }
    });
    tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(true)
        .with_writer(writer)
        .with_filter(filter.with_max_level_hint(spans))
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

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        sync::{Arc, Mutex},
    };

    use super::*;

    const TEMPLATE: &str = include_str!("../../template.yaml");

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_the_template_counts_is_known_and_no_other() {
        let patterns = TEMPLATE.lines().filter(|line| line.trim().starts_with("FilterPattern:"));
        let mut fields: Vec<_> = patterns
            .map(|line| line.split_once("$.").unwrap().1.split_once(' ').unwrap().0)
            .collect();
        fields.sort_unstable();
        assert_eq!(fields, MEASURES);
    }

    #[test]
    fn what_is_counted_is_logged_at_every_level() {
        for (level, expected) in [(Level::ERROR, 1), (Level::WARN, 2), (Level::INFO, 3)] {
            let written = Written::default();
            let to = written.clone();
            let subscriber = tracing_subscriber::registry().with(lines(level, move || to.clone()));
            tracing::subscriber::with_default(subscriber, || {
                tracing::info!(mls_seconds = 3, "a status was sent");
                tracing::warn!("something is strange");
                tracing::info!("something happened");
            });
            let lines = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
            assert_eq!(lines.lines().count(), expected, "{level}: {lines}");
            assert!(lines.contains(r#""mls_seconds":3"#), "{lines}");
        }
    }
}
