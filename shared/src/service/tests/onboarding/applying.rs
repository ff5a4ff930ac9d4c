//! The steps of an application: what advances it, what does not, and what it never reveals.

use serde_json::{Value, json};

use super::*;
use crate::{
    access::{AuditRecord, Trail},
    document::Profile,
    service::{
        onboarding::{BY_TIN, Confirmation, Progress},
        sessions, sign_in,
    },
    store::{MailStatus, Register, RegistrationStatus},
};

/// A change of the data at the portal.
type Change = fn(&mut Value);

#[tokio::test]
async fn a_business_shows_who_it_is_confirms_its_details_and_is_active_once_all_know_it() {
    let scene = Scene::new().await;
    let (ctx, portal) = (scene.ctx(), scene.portal.way());
    let id = scene.ask(TIN, EMAIL).await;
    assert_eq!(scene.status(&id).await, Status::Appointment);
    let [mail] = scene.mails().await.try_into().unwrap();
    assert_eq!((scene.status(&id).await, mail.to.as_str()), (Status::Verification, EMAIL));
    let token = token(&mail);
    // Looking at the link does not use it, and another browser gets nothing.
    let stranger = OpaqueToken::generate(&*ctx.random);
    assert_eq!(onboarding::look(ctx, &token, &stranger).await.unwrap(), Link::OtherBrowser);
    assert!(matches!(onboarding::look(ctx, &token, &scene.browser).await.unwrap(), Link::Good(_)));
    assert_eq!(scene.status(&id).await, Status::Verification);
    // The link does not sign in.
    let looked = sign_in::look(ctx, Mode::Live, &token, &scene.browser).await.unwrap();
    assert_eq!(looked, sign_in::Looked::Gone);
    scene.world.clock.advance(SignedDuration::from_secs(1));
    for _ in 0..2 {
        let verified = onboarding::verify(ctx, &token, &scene.browser, origin()).await.unwrap();
        let Link::Good(application) = verified else { panic!("{verified:?}") };
        assert_eq!(application.status, Status::Details);
    }

    let application = scene.application(&id).await;
    let shown = onboarding::details(ctx, &*portal, &application).await.unwrap();
    let Shown::Details { business, profile, defects } = shown else { panic!("{shown:?}") };
    assert!(defects.is_empty(), "{defects:?}");
    assert_eq!(profile.unwrap().party.name.as_deref(), Some("Falcon Trading LLC"));
    let digest = business.digest();
    scene.world.clock.advance(SignedDuration::from_secs(1));
    let confirmed = onboarding::confirm(ctx, &application, &digest, origin()).await.unwrap();
    assert_eq!(confirmed, Confirmation::Taken);
    let application = scene.application(&id).await;
    let progress = onboarding::progress(ctx, &application).await.unwrap();
    assert_eq!(progress, Some(Progress::Authority { is_parked: false }));
    scene.world.clock.advance(SignedDuration::from_secs(1));
    scene.work().await;

    let taxpayer = scene.falcon().await.unwrap();
    assert_eq!(
        (taxpayer.status, taxpayer.name.as_str()),
        (TaxpayerStatus::Active, "Falcon Trading LLC")
    );
    assert_eq!(taxpayer.email, Some(address(EMAIL)));
    assert_eq!(taxpayer.confirmed.as_ref().unwrap().digest, digest);
    assert!(Profile::from_json(taxpayer.profile.as_bytes()).is_ok());
    assert_eq!(scene.portal.registered(TIN), [taxpayer.taxpayer_id.as_str()]);
    assert!(scene.smp().is_some());
    let application = scene.application(&id).await;
    assert_eq!(application.status, Status::HandedOver);
    let progress = onboarding::progress(ctx, &application).await.unwrap();
    assert_eq!(progress, Some(Progress::Done(Box::new(taxpayer.clone()))));
    assert!(scene.world.events().await.is_empty(), "nobody has a grant");
    assert!(scene.world.marks("due_pk").await.is_empty());

    // The browser is signed in once.
    let session =
        onboarding::finish(ctx, &application, None, Origin::default()).await.unwrap().unwrap();
    let signed_in = sessions::current(ctx, Mode::Live, &session).await.unwrap().unwrap();
    assert_eq!(signed_in.holder().as_str(), taxpayer.taxpayer_id.as_str());
    assert!(
        onboarding::finish(ctx, &application, None, Origin::default()).await.unwrap().is_none()
    );
    assert_eq!(scene.status(&id).await, Status::Finished);
    // The business can sign in again by a mail.
    let ask = sign_in::Ask {
        mode: Mode::Live,
        address: address(EMAIL),
        browser: &scene.browser,
        place: "192.0.2.1",
        language: Language::English,
        then: sign_in::Then::account(Mode::Live),
    };
    sign_in::ask(ctx, ask).await.unwrap();
    assert!(scene.mails().await[0].text.contains("/sign-in/confirm?token="));

    let trail = Trail::Taxpayer(taxpayer.taxpayer_id);
    let mut entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    entries.sort_by_key(|entry| entry.audit_id.clone());
    entries.retain(|entry| entry.trail == trail);
    let actual: Vec<_> =
        entries.iter().map(|entry| (entry.action.as_str(), entry.ip.is_some())).collect();
    let expected = [
        ("onboarding.requested", true),
        ("onboarding.verified", true),
        ("onboarding.confirmed", true),
        ("taxpayer.status_changed", false),
        // The test's session has no origin.
        ("sign_in.succeeded", false),
    ];
    assert_eq!(actual, expected);
}

