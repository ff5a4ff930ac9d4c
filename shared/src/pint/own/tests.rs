use super::*;
use crate::rules::testing::{Case, check as run, fired};
use crate::xml::parse;

const INVOICE: &str = include_str!("../samples/invoice.xml");
const CREDIT_NOTE: &str = include_str!("../samples/credit-note.xml");
const BILLING: &str = ">urn:peppol:pint:billing-1@ae-1<";
const PROCESS: &str = ">urn:peppol:bis:billing<";
const FLAGS: &str = ">10011110<";
const ZERO: &str = "<cac:ClassifiedTaxCategory>\n        <cbc:ID>Z</cbc:ID>";
const STANDARD: &str =
    "<cac:ClassifiedTaxCategory>\n        <cbc:ID>S</cbc:ID>\n        <cbc:Percent>5<";
const BUYER: &str = ">1001234502<";

#[test]
fn the_samples_are_beyond_reproach() {
    // The samples deliver abroad without the flag of exports. A delivery address in the UAE removes that finding.
    for document in [INVOICE, CREDIT_NOTE].map(|sample| sample.replace(">SA<", ">AE<")) {
        assert!(check(&parse(document.as_bytes()).unwrap()).is_empty());
    }
}

#[test]
fn a_wrong_pair_of_specification_and_process_is_the_one_error() {
    let broken = INVOICE.replace(">SA<", ">AE<").replace(PROCESS, ">urn:peppol:bis:selfbilling<");
    let document = parse(broken.as_bytes()).unwrap();
    let found: Vec<_> = check(&document).iter().map(|(it, severity)| (it.id, *severity)).collect();
    assert_eq!(found, [(ERROR, Severity::Error)]);
}

#[test]
fn invoices_are_checked_beyond_the_official_rules() {
    let groups = [
        document::DOCUMENT,
        document::PAYMENT_MEANS,
        document::ALLOWANCE_CHARGE,
        party::SELLER,
        party::BUYER,
        party::ADDRESS,
        party::DELIVERY_ADDRESS,
        party::TAXPAYER,
        party::TAX_REPRESENTATIVE,
        line::TAX_CATEGORY,
        line::IN_AED,
    ];
    run(&CHECKS, INVOICE, &groups, INVOICE_CASES);
}

