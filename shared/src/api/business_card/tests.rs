use serde_json::json;

use super::*;
use crate::service::business_cards::read;

fn card() -> serde_json::Value {
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
fn a_card_is_answered_as_it_was_given() {
    let entities = read(card().to_string().as_bytes()).unwrap();
    let bodies: Vec<BusinessEntityBody> = entities.into_iter().map(Into::into).collect();
    assert_eq!(serde_json::to_value(BusinessCardBody { entities: bodies }).unwrap(), card());
}
