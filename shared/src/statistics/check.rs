//! Checks that both reports share. Each report has its own element names.

use crate::rules::xpath::normalized;
use crate::xml::names::attr;
use crate::xml::{Name, Node, normalize_space};

/// The identifier scheme of a service provider: the subject common name of its certificate.
pub(super) const SUBJECT_NAME: &str = "CertSubjectCN";

/// The process identifier of both reports (SCH-TSR-02, SCH-EUSR-02).
pub(super) const PROFILE: &str = "urn:fdc:peppol.eu:edec:bis:reporting:1.0";

/// `normalize-space(nodes) = wanted`, for at most one node.
pub(super) fn says(node: Node<'_>, name: Name, wanted: &str) -> bool {
    normalized(node.all(name)).as_deref() == Ok(wanted)
}

/// `matches(normalize-space(nodes), '^[0-9]{4}\-[0-9]{2}\-[0-9]{2}$')`, for at most one node.
pub(super) fn is_day<'d>(nodes: impl Iterator<Item = Node<'d>>) -> bool {
    normalized(nodes).is_ok_and(|day| {
        day.len() == 10
            && day.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    })
}

/// `ends >= starts`, by text: whether some end is equal to or after some start.
pub(super) fn is_in_order<'d>(
    starts: impl Iterator<Item = Node<'d>>,
    ends: impl Iterator<Item = Node<'d>>,
) -> bool {
    let earliest = starts.map(Node::text).min();
    let latest = ends.map(Node::text).max();
    earliest.zip(latest).is_some_and(|(start, end)| end >= start)
}

/// `normalize-space(@name)`
pub(super) fn attribute(node: Node<'_>, name: Name) -> String {
    normalize_space(node.attribute(name).unwrap_or_default()).into_owned()
}

/// Whether an identifier has the scheme of service providers, the only allowed one.
pub(super) fn is_of_subject(id: Node<'_>) -> bool {
    attribute(id, attr::SCHEME_ID) == SUBJECT_NAME
}

/// Whether the identifier of a reporter is a seat, if its scheme is the subject of a certificate. The scheme is
/// compared without normalisation.
pub(super) fn is_reporter(id: Node<'_>) -> bool {
    id.attribute(attr::SCHEME_ID) != Some(SUBJECT_NAME) || is_seat(&id.normalized())
}

/// `^P[A-Z]{2}[0-9]{6}$`: a Peppol seat, as the common name of a certificate contains it.
pub(super) fn is_seat(text: &str) -> bool {
    let [b'P', letters @ .., _, _, _, _, _, _] = text.as_bytes() else { return false };
    letters.len() == 2
        && letters.iter().all(u8::is_ascii_uppercase)
        && text.bytes().skip(3).all(|byte| byte.is_ascii_digit())
}

/// The keys of one part of a report.
#[derive(Clone, Copy)]
pub(super) struct Keys<'d> {
    /// The part.
    pub(super) part: Node<'d>,
    /// The name of the key elements.
    pub(super) key: Name,
}

impl<'d> Keys<'d> {
    /// `count(Key) = wanted`
    pub(super) fn are(self, wanted: usize) -> bool {
        self.part.all(self.key).count() == wanted
    }

    /// `Key[normalize-space(@name) = value]`
    pub(super) fn with(self, name: Name, value: &str) -> impl Iterator<Item = Node<'d>> {
        self.part.all(self.key).filter(move |key| attribute(*key, name) == value)
    }

    /// `count(Key[normalize-space(@metaSchemeID) = meta]) = wanted`
    pub(super) fn of_meta(self, meta: &str, wanted: usize) -> bool {
        self.with(attr::META_SCHEME_ID, meta).count() == wanted
    }

    /// `count(Key[normalize-space(@metaSchemeID) = 'CC'][normalize-space(@schemeID) = scheme]) = 1`
    pub(super) fn has_country(self, scheme: &str) -> bool {
        let countries = self.with(attr::META_SCHEME_ID, "CC");
        countries.filter(|key| attribute(*key, attr::SCHEME_ID) == scheme).count() == 1
    }

    /// `concat(normalize-space(@schemeID), '::', normalize-space(.))` for the keys of a meta scheme.
    pub(super) fn identifiers(self, meta: &str) -> Vec<String> {
        self.with(attr::META_SCHEME_ID, meta).map(identifier).collect()
    }

    /// `normalize-space(.)` for the keys of a scheme.
    pub(super) fn values(self, scheme: &str) -> Vec<String> {
        let keys = self.with(attr::SCHEME_ID, scheme);
        keys.map(|key| key.normalized().into_owned()).collect()
    }
}

/// `concat(normalize-space(@schemeID), '::', normalize-space(.))`
pub(super) fn identifier(key: Node<'_>) -> String {
    format!("{}::{}", attribute(key, attr::SCHEME_ID), key.normalized())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_the_letter_p_two_letters_and_six_digits() {
        assert!(is_seat("POP000360") && is_seat("PAE123456"));
        for text in [
            "",
            "P",
            "POP00036",
            "POP0003600",
            "pop000360",
            "XOP000360",
            "PO1000360",
            "POP00036\u{660}",
        ] {
            assert!(!is_seat(text), "{text}");
        }
    }
}
