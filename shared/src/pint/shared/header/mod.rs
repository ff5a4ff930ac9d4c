//! The elements directly below the root: which are required, and which must not repeat.

use std::cmp::Ordering;

use super::{
    Facts, facts,
    once::{self, once},
};
use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Name, Node};

/// `/ubl:Invoice | /cn:CreditNote`
pub(super) const DOCUMENT: Group<Facts> = &[
    Rule {
        id: "ibr-001",
        term: "IBT-024",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The document does not say which specification it follows.",
        fix: "Give the identifier of the specification.",
        holds: |root, _| xpath::has_text(root.all(cbc::CUSTOMIZATION_ID)),
    },
    Rule {
        id: "ibr-sr-63",
        term: "IBT-024",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The identifier of the specification has a wildcard.",
        fix: "Give the exact identifier, without an asterisk.",
        holds: |root, _| {
            let id = xpath::string(root.all(cbc::CUSTOMIZATION_ID));
            id.is_ok_and(|id| !id.contains('*'))
        },
    },
    Rule {
        id: "ibr-002",
        term: "IBT-001",
        about: &[cbc::ID],
        message: "The document has no number.",
        fix: "Give the invoice its number.",
        holds: |root, _| xpath::has_text(root.all(cbc::ID)),
    },
    Rule {
        id: "ibr-003",
        term: "IBT-002",
        about: &[cbc::ISSUE_DATE],
        message: "The document has no date of issue.",
        fix: "Give the date of issue.",
        holds: |root, _| xpath::has_text(root.all(cbc::ISSUE_DATE)),
    },
    Rule {
        id: "ibr-004",
        term: "IBT-003",
        about: &[],
        message: "The document has no type.",
        fix: "Give the type code of the invoice or credit note, such as 380 or 381.",
        holds: |root, _| {
            xpath::has_text(root.all(cbc::INVOICE_TYPE_CODE))
                || xpath::has_text(root.all(cbc::CREDIT_NOTE_TYPE_CODE))
        },
    },
    Rule {
        id: "ibr-005",
        term: "IBT-005",
        about: &[cbc::DOCUMENT_CURRENCY_CODE],
        message: "The document has no currency.",
        fix: "Give the code of the currency, such as AED.",
        holds: |root, _| xpath::has_text(root.all(cbc::DOCUMENT_CURRENCY_CODE)),
    },
    Rule {
        id: "ibr-006",
        term: "IBT-027",
        about: once::SELLER_NAMES,
        message: "The seller has no name.",
        fix: "Give the name under which the seller is registered.",
        holds: |root, _| xpath::has_text(root.select(once::SELLER_NAMES)),
    },
    Rule {
        id: "ibr-007",
        term: "IBT-044",
        about: once::BUYER_NAMES,
        message: "The buyer has no name.",
        fix: "Give the name under which the buyer is registered.",
        holds: |root, _| xpath::has_text(root.select(once::BUYER_NAMES)),
    },
    Rule {
        id: "ibr-008",
        term: "IBG-05",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller has no address.",
        fix: "Give the postal address of the seller.",
        holds: |root, _| {
            root.find(&[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::POSTAL_ADDRESS]).is_some()
        },
    },
    Rule {
        id: "ibr-010",
        term: "IBG-08",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The buyer has no address.",
        fix: "Give the postal address of the buyer.",
        holds: |root, _| {
            root.find(&[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::POSTAL_ADDRESS]).is_some()
        },
    },
    Rule {
        id: "ibr-016",
        term: "IBG-25",
        about: &[],
        message: "The document has no line.",
        fix: "Give at least one line.",
        holds: |root, _| root.children().any(super::is_line),
    },
    Rule {
        id: "ibr-053",
        term: "IBT-111",
        about: &[cac::TAX_TOTAL],
        message: "The total of the tax is not given in the tax currency.",
        fix: "Give a tax total in the tax currency after that in the document's currency.",
        holds: |_, facts| facts.shared.currencies_without_tax.is_empty(),
    },
    Rule {
        id: "ibr-066",
        term: "IBG-18",
        about: &[cac::PAYMENT_MEANS, cac::CARD_ACCOUNT],
        message: "The document has more than one payment card.",
        fix: "Give one payment card.",
        holds: |root, _| once(root, once::CARDS),
    },
    Rule {
        id: "ibr-067",
        term: "IBG-19",
        about: &[cac::PAYMENT_MEANS, cac::PAYMENT_MANDATE],
        message: "The document has more than one direct debit mandate.",
        fix: "Give one mandate.",
        holds: |root, _| once(root, once::MANDATES),
    },
    Rule {
        id: "ibr-071",
        term: "IBT-018",
        about: &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        message: "The reference to an invoiced object carries an attachment.",
        fix: "Attach files to a reference of their own, without document type 130.",
        holds: |_, facts| !facts.shared.object_has_attachment,
    },
    Rule {
        id: "ibr-072",
        term: "IBT-018",
        about: &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        message: "The reference to an invoiced object carries a description.",
        fix: "Describe documents in a reference of their own, without document type 130.",
        holds: |_, facts| !facts.shared.object_has_description,
    },
    Rule {
        id: "ibr-076",
        term: "IBT-023",
        about: &[cbc::PROFILE_ID],
        message: "The document does not say to which business process it belongs.",
        fix: "Give the identifier of the process.",
        holds: |root, _| root.child(cbc::PROFILE_ID).is_some(),
    },
    Rule {
        id: "ibr-078",
        term: "IBT-018",
        about: &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        message: "The document has more than one invoiced object.",
        fix: "Give one reference of document type 130.",
        holds: |root, _| xpath::at_most(1, objects(root)),
    },
    Rule {
        id: "ibr-084",
        term: "IBT-111",
        about: &[cac::TAX_TOTAL],
        message: "The tax has one sign in the document's currency and another in the tax currency.",
        fix: "Give both totals of the tax the same sign.",
        holds: |root, _| root.child(cbc::TAX_CURRENCY_CODE).is_none() || has_one_tax_sign(root),
    },
    Rule {
        id: "ibr-090",
        term: "IBT-011",
        about: &[],
        message: "The document has more than one project.",
        fix: "Give one project reference.",
        holds: |root, _| projects(root) <= 1,
    },
    Rule {
        id: "ibr-094",
        term: "IBT-012",
        about: &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::ID],
        message: "The document has more than one contract.",
        fix: "Give one contract reference.",
        holds: |root, _| once(root, once::CONTRACTS),
    },
    Rule {
        id: "ibr-095",
        term: "IBT-015",
        about: &[cac::RECEIPT_DOCUMENT_REFERENCE, cbc::ID],
        message: "The document has more than one receiving advice.",
        fix: "Give one receiving advice.",
        holds: |root, _| once(root, once::RECEIVING_ADVICES),
    },
    Rule {
        id: "ibr-096",
        term: "IBT-016",
        about: &[cac::DESPATCH_DOCUMENT_REFERENCE, cbc::ID],
        message: "The document has more than one despatch advice.",
        fix: "Give one despatch advice, or one a line.",
        holds: |root, _| once(root, once::DESPATCH_ADVICES),
    },
    Rule {
        id: "ibr-097",
        term: "IBG-14",
        about: &[cac::INVOICE_PERIOD],
        message: "The document has more than one invoicing period.",
        fix: "Give one period, or one a line.",
        holds: |root, _| once(root, once::PERIODS),
    },
    Rule {
        id: "ibr-098",
        term: "IBT-027",
        about: once::SELLER_NAMES,
        message: "The seller has more than one name.",
        fix: "Give the name under which the seller is registered.",
        holds: |root, _| once(root, once::SELLER_NAMES),
    },
    Rule {
        id: "ibr-099",
        term: "IBT-028",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller has more than one trading name.",
        fix: "Give one trading name.",
        holds: |root, _| once(root, once::SELLER_TRADE_NAMES),
    },
    Rule {
        id: "ibr-100",
        term: "IBT-030",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller has more than one registration identifier.",
        fix: "Give one registration identifier.",
        holds: |root, _| once(root, once::SELLER_REGISTRATIONS),
    },
    Rule {
        id: "ibr-101",
        term: "IBT-033",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The seller has more than one legal form.",
        fix: "Put the legal information into one text.",
        holds: |root, _| once(root, once::SELLER_LEGAL_FORMS),
    },
    Rule {
        id: "ibr-102",
        term: "IBT-044",
        about: once::BUYER_NAMES,
        message: "The buyer has more than one name.",
        fix: "Give the name under which the buyer is registered.",
        holds: |root, _| once(root, once::BUYER_NAMES),
    },
    Rule {
        id: "ibr-103",
        term: "IBT-047",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The buyer has more than one registration identifier.",
        fix: "Give one registration identifier.",
        holds: |root, _| once(root, once::BUYER_REGISTRATIONS),
    },
    Rule {
        id: "ibr-104",
        term: "IBT-048",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The buyer has more than one tax identifier.",
        fix: "Give one tax identifier.",
        holds: |root, _| once(root, once::BUYER_TAX_IDS),
    },
    Rule {
        id: "ibr-107",
        term: "IBG-13",
        about: &[cac::DELIVERY],
        message: "The document has more than one delivery.",
        fix: "Give one delivery.",
        holds: |root, _| once(root, once::DELIVERIES),
    },
    Rule {
        id: "ibr-112",
        term: "IBT-045",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The buyer has more than one trading name.",
        fix: "Give one trading name.",
        holds: |root, _| once(root, once::BUYER_TRADE_NAMES),
    },
    Rule {
        id: "ibr-co-15",
        term: "IBT-112",
        about: &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT],
        message: "The total with tax is not the total without tax plus the tax.",
        fix: "Add the tax to the total without it; the first tax total is in the document's currency.",
        holds: |root, facts| {
            facts::is_tax_included(root) || is_gross_net_plus_tax(root, facts) == Ok(true)
        },
    },
    Rule {
        id: "ibr-sr-16",
        term: "IBT-046",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The buyer has more than one identifier.",
        fix: "Give one identifier.",
        holds: |root, _| once(root, once::BUYER_IDS),
    },
    Rule {
        id: "ibr-sr-39",
        term: "IBT-011",
        about: &[cac::PROJECT_REFERENCE, cbc::ID],
        message: "The document has more than one project.",
        fix: "Give one project reference.",
        holds: |root, _| once(root, once::PROJECTS),
    },
    Rule {
        id: "ibr-sr-49",
        term: "IBT-007",
        about: &[cac::INVOICE_PERIOD, cbc::DESCRIPTION_CODE],
        message: "The invoicing period has more than one code.",
        fix: "Give one code.",
        holds: |root, _| once(root, once::PERIOD_CODES),
    },
    Rule {
        id: "ibr-sr-51",
        term: "IBT-022",
        about: &[cbc::NOTE],
        message: "The document has more than one note.",
        fix: "Combine the notes into one.",
        holds: |root, _| once(root, once::NOTES),
    },
    Rule {
        id: "ibr-sr-52",
        term: "IBT-017",
        about: &[cac::ORIGINATOR_DOCUMENT_REFERENCE, cbc::ID],
        message: "The document has more than one tender or lot.",
        fix: "Give one tender or lot.",
        holds: |root, _| once(root, once::TENDERS),
    },
];

