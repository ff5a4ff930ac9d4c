//! Business card, Directory listing and registrations over the API.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Api, Call, openapi};
use crate::service::business_cards::MAX_CARD_BYTES;

const CARD: &str = "/v1/taxpayer/business-card";
const LISTING: &str = "/v1/taxpayer/directory-listing";

/// The example body of the OpenAPI document.
fn example() -> Value {
    let document = openapi::document();
    let body = &document["paths"]["/taxpayer/business-card"]["put"]["requestBody"]["content"];
    body["application/json"]["example"].clone()
}

#[tokio::test]
async fn a_card_is_written_read_and_listed() {
    let api = Api::start().await;
    let nothing = api.as_falcon(Call::get(CARD)).await;
    assert_eq!(nothing.error(), (404, "not_found".to_owned()));
    let listing = api.as_falcon(Call::get(LISTING)).await.json();
    assert_eq!(listing, json!({"state": "none", "cause": null, "given_up": false}));
    let too_early = api.as_falcon(Call::new(Method::PUT, LISTING)).await;
    assert_eq!(too_early.error(), (404, "not_found".to_owned()));
    assert!(too_early.message().contains("PUT /taxpayer/business-card"));

    let put = api.as_falcon(Call::put(CARD, example().to_string())).await;
    assert_eq!(put.status, 200);
    let card = put.json();
    assert_eq!(card["entities"][0]["names"], example()["entities"][0]["names"]);
    assert_eq!(card["participant_id"], "0235:1001234501");
    assert_eq!(api.as_falcon(Call::get(CARD)).await.json(), card);
    assert_eq!(api.call(Call::get(CARD)).await.status, 401);

    for _ in 0..2 {
        let listed = api.as_falcon(Call::new(Method::PUT, LISTING)).await;
        assert_eq!(listed.json()["state"], "registered", "at once in Sandbox");
    }
    let items = api.as_falcon(Call::get("/v1/taxpayer/registrations")).await.json();
    let items = items["items"].as_array().unwrap().clone();
    let states: Vec<_> = items.iter().map(|one| (&one["register"], &one["state"])).collect();
    let registered = json!("registered");
    assert_eq!(states, [(&json!("network"), &registered), (&json!("directory"), &registered)]);
    assert_eq!(items[0]["document_types"].as_array().unwrap().len(), 4);
    for _ in 0..2 {
        let ended = api.as_falcon(Call::new(Method::DELETE, LISTING)).await;
        assert_eq!(ended.json()["state"], "withdrawn");
    }
    assert_eq!(api.as_falcon(Call::get(LISTING)).await.json()["state"], "withdrawn");
    assert!(api.world.cloud.messages().is_empty(), "nobody is notified");
}

#[tokio::test]
async fn a_card_that_is_none_is_refused_with_every_mistake() {
    let api = Api::start().await;
    let mut body = example();
    body["entities"][0]["country_code"] = json!("Dubai");
    body["entities"][0]["fax"] = json!("1");
    let refused = api.as_falcon(Call::put(CARD, body.to_string())).await;
    assert_eq!(refused.error(), (422, "validation_failed".to_owned()));
    let errors = refused.json()["detail"]["errors"].clone();
    let errors = errors.as_array().unwrap().iter();
    let pointers: Vec<_> =
        errors.map(|error| error["pointer"].as_str().unwrap().to_owned()).collect();
    assert_eq!(pointers, ["/entities/0/fax", "/entities/0/country_code"]);
    let broken = api.as_falcon(Call::put(CARD, "{")).await;
    assert_eq!(broken.error(), (400, "malformed_json".to_owned()));
    let text = api.as_falcon(Call::new(Method::PUT, CARD)).await;
    assert_eq!(text.error(), (415, "unsupported_media_type".to_owned()));
    assert_eq!(api.as_falcon(Call::get(CARD)).await.status, 404);
}

/// A card with the maximum number of entries, whose texts have this total number of bytes.
fn card_of(bytes: usize) -> Value {
    let pieces = |many: usize, one: Value| Value::Array(vec![one; many]);
    let entity = json!({
        "names": pieces(20, json!({"name": "\"", "language": "en"})),
        "country_code": "AE",
        "geographical_information": "\"",
        "identifiers": pieces(20, json!({"scheme": "\"", "value": "\""})),
        "websites": pieces(20, json!("https://a.b")),
        "contacts": pieces(
            20,
            json!({"type": "\"", "name": "\"", "phone_number": "\"", "email": "a@b.ae"}),
        ),
        "additional_information": "\"",
        "registration_date": "2026-07-01",
    });
    let mut entities = vec![entity; 10];
    let of_one = 20 * 3 + 2 + 1 + 20 * 2 + 20 * 11 + 20 * 9 + 1;
    // The rest consists of characters that are longer than one byte in an item and in XML.
    let mut missing = bytes - 10 * of_one;
    for entity in &mut entities {
        let more = missing.min(3_999);
        entity["additional_information"] = json!("\"".repeat(1 + more));
        missing -= more;
        for contact in entity["contacts"].as_array_mut().unwrap() {
            for name in ["type", "name", "phone_number"] {
                let more = missing.min(499);
                contact[name] = json!("\"".repeat(1 + more));
                missing -= more;
            }
        }
    }
    assert_eq!(missing, 0);
    json!({"entities": entities})
}

#[tokio::test]
async fn the_largest_card_is_kept_and_one_byte_more_is_refused_at_its_place() {
    let api = Api::start().await;
    let largest = card_of(MAX_CARD_BYTES);
    let put = api.as_falcon(Call::put(CARD, largest.to_string())).await;
    assert_eq!(put.status, 200, "{}", String::from_utf8_lossy(&put.body));
    let card = put.json();
    assert_eq!(card["entities"], largest["entities"]);
    assert_eq!(api.as_falcon(Call::get(CARD)).await.json(), card);
    let listed = api.as_falcon(Call::new(Method::PUT, LISTING)).await;
    assert_eq!(listed.status, 200);

    let refused = api.as_falcon(Call::put(CARD, card_of(MAX_CARD_BYTES + 1).to_string())).await;
    assert_eq!(refused.error(), (422, "validation_failed".to_owned()));
    let errors = &refused.json()["detail"]["errors"];
    assert_eq!(errors[0]["pointer"], "/entities/9");
    assert_eq!(errors[0]["rule"], "AP-CARD-size");
    assert_eq!(api.as_falcon(Call::get(CARD)).await.json(), card);
}