const INVOICE_CASES: &[Case] = &[
    (
        "AP-PROFILE",
        &[
            (BILLING, ">urn:peppol:pint:selfbilling-1@ae-1<"),
            (PROCESS, ">urn:peppol:bis:selfbilling<"),
        ],
        &[(BILLING, ">urn:peppol:pint:selfbilling-1@ae-1<")],
    ),
    ("AP-PROFILE", &[], &[(BILLING, ">urn:peppol:pint:billing-1@ae-1.0<")]),
    ("AP-UUID", &[(">6b7b6e4e", "> 6B7B6E4E")], &[(">6b7b6e4e-", ">6b7b6e4e")]),
    ("AP-DATE-due", &[(">2026-12-20<", ">2026-11-19<")], &[(">2026-12-20<", ">2026-11-18<")]),
    (
        "AP-FLAG-continuous",
        &[(FLAGS, ">00000000<"), ("<cac:InvoicePeriod>", "<x>"), ("</cac:InvoicePeriod>", "</x>")],
        &[("<cac:InvoicePeriod>", "<x>"), ("</cac:InvoicePeriod>", "</x>")],
    ),
    ("AP-FLAG-pair", &[(FLAGS, ">01000000<")], &[(FLAGS, ">01000001<")]),
    ("AP-REFERENCE-reason", &[], &[(">380<", ">261<")]),
    (
        "AP-REFERENCE-original",
        &[(">380<", ">261<")],
        &[
            (">380<", ">261<"),
            ("<cac:BillingReference>", "<x>"),
            ("</cac:BillingReference>", "</x>"),
        ],
    ),
    ("AP-TOTAL-negative", &[(">1239.45<", ">0.00<")], &[(">1239.45<", ">-0.01<")]),
    ("AP-PAYMENT-means", &[(">30<", ">10<")], &[(">30<", ">31<")]),
    ("AP-ALLOWANCE-decimals", &[], &[(">2.50<", ">2.500<")]),
    ("AP-PARTY-endpoint", &[(BUYER, ">9900000098<")], &[(BUYER, ">2001234502<")]),
    ("AP-PARTY-endpoint", &[], &[(BUYER, ">9900000096<")]),
    ("AP-PARTY-endpoint", &[(">1001234501<", ">100123450100003<")], &[(">1001234501<", ">99<")]),
    ("AP-PARTY-predefined-endpoint", &[(BUYER, ">9900000098<")], &[(BUYER, ">9900000099<")]),
    (
        "AP-PARTY-predefined-endpoint",
        &[(FLAGS, ">01000000<"), (BUYER, ">9900000097<")],
        &[(BUYER, ">9900000097<")],
    ),
    (
        "AP-PARTY-legal-registration",
        &[("schemeAgencyID=\"PAS\"", "schemeAgencyID=\"CD\"")],
        &[("schemeAgencyID=\"PAS\"", "schemeAgencyID=\"CL\"")],
    ),
    ("AP-ADDRESS-emirate", &[(">DXB<", ">RAK<")], &[(">DXB<", ">Dubai<")]),
    ("AP-FLAG-exports", &[(FLAGS, ">00000001<")], &[(FLAGS, ">00000001<"), (">SA<", ">AE<")]),
    ("AP-PARTY-taxpayer", &[(">1001234507<", ">100123450700003<")], &[(">1001234507<", ">X-1<")]),
    ("AP-PARTY-vat", &[], &[(">100123450900003<", ">100123450900004<")]),
    (
        "AP-VAT-rate",
        &[],
        &[(STANDARD, "<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>4<")],
    ),
    ("AP-VAT-exemption", &[], &[(">DL8.46.1<", ">VATEX-1<")]),
    (
        "AP-FLAG-margin",
        &[(FLAGS, ">00100000<"), (ZERO, "<cac:ClassifiedTaxCategory><cbc:ID>N</cbc:ID>")],
        &[(ZERO, "<cac:ClassifiedTaxCategory><cbc:ID>N</cbc:ID>")],
    ),
    ("AP-FLAG-exports-category", &[], &[(FLAGS, ">00000001<")]),
    ("AP-FLAG-exports-missing", &[(">SA<", ">AE<")], &[(FLAGS, ">00000000<")]),
    ("AP-FLAG-exports-missing", &[(FLAGS, ">00000001<")], &[]),
    ("AP-FLAG-exports-missing", &[(">380<", ">480<")], &[]),
    ("AP-FLAG-deemed", &[(FLAGS, ">01000000<"), (BUYER, ">9900000097<")], &[(FLAGS, ">01000000<")]),
    ("AP-PARTY-vat-tin", &[(BUYER, ">9900000098<")], &[(">100123450200003<", ">100999888700003<")]),
    // The TRN of the seller is checked only in a document that the buyer issued.
    (
        "AP-PARTY-vat-tin",
        &[(">100123450100003<", ">100999888700003<")],
        &[
            (">100123450100003<", ">100999888700003<"),
            (BILLING, ">urn:peppol:pint:selfbilling-1@ae-1<"),
        ],
    ),
    ("AP-TOTAL-rounding", &[(">0.02<", ">1.00<")], &[(">0.02<", ">1.01<")]),
    ("AP-TOTAL-rounding", &[(">0.02<", ">-1.00<")], &[(">0.02<", ">-1.01<")]),
    (
        "AP-PAYMENT-iban",
        &[(">AE070331234567890123456<", ">AE07 0331 2345 6789 0123 456<")],
        &[(">AE070331234567890123456<", ">AE070331234567890123465<")],
    ),
    (
        "AP-PAYMENT-iban",
        &[("schemeID=\"IBAN\">AE070331234567890123456<", ">0331-99<")],
        &[("schemeID=\"IBAN\">AE070331234567890123456<", ">AE070331234567890123465<")],
    ),
    ("AP-TYPE-out-of-scope", &[], &[(">380<", ">480<")]),
    ("AP-TYPE-self-billed", &[], &[(">380<", ">389<")]),
    (
        "AP-LINE-aed",
        &[],
        &[("<cbc:Amount currencyID=\"AED\">868.82", "<cbc:Amount currencyID=\"USD\">868.82")],
    ),
];

#[test]
fn credit_notes_are_checked_where_official_paths_miss_them() {
    let cases: &[Case] = &[
        ("AP-TOTAL-decimals", &[], &[(">11.14<", ">11.140<")]),
        ("AP-TOTAL-breakdown", &[(">11.14<", ">11.1401<")], &[(">11.14<", ">11.15<")]),
    ];
    run(&CHECKS, CREDIT_NOTE, &[document::CREDIT_TAX_TOTAL], cases);
    let invoice = INVOICE.replace(">SA<", ">AE<").replace(">11.14<", ">11.149<");
    assert_eq!(fired(&CHECKS, &invoice), [""; 0]);
}

#[test]
fn what_is_credited_was_issued_before() {
    let cases: &[Case] = &[(
        "AP-DATE-original",
        &[(">2026-10-30<", ">2026-11-19<")],
        &[(">2026-10-30<", ">2026-11-20<")],
    )];
    run(&CHECKS, CREDIT_NOTE, &[document::CREDITED_INVOICE], cases);
    assert!(
        !fired(&CHECKS, &INVOICE.replace(">2026-10-01<", ">2026-11-20<"))
            .contains(&"AP-DATE-original")
    );
}

#[test]
fn a_volume_discount_refers_to_no_invoice() {
    let discount = CREDIT_NOTE
        .replace(">381<", ">261<")
        .replace(">DL8.61.1.A<", ">VD<")
        .replace("cac:BillingReference>", "x>");
    assert!(!fired(&CHECKS, &discount).contains(&"AP-REFERENCE-original"));
}
