//! What is logged: one JSON object a line, with the level, the time and dotted fields.
//!
//! Never logged: bodies, UBL, metadata, headers, keys, secrets. A failure is logged once, at the
//! boundary where it becomes an answer.

use tracing::Level;

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
