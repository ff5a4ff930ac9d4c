//! The national portal's data about taxpayers, and its consequences.

use serde_json::{Value, json};

use super::*;
use crate::{
    access::{By, Scope},
    service::{
        onboarding::{ChangesRead, read_changes},
        sessions,
        taxpayers::set_status,
    },
    store::keys,
};
use aws_sdk_dynamodb::types::AttributeValue;

/// Falcon after its onboarding, with a connected organization.
async fn connected() -> (Scene, Taxpayer) {
    let scene = Scene::new().await;
    let falcon = scene.onboarded().await;
    let organization = scene.world.organization("Integrator").await;
    scene.world.grant(&organization, &falcon, &[Scope::InvoicesRead]).await;
    read(&scene).await;
    scene.world.clock.advance(SignedDuration::from_mins(1));
    (scene, falcon)
}

async fn read(scene: &Scene) -> ChangesRead {
    let read = read_changes(&scene.registering()).await.unwrap();
    scene.work().await;
    scene.world.clock.advance(SignedDuration::from_millis(1));
    read
}

/// The published statuses, each with its previous status.
async fn published(scene: &Scene) -> Vec<(String, String)> {
    let mut events = scene.world.events().await;
    events.sort_by_key(|event| event.event_id.clone());
    let published = events.iter().map(|event| {
        let body: Value = serde_json::from_str(&event.body).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&body["previous_attributes"]["status"]), text(&body["data"]["status"]))
    });
    published.collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[tokio::test]
async fn a_suspension_at_the_portal_comes_and_goes_and_is_published_once_each() {
    let (scene, falcon) = connected().await;
    for status in ["suspended", "active"] {
        scene.portal.change(TIN, |it| it["status"] = json!(status));
        // A repeated notice changes nothing.
        for _ in 0..3 {
            scene.portal.repeat(TIN);
            assert_eq!(read(&scene).await.failed, 0);
        }
        assert_eq!(scene.falcon().await.unwrap().status.as_str(), status);
    }
    assert_eq!(published(&scene).await, pairs(&[("active", "suspended"), ("suspended", "active")]));
    assert!(scene.smp().is_some(), "its place in the network stays");
    // The portal does not end a suspension by the operator.
    let (ctx, id) = (scene.ctx(), &falcon.taxpayer_id);
    set_status(ctx, Mode::Live, id, TaxpayerStatus::Suspended, &By::operator()).await.unwrap();
    scene.portal.repeat(TIN);
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Suspended);
    // A business that appointed another service is suspended.
    set_status(ctx, Mode::Live, id, TaxpayerStatus::Active, &By::operator()).await.unwrap();
    scene.portal.has(TIN, json!({"appointed": false}));
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Suspended);
}

#[tokio::test]
async fn details_that_change_are_confirmed_again_before_anybody_acts() {
    let (scene, falcon) = connected().await;
    scene.portal.change(TIN, |it| it["details"]["name"] = json!("Falcon Holding LLC"));
    read(&scene).await;
    let changed = scene.falcon().await.unwrap();
    assert_eq!(
        (changed.status, changed.name.as_str()),
        (TaxpayerStatus::Reverification, "Falcon Trading LLC")
    );
    assert_eq!(changed.email, falcon.email, "whoever has the address may sign in, and confirm");
    // After a suspension in between, it returns to its earlier status.
    for status in ["suspended", "active"] {
        scene.portal.change(TIN, |it| it["status"] = json!(status));
        read(&scene).await;
    }
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Reverification);
    scene.confirmed().await;
    scene.work().await;
    let confirmed = scene.falcon().await.unwrap();
    assert_eq!(
        (confirmed.status, confirmed.name.as_str()),
        (TaxpayerStatus::Active, "Falcon Holding LLC")
    );
    assert_eq!(confirmed.taxpayer_id, falcon.taxpayer_id);
    let entries: Vec<crate::access::AuditRecord> = scene.world.items("aud_").await;
    let confirmations = entries.iter().filter(|it| it.action.as_str() == "onboarding.confirmed");
    assert_eq!(confirmations.count(), 2, "the first time, and this time");
    scene.portal.repeat(TIN);
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
    let expected = [
        ("active", "reverification"),
        ("reverification", "suspended"),
        ("suspended", "reverification"),
        ("reverification", "active"),
    ];
    assert_eq!(published(&scene).await, pairs(&expected));
    assert_eq!(scene.portal.registered(TIN), [falcon.taxpayer_id.as_str()]);
}