/// The references to invoiced objects.
pub(super) fn objects<'d>(root: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    references(root, "130")
}

/// The number of projects, counted by the more frequent of the two notations. The official rule counts each notation
/// separately.
pub(super) fn projects(root: Node<'_>) -> usize {
    root.all(cac::PROJECT_REFERENCE).count().max(references(root, "50").count())
}

/// `cac:AdditionalDocumentReference[cbc:DocumentTypeCode = …]`
fn references<'d>(root: Node<'d>, code: &str) -> impl Iterator<Item = Node<'d>> {
    let all = root.all(cac::ADDITIONAL_DOCUMENT_REFERENCE);
    all.filter(move |reference| facts::has_type(*reference, code))
}

/// Whether both tax totals are zero or negative, or both are zero or positive. Amounts are untyped, and one matching
/// amount is enough.
fn has_one_tax_sign(root: Node<'_>) -> bool {
    let some = |name: Name, is: fn(Ordering) -> bool| {
        let currency = xpath::normalized(root.all(name))?;
        let amounts = root
            .select(&[cac::TAX_TOTAL, cbc::TAX_AMOUNT])
            .filter(|amount| amount.attribute(attr::CURRENCY_ID) == Some(&*currency));
        xpath::some(amounts, |amount| Ok(is(xpath::compare_number(&amount.text(), 0)?)))
    };
    let both = |is| {
        let currencies = [cbc::TAX_CURRENCY_CODE, cbc::DOCUMENT_CURRENCY_CODE];
        currencies.into_iter().all(|name| some(name, is) == Ok(true))
    };
    both(Ordering::is_le) || both(Ordering::is_ge)
}

