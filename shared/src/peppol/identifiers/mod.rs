//! The identifiers of the network: Policy for use of Identifiers (PFUOI) 4.4, eDEC code lists 9.7.
//!
//! A participant is [`crate::types::ParticipantId`]. This module has the other identifiers between access points.

mod document_type;
mod instance;
mod path;
mod process;
mod provider;
mod wildcard;

pub use document_type::{DocumentType, DocumentTypeError, DocumentTypeScheme, Syntax};
pub use instance::{InstanceId, InstanceIdError};
pub use path::{participant_uri, path_segment, segment_text};
pub use process::{Process, ProcessError};
pub use provider::{SeatId, SeatIdError, Spid, SpidError};
pub use wildcard::{matches, matches_from, registrations_for};

/// The scheme of every participant identifier (PFUOI).
pub const PARTICIPANT_SCHEME: &str = "iso6523-actorid-upis";

/// The one transport profile in force: Peppol AS4 profile 2.0.
pub const TRANSPORT_PROFILE: &str = "peppol-transport-as4-v2_0";

/// Longest quotation of a received text in an error, in characters.
const LONGEST_QUOTE: usize = 100;

/// A received text, cut for an error message.
pub(in crate::peppol) fn quoted(text: &str) -> String {
    cut(text, LONGEST_QUOTE)
}

/// A text cut to at most `longest` characters; an ellipsis follows where characters were cut.
pub(in crate::peppol) fn cut(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let mut cut: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() {
        cut.push('…');
    }
    cut
}

/// Whether a text is printable ASCII without spaces. Every identifier of the network is. Such a text is safe in logs,
/// and in XML only `&`, `<` and quotation marks need escapes.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}
