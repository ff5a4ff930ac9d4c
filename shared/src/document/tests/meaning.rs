//! Rules across fields: types, flags, dates, references, payment, delivery.

use jiff::civil::date;
use serde_json::{Value, json};

use super::{ALL, body, errors, expect, findings, place, run, run_with, set, with};
use crate::{
    document::{Operation::*, Original},
    error::Severity,
};

const CATEGORY: &str = "/line_items/0/vat/category_code";
const FLAGS: &str = "/transaction_type_code";

#[test]
fn every_flag_brings_its_duties() {
    let flags = |code: &str| (FLAGS, json!(code));
    let period = ("/invoice_period", json!({"start_date": "2026-11-01", "end_date": "2026-11-30"}));
    let principal = |id: &str| ("/principal_identifier", json!(id));
    let n = (CATEGORY, json!("N"));
    expect(
        Invoice,
        &[],
        &[
            (&[flags("10000000")], &[("/beneficiary_identifier", "AP-FLAG-free-zone")]),
            (&[flags("10000000"), ("/beneficiary_identifier", json!("100123450300003"))], &[]),
            (
                &[flags("10000000"), ("/beneficiary_identifier", json!("12"))],
                &[("/beneficiary_identifier", "AP-JSON-pattern")],
            ),
            (&[flags("01000000")], &[]),
            (&[flags("00100000")], &[(CATEGORY, "AP-FLAG-margin")]),
            (&[flags("00100000"), n.clone()], &[]),
            (&[flags("00010000")], &[("/invoice_period", "AP-FLAG-summary")]),
            (&[flags("00010000"), period], &[]),
            (
                &[flags("00010000"), ("/invoice_period", json!({"frequency_code": "MTH"}))],
                &[("/invoice_period/start_date", "AP-FLAG-summary")],
            ),
            (&[flags("00001000")], &[]),
            (&[flags("00000100")], &[("/principal_identifier", "AP-FLAG-agent")]),
            (&[flags("00000100"), principal("100123450300003")], &[]),
            (
                &[flags("00000100"), principal("100123450100003")],
                &[("/principal_identifier", "AP-FLAG-agent")],
            ),
            (
                &[flags("00000100"), principal("1001234501")],
                &[("/principal_identifier", "AP-FLAG-agent")],
            ),
            (&[flags("00000010")], &[("/delivery_address", "AP-FLAG-e-commerce")]),
            (&[flags("00000010"), ("/delivery_address", place("DE"))], &[]),
            (&[flags("00000001")], &[("/delivery_address", "AP-FLAG-exports")]),
            (&[flags("00000001"), ("/delivery_address", place("DE"))], &[]),
            (
                &[flags("00000001"), ("/delivery_address", json!({"country_code": "DE"}))],
                &[
                    ("/delivery_address/line_1", "AP-ADDRESS-required"),
                    ("/delivery_address/city", "AP-ADDRESS-required"),
                    ("/delivery_address/country_subdivision", "AP-ADDRESS-required"),
                ],
            ),
        ],
    );
    let warned = findings(Invoice, &with(Invoice, &[n]));
    assert_eq!((warned.len(), &*warned[0].rule), (1, "AP-FLAG-margin"));
}

#[test]
fn a_self_billed_credit_note_has_no_place_of_delivery_and_so_no_flag_that_wants_one() {
    let flags = |code: &str| (FLAGS, json!(code));
    expect(
        SelfBilledCreditNote,
        &[],
        &[
            (&[flags("00000001")], &[(FLAGS, "AP-FLAG-exports")]),
            (&[flags("00000010")], &[(FLAGS, "AP-FLAG-e-commerce")]),
        ],
    );
    let found = findings(SelfBilledCreditNote, &with(SelfBilledCreditNote, &[flags("00000001")]));
    assert!(found[0].message.contains("does not accept"), "{found:?}");
}

