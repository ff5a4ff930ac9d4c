//! The names of the Tax Data Document's own business terms. The terms that it repeats from the invoice are those of
//! PINT.

use crate::rules::terms::Terms;

/// Terms (`TDT-…`) and groups of terms (`TDG-…`).
pub const TERMS: Terms = Terms(&[
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
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxdata::GROUPS;

    #[test]
    fn the_terms_are_sorted() {
        assert!(TERMS.are_sorted());
    }

    #[test]
    fn every_term_of_the_report_that_a_rule_names_has_a_name() {
        for rule in GROUPS.iter().copied().flatten().filter(|rule| rule.term.starts_with("TD")) {
            assert!(TERMS.name(rule.term).is_some(), "{}: {}", rule.id, rule.term);
        }
        assert_eq!(TERMS.name("TDT-003"), None);
    }
}
