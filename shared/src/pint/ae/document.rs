//! The document level: identifiers, dates, type, references, payment.

use std::cmp::Ordering;

use super::header::{Flag, TypeCode};
use crate::pint::Facts;
use crate::rules::xpath::{self, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `/ubl:Invoice | /cn:CreditNote`
pub(super) const DOCUMENT: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-001-ae",
        term: "IBT-024",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The specification identifier is not that of PINT-AE.",
        fix: "Write urn:peppol:pint:billing-1@ae-1 or urn:peppol:pint:selfbilling-1@ae-1.",
        holds: |root, _| {
            xpath::own_text(root.all(cbc::CUSTOMIZATION_ID)).is_ok_and(|text| {
                let text = xpath::trim(text);
                text.starts_with("urn:peppol:pint:billing-1@ae-1")
                    || text.starts_with("urn:peppol:pint:selfbilling-1@ae-1")
            })
        },
    },
    Rule {
        id: "aligned-ibrp-002-ae",
        term: "IBT-023",
        about: &[cbc::PROFILE_ID],
        message: "The business process is neither billing nor self-billing.",
        fix: "Write urn:peppol:bis:billing or urn:peppol:bis:selfbilling.",
        holds: |root, _| {
            xpath::normalized(root.all(cbc::PROFILE_ID)).is_ok_and(|process| {
                process.starts_with("urn:peppol:bis:billing")
                    || process.starts_with("urn:peppol:bis:selfbilling")
            })
        },
    },
    Rule {
        id: "ibr-193-ae",
        term: "BTAE-07",
        about: &[cbc::UUID],
        message: "The unique identifier number is missing.",
        fix: "Give the document a UUID.",
        holds: |root, _| root.child(cbc::UUID).is_some(),
    },
    Rule {
        id: "ibr-141-ae",
        term: "IBT-007",
        about: &[cbc::TAX_POINT_DATE],
        message: "The VAT point date is not before the issue date.",
        fix: "Leave the VAT point date out, unless VAT was due before the day of issue.",
        holds: |root, _| {
            let first = root.all(cbc::TAX_POINT_DATE).map(Node::text).min();
            let last = root.all(cbc::ISSUE_DATE).map(Node::text).max();
            first.is_none_or(|first| last.is_some_and(|last| first < last))
        },
    },
    Rule {
        id: "ibr-124-ae",
        term: "IBT-007",
        about: &[cbc::TAX_POINT_DATE],
        message: "The credit note has a VAT point date.",
        fix: "Leave the VAT point date out.",
        holds: |root, facts| {
            !facts.ae.header.is_credit_note() || root.child(cbc::TAX_POINT_DATE).is_none()
        },
    },
    Rule {
        id: "ibr-127-ae",
        term: "IBT-009",
        about: &[cbc::DUE_DATE],
        message: "There is an amount to pay, but no due date.",
        fix: "Give the date by which payment is due.",
        holds: |root, facts| {
            let payable = root.select(&[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_AMOUNT]);
            let is_positive = |amount: Node<'_>| {
                Ok(xpath::compare_number(&amount.text(), 0)? == Ordering::Greater)
            };
            facts.ae.header.is_credit_note()
                || root.all(cbc::CREDIT_NOTE_TYPE_CODE).any(|code| code.text() == "261")
                || facts.ae.header.flag(Flag::DeemedSupply) == Ok(true)
                || root.child(cbc::DUE_DATE).is_some()
                || xpath::some(payable, is_positive) == Ok(false)
        },
    },
    Rule {
        id: "ibr-191-ae",
        term: "IBT-081",
        about: &[cac::PAYMENT_MEANS, cbc::PAYMENT_MEANS_CODE],
        message: "The means of payment is missing.",
        fix: "Give the code of the means of payment, such as 30 for a credit transfer.",
        holds: |root, facts| {
            let header = &facts.ae.header;
            header.is_credit_note()
                || header.is(TypeCode::SelfBilledCreditNote)
                || header.flag(Flag::DeemedSupply) == Ok(true)
                || root.find(&[cac::PAYMENT_MEANS, cbc::PAYMENT_MEANS_CODE]).is_some()
        },
    },
    Rule {
        id: "ibr-055-ae",
        term: "IBG-03",
        about: &[cac::BILLING_REFERENCE],
        message: "The reason of the credit note does not match its reference to a preceding invoice.",
        fix: "Refer to the credited invoice. Only a volume discount (VD) has no reference.",
        holds: |root, facts| {
            let mut reasons = reasons(root);
            !facts.ae.header.is_credit_note()
                || match root.child(cac::BILLING_REFERENCE) {
                    Some(_) => reasons.any(|reason| reason.text() != "VD"),
                    None => reasons.any(|reason| reason.text() == "VD"),
                }
        },
    },
    Rule {
        id: "ibr-158-ae",
        term: "BTAE-03",
        about: &[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE],
        message: "The credit note has no reason.",
        fix: "Give the code of the reason, such as DL8.61.1.A for a cancelled supply.",
        holds: |root, facts| {
            !facts.ae.header.is(TypeCode::CreditNote) || reasons(root).next().is_some()
        },
    },
    Rule {
        id: "ibr-160-ae",
        term: "IBT-022",
        about: &[cbc::NOTE],
        message: "The frequency of billing is OTH, but no note explains it.",
        fix: "Describe the frequency of billing in the note.",
        holds: |root, _| {
            let mut frequencies = root.select(&[cac::INVOICE_PERIOD, cbc::DESCRIPTION_CODE]);
            frequencies.all(|code| code.text() != "OTH") || root.child(cbc::NOTE).is_some()
        },
    },
    Rule {
        id: "aligned-ibrp-sr-12",
        term: "IBT-031",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller has more than one VAT identifier.",
        fix: "Keep one identifier with the scheme VAT.",
        holds: |root, _| seller_vat_ids(root).is_ok_and(|count| count <= 1),
    },
    Rule {
        id: "ibr-134-ae",
        term: "IBT-031",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller's VAT identifier is missing.",
        fix: "Give the seller's TRN, unless the document is out of scope of VAT.",
        holds: |root, facts| {
            facts.ae.header.is_out_of_scope()
                || root.select(SELLER_TAX_SCHEMES).any(|scheme| {
                    scheme.select(&[cac::TAX_SCHEME, cbc::ID]).any(|id| id.text() == "VAT")
                        && scheme.child(cbc::COMPANY_ID).is_some()
                })
        },
    },
    Rule {
        id: "ibr-136-ae",
        term: "IBT-047",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The document is out of scope of VAT, but the buyer's legal registration is \
                  missing.",
        fix: "Give the buyer's legal registration identifier.",
        holds: |root, _| {
            let registration = &[
                cac::ACCOUNTING_CUSTOMER_PARTY,
                cac::PARTY,
                cac::PARTY_LEGAL_ENTITY,
                cbc::COMPANY_ID,
            ];
            let none = |name, code| root.all(name).all(|it| it.text() != code);
            none(cbc::INVOICE_TYPE_CODE, "480") && none(cbc::CREDIT_NOTE_TYPE_CODE, "81")
                || root.find(registration).is_some()
        },
    },
];

/// The number of VAT identifiers of the seller. The case of the scheme `VAT` does not matter.
fn seller_vat_ids(root: Node<'_>) -> Evaluated<usize> {
    let schemes = root.select(SELLER_TAX_SCHEMES);
    let counted = schemes.map(|scheme| {
        let is_vat = xpath::some(scheme.all(cac::TAX_SCHEME), |it| {
            Ok(xpath::string(it.all(cbc::ID))?.eq_ignore_ascii_case("VAT"))
        });
        Ok(if is_vat? { scheme.all(cbc::COMPANY_ID).count() } else { 0 })
    });
    counted.sum()
}

/// The count that aligned-ibrp-sr-12 expects.
pub(super) fn expected_vat_ids(root: Node<'_>) -> Option<Expected<'_>> {
    Some(Expected::count(seller_vat_ids(root).ok()?, 1))
}

const SELLER_TAX_SCHEMES: &[crate::xml::Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_TAX_SCHEME];

fn reasons<'d>(root: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    root.select(&[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE])
}