#[test]
fn out_of_scope_types_have_their_own_rules() {
    let kind = ("/invoice_type_code", json!("480"));
    let outside = [kind.clone(), (CATEGORY, json!("O"))];
    expect(
        Invoice,
        &outside,
        &[
            (&[], &[]),
            (
                &[("/customer/legal_registration", Value::Null)],
                &[("/customer/legal_registration", "AP-PARTY-legal-registration")],
            ),
            (&[(CATEGORY, json!("Z"))], &[]),
            (&[(CATEGORY, json!("S"))], &[(CATEGORY, "AP-TYPE-out-of-scope")]),
            (&[(FLAGS, json!("01000000"))], &[(FLAGS, "AP-TYPE-out-of-scope")]),
        ],
    );
    expect(
        Invoice,
        &[],
        &[(&[(CATEGORY, json!("O"))], &[("/line_items", "AP-TYPE-no-taxed-line")])],
    );
    expect(
        SelfBilledInvoice,
        &outside,
        &[
            (&[("/supplier/vat_identifier", Value::Null)], &[]),
            (
                &[
                    ("/supplier/vat_identifier", Value::Null),
                    ("/supplier/tax_registration_identifier", Value::Null),
                    ("/supplier/electronic_address", json!({"id": "1001234502"})),
                ],
                &[("/supplier/tax_registration_identifier", "AP-PARTY-vat")],
            ),
        ],
    );
    let credit = [("/credit_note_type_code", json!("81")), (CATEGORY, json!("O"))];
    expect(CreditNote, &credit, &[(&[], &[])]);
    let (document, _) = run(CreditNote, &with(CreditNote, &credit)).unwrap();
    assert_eq!(document.type_code, "81");
}

#[test]
fn reverse_charge_and_item_types_have_what_they_need() {
    let item = "/line_items/0/item";
    let charged = json!({"name": "Gold", "rcm_goods_type_code": "DL8.48.8.1", "standard_identifier": {"id": "04012345123456"}});
    let other = json!({"name": "Gold", "rcm_goods_type_code": "DL8.48.8.1", "standard_identifier": {"id": "1", "scheme_id": "0088"}});
    let ae = (CATEGORY, json!("AE"));
    let rule = "AP-VAT-reverse-charge";
    expect(
        Invoice,
        &[],
        &[
            (
                &[ae.clone()],
                &[
                    ("/line_items/0/item/rcm_goods_type_code", rule),
                    ("/line_items/0/item/standard_identifier", rule),
                ],
            ),
            (&[ae.clone(), (item, charged.clone())], &[]),
            (
                &[ae.clone(), (item, other)],
                &[("/line_items/0/item/standard_identifier/scheme_id", rule)],
            ),
            (
                &[
                    ae,
                    (item, charged),
                    ("/customer/vat_identifier", Value::Null),
                    ("/customer/electronic_address", json!({"id": "1001234502"})),
                ],
                &[(CATEGORY, rule)],
            ),
            (
                &[(item, json!({"name": "x", "type_code": "G"}))],
                &[("/line_items/0/item/classifications", "AP-LINE-item-type")],
            ),
            (
                &[(item, json!({"name": "x", "type_code": "S"}))],
                &[("/line_items/0/item/service_accounting_codes", "AP-LINE-item-type")],
            ),
            (
                &[(
                    item,
                    json!({"name": "x", "type_code": "B", "classifications": [{"code": "1"}], "service_accounting_codes": [{"code": "2"}]}),
                )],
                &[],
            ),
        ],
    );
}

#[test]
fn vat_rates_fit_their_categories() {
    let rate = |category: &str, rate: Value| {
        [(CATEGORY, json!(category)), ("/line_items/0/vat/rate", rate)]
    };
    let wrong: &[(&str, &str)] = &[("/line_items/0/vat/rate", "AP-VAT-rate")];
    expect(
        Invoice,
        &[],
        &[
            (&rate("S", json!("5.00")), &[]),
            (&rate("S", json!(4)), wrong),
            (&rate("Z", json!("0.0")), &[]),
            (&rate("Z", json!(5)), wrong),
            (&rate("N", json!(0)), wrong),
        ],
    );
    let second = json!({"quantity": 1, "item": {"name": "x"}, "vat": {"category_code": "E", "exemption_reason_code": "DL8.46.1"}, "price": {"net_price": 1}});
    expect(
        Invoice,
        &[("/line_items/1", second)],
        &[
            (&[], &[]),
            (&[("/line_items/1/vat/rate", json!(0))], &[("/line_items/1/vat/rate", "AP-VAT-rate")]),
            (
                &[("/line_items/1/vat/exemption_reason_code", Value::Null)],
                &[("/line_items/1/vat/exemption_reason_code", "AP-VAT-exemption")],
            ),
            (
                &[("/line_items/1/vat_amount_in_aed", json!(0))],
                &[("/line_items/1/vat_amount_in_aed", "AP-LINE-vat-aed")],
            ),
        ],
    );
}

