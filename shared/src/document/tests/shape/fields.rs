//! Fields, their names and their limits.

use super::*;

#[test]
fn each_operation_has_its_own_fields_and_says_where_another_field_belongs() {
    for (operation, field, value) in [
        (Invoice, "credit_note_number", json!("1")),
        (Invoice, "previous_document_id", json!("doc_1")),
        (Invoice, "credit_note_reason_code", json!("VD")),
        (CreditNote, "due_date", json!("2026-12-31")),
        (CreditNote, "vat_point_date", json!("2026-01-01")),
        (CreditNote, "paid_amounts", json!([{"amount": 1}])),
        (SelfBilledInvoice, "customer", super::super::counterparty()),
        (SelfBilledCreditNote, "customer", super::super::counterparty()),
        (SelfBilledCreditNote, "delivery_address", json!({"city": "x"})),
        (SelfBilledCreditNote, "delivery", json!({"party_name": "x"})),
        (SelfBilledCreditNote, "payment_means", json!({"means_code": "10"})),
    ] {
        let mut body = body(operation);
        body[field] = value;
        let found = findings(operation, &body);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            (&*found[0].pointer, &*found[0].rule),
            (&*format!("/{field}"), "AP-JSON-unknown-field")
        );
        assert!(found[0].message.contains("it belongs to POST /"), "{}", found[0].message);
    }
}

#[test]
fn an_unknown_field_is_answered_with_the_one_that_was_probably_meant() {
    let line = body(Invoice)["line_items"][0].clone();
    for (operation, pointer, value, meant) in [
        (Invoice, "/invoiceNumber", json!("1"), Some("invoice_number")),
        (Invoice, "/number", json!("1"), Some("invoice_number")),
        (CreditNote, "/number", json!("1"), Some("credit_note_number")),
        (Invoice, "/invoice_no", json!("1"), Some("invoice_number")),
        (Invoice, "/lines", json!([line]), Some("line_items")),
        (Invoice, "/customer/vat", json!("1"), Some("vat_identifier")),
        (Invoice, "/line_items/0/qty", json!(1), None),
        (Invoice, "/line_items/0/quantty", json!(1), Some("quantity")),
        (Invoice, "/surprise", json!(1), None),
    ] {
        let found = findings(operation, &with(operation, &[(pointer, value)]));
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!((&*finding.pointer, &*finding.rule), (pointer, "AP-JSON-unknown-field"));
        let suggestion = meant.map(|meant| format!("did you mean `{meant}`?"));
        assert_eq!(
            suggestion.as_deref().is_some_and(|text| finding.message.contains(text)),
            meant.is_some(),
            "{}",
            finding.message
        );
        assert_eq!(finding.message.contains("did you mean"), meant.is_some());
    }
}

#[test]
fn the_number_of_a_document_can_be_seen_from_its_first_character_to_its_last() {
    let rule = "AP-JSON-character";
    for number in ["INV 1", "INV/1-ä", "فاتورة ١", "\u{200c}1", "#1"].map(|number| json!(number))
    {
        expect(Invoice, &[], &[(&[("/invoice_number", number)], &[])]);
    }
    for bad in [
        "INV\n1",
        "INV\r1",
        "INV\t1",
        " INV",
        "INV ",
        "\u{a0}INV",
        "INV\u{85}1",
        "INV\u{2028}1",
        "INV\u{202e}1",
        "INV\u{200f}1",
        "\u{61c}INV",
        "INV\u{2066}1",
        "INV\u{200b}1",
        "\u{feff}INV",
        "INV\u{7f}1",
        // Invisible characters.
        "INV\u{ad}1",
        "INV\u{34f}1",
        "INV\u{115f}1",
        "INV\u{17b4}1",
        "INV\u{180e}1",
        "INV\u{2061}1",
        "INV\u{206a}1",
        "INV\u{2800}1",
        "INV\u{3164}1",
        "INV\u{fe0f}1",
        "INV\u{ffa0}1",
        "INV\u{fff9}1",
        "INV\u{e0020}1",
        "INV\u{e0100}1",
    ] {
        let number = json!(bad);
        for (operation, pointer) in [
            (Invoice, "/invoice_number"),
            (SelfBilledInvoice, "/invoice_number"),
            (CreditNote, "/credit_note_number"),
            (SelfBilledCreditNote, "/credit_note_number"),
            (CreditNote, "/original_invoice_number"),
        ] {
            expect(operation, &[], &[(&[(pointer, number.clone())], &[(pointer, rule)])]);
        }
        let preceding = ("/preceding_invoice_references", json!([{"id": "1"}, {"id": number}]));
        let place = "/preceding_invoice_references/1/id";
        expect(Invoice, &[], &[(&[preceding], &[(place, rule)])]);
    }
    let found = findings(Invoice, &with(Invoice, &[("/invoice_number", json!("INV\u{202e}1"))]));
    assert!(found[0].message.contains("character 4 is U+202E"), "{found:?}");
}