/// Checks ibr-co-15. The tax is that of the first tax total only.
fn is_gross_net_plus_tax(root: Node<'_>, facts: &Facts) -> Evaluated<bool> {
    let Some(gross) = net_plus_tax(root, facts)? else { return Ok(false) };
    xpath::some(root.all(cac::LEGAL_MONETARY_TOTAL), |total| {
        Ok(xpath::decimal(total.all(cbc::TAX_INCLUSIVE_AMOUNT))?.is_some_and(|it| it == gross))
    })
}

/// The amount that ibr-co-15 expects.
pub(super) fn expected_gross<'d>(root: Node<'d>, facts: &Facts) -> Option<Expected<'d>> {
    let gross = net_plus_tax(root, facts).ok()??;
    let at = root.find(&[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT]);
    Some(Expected::amount(at, gross))
}

fn net_plus_tax(root: Node<'_>, facts: &Facts) -> Evaluated<Option<Decimal>> {
    let is_currency = |amount: &Node<'_>| {
        let currency = amount.attribute(attr::CURRENCY_ID);
        currency.is_some_and(|currency| facts.shared.root_currencies.contains(currency))
    };
    let mut net = None;
    for total in root.all(cac::LEGAL_MONETARY_TOTAL) {
        let more: Option<Decimal> = xpath::decimal(total.all(cbc::TAX_EXCLUSIVE_AMOUNT))?;
        net = xpath::lone(net.into_iter().chain(more))?;
    }
    let tax = match root.child(cac::TAX_TOTAL) {
        Some(total) => xpath::decimal(total.all(cbc::TAX_AMOUNT).filter(is_currency))?,
        None => None,
    };
    Ok(net.zip(tax).map(|(net, tax)| net.plus(&tax).cents()))
}
