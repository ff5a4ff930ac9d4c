//! The checks of this service beyond the official rules, with their own ids (`AP-…`). They report documents that the
//! official rules accept, but the specification or the tax authority does not.
//!
//! They never change the official verdict. One check is an error, because no access point delivers such a document. The
//! others are warnings, because some official example contains what they report.

mod document;
mod iban;
mod line;
mod party;

use super::ae::header::{Flag, Header, TypeCode};
use crate::error::Severity;
use crate::rules::{Fired, Group, RuleSet, nothing_expected};
use crate::xml::names::{cac, cbc, credit_note, invoice};
use crate::xml::{Node, Tree};

static CHECKS: RuleSet<OwnFacts> = RuleSet {
    name: "own",
    version: "",
    patterns: &[pattern],
    gather: OwnFacts::gather,
    expected: nothing_expected,
};

/// The id of the check that is an error.
const ERROR: &str = "AP-PROFILE";

/// Returns the findings of this service about an invoice or credit note, in document order.
pub fn check<'d>(document: &'d Tree<'d>) -> Vec<(Fired<'d>, Severity)> {
    let severity = |fired: &Fired<'_>| match fired.id {
        ERROR => Severity::Error,
        _ => Severity::Warning,
    };
    let fired = CHECKS.check(document).into_iter();
    fired
        .map(|fired| {
            let severity = severity(&fired);
            (fired, severity)
        })
        .collect()
}

/// Facts about the whole document for these checks.
#[derive(Debug)]
struct OwnFacts {
    header: Header,
    /// Whether the buyer issued the document for the seller, and VAT applies to it.
    is_self_billed: bool,
    /// Whether the buyer issued the document, by its specification identifier.
    is_of_buyer: bool,
}

impl OwnFacts {
    fn gather(document: &Tree) -> Self {
        let mut facts =
            Self { header: Header::default(), is_self_billed: false, is_of_buyer: false };
        for node in document.root().children() {
            match node.name() {
                cbc::INVOICE_TYPE_CODE | cbc::CREDIT_NOTE_TYPE_CODE => {
                    let code = node.text();
                    facts.is_self_billed |= matches!(&*code, "389" | "261");
                    if let Some(code) = TypeCode::of_code(&code) {
                        facts.header.add_type(code);
                    }
                }
                cbc::CUSTOMIZATION_ID => facts.is_of_buyer |= node.text().contains("selfbilling"),
                cbc::PROFILE_EXECUTION_ID => facts.header.add_flags(&node.text()),
                _ => {}
            }
        }
        facts
    }

    fn has(&self, flag: Flag) -> bool {
        self.header.first_flag(flag)
    }
}

fn pattern(node: Node<'_>) -> Option<Group<OwnFacts>> {
    match node.name() {
        invoice::INVOICE | credit_note::CREDIT_NOTE => {
            is_document(node).then_some(document::DOCUMENT)
        }
        cac::PAYMENT_MEANS => Some(document::PAYMENT_MEANS),
        cac::BILLING_REFERENCE => {
            node.is_in(&[credit_note::CREDIT_NOTE]).then_some(document::CREDITED_INVOICE)
        }
        cac::TAX_TOTAL => {
            node.is_in(&[credit_note::CREDIT_NOTE]).then_some(document::CREDIT_TAX_TOTAL)
        }
        cac::PARTY if node.is_in(&[cac::ACCOUNTING_SUPPLIER_PARTY]) => Some(party::SELLER),
        cac::PARTY if node.is_in(&[cac::ACCOUNTING_CUSTOMER_PARTY]) => Some(party::BUYER),
        cac::POSTAL_ADDRESS => {
            let of_seller = node.is_in(&[cac::PARTY, cac::ACCOUNTING_SUPPLIER_PARTY]);
            let of_buyer = node.is_in(&[cac::PARTY, cac::ACCOUNTING_CUSTOMER_PARTY]);
            (of_seller || of_buyer).then_some(party::ADDRESS)
        }
        cac::ADDRESS => {
            let of_delivery = node.is_in(&[cac::DELIVERY_LOCATION, cac::DELIVERY]);
            of_delivery.then_some(party::DELIVERY_ADDRESS)
        }
        cac::PARTY_IDENTIFICATION => {
            let of_beneficiary = node.is_in(&[cac::PARTY, cac::BUYER_CUSTOMER_PARTY]);
            let of_principal = node.is_in(&[cac::PARTY, cac::SELLER_SUPPLIER_PARTY]);
            (of_beneficiary || of_principal).then_some(party::TAXPAYER)
        }
        cac::TAX_REPRESENTATIVE_PARTY => Some(party::TAX_REPRESENTATIVE),
        cac::ALLOWANCE_CHARGE => is_document(node.parent()?).then_some(document::ALLOWANCE_CHARGE),
        cac::CLASSIFIED_TAX_CATEGORY => Some(line::TAX_CATEGORY),
        cac::ITEM_PRICE_EXTENSION => Some(line::IN_AED),
        _ => None,
    }
}

/// The ids of all checks.
#[cfg(test)]
pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    let of_document = [
        document::DOCUMENT,
        document::PAYMENT_MEANS,
        document::ALLOWANCE_CHARGE,
        document::CREDITED_INVOICE,
        document::CREDIT_TAX_TOTAL,
    ];
    let of_parties = [
        party::SELLER,
        party::BUYER,
        party::ADDRESS,
        party::DELIVERY_ADDRESS,
        party::TAXPAYER,
        party::TAX_REPRESENTATIVE,
    ];
    let of_lines = [line::TAX_CATEGORY, line::IN_AED];
    let groups = of_document.into_iter().chain(of_parties).chain(of_lines);
    groups.flatten().map(|rule| rule.id)
}

fn is_document(node: Node<'_>) -> bool {
    node.parent().is_none() && matches!(node.name(), invoice::INVOICE | credit_note::CREDIT_NOTE)
}

#[cfg(test)]
mod tests;
