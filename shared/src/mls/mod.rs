//! The official rules of the Message Level Status, with which a receiver answers a document.
//!
//! There is one pattern. Its contexts are absolute paths, so no two contexts match the same element.

mod issue;
mod message;
mod response;

use crate::rules::{Group, RuleSet, nothing_expected};
use crate::xml::names::{application_response, cac};
use crate::xml::{Name, Node};

/// The 31 rules.
pub const RULES: RuleSet = RuleSet {
    name: "mls",
    version: "MLS 1.0.1",
    patterns: &[pattern],
    gather: |_| (),
    expected: nothing_expected,
};

/// The groups of the pattern `default`.
#[cfg(test)]
pub(crate) const GROUPS: &[Group<()>] = &[
    message::MESSAGE,
    response::RESPONSE,
    response::REFERENCE,
    issue::ISSUE,
    issue::RESPONSE,
    issue::STATUS,
];

/// The path from the status of an issue up to the root.
const IN_ISSUE: &[Name] = &[
    cac::RESPONSE,
    cac::LINE_RESPONSE,
    cac::DOCUMENT_RESPONSE,
    application_response::APPLICATION_RESPONSE,
];

/// The pattern `default`.
fn pattern(node: Node<'_>) -> Option<Group<()>> {
    let (above, group) = match node.name() {
        application_response::APPLICATION_RESPONSE => (&IN_ISSUE[4..], message::MESSAGE),
        cac::DOCUMENT_RESPONSE => (&IN_ISSUE[3..], response::RESPONSE),
        cac::DOCUMENT_REFERENCE => (&IN_ISSUE[2..], response::REFERENCE),
        cac::LINE_RESPONSE => (&IN_ISSUE[2..], issue::ISSUE),
        cac::RESPONSE => (&IN_ISSUE[1..], issue::RESPONSE),
        cac::STATUS => (IN_ISSUE, issue::STATUS),
        _ => return None,
    };
    node.ancestors().map(Node::name).eq(above.iter().copied()).then_some(group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::fired;

    const SAMPLE: &str = include_str!("samples/rejection.xml");

    #[test]
    fn the_samples_obey_every_rule() {
        for sample in [SAMPLE, include_str!("samples/acceptance.xml")] {
            assert_eq!(fired(&RULES, sample), [""; 0]);
        }
    }

    #[test]
    fn there_are_31_rules() {
        assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 31);
    }

    #[test]
    fn a_positive_status_has_no_failures() {
        let accepted = SAMPLE.replace(">RE<", ">AP<");
        assert_eq!(fired(&RULES, &accepted), ["SCH-MLS-25"]);
        assert_eq!(
            fired(&RULES, &accepted.replace(">BV<", ">BW<").replace(">SV<", ">BW<")),
            [""; 0]
        );
    }

    #[test]
    fn of_two_response_codes_neither_counts() {
        let twice = SAMPLE.replace(
            "<cbc:ResponseCode>",
            "<cbc:ResponseCode>RE</cbc:ResponseCode><cbc:ResponseCode>",
        );
        // Rules that need no code hold.
        assert_eq!(fired(&RULES, &twice), ["SCH-MLS-19", "SCH-MLS-25"]);
    }
}
