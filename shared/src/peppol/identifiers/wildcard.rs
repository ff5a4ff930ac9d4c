use super::{DocumentType, DocumentTypeScheme};

/// The registrations that may cover a document, in the order of the search (PFUOI 4.3 and 4.4). A sender searches the
/// ServiceGroup; a receiver searches its own registrations.
///
/// A wildcard gives an empty list: no document has a wildcard as its type.
pub fn registrations_for(document: &DocumentType) -> Vec<DocumentType> {
    if document.is_wildcard() {
        return Vec::new();
    }
    let mut registrations = vec![document.clone()];
    if document.scheme() == DocumentTypeScheme::Wildcard {
        registrations.extend(prefixes(document).map(|prefix| document.customized(prefix, true)));
    }
    registrations
}

/// The customization, then the same text cut before its last `@`, again and again.
fn prefixes(document: &DocumentType) -> impl Iterator<Item = &str> {
    let whole = Some(document.customization());
    std::iter::successors(whole, |prefix| prefix.rsplit_once('@').map(|(left, _)| left))
        .take_while(|prefix| !prefix.is_empty())
}

/// The registration that covers a document: the first of [`registrations_for`] that exists.
pub fn matches<'r>(
    registrations: &'r [DocumentType],
    document: &DocumentType,
) -> Option<&'r DocumentType> {
    matches_from(registrations, document, None)
}

/// As [`matches()`], but the search starts at `sought` and skips narrower registrations.
pub fn matches_from<'r>(
    registrations: &'r [DocumentType],
    document: &DocumentType,
    sought: Option<&DocumentType>,
) -> Option<&'r DocumentType> {
    registrations_for(document)
        .into_iter()
        .skip_while(|wanted| sought.is_some_and(|sought| sought != wanted))
        .find_map(|wanted| registrations.iter().find(|registered| **registered == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wildcard(customization: &str) -> DocumentType {
        format!("peppol-doctype-wildcard::urn:n::Invoice##{customization}::2.1").parse().unwrap()
    }

    #[test]
    fn narrower_registrations_are_passed_over_where_a_wider_one_is_sought() {
        let all = ["b@ae-1", "b@ae-1*", "b*"].map(wildcard);
        for (sought, found) in [
            (None, Some(0)),
            (Some("b@ae-1"), Some(0)),
            (Some("b@ae-1*"), Some(1)),
            (Some("b*"), Some(2)),
            // It covers no such document.
            (Some("b@sg-1*"), None),
        ] {
            let sought = sought.map(wildcard);
            let matched = matches_from(&all, &wildcard("b@ae-1"), sought.as_ref());
            assert_eq!(matched, found.map(|at: usize| &all[at]), "{sought:?}");
        }
        let narrow = [wildcard("b@ae-1")];
        assert_eq!(matches_from(&narrow, &wildcard("b@ae-1"), Some(&wildcard("b*"))), None);
    }

    #[test]
    fn registrations_are_tried_from_the_exact_to_the_widest() {
        let cases: [(&str, &[&str]); 7] = [
            // The example of the policy.
            ("billing-1@ae-1", &["billing-1@ae-1", "billing-1@ae-1*", "billing-1*"]),
            ("billing-1", &["billing-1", "billing-1*"]),
            (
                "b-1@ae-1@x@y",
                &["b-1@ae-1@x@y", "b-1@ae-1@x@y*", "b-1@ae-1@x*", "b-1@ae-1*", "b-1*"],
            ),
            ("b@", &["b@", "b@*", "b*"]),
            ("b@@c", &["b@@c", "b@@c*", "b@*", "b*"]),
            // No text is left before the wildcard.
            ("@ae-1", &["@ae-1", "@ae-1*"]),
            ("@", &["@", "@*"]),
        ];
        for (customization, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|text| wildcard(text)).collect();
            assert_eq!(registrations_for(&wildcard(customization)), expected, "{customization}");
        }
    }

    #[test]
    fn the_exact_scheme_knows_no_other_registration() {
        let document: DocumentType =
            "busdox-docid-qns::urn:n::Invoice##b-1@ae-1::2.1".parse().unwrap();
        assert_eq!(registrations_for(&document), std::slice::from_ref(&document));
        assert_eq!(matches(&[wildcard("b-1@ae-1"), wildcard("b-1*")], &document), None);
    }

    #[test]
    fn a_wildcard_is_no_document() {
        let registered = wildcard("billing-1@ae-1*");
        assert_eq!(registrations_for(&registered), []);
        assert_eq!(matches(std::slice::from_ref(&registered), &registered), None);
    }

    #[test]
    fn the_narrowest_registration_is_found() {
        let cases: [(&[&str], &str, Option<&str>); 8] = [
            (&["b*", "b@ae-1*", "b@ae-1"], "b@ae-1", Some("b@ae-1")),
            (&["b*", "b@ae-1*"], "b@ae-1", Some("b@ae-1*")),
            (&["x*", "b*"], "b@ae-1", Some("b*")),
            (&["b@ae-1*"], "b@ae-1@extension", Some("b@ae-1*")),
            // A wildcard covers text after an `@`, not any longer text.
            (&["billing*"], "billing-1@ae-1", None),
            (&["b@ae-2*", "b@ae-1@x*"], "b@ae-1", None),
            // Only the customization may vary, and case matters.
            (&["B*"], "b@ae-1", None),
            (&[], "b@ae-1", None),
        ];
        for (registered, document, expected) in cases {
            let registered: Vec<_> = registered.iter().map(|text| wildcard(text)).collect();
            let found = matches(&registered, &wildcard(document));
            assert_eq!(found, expected.map(wildcard).as_ref(), "{document}");
        }
    }

    #[test]
    fn a_registration_for_another_root_element_does_not_match() {
        let credit_notes = [DocumentType::CREDIT_NOTE.registration()];
        assert_eq!(matches(&credit_notes, &DocumentType::INVOICE), None);
        let invoices = [DocumentType::INVOICE.registration()];
        assert_eq!(matches(&invoices, &DocumentType::INVOICE), invoices.first());
        assert_eq!(matches(&invoices, &DocumentType::SELF_BILLED_INVOICE), None);
    }
}