#[tokio::test]
async fn an_address_that_the_portal_has_no_more_signs_nobody_in_any_more() {
    let (scene, falcon) = connected().await;
    let (ctx, id) = (scene.ctx(), &falcon.taxpayer_id);
    let session = sessions::begin(ctx, Mode::Live, id, Origin::default()).await.unwrap();
    scene.portal.change(TIN, |it| it["email"] = json!("new@falcon.example"));
    read(&scene).await;
    let changed = scene.falcon().await.unwrap();
    assert_eq!((changed.status, changed.email), (TaxpayerStatus::Reverification, None));
    assert!(sessions::current(ctx, Mode::Live, &session).await.unwrap().is_none());
    let old = ctx.store.list_registered_with(Mode::Live, &address(EMAIL)).await.unwrap();
    assert!(old.is_empty());
    // The old address verifies nothing. The new one does.
    scene.ask(TIN, EMAIL).await;
    assert!(scene.mails().await.is_empty());
    scene.ask(TIN, "new@falcon.example").await;
    let application = scene.verify(&scene.browser).await;
    scene.confirm(&application).await;
    scene.work().await;
    let confirmed = scene.falcon().await.unwrap();
    assert_eq!(
        (confirmed.status, confirmed.email),
        (TaxpayerStatus::Active, Some(address("new@falcon.example")))
    );
    let new = ctx.store.list_registered_with(Mode::Live, &address("new@falcon.example")).await;
    assert_eq!(new.unwrap(), std::slice::from_ref(id));
}

#[tokio::test]
async fn what_changed_while_the_operator_had_it_suspended_is_confirmed_when_it_comes_back() {
    let (scene, falcon) = connected().await;
    let (ctx, id) = (scene.ctx(), &falcon.taxpayer_id);
    set_status(ctx, Mode::Live, id, TaxpayerStatus::Suspended, &By::operator()).await.unwrap();
    scene.portal.change(TIN, |it| it["details"]["name"] = json!("Falcon Holding LLC"));
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Suspended);
    let back =
        set_status(ctx, Mode::Live, id, TaxpayerStatus::Active, &By::operator()).await.unwrap();
    assert_eq!(back.status, TaxpayerStatus::Reverification);
    // The operator may skip the confirmation.
    let back =
        set_status(ctx, Mode::Live, id, TaxpayerStatus::Active, &By::operator()).await.unwrap();
    assert!(back.status == TaxpayerStatus::Active && !back.confirmed.unwrap().outdated);
}

#[tokio::test]
async fn a_day_from_which_on_it_must_be_confirmed_again_comes() {
    let (scene, _) = connected().await;
    let today = crate::types::uae_date(scene.world.now());
    let tomorrow = today.tomorrow().unwrap();
    scene.portal.change(TIN, |it| it["confirm_from"] = json!(tomorrow.to_string()));
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
    scene.world.clock.advance(SignedDuration::from_hours(24));
    scene.portal.repeat(TIN);
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Reverification);
    scene.confirmed().await;
    scene.work().await;
    scene.portal.repeat(TIN);
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
}

#[tokio::test]
async fn who_is_deregistered_is_withdrawn_from_the_network_for_good() {
    let (scene, _) = connected().await;
    scene.portal.change(TIN, |it| it["status"] = json!("deregistered"));
    read(&scene).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Deregistered);
    assert_eq!(scene.smp(), None);
    // Deregistration is final, for a notice and for another application.
    scene.portal.change(TIN, |it| it["status"] = json!("active"));
    read(&scene).await;
    let id = scene.confirmed().await;
    scene.work().await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Deregistered);
    assert_eq!(scene.smp(), None);
    let application = scene.application(&id).await;
    assert!(
        onboarding::finish(scene.ctx(), &application, None, Origin::default())
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(published(&scene).await, pairs(&[("active", "deregistered")]));
}

#[tokio::test]
async fn what_the_portal_says_while_it_is_onboarding_has_its_effect_when_that_ends() {
    for (status, expected) in
        [("suspended", TaxpayerStatus::Suspended), ("deregistered", TaxpayerStatus::Deregistered)]
    {
        let scene = Scene::new().await;
        scene.registers.tell_first(&[crate::testing::Tells::Status(503)]);
        scene.confirmed().await;
        scene.work().await;
        assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Onboarding);
        scene.portal.change(TIN, |it| it["status"] = json!(status));
        read(&scene).await;
        scene.pass(SignedDuration::from_mins(2)).await;
        scene.pass(SignedDuration::from_mins(16)).await;
        assert_eq!(scene.falcon().await.unwrap().status, expected);
        let is_known = scene.smp().is_some();
        assert_eq!(is_known, expected == TaxpayerStatus::Suspended, "{status}");
    }
}

