//! Checks of the document: profile identifiers, dates, flags, references, payment, totals.

use super::{OwnFacts, iban};
use crate::codes;
use crate::pint::ae::header::{Flag, TypeCode};
use crate::rules::xpath::{self, Decimal, at_most_decimals};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// The valid pairs of specification identifier and business process, for billing and self-billing.
const PROFILES: [(&str, &str); 2] = [
    ("urn:peppol:pint:billing-1@ae-1", "urn:peppol:bis:billing"),
    ("urn:peppol:pint:selfbilling-1@ae-1", "urn:peppol:bis:selfbilling"),
];

/// The document.
pub(super) const DOCUMENT: Group<OwnFacts> = &[
    Rule {
        // aligned-ibrp-001-ae and -002-ae look at how each begins, and not whether they go together.
        id: "AP-PROFILE",
        term: "IBT-024",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The specification identifier and the business process are not one of the two allowed pairs.",
        fix: "Write urn:peppol:pint:billing-1@ae-1 with urn:peppol:bis:billing, or \
              urn:peppol:pint:selfbilling-1@ae-1 with urn:peppol:bis:selfbilling.",
        holds: |root, _| {
            let text = |name| root.child(name).map(Node::normalized);
            let (one, other) = (text(cbc::CUSTOMIZATION_ID), text(cbc::PROFILE_ID));
            PROFILES.iter().any(|(specification, process)| {
                one.as_deref() == Some(*specification) && other.as_deref() == Some(*process)
            })
        },
    },
    Rule {
        id: "AP-UUID",
        term: "BTAE-07",
        about: &[cbc::UUID],
        message: "The unique identifier number is not a UUID.",
        fix: "Write 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 (RFC 9562).",
        holds: |root, _| root.child(cbc::UUID).is_none_or(|id| is_uuid(&id.normalized())),
    },
    Rule {
        id: "AP-DATE-due",
        term: "IBT-009",
        about: &[cbc::DUE_DATE],
        message: "The due date is before the issue date.",
        fix: "Check the due date and the issue date.",
        holds: |root, _| {
            let date = |name| xpath::date_of(root.all(name)).ok().flatten();
            date(cbc::ISSUE_DATE).zip(date(cbc::DUE_DATE)).is_none_or(|(issued, due)| due >= issued)
        },
    },
    Rule {
        id: "AP-FLAG-continuous",
        term: "IBG-14",
        about: &[cac::INVOICE_PERIOD],
        message: "The supply is continuous (flag 5), but the invoicing period is missing.",
        fix: "Give the invoicing period.",
        holds: |root, facts| {
            !facts.has(Flag::Continuous) || root.child(cac::INVOICE_PERIOD).is_some()
        },
    },
    Rule {
        id: "AP-FLAG-pair",
        term: "BTAE-02",
        about: &[cbc::PROFILE_EXECUTION_ID],
        message: "A deemed supply or the margin scheme (flags 2, 3) is unlikely together with an export (flag 8).",
        fix: "Check the transaction type code.",
        holds: |_, facts| {
            let excluded = facts.has(Flag::DeemedSupply) || facts.has(Flag::Margin);
            !excluded || !facts.has(Flag::Exports)
        },
    },
    Rule {
        // ibr-158-ae and ibr-055-ae ask 381 and 81 alone.
        id: "AP-REFERENCE-reason",
        term: "BTAE-03",
        about: &[cac::DISCREPANCY_RESPONSE],
        message: "The self-billed credit note has no reason.",
        fix: "Give the code of the reason, such as DL8.61.1.A for a cancelled supply.",
        holds: |root, facts| {
            !facts.header.is(TypeCode::SelfBilledCreditNote) || reason(root).is_some()
        },
    },
    Rule {
        id: "AP-REFERENCE-original",
        term: "IBG-03",
        about: &[cac::BILLING_REFERENCE],
        message: "The self-billed credit note has no reference to a preceding invoice.",
        fix: "Refer to the credited invoice. Only a volume discount (VD) has no reference.",
        holds: |root, facts| {
            !facts.header.is(TypeCode::SelfBilledCreditNote)
                || root.child(cac::BILLING_REFERENCE).is_some()
                || reason(root).is_some_and(|reason| reason.normalized() == "VD")
        },
    },
    Rule {
        id: "AP-TOTAL-negative",
        term: "IBT-112",
        about: &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT],
        message: "The total with VAT is below zero.",
        fix: "Issue a credit note, whose amounts are positive.",
        holds: |root, _| {
            let total = root.select(&[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT]);
            !matches!(xpath::decimal(total), Ok(Some(total)) if total < Decimal::ZERO)
        },
    },
    Rule {
        id: "AP-TOTAL-rounding",
        term: "IBT-114",
        about: &[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_ROUNDING_AMOUNT],
        message: "The rounding amount is more than 1.00.",
        fix: "Round to an amount that can be paid. State the rest as an allowance or a charge.",
        holds: |root, _| {
            let rounding = root.select(&[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_ROUNDING_AMOUNT]);
            match xpath::decimal(rounding) {
                Ok(Some(rounding)) => {
                    rounding <= Decimal::whole(1) && rounding >= Decimal::whole(-1)
                }
                _ => true,
            }
        },
    },
];