#[tokio::test]
async fn what_is_not_known_is_revealed_by_no_answer_and_no_write_of_the_page() {
    let scene = Scene::new().await;
    scene.portal.has("1001234510", json!({"appointed": false}));
    let mut written = Vec::new();
    for (tin, email) in
        [(TIN, EMAIL), (TIN, "somebody@else.example"), ("1001234510", EMAIL), ("1001234511", EMAIL)]
    {
        let came = scene.portal.came().len();
        scene.world.cloud.take_written();
        scene.ask(tin, email).await;
        let kinds = |pk: String| pk.split('#').take(2).collect::<Vec<_>>().join("#");
        let kinds: Vec<_> = scene.world.cloud.take_written().into_iter().map(kinds).collect();
        written.push(kinds);
        assert_eq!(scene.portal.came().len(), came, "nobody waits for the portal");
    }
    assert!(written.iter().all(|each| *each == written[0]), "{written:?}");
    let mails = scene.mails().await;
    assert_eq!(mails.len(), 1, "to who has the business alone");
    assert!(scene.world.marks("due_pk").await.is_empty());
    let mails: Vec<crate::store::MailRecord> = scene.world.items("MAIL").await;
    let dropped = mails.iter().filter(|mail| mail.status == MailStatus::Dropped).count();
    assert_eq!(dropped, 3);
}

#[tokio::test]
async fn who_appoints_us_later_asks_again_and_the_portal_is_not_asked_in_between() {
    let scene = Scene::new().await;
    scene.portal.has(TIN, json!({"appointed": false}));
    let id = scene.ask(TIN, EMAIL).await;
    assert!(scene.mails().await.is_empty());
    let came = scene.portal.came().len();
    scene.pass(SignedDuration::from_hours(1)).await;
    assert_eq!(scene.portal.came().len(), came);
    assert_eq!(scene.status(&id).await, Status::Appointment);
    scene.portal.has(TIN, business("Falcon Trading LLC", TIN, EMAIL));
    scene.ask(TIN, EMAIL).await;
    assert_eq!(scene.mails().await.len(), 1);
}

#[tokio::test]
async fn a_portal_that_is_down_is_asked_again_for_the_mail_and_for_the_registration() {
    let scene = Scene::new().await;
    scene.portal.has_a_bad_day(503, Value::Null);
    let id = scene.ask(TIN, EMAIL).await;
    assert!(scene.mails().await.is_empty());
    scene.portal.is_well();
    scene.pass(SignedDuration::from_mins(2)).await;
    let application = scene.verify(&scene.browser).await;
    // A person who opens the details meanwhile gets an error.
    scene.portal.has_a_bad_day(502, Value::Null);
    let portal = scene.portal.way();
    let failed = onboarding::details(scene.ctx(), &*portal, &application).await.unwrap_err();
    assert_eq!(failed.code, crate::error::Code::ServiceUnavailable);
    scene.portal.is_well();
    scene.confirm(&application).await;
    scene.portal.has_a_bad_day(500, Value::Null);
    scene.work().await;
    let application = scene.application(&id).await;
    let cause = "the national portal: HTTP status 500 Internal Server Error";
    assert_eq!(
        (application.status, application.cause.as_deref()),
        (Status::Registration, Some(cause))
    );
    assert!(scene.falcon().await.is_none());
    scene.portal.is_well();
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
    assert_eq!(scene.application(&id).await.cause, None);
}

