//! The names of the business terms of the Tax Data Document itself. Those of what it repeats of
//! the invoice are the terms of PINT.

/// Terms with their names, sorted by term.
const NAMES: &[(&str, &str)] = &[
    ("TDG-001", "Reported transaction"),
    ("TDG-002", "Reported document"),
    ("TDG-003", "Source document"),
    ("TDT-001", "Specification identifier"),
    ("TDT-002", "Business process type"),
    ("TDT-004", "Issue date of the report"),
    ("TDT-005", "Issue time of the report"),
    ("TDT-006", "Type code of the report"),
    ("TDT-007", "Reporter's endpoint"),
    ("TDT-007-1", "Scheme of the reporter's endpoint"),
    ("TDT-008", "Receiver's endpoint"),
    ("TDT-008-1", "Scheme of the receiver's endpoint"),
    ("TDT-009", "Identifier of the reporter's representative"),
    ("TDT-009-1", "Scheme of the representative's identifier"),
    ("TDT-010", "Reporter's role"),
    ("TDT-011", "Report scope"),
    ("TDT-012", "Source invoice or credit note"),
];

/// What a term, such as `TDT-006`, is called.
pub fn name(term: &str) -> Option<&'static str> {
    let at = NAMES.binary_search_by_key(&term, |(term, _)| term).ok()?;
    Some(NAMES[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxdata::GROUPS;

    #[test]
    fn the_terms_are_sorted() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn every_term_of_the_report_that_a_rule_names_has_a_name() {
        for rule in GROUPS.iter().copied().flatten().filter(|rule| rule.term.starts_with("TD")) {
            assert!(name(rule.term).is_some(), "{}: {}", rule.id, rule.term);
        }
        assert_eq!(name("TDT-003"), None);
    }
}