/// What a credit note credits.
pub(super) const CREDITED_INVOICE: Group<OwnFacts> = &[Rule {
    id: "AP-DATE-original",
    term: "IBT-026",
    about: &[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ISSUE_DATE],
    message: "The credited invoice was issued after the credit note.",
    fix: "Check both dates: the invoice must be older than the credit note.",
    holds: |reference, _| {
        let credited = reference.select(&[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ISSUE_DATE]);
        let credited = xpath::date_of(credited).ok().flatten();
        let issued = reference.parent().map(|root| root.all(cbc::ISSUE_DATE));
        let issued = issued.and_then(|dates| xpath::date_of(dates).ok().flatten());
        credited.zip(issued).is_none_or(|(credited, issued)| credited <= issued)
    },
}];

/// Means of payment.
pub(super) const PAYMENT_MEANS: Group<OwnFacts> = &[
    Rule {
        // ibr-cl-16 allows all of UNTDID 4461.
        id: "AP-PAYMENT-means",
        term: "IBT-081",
        about: &[cbc::PAYMENT_MEANS_CODE],
        message: "The means of payment is not in the UAE's list.",
        fix: "Use 1, 10, 20, 21, 30, 49, 54, 55 or 68.",
        holds: |means, _| {
            means
                .all(cbc::PAYMENT_MEANS_CODE)
                .all(|code| codes::UAE_PAYMENT_MEANS.contains(&code.normalized()))
        },
    },
    Rule {
        id: "AP-PAYMENT-iban",
        term: "IBT-084",
        about: &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID],
        message: "The account is not an IBAN: its length or its check digits are wrong.",
        fix: "Compare it with the IBAN from the bank. An IBAN of the UAE has AE and 21 digits.",
        holds: |means, _| {
            means.select(&[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID]).all(|account| {
                let scheme = account.attribute(attr::SCHEME_ID);
                let id = iban::compact(&account.text());
                let is_meant = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("IBAN"))
                    || (scheme.is_none() && iban::looks_like_one_of_the_uae(&id));
                !is_meant || iban::is_valid(&id)
            })
        },
    },
];

/// Allowances and charges on the document.
pub(super) const ALLOWANCE_CHARGE: Group<OwnFacts> = &[Rule {
    id: "AP-ALLOWANCE-decimals",
    term: "IBT-092",
    about: &[cbc::AMOUNT],
    message: "The allowance or charge has more than two decimals.",
    fix: "Round the amount to two decimals.",
    holds: |node, _| at_most_decimals(2, node.all(cbc::AMOUNT)),
}];

/// Total VAT of a credit note, which ibr-124 and ibr-co-14 miss.
pub(super) const CREDIT_TAX_TOTAL: Group<OwnFacts> = &[
    Rule {
        id: "AP-TOTAL-decimals",
        term: "IBT-110",
        about: &[cbc::TAX_AMOUNT],
        message: "The total VAT of the credit note has more than two decimals.",
        fix: "Round the total to two decimals.",
        holds: |total, _| at_most_decimals(2, total.all(cbc::TAX_AMOUNT)),
    },
    Rule {
        id: "AP-TOTAL-breakdown",
        term: "IBT-110",
        about: &[cbc::TAX_AMOUNT],
        message: "The total VAT of the credit note is not the sum of its breakdown.",
        fix: "Make it the sum of the tax amounts of the breakdown, rounded to two decimals.",
        holds: |total, _| {
            let parts = total.all(cac::TAX_SUBTOTAL);
            parts.clone().next().is_none()
                || match (
                    xpath::sum(parts, cbc::TAX_AMOUNT),
                    xpath::decimal(total.all(cbc::TAX_AMOUNT)),
                ) {
                    (Ok(sum), Ok(Some(total))) => sum.cents() == total.cents(),
                    _ => true,
                }
        },
    },
];

fn reason(root: Node<'_>) -> Option<Node<'_>> {
    root.find(&[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE])
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