#[tokio::test]
async fn a_portal_that_refuses_for_good_is_parked_with_its_reason() {
    let scene = Scene::new().await;
    let id = scene.ask(TIN, EMAIL).await;
    let application = scene.verify(&scene.browser).await;
    scene.confirm(&application).await;
    // The taxpayer exists, but its registration is refused.
    scene.portal.refuses_registrations("the licence has expired");
    scene.work().await;
    let application = scene.application(&id).await;
    assert_eq!(
        application.cause.as_deref(),
        Some("the national portal refuses: the licence has expired")
    );
    assert!(application.parked.is_some());
    let progress = onboarding::progress(scene.ctx(), &application).await.unwrap();
    assert_eq!(progress, Some(Progress::Authority { is_parked: true }));
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Onboarding);
}

#[tokio::test]
async fn details_with_defects_are_named_and_make_no_taxpayer() {
    let scene = Scene::new().await;
    let id = scene.ask(TIN, EMAIL).await;
    let application = scene.verify(&scene.browser).await;
    let portal = scene.portal.way();
    let cases: [(Change, &str); 5] = [
        (|it| drop(it["details"].as_object_mut().unwrap().remove("name")), "/name"),
        (|it| drop(it["details"].as_object_mut().unwrap().remove("address")), "/address"),
        (|it| it["details"]["vat_identifier"] = json!("123"), "/vat_identifier"),
        (
            |it| it["details"]["legal_registration"]["type"] = json!("XX"),
            "/legal_registration/type",
        ),
        (|it| it["details"]["nonsense"] = json!(1), "/nonsense"),
    ];
    for (spoil, pointer) in cases {
        scene.portal.has(TIN, business("Falcon Trading LLC", TIN, EMAIL));
        scene.portal.change(TIN, spoil);
        let shown = onboarding::details(scene.ctx(), &*portal, &application).await.unwrap();
        let Shown::Details { business, defects, .. } = shown else { panic!("{shown:?}") };
        let pointers: Vec<_> = defects.iter().map(|defect| defect.pointer.as_str()).collect();
        assert!(pointers.contains(&pointer), "{pointer}: {defects:?}");
        // A confirmation of such details leads back to them.
        let application = scene.application(&id).await;
        onboarding::confirm(scene.ctx(), &application, &business.digest(), origin()).await.unwrap();
        scene.work().await;
        assert_eq!(scene.status(&id).await, Status::Details, "{pointer}");
    }
    assert!(scene.falcon().await.is_none());
}

#[tokio::test]
async fn what_changes_after_it_was_confirmed_is_confirmed_anew() {
    let scene = Scene::new().await;
    let id = scene.confirmed().await;
    let changes: [Change; 4] = [
        |it| it["details"]["name"] = json!("Falcon Holding LLC"),
        |it| it["status"] = json!("suspended"),
        |it| it["email"] = json!("other@falcon.example"),
        |it| it["appointed"] = json!(false),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        if number > 0 {
            scene.portal.has(TIN, business("Falcon Holding LLC", TIN, EMAIL));
            scene.confirm(&scene.application(&id).await).await;
        }
        scene.portal.change(TIN, change);
        scene.work().await;
        assert_eq!(scene.status(&id).await, Status::Details, "{number}");
        assert!(scene.falcon().await.is_none());
    }
    // The page shows why there is nothing to confirm.
    let (portal, application) = (scene.portal.way(), scene.application(&id).await);
    let shown = async || onboarding::details(scene.ctx(), &*portal, &application).await.unwrap();
    assert_eq!(shown().await, Shown::NotAppointed);
    scene.portal.has(TIN, business("Falcon", TIN, "other@falcon.example"));
    assert_eq!(shown().await, Shown::OtherAddress);
    for (status, expected) in
        [("suspended", Shown::Suspended), ("deregistered", Shown::Deregistered)]
    {
        scene.portal.has(TIN, business("Falcon", TIN, EMAIL));
        scene.portal.change(TIN, |it| it["status"] = json!(status));
        assert_eq!(shown().await, expected);
    }
}

