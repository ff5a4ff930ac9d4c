//! The national portal's HTTP interface: the meaning of each answer. Every other answer is an error.

use serde_json::{Value, json};

use super::*;
use crate::service::onboarding::{Known, PortalError, Standing};

#[tokio::test]
async fn what_the_portal_answers_is_known_or_nothing_follows_from_it() {
    let portal = TaxPortal::start().await;
    let way = portal.way();
    let tin = TIN.parse().unwrap();
    let unknown = json!({"error": "unknown_tin"});
    portal.has_a_bad_day(404, unknown);
    assert_eq!(way.business(&tin).await, Ok(Known::Nobody));
    portal.has_a_bad_day(200, json!({"appointed": false}));
    assert_eq!(way.business(&tin).await, Ok(Known::NotAppointed));
    let mut whole = business("Falcon", TIN, "Accounts@Falcon.example");
    whole["confirm_from"] = json!("2027-01-31");
    whole["of a later version"] = json!([]);
    portal.has_a_bad_day(200, whole);
    let Ok(Known::Appointed(known)) = way.business(&tin).await else { panic!("not read") };
    assert_eq!((known.standing, known.email), (Standing::Active, Some(address(EMAIL))));
    assert_eq!(known.confirm_from, Some("2027-01-31".parse().unwrap()));
    // A business with an invalid address cannot be verified.
    let mut whole = business("Falcon", TIN, "محاسبة@falcon.example");
    portal.has_a_bad_day(200, whole.clone());
    let Ok(Known::Appointed(known)) = way.business(&tin).await else { panic!("not read") };
    assert_eq!(known.email, None);
    let mut long = whole.clone();
    long["details"]["name"] = json!("x".repeat(16 * 1024));
    whole["details"] = json!("x".repeat(300 * 1024));
    let no_status = json!({"appointed": true, "details": {}});
    let no_details = json!({"appointed": true, "status": "active", "details": []});
    let new_status = json!({"appointed": true, "status": "dissolved", "details": {}});
    for (status, body) in [
        (200, Value::Null),
        (200, json!({})),
        (200, no_status),
        (200, no_details),
        (200, new_status),
        (200, whole),
        (200, long),
        (204, Value::Null),
        (302, json!({})),
        (400, json!({})),
        (403, json!({"appointed": false})),
        (404, json!({})),
        (404, json!("unknown_tin")),
        (429, json!({})),
        (500, json!({"appointed": false})),
        (503, json!({"error": "unknown_tin"})),
    ] {
        portal.has_a_bad_day(status, body.clone());
        let answer = way.business(&tin).await;
        assert!(matches!(answer, Err(PortalError::Unavailable(_))), "{status} {body}: {answer:?}");
    }
}

#[tokio::test]
async fn a_registration_is_taken_refused_for_good_or_tried_again() {
    let portal = TaxPortal::start().await;
    let way = portal.way();
    let (tin, id) = (TIN.parse().unwrap(), "txpay_1".parse().unwrap());
    for status in [200, 201, 204] {
        portal.has_a_bad_day(status, Value::Null);
        assert_eq!(way.register(&tin, &id).await, Ok(()), "{status}");
    }
    portal.has_a_bad_day(422, json!({"message": "x".repeat(1_000)}));
    assert_eq!(way.register(&tin, &id).await, Err(PortalError::Refused("x".repeat(200))));
    for status in [301, 400, 404, 409, 500, 503] {
        portal.has_a_bad_day(status, json!({}));
        let answer = way.register(&tin, &id).await;
        assert!(matches!(answer, Err(PortalError::Unavailable(_))), "{status}: {answer:?}");
    }
}

#[tokio::test]
async fn changes_without_a_good_cursor_are_none() {
    let portal = TaxPortal::start().await;
    let way = portal.way();
    portal.has_a_bad_day(200, json!({"tins": [TIN, "x", "2001234501"], "cursor": "c&d=1"}));
    let changes = way.changes(Some("a b&c")).await.unwrap();
    assert_eq!((changes.tins.len(), changes.cursor.as_str(), changes.more), (1, "c&d=1", false));
    let long = "x".repeat(1_025);
    for body in [json!({}), json!({"tins": [], "cursor": ""}), json!({"tins": [], "cursor": long})]
    {
        portal.has_a_bad_day(200, body);
        assert!(way.changes(None).await.is_err());
    }
}

#[tokio::test]
async fn who_we_are_is_a_secret_that_is_fetched_again_when_it_is_not_taken() {
    let portal = TaxPortal::start().await;
    portal.has(TIN, json!({"appointed": false}));
    let tin = TIN.parse().unwrap();
    let refused = portal.way_with("another-secret").business(&tin).await.unwrap_err();
    assert_eq!(refused.to_string(), "the national portal: it does not accept the service's secret");
    for wrong in ["", " ", "two words", "line\nbreak", "geheimnis-ü"] {
        let refused = portal.way_with(wrong).business(&tin).await.unwrap_err().to_string();
        assert!(refused.starts_with("the national portal: its secret: "), "{refused}");
        assert!(wrong.trim().is_empty() || !refused.contains(wrong));
    }
    // A secret that was changed in Secrets Manager is fetched at the second request.
    let way = portal.way_that_changes();
    assert!(way.business(&tin).await.is_err());
    assert_eq!(way.business(&tin).await, Ok(Known::NotAppointed));
}

#[tokio::test]
async fn a_portal_that_is_not_there_is_unavailable() {
    let tin = TIN.parse().unwrap();
    let answer = TaxPortal::nowhere().business(&tin).await;
    assert!(matches!(answer, Err(PortalError::Unavailable(_))), "{answer:?}");
}
