use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::PARTICIPANT_SCHEME;
use crate::types::ParticipantId;

/// Everything but the unreserved characters of RFC 3986, section 2.3. An SMP's path segments are encoded whole,
/// including `:`, `#`, `@` and `*` (Peppol SMP 1.4).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An identifier as one segment of a path.
pub fn path_segment(identifier: &str) -> String {
    utf8_percent_encode(identifier, RESERVED).to_string()
}

/// The identifier in a segment of a path; `None` when it is not UTF-8.
pub fn segment_text(segment: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(segment).decode_utf8().ok()
}

/// A participant with its scheme, `iso6523-actorid-upis::0235:1234567890`.
pub fn participant_uri(participant: &ParticipantId) -> String {
    format!("{PARTICIPANT_SCHEME}::{participant}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::identifiers::DocumentType;

    #[test]
    fn a_path_holds_identifiers_encoded_whole() {
        let participant = "0235:1234567890".parse().unwrap();
        assert_eq!(
            path_segment(&participant_uri(&participant)),
            "iso6523-actorid-upis%3A%3A0235%3A1234567890"
        );
        assert_eq!(
            path_segment(&DocumentType::INVOICE.registration().to_string()),
            "peppol-doctype-wildcard%3A%3Aurn%3Aoasis%3Anames%3Aspecification%3Aubl%3Aschema%3Axsd\
             %3AInvoice-2%3A%3AInvoice%23%23urn%3Apeppol%3Apint%3Abilling-1%40ae-1%2A%3A%3A2.1"
        );
        assert_eq!(path_segment("a/b c%~_"), "a%2Fb%20c%25~_");
    }

    #[test]
    fn a_segment_is_read_encoded_or_not() {
        let text = DocumentType::INVOICE.registration().to_string();
        assert_eq!(segment_text(&path_segment(&text)), Some(text.as_str().into()));
        assert_eq!(segment_text(&text), Some(text.as_str().into()));
        assert_eq!(segment_text("a%2fb"), Some("a/b".into()));
        assert_eq!(segment_text("100%"), Some("100%".into()));
        assert_eq!(segment_text("%FF"), None);
    }
}
