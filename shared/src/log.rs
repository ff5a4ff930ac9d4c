//! What is logged: one JSON object a line, with the level, the time and dotted fields.
//!
//! An error is a fault of this service. The template counts such lines, and an alarm rings when they continue. What another
//! system has caused, or has a metric of its own, is a warning.
//!
//! Never logged: bodies, UBL, metadata, headers, keys, secrets. A failure is logged once, at the
//! boundary where it becomes an answer.

use std::{fmt::Display, net::IpAddr};

use jiff::SignedDuration;
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
const MEASURES: [&str; 15] = [
    "corrected",
    "days_left",
    "mls_seconds",
    "mls_unsent",
    "monthly_failed",
    "monthly_late",
    "oldest_due_seconds",
    "parked",
    "receiver_full",
    "report_failed",
    "report_overdue",
    "report_refused",
    "report_seconds",
    "report_unsubmitted_seconds",
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

/// Declares the fields that say what a line is about, and has each span have all of them: what a span has not declared
/// is dropped without a word.
macro_rules! fields {
    ($($field:ident = $name:literal,)+) => {
        /// What a line can be about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Field {
            $($field,)+
        }

        impl Field {
            /// All of them.
            #[cfg(test)]
            const ALL: &[Field] = &[$(Field::$field),+];

            fn name(self) -> &'static str {
                match self {
                    $(Field::$field => $name,)+
                }
            }
        }

        /// A span that can record each field.
        macro_rules! span {
            ($called:literal) => {
                tracing::info_span!($called, $($name = Empty,)+)
            };
        }
    };
}

fields! {
    RequestId = "request.id",
    Operation = "operation",
    OrganizationId = "organization_id",
    KeyId = "key_id",
    ClientId = "client_id",
    TaxpayerId = "taxpayer_id",
    DocumentId = "document_id",
    ReportId = "report_id",
    EventId = "event_id",
    EndpointId = "endpoint_id",
    ArchiveId = "archive_id",
    ImportId = "import_id",
    ApplicationId = "application_id",
    Register = "register",
    Envelope = "envelope",
    MailId = "mail_id",
    Notice = "notice",
    Sender = "as4.sender",
    MessageId = "as4.message_id",
    InstanceId = "sbdh.instance_id",
}

/// The span of a request: each line that is logged within carries its fields.
pub fn request(id: &str) -> Span {
    about(span!("request"), &[(Field::RequestId, &id)])
}

/// The span of work that is no request: which operation, and on what.
pub fn work(operation: &'static str, on: &[(Field, &dyn Display)]) -> Span {
    about(about(span!("work"), &[(Field::Operation, &operation)]), on)
}

/// The span of the receipt of a message: who sent it and what it is called, once that is known.
pub fn receipt() -> Span {
    span!("receive")
}

fn about(span: Span, fields: &[(Field, &dyn Display)]) -> Span {
    for (field, value) in fields {
        fill(&span, *field, value);
    }
    span
}

/// Fills a field of the current span, once it is known.
pub fn note(field: Field, value: &dyn Display) {
    fill(&Span::current(), field, value);
}

/// The current span is another's, which has no such field, where none of ours was entered.
fn fill(span: &Span, field: Field, value: &dyn Display) {
    let name = field.name();
    debug_assert!(span.is_none() || span.has_field(name), "{span:?} has no field {name}");
    span.record(name, tracing::field::display(value));
}

/// An HTTP request that was answered. Query, headers and body are not logged, because they contain credentials and the
/// taxpayer's data.
pub struct HttpAnswer<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub status: u16,
    /// How long it took, where that was measured.
    pub duration: Option<SignedDuration>,
}

/// Why a request was not done.
pub struct HttpFailure<'a> {
    /// The code of the error, where the answer has one.
    pub code: Option<String>,
    /// The cause, without content of the request.
    pub cause: &'a str,
    /// Whether another system failed, and not this service.
    pub is_due_to_others: bool,
}

