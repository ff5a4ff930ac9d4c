//! Tests of the validator through the router of the documentation.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};

use super::{MAX_BYTES, judged::judge};
use crate::docs::tests::{Answer, answer};

const MINIMAL: &str = include_str!("../../../../events/invoices/minimal.json");
const SELF_BILLED: &str =
    include_str!("../../../../events/self-billing/invoices/reverse-charge.json");

async fn sent(parts: &[(&str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, value) in parts {
        let head = format!("--edge\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), value, b"\r\n"].concat());
    }
    body.extend(b"--edge--\r\n");
    let request = Request::builder()
        .method(Method::POST)
        .uri("/docs/validator")
        .header("content-type", "multipart/form-data; boundary=edge")
        .body(Body::from(body))
        .unwrap();
    answer(request).await
}

fn ubl() -> Vec<u8> {
    judge(MINIMAL.as_bytes()).unwrap().ubl.unwrap()
}

#[tokio::test]
async fn the_json_of_a_send_is_validated_as_the_service_would() {
    for json in [MINIMAL, SELF_BILLED] {
        let page = sent(&[("text", json.as_bytes())]).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body.contains(">Valid</span> 0 errors"), "{}", page.body);
        assert!(page.body.contains("an invented one"), "the reader knows who sends it");
        assert_eq!(page.header("cache-control"), "no-store");
    }
    let wrong = MINIMAL.replace("\"S\"", "\"Q\"");
    let page = sent(&[("text", wrong.as_bytes())]).await;
    assert!(page.body.contains(">Invalid</span>"), "{}", page.body);
    assert!(page.body.contains("/line_items/0/vat/category_code"), "{}", page.body);
    // The text is returned, to be corrected.
    assert!(page.body.contains("&#34;Q&#34;"), "{}", page.body);
}

#[tokio::test]
async fn a_finding_of_ubl_stands_with_its_line_its_rule_and_its_solution() {
    let ubl = String::from_utf8(ubl()).unwrap();
    let good = sent(&[("file", ubl.as_bytes())]).await;
    assert!(good.body.contains(">Valid</span> 0 errors"), "{}", good.body);
    let wrong = ubl.replace("<cbc:DocumentCurrencyCode>AED<", "<cbc:DocumentCurrencyCode>XXQ<");
    assert_ne!(wrong, ubl);
    let page = sent(&[("file", wrong.as_bytes())]).await;
    assert!(page.body.contains("class=\"found\""), "{}", page.body);
    assert!(page.body.contains("&#60;cbc:DocumentCurrencyCode&#62;XXQ&#60;"), "{}", page.body);
    assert!(page.body.contains("href=\"/docs/rules/"), "{}", page.body);
}

#[tokio::test]
async fn a_document_is_shown_as_people_read_it_under_a_policy_of_its_own() {
    let page = sent(&[("file", &ubl()), ("do", b"view")]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("Tax Invoice") && page.body.contains("Label printer"));
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("style-src 'sha256-") && !policy.contains("script-src 'self'"),
        "{policy}"
    );
    let report = include_bytes!("../../mls/samples/acceptance.xml");
    let page = sent(&[("file", report), ("do", b"view")]).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(page.body.contains("This document has no view"), "{}", page.body);
}

#[tokio::test]
async fn what_is_no_document_is_answered_with_what_to_do() {
    let large = vec![b'x'; MAX_BYTES + 1];
    for (document, said) in [
        (&b""[..], "Choose a file, or paste a document."),
        (b"hello", "neither XML nor JSON"),
        (b"%PDF-1.7", "neither XML nor JSON"),
        (b"<a", "not well-formed XML"),
        (b"<a/>", "There are no rules for a document whose root element is a"),
        (b"<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "not well-formed XML"),
        (b"{\"a\":", "not valid JSON"),
        (b"{}", "does not show its kind"),
        (&large, "The document is too large."),
    ] {
        let page = sent(&[("text", document)]).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{said}");
        assert!(page.body.contains(said), "{said}: {}", page.body);
        assert_eq!(page.header("cache-control"), "no-store");
    }
}
