//! JSON, types, names and rules of single fields.

mod fields;

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