#[test]
fn dates_and_periods_are_in_order() {
    let period = |start: &str, end: &str| json!({"start_date": start, "end_date": end});
    let document = ("/invoice_period", period("2026-11-01", "2026-11-30"));
    let line = |start: &str, end: &str| ("/line_items/0/period", period(start, end));
    expect(
        Invoice,
        &[],
        &[
            (&[("/vat_point_date", json!("2026-11-19"))], &[]),
            (
                &[("/vat_point_date", json!("2026-11-20"))],
                &[("/vat_point_date", "AP-DATE-vat-point")],
            ),
            (
                &[("/invoice_period", period("2026-11-02", "2026-11-01"))],
                &[("/invoice_period/end_date", "AP-DATE-period")],
            ),
            (
                &[("/invoice_period", json!({"frequency_code": "OTH"}))],
                &[("/note", "AP-PERIOD-frequency")],
            ),
            (&[document.clone(), line("2026-11-01", "2026-11-30")], &[]),
            (
                &[document.clone(), line("2026-10-31", "2026-11-30")],
                &[("/line_items/0/period/start_date", "AP-LINE-period")],
            ),
            (
                &[document, line("2026-11-01", "2026-12-01")],
                &[("/line_items/0/period/end_date", "AP-LINE-period")],
            ),
            (
                &[line("2026-11-02", "2026-11-01")],
                &[("/line_items/0/period/end_date", "AP-LINE-period")],
            ),
        ],
    );
    let day = |day: &str| findings(Invoice, &with(Invoice, &[("/issue_date", json!(day))]));
    let tomorrow = day("2026-11-21");
    let found: Vec<_> = tomorrow.iter().map(|f| (&*f.pointer, &*f.rule, f.severity)).collect();
    assert_eq!(found, [("/issue_date", "AP-DATE-future", Severity::Warning)]);
    assert!(tomorrow[0].message.contains("2026-11-20"), "{tomorrow:?}");
    assert_eq!(day("2026-11-20"), []);
    let warned = findings(Invoice, &with(Invoice, &[("/due_date", json!("2026-11-19"))]));
    assert_eq!((warned.len(), &*warned[0].rule), (1, "AP-DATE-due"));
}

#[test]
fn a_credit_note_names_what_it_credits() {
    let original = ("/original_reference_kind", json!("ap"));
    let by_id = [
        original.clone(),
        ("/original_invoice_number", Value::Null),
        ("/previous_document_id", json!("doc_1")),
    ];
    let rule = "AP-REFERENCE-original";
    for operation in [CreditNote, SelfBilledCreditNote] {
        expect(
            operation,
            &[],
            &[
                (&[], &[]),
                (&[("/original_issue_date", json!("2026-10-01"))], &[]),
                (
                    &[("/original_invoice_number", Value::Null)],
                    &[("/original_invoice_number", rule)],
                ),
                (&[("/previous_document_id", json!("doc_1"))], &[("/previous_document_id", rule)]),
                (&by_id, &[]),
                (
                    &[("/original_reference_kind", Value::Null)],
                    &[("/original_invoice_number", rule), ("/previous_document_id", rule)],
                ),
                (
                    &[original.clone(), ("/original_invoice_number", Value::Null)],
                    &[("/previous_document_id", rule)],
                ),
                (
                    &[("/credit_note_reason_code", json!("VD"))],
                    &[("/original_invoice_number", rule)],
                ),
                (
                    &[
                        ("/credit_note_reason_code", json!("VD")),
                        ("/original_invoice_number", Value::Null),
                        ("/original_reference_kind", Value::Null),
                    ],
                    &[],
                ),
                (
                    &[("/credit_note_reason_code", Value::Null)],
                    &[("/credit_note_reason_code", "AP-REFERENCE-reason")],
                ),
                (
                    &[("/credit_note_reason_code", json!("DL8.61.1.F"))],
                    &[("/credit_note_reason_code", "AP-JSON-code")],
                ),
            ],
        );
    }
    let (document, _) = run(CreditNote, &with(CreditNote, &by_id)).unwrap();
    assert_eq!(document.preceding_invoices[0].id, "INV-0");
    assert_eq!(document.preceding_invoices[0].issue_date, Some(date(2026, 11, 1)));
    let json = with(CreditNote, &by_id).to_string();
    let findings = run_with(CreditNote, &json, None::<&Original>).unwrap_err();
    assert_eq!((&*findings[0].pointer, &*findings[0].rule), ("/previous_document_id", rule));
}