#[tokio::test]
async fn of_two_browsers_at_once_both_come_through_to_one_taxpayer() {
    let scene = Scene::new().await;
    let other = OpaqueToken::generate(&*scene.ctx().random);
    let mut ids = Vec::new();
    for browser in [&scene.browser, &other] {
        let Asked::Noted(id) = scene.ask_in(scene.ctx(), browser).await.unwrap() else { panic!() };
        scene.verify(browser).await;
        ids.push(id);
    }
    for id in &ids {
        scene.confirm(&scene.application(id).await).await;
    }
    scene.world.stream().await;
    let messages = scene.world.cloud.receive("register");
    assert_eq!(messages.len(), 2);
    let registering = scene.registering();
    let (first, second) =
        tokio::join!(handle(&registering, &messages[0]), handle(&registering, &messages[1]));
    first.unwrap();
    second.unwrap();
    scene.work().await;
    scene.pass(SignedDuration::from_mins(2)).await;
    let falcon = scene.falcon().await.unwrap();
    for id in &ids {
        let application = scene.application(id).await;
        assert_eq!(
            (application.status, application.taxpayer_id.as_ref()),
            (Status::HandedOver, Some(&falcon.taxpayer_id))
        );
    }
    assert_eq!(scene.portal.registered(TIN), [falcon.taxpayer_id.as_str()]);
    let profiles: Vec<Taxpayer> = scene.world.items("PROFILE").await.into_iter().collect();
    assert_eq!(profiles.len(), 1);
    // Another browser's application is not visible.
    assert!(onboarding::application(scene.ctx(), &ids[1], &scene.browser).await.unwrap().is_none());
}

#[tokio::test]
async fn a_tin_is_asked_for_so_often_and_an_application_has_its_time() {
    let scene = Scene::new().await;
    for number in 0..=BY_TIN.most {
        let email = format!("a{number}@example.com");
        let asked = onboarding::ask(scene.ctx(), wish(&scene.browser, TIN, &email)).await.unwrap();
        assert_eq!(matches!(asked, Asked::Noted(_)), number < BY_TIN.most);
    }
    scene.world.clock.advance(SignedDuration::from_mins(16));
    let id = scene.ask(TIN, EMAIL).await;
    let application = scene.verify(&scene.browser).await;
    scene.world.clock.advance(SignedDuration::from_hours(24));
    assert!(onboarding::application(scene.ctx(), &id, &scene.browser).await.unwrap().is_none());
    // An application that is being registered does not expire.
    scene.world.clock.advance(SignedDuration::from_hours(-24));
    scene.confirm(&application).await;
    scene.world.clock.advance(SignedDuration::from_hours(24));
    assert!(onboarding::application(scene.ctx(), &id, &scene.browser).await.unwrap().is_some());
}

#[tokio::test]
async fn what_keeps_the_network_from_it_keeps_it_onboarding() {
    let scene = Scene::new().await;
    scene.registers.tell_first(&[crate::testing::Tells::Status(503)]);
    let id = scene.confirmed().await;
    scene.work().await;
    let falcon = scene.falcon().await.unwrap();
    assert_eq!(falcon.status, TaxpayerStatus::Onboarding);
    let progress = onboarding::progress(scene.ctx(), &scene.application(&id).await).await.unwrap();
    assert_eq!(progress, Some(Progress::Network { is_parked: false }));
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
    let store = &scene.ctx().store;
    let network = store.get_registration(Mode::Live, &falcon.taxpayer_id, Register::Network).await;
    assert_eq!(network.unwrap().unwrap().status, RegistrationStatus::Registered);
}

#[tokio::test]
async fn a_business_that_the_operator_onboarded_takes_over_what_the_portal_has() {
    let scene = Scene::new().await;
    let made = scene.world.onboarded("Falcon by hand", TIN).await;
    let organization = scene.world.organization("Integrator").await;
    scene.world.grant(&organization, &made, &[crate::access::Scope::TaxpayerRead]).await;
    scene.confirmed().await;
    scene.work().await;
    let falcon = scene.falcon().await.unwrap();
    assert_eq!(falcon.taxpayer_id, made.taxpayer_id);
    assert_eq!((falcon.name.as_str(), falcon.email), ("Falcon Trading LLC", Some(address(EMAIL))));
    assert_eq!(falcon.status, TaxpayerStatus::Active);
    let [event] = scene.world.events().await.try_into().unwrap();
    let body: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(body["type"], "taxpayer.updated");
}
