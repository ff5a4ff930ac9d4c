use serde_json::json;

use super::*;
use crate::error::Code;

fn card() -> Value {
    json!({"entities": [{
        "names": [{"name": "Falcon LLC", "language": "en"}, {"name": "الصقر"}],
        "country_code": "AE",
        "geographical_information": "Dubai",
        "identifiers": [{"scheme": "Trade license", "value": "CN-1"}],
        "websites": ["https://falcon.example"],
        "contacts": [{"type": "sales", "email": "a@b.example"}],
        "additional_information": "x",
        "registration_date": "2026-07-01",
    }]})
}

#[test]
fn every_mistake_is_named_with_its_place() {
    let long = "x".repeat(MAX_TEXT + 1);
    let long = long.as_str();
    for (place, value, pointer, rule) in [
        ("", json!([]), "", "AP-CARD-type"),
        ("/entities", json!([]), "/entities", "AP-CARD-size"),
        ("/entities", json!(vec![0; MAX_ENTITIES + 1]), "/entities", "AP-CARD-size"),
        ("/entities", json!("x"), "/entities", "AP-CARD-type"),
        ("/entities/0", json!(1), "/entities/0", "AP-CARD-type"),
        ("/entities/0/names", json!(null), "/entities/0/names", "AP-CARD-size"),
        ("/entities/0/names/1", json!({}), "/entities/0/names/1/name", "AP-CARD-required"),
        ("/entities/0/names/0/name", json!(long), "/entities/0/names/0/name", "AP-CARD-size"),
        ("/entities/0/names/0/name", json!(" "), "/entities/0/names/0/name", "AP-CARD-size"),
        (
            "/entities/0/names/0/language",
            json!("eng"),
            "/entities/0/names/0/language",
            "AP-CARD-code",
        ),
        ("/entities/0/country_code", json!("ae"), "/entities/0/country_code", "AP-CARD-code"),
        ("/entities/0/country_code", json!(7), "/entities/0/country_code", "AP-CARD-type"),
        (
            "/entities/0/websites/0",
            json!("falcon.example"),
            "/entities/0/websites/0",
            "AP-CARD-url",
        ),
        ("/entities/0/contacts/0", json!({}), "/entities/0/contacts/0", "AP-CARD-required"),
        (
            "/entities/0/contacts/0",
            json!({"fax/~": "1"}),
            "/entities/0/contacts/0/fax~1~0",
            "AP-JSON-unknown-field",
        ),
        ("/entities/0/country_code", json!("1A"), "/entities/0/country_code", "AP-CARD-code"),
        (
            "/entities/0/names/0/name",
            json!("Falcon\u{0}"),
            "/entities/0/names/0/name",
            "AP-CARD-character",
        ),
        (
            "/entities/0/geographical_information",
            json!("Dubai\u{1}"),
            "/entities/0/geographical_information",
            "AP-CARD-character",
        ),
        (
            "/entities/0/additional_information",
            json!("\u{fffe}x"),
            "/entities/0/additional_information",
            "AP-CARD-character",
        ),
        (
            "/entities/0/contacts/0/email",
            json!("not mail"),
            "/entities/0/contacts/0/email",
            "AP-CARD-email",
        ),
        (
            "/entities/0/registration_date",
            json!("0000-01-01"),
            "/entities/0/registration_date",
            "AP-CARD-date",
        ),
        (
            "/entities/0/registration_date",
            json!("2026-02-30"),
            "/entities/0/registration_date",
            "AP-CARD-date",
        ),
    ] {
        let mut body = card();
        *body.pointer_mut(place).unwrap() = value;
        let failure = read(body.to_string().as_bytes()).unwrap_err();
        assert_eq!(failure.code, Code::ValidationFailed);
        let finding = failure.findings.first().unwrap();
        assert_eq!((finding.pointer.as_str(), &*finding.rule), (pointer, rule), "{place}");
    }
    assert_eq!(read(b"{").unwrap_err().code, Code::MalformedJson);
}

#[test]
fn one_business_is_read_by_the_same_rules_with_places_within_it() {
    let entity = read_entity(&card()["entities"][0]).unwrap();
    assert_eq!(read(card().to_string().as_bytes()).unwrap(), [entity]);
    let mut wrong = card()["entities"][0].clone();
    wrong["country_code"] = json!("XX");
    wrong["names"] = json!([]);
    let findings = read_entity(&wrong).unwrap_err();
    let places: Vec<_> = findings.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(places, ["/names", "/country_code"]);
}

#[test]
fn a_website_is_an_address_with_a_host() {
    let read = |website: &str| {
        let mut body = card();
        body["entities"][0]["websites"] = json!([website]);
        read(body.to_string().as_bytes())
    };
    for good in [
        "https://falcon.example",
        "http://falcon.example:8080/a?b=c#d",
        "https://صقر.example/متجر",
        "https://192.0.2.1/",
    ] {
        assert!(read(good).is_ok(), "{good}");
    }
    for wrong in [
        "http://",
        "https://",
        "https:falcon.example",
        "https:///falcon.example",
        "https://falcon.example/a b",
        "https://falcon.example\\a",
        "https://user:password@falcon.example",
        "https://[",
        "HTTPS://falcon.example",
        "ftp://falcon.example",
        "javascript:alert(1)",
    ] {
        let failure = read(wrong).unwrap_err();
        let finding = failure.findings.first().unwrap();
        let actual = (finding.pointer.as_str(), &*finding.rule);
        assert_eq!(actual, ("/entities/0/websites/0", "AP-CARD-url"), "{wrong}");
    }
}

#[test]
fn longer_texts_may_have_line_breaks_and_names_may_not() {
    let mut body = card();
    body["entities"][0]["additional_information"] = json!("One\r\n\tTwo");
    body["entities"][0]["geographical_information"] = json!("Dubai\nDeira");
    assert!(read(body.to_string().as_bytes()).is_ok());
    body["entities"][0]["names"][0]["name"] = json!("Falcon\nLLC");
    let failure = read(body.to_string().as_bytes()).unwrap_err();
    assert_eq!(failure.findings[0].rule, "AP-CARD-character");
    assert!(failure.findings[0].message.contains("U+000A"), "{:?}", failure.findings);
}

#[test]
fn all_texts_of_a_card_together_have_a_limit_in_bytes() {
    let contact = json!({
        "type": "é".repeat(MAX_TEXT),
        "name": "é".repeat(MAX_TEXT),
        "phone_number": "é".repeat(MAX_TEXT),
    });
    let mut body = card();
    body["entities"][0]["contacts"] = json!(vec![contact; MAX_ENTRIES]);
    body["entities"] = json!(vec![body["entities"][0].clone(); MAX_ENTITIES]);
    // Each business has some 60,000 bytes: the fifth one exceeds the limit.
    let failure = read(body.to_string().as_bytes()).unwrap_err();
    assert_eq!(failure.code, Code::ValidationFailed);
    let [finding] = failure.findings.as_slice() else { panic!("{failure:?}") };
    assert_eq!((finding.pointer.as_str(), &*finding.rule), ("/entities/4", "AP-CARD-size"));
    assert!(finding.message.contains("262144"), "{}", finding.message);
    body["entities"].as_array_mut().unwrap().truncate(4);
    assert_eq!(read(body.to_string().as_bytes()).unwrap().len(), 4);
}