#[test]
fn currency_rate_and_accounting_currency_go_together() {
    let euro = ("/currency", json!("EUR"));
    expect(
        Invoice,
        &[],
        &[
            (&[euro.clone()], &[("/currency_exchange_rate", "AP-CURRENCY-rate")]),
            (&[euro.clone(), ("/currency_exchange_rate", json!("4.293"))], &[]),
            (
                &[euro.clone(), ("/currency_exchange_rate", json!("4.2930001"))],
                &[("/currency_exchange_rate", "AP-JSON-decimals")],
            ),
            (
                &[euro.clone(), ("/currency_exchange_rate", json!("0"))],
                &[("/currency_exchange_rate", "AP-JSON-range")],
            ),
            (
                &[
                    euro,
                    ("/currency_exchange_rate", json!("4")),
                    ("/tax_accounting_currency_code", json!("USD")),
                ],
                &[("/tax_accounting_currency_code", "AP-JSON-pattern")],
            ),
            (
                &[("/currency_exchange_rate", json!(1))],
                &[("/currency_exchange_rate", "AP-CURRENCY-rate")],
            ),
            (
                &[("/tax_accounting_currency_code", json!("AED"))],
                &[("/tax_accounting_currency_code", "AP-CURRENCY-accounting")],
            ),
        ],
    );
}

#[test]
fn payment_names_its_account_and_one_card_at_most() {
    let card = json!({"means_code": "54", "card": {"primary_account_number": "411111XXXXXX1111"}});
    let debit = json!({"means_code": "49", "direct_debit": {"mandate_reference": "M"}});
    expect(
        Invoice,
        &[],
        &[
            (
                &[(
                    "/payment_means",
                    json!({"means_code": "30", "credit_transfer": {"account_identifier": {"id": "AE07", "scheme_id": "IBAN"}}}),
                )],
                &[],
            ),
            (
                &[("/payment_means", json!([card, card]))],
                &[("/payment_means/1/card", "AP-PAYMENT-one")],
            ),
            (
                &[("/payment_means", json!([debit, debit]))],
                &[("/payment_means/1/direct_debit", "AP-PAYMENT-one")],
            ),
            (
                &[("/payment_means", json!({"means_code": "10", "due_date": "2026-12-31"}))],
                &[("/payment_means/due_date", "AP-PAYMENT-due-date")],
            ),
        ],
    );
    expect(
        CreditNote,
        &[],
        &[(&[("/payment_means", json!({"means_code": "10", "due_date": "2026-12-31"}))], &[])],
    );
    let (document, _) = run(Invoice, &body(Invoice)).unwrap();
    assert_eq!(document.body.payment_means[0].means_code, "1");
}

#[test]
fn references_stand_in_one_place() {
    let despatch = "/line_items/0/despatch_advice_reference";
    expect(
        Invoice,
        &[],
        &[
            (&[(despatch, json!("D1"))], &[]),
            (
                &[(despatch, json!("D1")), ("/despatch_advice_reference", json!("D2"))],
                &[(despatch, "AP-LINE-despatch-advice")],
            ),
            (
                &[("/contract_value", json!("AED1"))],
                &[("/contract_reference", "AP-REFERENCE-contract")],
            ),
        ],
    );
    assert_eq!(
        errors(
            Invoice,
            &with(Invoice, &[("/line_items/0/price/base_quantity_unit_code", json!("KGM"))])
        ),
        [("/line_items/0/price/base_quantity_unit_code".to_owned(), "AP-LINE-unit".to_owned())]
    );
}