#[test]
fn the_profile_of_the_other_process_counts_as_that_of_the_operation() {
    for operation in [Invoice, CreditNote] {
        for (given, used) in [
            ("pint:selfbilling-1@ae-1", "pint:billing-1@ae-1"),
            ("pint:selfbilling-1*", "pint:billing-1*"),
            ("pint:selfbilling-1@ae-1*", "pint:billing-1@ae-1*"),
        ] {
            let body = with(operation, &[("/profile", json!(given))]);
            let (document, warnings) = run(operation, &body).unwrap();
            assert_eq!(document.body.profile.as_deref(), Some(used));
            let [warning] = &warnings[..] else { panic!("{warnings:?}") };
            assert_eq!((&*warning.pointer, &*warning.rule), ("/profile", "AP-PROFILE-operation"));
            assert!(warning.message.contains(used) && warning.message.contains("/self-billing/"));
        }
        let own = with(operation, &[("/profile", json!("pint:billing-1*"))]);
        assert_eq!(findings(operation, &own), []);
    }
}

#[test]
fn required_fields_of_each_operation_are_named_when_missing() {
    for (operation, required) in [
        (Invoice, ["invoice_number", "due_date", "customer", "line_items"].as_slice()),
        (CreditNote, &["credit_note_number", "customer", "line_items"]),
        (SelfBilledInvoice, &["invoice_number", "due_date", "supplier", "line_items"]),
        (SelfBilledCreditNote, &["credit_note_number", "supplier", "line_items"]),
    ] {
        let declared: Vec<_> =
            operation.fields().filter(|(_, required)| *required).map(|(f, _)| f).collect();
        assert_eq!(declared, required);
        let mut found = errors(operation, &json!({}));
        found.sort();
        let mut wanted: Vec<_> =
            required.iter().map(|f| (format!("/{f}"), "AP-JSON-required".to_owned())).collect();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}

#[test]
fn a_field_list_knows_every_field_of_the_body_and_no_other() {
    let named: std::collections::BTreeSet<_> =
        ALL.into_iter().flat_map(Operation::fields).map(|(field, _)| field).collect();
    assert_eq!(named.len(), Body::FIELDS.len());
    assert!(crate::document::LegalRegistration::FIELDS.contains(&("type", false)));
    assert!(crate::document::Line::FIELDS.contains(&("quantity", true)));
    const { assert!(!<Vec<String> as FromJson>::REQUIRED) };
}

#[test]
fn single_fields_keep_to_their_limits() {
    let text = |n| json!("x".repeat(n));
    expect(
        Invoice,
        &[],
        &[
            (&[("/invoice_number", text(64))], &[]),
            (&[("/invoice_number", text(65))], &[("/invoice_number", "AP-JSON-length")]),
            (&[("/invoice_number", json!(" "))], &[("/invoice_number", "AP-JSON-empty")]),
            (&[("/invoice_number", json!("a\u{0}b"))], &[("/invoice_number", "AP-JSON-character")]),
            (&[("/note", json!("tab\tline\r\n\u{1F600}"))], &[]),
            (&[("/note", json!("\u{FFFE}"))], &[("/note", "AP-JSON-character")]),
            (&[("/note", text(5000))], &[]),
            (&[("/note", text(5001))], &[("/note", "AP-JSON-length")]),
            (&[("/uuid", json!("4b6000ca-0128-4bdc-99a6-406f2909247f"))], &[]),
            (
                &[("/uuid", json!("4b6000ca01284bdc99a6406f2909247f"))],
                &[("/uuid", "AP-JSON-pattern")],
            ),
            (
                &[("/uuid", json!("urn:uuid:4b6000ca-0128-4bdc-99a6-406f"))],
                &[("/uuid", "AP-JSON-pattern")],
            ),
            (&[("/issue_date", json!("2026-02-29"))], &[("/issue_date", "AP-JSON-date")]),
            (&[("/due_date", json!("2026-12-31Z"))], &[("/due_date", "AP-JSON-date")]),
            (&[("/issue_time", json!("18:24:10+04:00"))], &[]),
            (&[("/issue_time", json!("6 pm"))], &[("/issue_time", "AP-JSON-pattern")]),
            (&[("/profile", json!("pint:billing-1@ae-1*"))], &[]),
            (&[("/profile", json!("pint:selfbilling-1"))], &[]),
            (&[("/profile", json!("pint:billing-1*"))], &[]),
            (&[("/profile", json!("pint:billing-1@sa-1"))], &[("/profile", "AP-JSON-pattern")]),
            (&[("/profile", json!("pint:billing-1**"))], &[("/profile", "AP-JSON-pattern")]),
            (&[("/mls_type", json!("FAILURE_ONLY"))], &[]),
            (&[("/mls_type", json!("failure_only"))], &[("/mls_type", "AP-JSON-pattern")]),
            (&[("/currency", json!("aed"))], &[("/currency", "AP-JSON-code")]),
            (&[("/currency", json!("AE"))], &[("/currency", "AP-JSON-code")]),
            (
                &[("/transaction_type_code", json!("0000000"))],
                &[("/transaction_type_code", "AP-JSON-pattern")],
            ),
            (
                &[("/transaction_type_code", json!("00000002"))],
                &[("/transaction_type_code", "AP-JSON-pattern")],
            ),
            (&[("/invoice_type_code", json!("380"))], &[]),
            (&[("/invoice_type_code", json!("389"))], &[("/invoice_type_code", "AP-JSON-code")]),
            (&[("/source_id", text(255))], &[]),
            (&[("/source_id", text(256))], &[("/source_id", "AP-JSON-length")]),
            (&[("/invoice_period", json!({}))], &[("/invoice_period", "AP-JSON-empty")]),
            (
                &[("/invoice_period", json!({"frequency_code": "XXX"}))],
                &[("/invoice_period/frequency_code", "AP-JSON-code")],
            ),
            (
                &[("/line_items/0/unit_code", json!("C6Z"))],
                &[("/line_items/0/unit_code", "AP-JSON-code")],
            ),
            (
                &[("/line_items/0/item/type_code", json!("X"))],
                &[("/line_items/0/item/type_code", "AP-JSON-code")],
            ),
            (
                &[("/line_items/0/price/base_quantity", json!(0))],
                &[("/line_items/0/price/base_quantity", "AP-JSON-range")],
            ),
            (
                &[("/line_items/0/price/net_price", json!("-1"))],
                &[("/line_items/0/price/net_price", "AP-JSON-range")],
            ),
            (
                &[(
                    "/line_items/0/item/classifications",
                    json!([{"code": "1", "scheme_id": "CPV"}]),
                )],
                &[("/line_items/0/item/classifications/0/scheme_id", "AP-JSON-pattern")],
            ),
            (
                &[("/totals", json!({"tax_included": true}))],
                &[("/totals/tax_included", "AP-JSON-range")],
            ),
            (
                &[("/delivery_address", json!({"city": "x", "country_code": "UK"}))],
                &[("/delivery_address/country_code", "AP-JSON-code")],
            ),
            (
                &[(
                    "/payment_means",
                    json!({"means_code": "54", "card": {"primary_account_number": "4111111111111111"}}),
                )],
                &[("/payment_means/card/primary_account_number", "AP-JSON-card-number")],
            ),
            (
                &[(
                    "/payment_means",
                    json!({"means_code": "54", "card": {"primary_account_number": "411111XXXXXX1111"}}),
                )],
                &[],
            ),
        ],
    );
    expect(
        SelfBilledInvoice,
        &[],
        &[
            (&[("/profile", json!("pint:selfbilling-1@ae-1*"))], &[]),
            (&[("/profile", json!("pint:billing-1@ae-1"))], &[("/profile", "AP-JSON-pattern")]),
            (
                &[("/invoice_type_code", json!("480"))],
                &[("/line_items/0/vat/category_code", "AP-TYPE-out-of-scope")],
            ),
            (&[("/invoice_type_code", json!("380"))], &[("/invoice_type_code", "AP-JSON-code")]),
        ],
    );
}
