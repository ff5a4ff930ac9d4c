//! The identifiers of the network: Policy for use of Identifiers (PFUOI) 4.4, eDEC code lists 9.7.
//!
//! A participant is [`crate::types::ParticipantId`]; what else two access points call things by is here.

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

/// Longest text of others that an error repeats, in characters.
const LONGEST_QUOTE: usize = 100;

/// What an error repeats of a text that a stranger wrote.
pub(in crate::peppol) fn quoted(text: &str) -> String {
    cut(text, LONGEST_QUOTE)
}

/// A text of at most so many characters, and of an ellipsis where there were more.
pub(in crate::peppol) fn cut(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let mut cut: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() {
        cut.push('…');
    }
    cut
}

/// Whether a text is made of characters that no identifier of the network goes beyond: printable
/// ASCII without spaces. So none needs care in XML beyond `&`, `<` and quotation marks, nor in logs.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}
