//! JSON, types, names and rules of single fields.

use serde_json::{Value, json};

use super::{ALL, body, errors, expect, findings, run, set, with};
use crate::document::{Body, Operation, Operation::*, Party, ReadError, json::FromJson, read};

#[test]
fn the_smallest_body_of_each_operation_is_a_document_without_warnings() {
    for operation in ALL {
        let (document, warnings) = run(operation, &body(operation)).unwrap();
        assert_eq!(warnings, [], "{operation}");
        assert_eq!(document.type_code, operation.type_codes()[0]);
        assert_eq!(document.body.issue_date.unwrap().to_string(), "2026-11-20");
        assert_eq!(document.body.uuid.as_deref(), Some("00000000-0000-0000-0000-000000000007"));
        assert_eq!(document.totals.total_amount_with_vat.to_string(), "210.00");
        assert!(document.body.invoice_type_code.is_some() != operation.is_credit_note());
    }
}

#[test]
fn what_is_not_json_is_reported_with_line_and_column() {
    for (text, part) in [
        ("", "line 1 column 0"),
        ("{", "line 1 column 1"),
        ("{\"a\": 01}", "line 1 column 8"),
        ("{\"a\": 1}\n}", "line 2 column 1"),
        ("{\"a\": NaN}", "line 1"),
        ("{'a': 1}", "line 1"),
        ("{\"a\": 1,}", "line 1"),
        ("{\"a\": 1, \"a\": 2}", "\"a\" appears twice"),
        ("{\"x\": {\"b\": 1, \"\\u0062\": 2}}", "\"b\" appears twice"),
        ("\"\\ud800\"", "line 1"),
        ("{\"a\": \"\u{1}\"}", "line 1"),
    ] {
        match read(Invoice, text.as_bytes()) {
            Err(ReadError::Malformed(message)) => assert!(message.contains(part), "{message}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    assert!(matches!(read(Invoice, deep.as_bytes()), Err(ReadError::Malformed(_))));
    assert!(matches!(read(Invoice, b"\"\xff\""), Err(ReadError::Malformed(_))));
}

#[test]
fn a_body_that_is_not_an_object_is_one_finding() {
    for text in ["[]", "1", "null", "\"x\"", "true"] {
        let Err(ReadError::Invalid(findings)) = read(Invoice, text.as_bytes()) else {
            panic!("{text}")
        };
        assert_eq!((findings[0].pointer.as_str(), &*findings[0].rule), ("", "AP-JSON-type"));
        assert_eq!(findings.len(), 1);
    }
}

#[test]
fn every_mistake_is_reported_at_once() {
    let text = json!({
        "invoice_number": 7,
        "due_date": "31.12.2026",
        "surprise": 1,
        "a/b~c": {"deep": true},
        "currency": "EURO",
        "customer": {"name": "", "vat": "1", "address": []},
        "line_items": [
            {"quantity": "two", "item": {}, "price": {"net_price": 1e3}, "vat": {"category_code": "X"}},
            7
        ]
    });
    let found = errors(Invoice, &text);
    for (pointer, rule) in [
        ("/invoice_number", "AP-JSON-type"),
        ("/due_date", "AP-JSON-date"),
        ("/surprise", "AP-JSON-unknown-field"),
        ("/a~1b~0c", "AP-JSON-unknown-field"),
        ("/currency", "AP-JSON-code"),
        ("/customer/name", "AP-JSON-empty"),
        ("/customer/vat", "AP-JSON-unknown-field"),
        ("/customer/address", "AP-JSON-type"),
        ("/line_items/0/quantity", "AP-JSON-decimal"),
        ("/line_items/0/item/name", "AP-JSON-required"),
        ("/line_items/0/vat/category_code", "AP-JSON-code"),
        ("/line_items/1", "AP-JSON-type"),
    ] {
        let wanted = (pointer.to_owned(), rule.to_owned());
        assert!(found.contains(&wanted), "{wanted:?} not in {found:?}");
    }
    assert_eq!(found.len(), 12, "{found:?}");
}

#[test]
fn numbers_with_an_exponent_are_read_and_are_the_same_payload() {
    let of = |quantity: &str| {
        let text = body(Invoice).to_string();
        let text = text.replace("\"quantity\":\"2\"", &format!("\"quantity\":{quantity}"));
        read(Invoice, text.as_bytes()).unwrap()
    };
    let one = of("1");
    for spelling in ["1e0", "1E+0", "1.0", "10e-1"] {
        let other = of(spelling);
        assert_eq!(other.fingerprint, one.fingerprint, "{spelling}");
        assert_eq!(other.body.line_items[0].quantity, one.body.line_items[0].quantity);
    }
    // The spelling of small and large numbers in programs.
    for (spelling, plain) in [("1e-05", "0.00001"), ("1e-7", "0.0000001"), ("1E+2", "100")] {
        assert_eq!(of(spelling).body.line_items[0].quantity.to_string(), plain);
    }
    let text = with(Invoice, &[("/line_items/0/quantity", json!("1e0"))]);
    let wanted = [("/line_items/0/quantity".to_owned(), "AP-JSON-decimal".to_owned())];
    assert_eq!(errors(Invoice, &text), wanted, "a string is in plain notation");
}

#[test]
fn a_byte_order_mark_before_a_body_says_nothing() {
    let text = body(Invoice).to_string();
    let marked = format!("\u{feff}{text}");
    let (plain, marked) = (read(Invoice, text.as_bytes()), read(Invoice, marked.as_bytes()));
    assert_eq!(plain.unwrap().fingerprint, marked.unwrap().fingerprint);
}

#[test]
fn base64_in_lines_is_named() {
    for (content, place) in
        [("JVBE\nRi0xLjcK", "character 5"), ("JVBE\r\nRi0xLjcK\r\n", "character 5")]
    {
        let attachment =
            json!({"content_base64": content, "mime_code": "application/pdf", "filename": "a.pdf"});
        let documents = json!([{"id": "1", "attachment": attachment}]);
        let found = findings(Invoice, &with(Invoice, &[("/supporting_documents", documents)]));
        assert_eq!(found[0].rule, "AP-JSON-pattern");
        for said in [place, "line breaks", "RFC 4648, section 3.1", "base64 -w 0"] {
            assert!(found[0].message.contains(said), "{found:?}");
        }
    }
}

#[test]
fn numbers_are_decimals_as_strings_or_numbers_and_never_floats() {
    for quantity in ["2", "\"2\"", "2.0", "\"2.000\"", "0.1"] {
        let text = body(Invoice)
            .to_string()
            .replace("\"quantity\":\"2\"", &format!("\"quantity\":{quantity}"));
        let submission = read(Invoice, text.as_bytes()).unwrap();
        let kept = submission.body.line_items[0].quantity.to_string();
        assert_eq!(kept, quantity.trim_matches('"'));
    }
    for quantity in [
        "2e18",
        "2e-11",
        "\"2e0\"",
        "\"0x2\"",
        "1234567890123456789",
        "0.12345678901",
        "true",
        "[]",
    ] {
        let text = body(Invoice)
            .to_string()
            .replace("\"quantity\":\"2\"", &format!("\"quantity\":{quantity}"));
        let Err(ReadError::Invalid(findings)) = read(Invoice, text.as_bytes()) else {
            panic!("{quantity}")
        };
        assert_eq!(findings[0].pointer, "/line_items/0/quantity", "{quantity}");
    }
}

#[test]
fn null_is_the_same_as_absent() {
    let mut body = body(Invoice);
    for field in ["note", "metadata", "payment_means", "corrects_document_id", "supplier"] {
        body[field] = Value::Null;
    }
    body["previous_document_id"] = Value::Null;
    run(Invoice, &body).unwrap();
    body["invoice_number"] = Value::Null;
    assert_eq!(errors(Invoice, &body), [("/invoice_number".into(), "AP-JSON-required".into())]);
}

#[test]
fn payment_means_is_one_object_or_a_list_and_pointers_follow() {
    let means = json!({"means_code": "30"});
    let one = with(Invoice, &[("/payment_means", means.clone())]);
    let list = with(Invoice, &[("/payment_means", json!([means]))]);
    let rule = "AP-PAYMENT-account".to_owned();
    assert_eq!(
        errors(Invoice, &one),
        [("/payment_means/credit_transfer".to_owned(), rule.clone())]
    );
    assert_eq!(errors(Invoice, &list), [("/payment_means/0/credit_transfer".to_owned(), rule)]);
    let bad = with(Invoice, &[("/payment_means", json!({"means_code": "QQ"}))]);
    assert_eq!(errors(Invoice, &bad)[0].0, "/payment_means/means_code");
    let bad = with(Invoice, &[("/payment_means", json!("30"))]);
    assert_eq!(errors(Invoice, &bad), [("/payment_means".to_owned(), "AP-JSON-type".to_owned())]);
    let message = &findings(Invoice, &bad)[0].message;
    assert!(message.contains("a list or an object"), "{message}");
}

#[test]
fn each_operation_has_its_own_fields_and_says_where_another_field_belongs() {
    for (operation, field, value) in [
        (Invoice, "credit_note_number", json!("1")),
        (Invoice, "previous_document_id", json!("doc_1")),
        (Invoice, "credit_note_reason_code", json!("VD")),
        (CreditNote, "due_date", json!("2026-12-31")),
        (CreditNote, "vat_point_date", json!("2026-01-01")),
        (CreditNote, "paid_amounts", json!([{"amount": 1}])),
        (SelfBilledInvoice, "customer", super::counterparty()),
        (SelfBilledCreditNote, "customer", super::counterparty()),
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

#[test]
fn a_full_card_number_is_never_repeated_in_a_message() {
    let card = json!({"means_code": "54", "card": {"primary_account_number": "4111111111111111"}});
    let body = with(Invoice, &[("/payment_means", card)]);
    assert!(!format!("{:?}", findings(Invoice, &body)).contains("4111"));
}

#[test]
fn attachments_are_base64_of_a_listed_kind_and_may_be_long() {
    let document = |content: &str, mime: &str| json!([{"id": "1", "attachment": {"content_base64": content, "mime_code": mime, "filename": "a"}}]);
    let long = "QUJD".repeat(50_000);
    expect(
        Invoice,
        &[],
        &[
            (&[("/supporting_documents", document(&long, "application/pdf"))], &[]),
            (
                &[("/supporting_documents", document("QUJ", "application/pdf"))],
                &[("/supporting_documents/0/attachment/content_base64", "AP-JSON-pattern")],
            ),
            (
                &[("/supporting_documents", document("QUJD", "text/html"))],
                &[("/supporting_documents/0/attachment/mime_code", "AP-JSON-code")],
            ),
            (
                &[("/supporting_documents", json!([{"id": "1", "external_uri": "https://a b"}]))],
                &[("/supporting_documents/0/external_uri", "AP-JSON-pattern")],
            ),
        ],
    );
}

#[test]
fn metadata_has_100_keys_of_100_characters_and_16_kib() {
    let keys = |n: usize| -> Value {
        (0..n).map(|i| (format!("k{i}"), json!("v"))).collect::<serde_json::Map<_, _>>().into()
    };
    let key = |n: usize| json!({"é".repeat(n): "v"});
    let long = format!("/metadata/{}", "é".repeat(101));
    expect(
        Invoice,
        &[],
        &[
            (&[("/metadata", keys(100))], &[]),
            (&[("/metadata", keys(101))], &[("/metadata", "AP-JSON-length")]),
            (&[("/metadata", key(100))], &[]),
            (&[("/metadata", key(101))], &[(&long, "AP-JSON-length")]),
            (&[("/metadata", json!({"a": "x".repeat(16 * 1024 - 1)}))], &[]),
            (
                &[("/metadata", json!({"a": "x".repeat(16 * 1024)}))],
                &[("/metadata", "AP-JSON-length")],
            ),
            (&[("/metadata", json!({"a": 1}))], &[("/metadata/a", "AP-JSON-type")]),
            (&[("/metadata", json!({"a": "", "\n": "control\u{1}"}))], &[]),
            (&[("/metadata", json!({"a": "1", "": "v"}))], &[("/metadata/", "AP-JSON-length")]),
            (&[("/metadata", json!([]))], &[("/metadata", "AP-JSON-type")]),
        ],
    );
}

#[test]
fn a_document_has_1_to_1000_lines_and_the_1001st_is_pointed_at() {
    let lines = |n: usize| {
        let line = body(Invoice)["line_items"][0].clone();
        with(Invoice, &[("/line_items", Value::Array(vec![line; n]))])
    };
    assert_eq!(errors(Invoice, &lines(1000)), []);
    let rule = "AP-JSON-length".to_owned();
    assert_eq!(errors(Invoice, &lines(1001)), [("/line_items/1000".to_owned(), rule.clone())]);
    assert_eq!(errors(Invoice, &lines(1500)), [("/line_items/1000".to_owned(), rule.clone())]);
    assert_eq!(errors(Invoice, &lines(0)), [("/line_items".to_owned(), rule)]);
}

#[test]
fn a_body_of_nothing_but_mistakes_has_a_bounded_answer() {
    let names: serde_json::Map<_, _> = (0..50_000).map(|i| (format!("x{i}"), json!(1))).collect();
    let found = findings(Invoice, &Value::Object(names));
    assert_eq!(found.len(), crate::document::MAX_FINDINGS + 1);
    assert_eq!(found.last().unwrap().rule, "AP-JSON-more");
    let mut body = body(Invoice);
    body["y".repeat(100_000)] = json!(1);
    let found = findings(Invoice, &body);
    assert_eq!(found[0].pointer, "");
    assert!(found[0].message.len() < 200);
}

#[test]
fn fingerprints_are_equal_for_equal_payloads_alone() {
    let print = |operation, text: &str| read(operation, text.as_bytes()).unwrap().fingerprint;
    let text = body(Invoice).to_string();
    let same: Value = serde_json::from_str(&text).unwrap();
    let reordered = {
        let mut parts: Vec<_> = same.as_object().unwrap().iter().collect();
        parts.reverse();
        let parts: Vec<_> = parts.iter().map(|(k, v)| format!(" {k:?} :\n {v}")).collect();
        format!("{{{}}}", parts.join(" , "))
    };
    assert_eq!(print(Invoice, &text), print(Invoice, &reordered));
    assert_eq!(print(Invoice, &text), print(Invoice, &text.replace("Chair", "\\u0043hair")));
    // A number is compared by value, a string by its characters.
    let number = print(Invoice, &text.replace("\"2\"", "2"));
    assert_eq!(number, print(Invoice, &text.replace("\"2\"", "2.00")));
    assert_ne!(number, print(Invoice, &text.replace("\"2\"", "2.01")));
    for (from, to) in [("\"2\"", "2"), ("\"2\"", "\"2.0\""), ("Chair", "chair"), ("INV-1", "INV-2")]
    {
        assert_ne!(print(Invoice, &text), print(Invoice, &text.replace(from, to)), "{to}");
    }
    assert_ne!(
        print(Invoice, &text),
        print(Invoice, &with(Invoice, &[("/metadata", json!({"a": "b"}))]).to_string())
    );
}

#[test]
fn a_party_is_read_back_as_it_was_written() {
    let text = super::taxpayer().to_string();
    let party = Party::from_json(text.as_bytes()).unwrap();
    assert_eq!(party.to_json(), super::taxpayer());
    assert_eq!(Party::from_json(party.to_json().to_string().as_bytes()).unwrap(), party);
    assert!(Party::from_json(b"{\"nam\": \"x\"}").is_err());
}

#[test]
fn a_body_is_read_back_as_it_was_written() {
    for operation in ALL {
        let submission = read(operation, body(operation).to_string().as_bytes()).unwrap();
        let written = submission.body.to_json();
        assert_eq!(written, body(operation));
        let mut changed = written;
        set(&mut changed, "/note", json!("x"));
        assert!(read(operation, changed.to_string().as_bytes()).is_ok());
    }
}