#[test]
fn an_id_names_one_line() {
    let lines = |ids: &[&str]| {
        let line = body(Invoice)["line_items"][0].clone();
        let lines = ids.iter().map(|id| {
            let mut line = line.clone();
            // A line without an id gets its position as the id.
            set(&mut line, "/id", if id.is_empty() { Value::Null } else { json!(id) });
            line
        });
        ("/line_items", lines.collect())
    };
    let [second, third] =
        ["/line_items/1/id", "/line_items/2/id"].map(|place| (place, "AP-LINE-id"));
    for operation in ALL {
        expect(
            operation,
            &[],
            &[
                (&[lines(&["A", "B", "a"])], &[]),
                (&[lines(&["", "", ""])], &[]),
                (&[lines(&["3", "1", "2"])], &[]),
                (&[lines(&["A", "A"])], &[second]),
                (&[lines(&["A", "B", "A"])], &[third]),
                (&[lines(&["A", "A", "A"])], &[second, third]),
                (&[lines(&["2", ""])], &[second]),
                (&[lines(&["", "1"])], &[second]),
            ],
        );
    }
    let body = with(Invoice, &[lines(&["A", "B", "A"])]);
    let [finding] = &findings(Invoice, &body)[..] else { panic!() };
    assert!(finding.message.contains("line_items/0"), "{finding:?}");
    assert_eq!(finding.term.as_deref(), Some("IBT-126"));
}

#[test]
fn what_is_odd_and_not_forbidden_is_warned_of() {
    let attached = |filename: &str| {
        let attachment =
            json!({"content_base64": "JVBE", "mime_code": "application/pdf", "filename": filename});
        ("/supporting_documents", json!([{"id": "1", "attachment": attachment}]))
    };
    let linked = |uri: &str| ("/supporting_documents", json!([{"id": "1", "external_uri": uri}]));
    let currency =
        |code: &str| vec![("/currency", json!(code)), ("/currency_exchange_rate", json!("1"))];
    let issued =
        |issue: &str, due: &str| vec![("/issue_date", json!(issue)), ("/due_date", json!(due))];
    let name = "/supporting_documents/0/attachment/filename";
    let uri = "/supporting_documents/0/external_uri";
    for (changes, expected) in [
        (currency("XXX"), Some(("/currency", "AP-CURRENCY-none"))),
        (currency("XTS"), Some(("/currency", "AP-CURRENCY-none"))),
        (currency("USD"), None),
        (issued("0001-01-01", "0001-01-31"), Some(("/issue_date", "AP-DATE-past"))),
        (issued("2017-12-31", "2018-01-31"), Some(("/issue_date", "AP-DATE-past"))),
        (issued("2018-01-01", "2018-01-31"), None),
        (issued("2026-11-01", "9999-12-31"), Some(("/due_date", "AP-DATE-due"))),
        (issued("2026-11-01", "2056-11-01"), None),
        (vec![attached("a\nb.pdf")], Some((name, "AP-ATTACHMENT-name"))),
        (vec![attached("a\u{202e}fdp.exe")], Some((name, "AP-ATTACHMENT-name"))),
        (vec![attached("فاتورة 1.pdf")], None),
        (vec![linked("javascript:alert(1)")], Some((uri, "AP-ATTACHMENT-uri"))),
        (vec![linked("JavaScript:alert(1)")], Some((uri, "AP-ATTACHMENT-uri"))),
        (vec![linked("file:///etc/passwd")], Some((uri, "AP-ATTACHMENT-uri"))),
        (vec![linked("https://falcon.example/1")], None),
    ] {
        let (_, warnings) = run(Invoice, &with(Invoice, &changes)).unwrap();
        let found: Vec<_> = warnings.iter().map(|it| (&*it.pointer, &*it.rule)).collect();
        assert_eq!(found, expected.as_slice(), "{changes:?}");
        assert!(warnings.iter().all(|it| it.term.is_some()), "{warnings:?}");
    }
}
