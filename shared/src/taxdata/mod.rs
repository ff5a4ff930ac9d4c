//! The UAE's Tax Data Document, which reports a transaction: its official rules, and its writer.
//!
//! The rules have one pattern. Its contexts are absolute paths, so no two contexts match the same element.

mod amount;
mod check;
mod content;
mod document;
mod header;
mod hindrance;
mod party;
pub mod terms;
pub mod write;

pub use check::{Unfit, check};
pub use hindrance::{Hindrance, hindrance};

use crate::rules::{Group, RuleSet, nothing_expected};
use crate::xml::names::{cac, ext, tdd};
use crate::xml::{Limits, Name, Node};

/// Maximum sizes of a document and of its report. Other access points send up to 100 MiB, almost all of it attachments,
/// and every valid document must be reported.
const LIMITS: Limits = Limits { bytes: 128 << 20, ..Limits::DEFAULT };

/// The 58 rules.
pub const RULES: RuleSet = RuleSet {
    name: "tdd",
    version: "AE TDD 1.0.4",
    patterns: &[pattern],
    gather: |_| (),
    expected: nothing_expected,
};

/// The groups of the pattern `default`.
#[cfg(test)]
pub(crate) const GROUPS: &[Group<()>] = &[
    header::TAX_DATA,
    header::REPORTING_PARTY,
    header::RECEIVING_PARTY,
    header::REPRESENTATIVE,
    header::REPRESENTATIVE_ID,
    document::TRANSACTION,
    document::DOCUMENT,
    party::SELLER,
    party::SELLER_PARTY,
    party::SELLER_TAX,
    party::BUYER,
    party::BUYER_PARTY,
    party::BUYER_TAX,
    amount::TAX_TOTAL,
    amount::TOTAL,
    content::CUSTOM,
    content::SOURCE,
    content::EMBEDDED,
];

/// The path from the reported document up to the root.
const IN_DOCUMENT: &[Name] = &[tdd::REPORTED_DOCUMENT, tdd::REPORTED_TRANSACTION, tdd::TAX_DATA];

/// The pattern `default`.
fn pattern(node: Node<'_>) -> Option<Group<()>> {
    let (above, group): (&[Name], _) = match node.name() {
        tdd::TAX_DATA => (&[], header::TAX_DATA),
        tdd::REPORTING_PARTY => (&[tdd::TAX_DATA], header::REPORTING_PARTY),
        tdd::RECEIVING_PARTY => (&[tdd::TAX_DATA], header::RECEIVING_PARTY),
        tdd::REPORTERS_REPRESENTATIVE => (&[tdd::TAX_DATA], header::REPRESENTATIVE),
        cac::PARTY_IDENTIFICATION => {
            (&[tdd::REPORTERS_REPRESENTATIVE, tdd::TAX_DATA], header::REPRESENTATIVE_ID)
        }
        tdd::REPORTED_TRANSACTION => (&[tdd::TAX_DATA], document::TRANSACTION),
        tdd::REPORTED_DOCUMENT => (&IN_DOCUMENT[1..], document::DOCUMENT),
        cac::ACCOUNTING_SUPPLIER_PARTY => (IN_DOCUMENT, party::SELLER),
        cac::ACCOUNTING_CUSTOMER_PARTY => (IN_DOCUMENT, party::BUYER),
        cac::PARTY | cac::PARTY_TAX_SCHEME => return party::group(node),
        cac::TAX_TOTAL => (IN_DOCUMENT, amount::TAX_TOTAL),
        tdd::MONETARY_TOTAL => (IN_DOCUMENT, amount::TOTAL),
        tdd::CUSTOM_CONTENT => (&IN_DOCUMENT[1..], content::CUSTOM),
        tdd::SOURCE_DOCUMENT => (&IN_DOCUMENT[1..], content::SOURCE),
        ext::EXTENSION_CONTENT => {
            (&[tdd::SOURCE_DOCUMENT, tdd::REPORTED_TRANSACTION, tdd::TAX_DATA], content::EMBEDDED)
        }
        _ => return None,
    };
    is_in(node, above).then_some(group)
}

/// Whether the ancestors have exactly these names, from the parent up to the root.
fn is_in(node: Node<'_>, above: &[Name]) -> bool {
    node.ancestors().map(Node::name).eq(above.iter().copied())
}

/// Whether no child has one of these local names, in any namespace. The `allowed` names are exceptions.
fn has_none_of(node: Node<'_>, names: &[&str], allowed: &[&str]) -> bool {
    node.children().all(|child| {
        let name = child.local_name();
        allowed.contains(&name) || !names.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::fired;

    const SAMPLE: &str = include_str!("samples/tax-data.xml");

    #[test]
    fn there_are_58_rules() {
        assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 58);
    }

    #[test]
    fn the_embedded_document_is_not_validated() {
        let inside = "<cac:TaxTotal><cac:TaxSubtotal/></cac:TaxTotal>";
        let edited = SAMPLE.replace("</ubl:Invoice>", &format!("{inside}</ubl:Invoice>"));
        assert!(edited.contains(inside));
        assert_eq!(fired(&RULES, &edited), [""; 0]);
    }

    #[test]
    fn a_report_of_a_failure_needs_no_reported_document() {
        let sample = include_str!("samples/failure.xml");
        assert_eq!(fired(&RULES, sample), [""; 0]);
        let submitted = sample.replace(">F<", ">S<");
        assert_eq!(fired(&RULES, &submitted), ["ibr-tdd-22"]);
    }
}