impl HttpAnswer<'_> {
    /// Logs one line.
    pub fn note(self, failure: Option<HttpFailure<'_>>) {
        let HttpAnswer { method, path, status, duration } = self;
        let millis = duration.and_then(|it| u64::try_from(it.as_millis()).ok());
        let (code, cause) = failure.as_ref().map(|it| (it.code.as_deref(), it.cause)).unzip();
        macro_rules! line {
            ($level:ident, $what:literal) => {
                tracing::$level!(
                    http.method = method,
                    http.path = path,
                    http.status = status,
                    duration_ms = millis,
                    error.code = code.flatten(),
                    error.cause = cause,
                    $what
                )
            };
        }
        match &failure {
            None => line!(info, "request answered"),
            Some(_) if status < 500 => line!(info, "request refused"),
            Some(HttpFailure { is_due_to_others: true, .. }) => line!(warn, "request failed"),
            Some(_) => line!(error, "request failed"),
        }
    }
}

/// What tests see of what is logged.
#[cfg(test)]
pub(crate) mod testing {
    use std::{
        io::Write,
        sync::{Arc, Mutex},
    };

    use serde_json::Value;
    use tracing::{Dispatch, Level, subscriber::DefaultGuard};
    use tracing_subscriber::layer::SubscriberExt;

    /// Keeps what this thread logs at a level.
    pub(crate) struct Log {
        written: Written,
        _here: DefaultGuard,
        // Were there one subscriber alone, a line that another test's thread meets first would count as wanted by nobody.
        _another: Dispatch,
    }

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

    impl Log {
        pub(crate) fn start(level: Level) -> Self {
            let written = Written::default();
            let to = written.clone();
            let lines = super::lines(level, move || to.clone());
            let _another = Dispatch::new(tracing_subscriber::registry());
            let _here =
                tracing::subscriber::set_default(tracing_subscriber::registry().with(lines));
            Log { written, _here, _another }
        }

        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.written.0.lock().unwrap().clone()).unwrap()
        }

        /// Each line, with the fields of its spans.
        pub(crate) fn lines(&self) -> Vec<Value> {
            let read = |line: &str| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                let spans = line["spans"].as_array().cloned().unwrap_or_default();
                for (name, value) in spans.iter().flat_map(|span| span.as_object().unwrap()) {
                    line[name] = value.clone();
                }
                line
            };
            self.text().lines().map(read).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{testing::Log, *};

    const TEMPLATE: &str = include_str!("../../template.yaml");

    #[test]
    fn what_the_template_counts_is_known_and_no_other() {
        let patterns = TEMPLATE.split("FilterPattern: \"{ $.").skip(1);
        let mut fields: Vec<_> =
            patterns.map(|pattern| pattern.split_once(' ').unwrap().0).collect();
        fields.sort_unstable();
        assert_eq!(fields, MEASURES);
    }

    #[test]
    fn what_is_counted_is_logged_at_every_level() {
        for (level, expected) in [(Level::ERROR, 1), (Level::WARN, 2), (Level::INFO, 3)] {
            let log = Log::start(level);
            tracing::info!(mls_seconds = 3, "a status was sent");
            tracing::warn!("something is strange");
            tracing::info!("something happened");
            let lines = log.text();
            assert_eq!(lines.lines().count(), expected, "{level}: {lines}");
            assert!(lines.contains(r#""mls_seconds":3"#), "{lines}");
        }
    }

    #[test]
    fn whatever_a_span_records_its_lines_say() {
        let log = Log::start(Level::INFO);
        for span in [request("1"), work("convert", &[]), receipt()] {
            span.in_scope(|| {
                for field in Field::ALL {
                    note(*field, &field.name());
                }
                tracing::info!("something happened");
            });
        }
        let lines = log.lines();
        assert_eq!(lines.len(), 3);
        for (line, field) in
            lines.iter().flat_map(|line| Field::ALL.iter().map(move |it| (line, it)))
        {
            assert_eq!(line[field.name()], field.name(), "{line}");
        }
    }

    #[cfg(debug_assertions)]
    #[test]
    #[should_panic(expected = "has no field document_id")]
    fn what_another_span_records_is_not_dropped_without_a_word() {
        let _log = Log::start(Level::INFO);
        let others = tracing::info_span!("another", request.id = 1);
        others.in_scope(|| note(Field::DocumentId, &"doc_1"));
    }

    #[test]
    fn what_is_noted_where_nothing_is_logged_does_no_harm() {
        note(Field::DocumentId, &"doc_1");
    }
}