#[tokio::test]
async fn changes_are_read_page_by_page_and_go_on_where_they_broke_off() {
    let (scene, _) = connected().await;
    for number in 0..45 {
        scene.portal.has(&format!("10012347{number:02}"), json!({"appointed": false}));
    }
    scene.portal.change(TIN, |it| it["status"] = json!("suspended"));
    scene.portal.has_a_bad_day(503, Value::Null);
    let failed = read_changes(&scene.registering()).await.unwrap_err();
    assert_eq!(failed.code, crate::error::Code::ServiceUnavailable);
    scene.portal.is_well();
    assert_eq!(read(&scene).await, ChangesRead { looked_at: 1, failed: 0 });
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Suspended);
    assert_eq!(read(&scene).await, ChangesRead::default());
    // A taxpayer with an unreadable record is skipped and counted.
    let falcon = scene.falcon().await.unwrap();
    let other = "1001234555";
    scene.world.onboarded("Oasis", other).await;
    scene.portal.change(TIN, |it| it["status"] = json!("active"));
    scene.portal.has(other, json!({"appointed": false}));
    let pk = keys::taxpayer(Mode::Live, &falcon.taxpayer_id);
    scene.world.set(&pk, keys::PROFILE, "name", AttributeValue::Bool(true)).await;
    assert_eq!(read(&scene).await, ChangesRead { looked_at: 1, failed: 1 });
    let oasis = format!("0235:{other}").parse().unwrap();
    let oasis = scene.ctx().store.find_participant(Mode::Live, &oasis).await.unwrap().unwrap();
    assert_eq!(oasis.status, TaxpayerStatus::Suspended);
}

#[tokio::test]
async fn without_a_portal_nothing_is_read_and_applications_wait() {
    let scene = Scene::new().await;
    scene.confirmed().await;
    let registering = Registering { national_portal: None, ..scene.registering() };
    assert_eq!(read_changes(&registering).await.unwrap(), ChangesRead::default());
    scene.world.stream().await;
    for message in scene.world.cloud.receive("register") {
        handle(&registering, &message).await.unwrap();
    }
    let [application]: [ApplicationRecord; 1] =
        scene.world.items("APPLICATION").await.try_into().unwrap();
    assert!(application.cause.unwrap().starts_with("NATIONAL_PORTAL_URL is not set"));
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
}

#[tokio::test]
async fn details_that_were_confirmed_again_are_published_with_the_old_ones_to_who_may_read_them() {
    let (scene, falcon) = connected().await;
    let reader = scene.world.organization("Reader").await;
    scene.world.grant(&reader, &falcon, &[Scope::TaxpayerRead]).await;
    scene.portal.change(TIN, |it| it["details"]["name"] = json!("Falcon Holding LLC"));
    read(&scene).await;
    scene.confirmed().await;
    scene.work().await;
    let mut events = scene.world.events().await;
    events.retain(|event| event.body.contains(r#""status":"reverification""#));
    let bodies = events.iter().map(|event| {
        let audience = serde_json::to_value(&event.audience).unwrap();
        let body: Value = serde_json::from_str(&event.body).unwrap();
        (audience["organization_id"] == reader.as_str(), body)
    });
    let back: Vec<_> = bodies.filter(|(_, body)| body["data"]["status"] == "active").collect();
    assert_eq!(back.len(), 2);
    for (may_read, body) in back {
        let (data, previous) = (&body["data"], &body["previous_attributes"]);
        assert_eq!(previous["status"], "reverification");
        if !may_read {
            assert_eq!((data.get("name"), data.get("profile")), (None, None));
            assert_eq!(*previous, json!({"status": "reverification", "profile": {}}));
            continue;
        }
        assert_eq!(
            (&data["name"], &previous["name"]),
            (&json!("Falcon Holding LLC"), &json!("Falcon Trading LLC"))
        );
        assert_eq!(data["profile"]["name"], "Falcon Holding LLC");
        let old: Value = serde_json::from_str(&falcon.profile).unwrap();
        assert_eq!(previous["profile"], old);
    }
}
