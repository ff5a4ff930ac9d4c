use super::*;
use crate::rules::testing::fired;
use crate::xml::parse;

const INVOICE: &str = include_str!("../samples/invoice.xml");
const CREDIT_NOTE: &str = include_str!("../samples/credit-note.xml");
const PROCESS: &str = ">urn:peppol:bis:billing<";

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
fn the_checks_of_credit_notes_are_not_for_invoices() {
    let invoice = INVOICE.replace(">SA<", ">AE<").replace(">11.14<", ">11.149<");
    assert_eq!(fired(&CHECKS, &invoice), [""; 0]);
    let later = INVOICE.replace(">2026-10-01<", ">2026-11-20<");
    assert!(!fired(&CHECKS, &later).contains(&"AP-DATE-original"));
}

#[test]
fn a_volume_discount_refers_to_no_invoice() {
    let discount = CREDIT_NOTE
        .replace(">381<", ">261<")
        .replace(">DL8.61.1.A<", ">VD<")
        .replace("cac:BillingReference>", "x>");
    assert!(!fired(&CHECKS, &discount).contains(&"AP-REFERENCE-original"));
}
