//! The writes of each function during onboarding, compared with its role.

use serde_json::json;

use super::*;
use crate::{
    access::Scope,
    service::{
        onboarding::read_changes,
        tests::roles::{assert_within, assert_wrote_nothing},
    },
};

#[tokio::test]
async fn who_onboards_businesses_writes_what_the_roles_allow() {
    let scene = Scene::new().await;
    let (world, ctx) = (&scene.world, scene.ctx());
    world.cloud.take_written();
    let id = scene.ask(TIN, EMAIL).await;
    assert_within("OAuth", world);
    world.stream().await;
    assert_wrote_nothing("Relay", world);
    world.run("mail", &scene.mailing()).await;
    assert_within("Mail", world);
    let application = scene.verify(&scene.browser).await;
    scene.confirm(&application).await;
    assert_within("OAuth", world);
    world.stream().await;
    assert_wrote_nothing("Relay", world);
    let registering = scene.registering();
    let register = async || {
        for message in world.cloud.receive("register") {
            handle(&registering, &message).await.unwrap();
        }
        assert_within("Register", world);
        world.stream().await;
        world.cloud.take_written();
    };
    register().await;
    register().await;
    let application = scene.application(&id).await;
    onboarding::finish(ctx, &application, Some(&scene.browser), Origin::default())
        .await
        .unwrap()
        .unwrap();
    assert_within("OAuth", world);

    // The consequences of a change at the portal, with an event for an organization.
    let falcon = scene.falcon().await.unwrap();
    assert_eq!(falcon.status, TaxpayerStatus::Active);
    let organization = world.organization("Integrator").await;
    world.grant(&organization, &falcon, &[Scope::InvoicesRead]).await;
    world.cloud.take_written();
    scene.portal.change(TIN, |it| it["email"] = json!("new@falcon.example"));
    read_changes(&registering).await.unwrap();
    assert_within("Register", world);
    scene.ask(TIN, "new@falcon.example").await;
    let application = scene.verify(&scene.browser).await;
    scene.confirm(&application).await;
    world.stream().await;
    world.cloud.take_written();
    register().await;
    scene.portal.change(TIN, |it| it["status"] = json!("deregistered"));
    read_changes(&registering).await.unwrap();
    assert_within("Register", world);
    world.stream().await;
    world.cloud.take_written();
    register().await;
    assert_eq!(
        (scene.falcon().await.unwrap().status, scene.smp()),
        (TaxpayerStatus::Deregistered, None)
    );

    // An application that the relay missed, and one that waits.
    let other = "1001234510";
    scene.portal.has(other, business("Oasis", other, EMAIL));
    scene.ask(other, EMAIL).await;
    let application = scene.verify(&scene.browser).await;
    scene.portal.has_a_bad_day(503, json!({}));
    onboarding::confirm(ctx, &application, &"0".repeat(64), origin()).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", world);
    register().await;
}
