use super::*;

const REJECTION: &str = include_str!("../mls/samples/rejection.xml");

fn verdict(document: &str) -> Verdict {
    validate(document.as_bytes()).unwrap()
}

#[test]
fn a_document_of_every_set_is_validated_by_its_own_rules() {
    let credit_note = include_str!("../pint/samples/credit-note.xml");
    let self_billed = credit_note.replace("pint:billing-1", "pint:selfbilling-1");
    let documents = [
        ("pint-billing", credit_note),
        ("pint-selfbilling", &*self_billed),
        ("tdd", include_str!("../taxdata/samples/tax-data.xml")),
        ("mls", REJECTION),
        ("tsr", include_str!("../statistics/samples/transactions.xml")),
        ("eusr", include_str!("../statistics/samples/end-users.xml")),
    ];
    for (set, document) in documents {
        assert_eq!(verdict(document).set, set);
    }
    assert!(verdict(REJECTION).is_valid() && verdict(REJECTION).complete);
}

#[test]
fn a_document_in_the_wrong_namespace_is_validated_and_is_invalid() {
    let verdict = verdict("<Invoice/>");
    assert_eq!(verdict.set, "pint-billing");
    assert_eq!(verdict.findings[0].origin, Origin::Schema);
    assert!(!verdict.is_valid());
}

#[test]
fn what_is_no_known_document_has_no_verdict() {
    assert!(matches!(validate(b"<Order/>"), Err(ValidateError::Unknown(name)) if name == "Order"));
    assert!(matches!(validate(b"Order"), Err(ValidateError::NotXml(_))));
}

#[test]
fn findings_stand_in_the_order_of_the_document_and_say_where_and_what() {
    let broken = REJECTION
        .replace("<cbc:ResponseCode>RE<", "<cbc:ResponseCode>NO<")
        .replace("<cbc:LineID>NA</cbc:LineID>", "")
        .replace("2026-03-02", "2026-03-02Z");
    let findings = verdict(&broken).findings;
    let found: Vec<_> = findings.iter().map(|it| (it.origin, &*it.finding.rule)).collect();
    assert_eq!(
        found,
        [
            (Origin::Rules, "SCH-MLS-04"),
            (Origin::Rules, "SCH-MLS-19"),
            (Origin::Rules, "SCH-MLS-25"),
            (Origin::Schema, "xml-schema"),
            (Origin::Rules, "SCH-MLS-27"),
        ]
    );
    let code = &findings[1].finding;
    assert_eq!(code.value.as_deref(), Some("NO"));
    assert_eq!(code.line, Some(16));
    let missing = &findings[4].finding;
    let location = "/ubl:ApplicationResponse/cac:DocumentResponse/cac:LineResponse[2]/\
                    cac:LineReference/cbc:LineID";
    assert_eq!(missing.location.as_deref(), Some(location));
    assert_eq!(missing.value, None);
}

#[test]
fn the_order_of_the_schema_is_kept_beside_that_of_the_document() {
    // The schema reports an incomplete element after its content.
    let broken = REJECTION
        .replace("<cbc:ID>E-1</cbc:ID>", "<cbc:IssueDate>x</cbc:IssueDate>")
        .replace("<cbc:ID>S-1</cbc:ID>", "");
    let findings = verdict(&broken).findings;
    let mut orders: Vec<_> = findings.iter().map(|found| found.order).collect();
    orders.sort_unstable();
    assert!(orders.into_iter().eq(0..findings.len()));
}

#[test]
fn a_long_value_is_cut() {
    let long = REJECTION.replace(">BV<", &format!(">{}<", "x".repeat(1000)));
    let verdict = verdict(&long);
    let status = verdict.findings.iter().find(|found| found.finding.rule == "SCH-MLS-31").unwrap();
    assert_eq!(status.finding.value.as_ref().unwrap().chars().count(), LONGEST_VALUE + 1);
}

#[test]
fn a_document_of_nothing_but_errors_is_not_validated_to_its_end() {
    let empty = "<cbc:Note/>".repeat(40_000);
    let document = format!(
        "<Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2' xmlns:cbc='urn:\
         oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>{empty}</Invoice>"
    );
    let verdict = validate(document.as_bytes()).unwrap();
    assert!(!verdict.complete);
    let fired = verdict.findings.iter().filter(|found| found.origin == Origin::Rules).count();
    assert!((10_000..10_100).contains(&fired), "{fired}");
}

/// A rule that applies to both parties names the term of the party in which it fired.
#[test]
fn a_finding_about_the_buyers_trn_names_the_buyers_term() {
    let invoice = include_str!("../pint/samples/invoice.xml");
    for (trn, term, name) in [
        ("100123450100003", "IBT-031", "Seller VAT identifier"),
        ("100123450200003", "IBT-048", "Buyer VAT identifier"),
    ] {
        let wrong = invoice.replace(&format!(">{trn}<"), ">100123450200004<");
        assert_ne!(wrong, invoice, "{trn}");
        let findings = verdict(&wrong).findings;
        let of_it: Vec<_> = findings
            .iter()
            .filter(|it| it.finding.rule == "ibr-132-ae")
            .map(|it| &it.finding)
            .collect();
        let [finding] = of_it[..] else { panic!("{findings:#?}") };
        let named = (finding.term.as_deref(), finding.term_name.as_deref());
        assert_eq!(named, (Some(term), Some(name)));
    }
}
