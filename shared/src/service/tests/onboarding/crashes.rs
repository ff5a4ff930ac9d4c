//! Faults at every effect of onboarding. The person repeats the step, queues redeliver, and time passes. Then there is
//! one taxpayer, registered once, with one event and one mail.

use super::*;
use crate::{
    access::Scope,
    service::job,
    service::onboarding::read_changes,
    store::{Register, RegistrationStatus},
    testing::{Faults, Tally, enumerate_at},
};

/// Every step with a fault at each effect.
pub(in super::super) async fn tallies() -> Vec<Tally> {
    let asked = enumerate_at(
        "wish to onboard",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = Box::pin(scene.ask_in(&ctx, &scene.browser)).await;
        },
        async |scene: &Scene| {
            // A person without an answer asks again. Another mail may be sent.
            let id = scene.ask(TIN, EMAIL).await;
            let mails = scene.mails().await;
            let matched = scene.status(&id).await == Status::Verification;
            vec![("mails, at least", mails.len().min(1)), ("applications", usize::from(matched))]
        },
    );
    let mailed = enumerate_at(
        "mail about an application",
        async || {
            let scene = Scene::new().await;
            scene.ask(TIN, EMAIL).await;
            scene.world.stream().await;
            scene
        },
        async |scene: &Scene, faults: &Arc<Faults>| {
            scene.portal.guard(faults);
            let mailing =
                Mailing { ctx: scene.world.failing(faults).sending.ctx, ..scene.mailing() };
            for message in scene.world.cloud.messages() {
                if job::run(&mailing, &message.read()).await.is_ok() {
                    scene.world.cloud.acknowledge(&message);
                }
            }
        },
        async |scene: &Scene| {
            scene.portal.unguard();
            scene.work().await;
            for _ in 0..3 {
                scene.pass(SignedDuration::from_mins(3)).await;
            }
            let mails = scene.world.cloud.mails();
            // Each mail has a link that works.
            let mut good = 0;
            for mail in &mails {
                let looked = onboarding::look(scene.ctx(), &token(mail), &scene.browser).await;
                good += usize::from(matches!(looked.unwrap(), Link::Good(_)));
            }
            let rest = 1 + scene.world.marks("due_pk").await.len();
            vec![
                ("mails, at least", mails.len().min(1)),
                ("bad links, and one", 1 + mails.len() - good),
                ("things that wait, and one", rest),
            ]
        },
    );
    let verified = enumerate_at(
        "link of an application",
        async || {
            let scene = Scene::new().await;
            scene.ask(TIN, EMAIL).await;
            let [mail] = scene.mails().await.try_into().unwrap();
            (scene, token(&mail))
        },
        async |(scene, token): &(Scene, OpaqueToken), faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = onboarding::verify(&ctx, token, &scene.browser, origin()).await;
        },
        async |(scene, token): &(Scene, OpaqueToken)| {
            let again = onboarding::verify(scene.ctx(), token, &scene.browser, origin()).await;
            let is_good = matches!(again.unwrap(), Link::Good(it) if it.status == Status::Details);
            vec![("verified applications", usize::from(is_good))]
        },
    );
    let confirmed = enumerate_at(
        "confirmation of details",
        async || {
            let scene = Scene::new().await;
            scene.ask(TIN, EMAIL).await;
            let application = scene.verify(&scene.browser).await;
            (scene, application)
        },
        async |(scene, application): &(Scene, ApplicationRecord), faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let digest = digest(scene).await;
            let _ = onboarding::confirm(&ctx, application, &digest, origin()).await;
        },
        async |(scene, application): &(Scene, ApplicationRecord)| {
            // The person presses the button again.
            let digest = digest(scene).await;
            onboarding::confirm(scene.ctx(), application, &digest, origin()).await.unwrap();
            scene.work().await;
            whole(scene).await
        },
    );
    let admitted = enumerate_at(
        "admission of a business",
        async || {
            let scene = Scene::new().await;
            scene.confirmed().await;
            scene.world.stream().await;
            scene
        },
        async |scene: &Scene, faults: &Arc<Faults>| {
            scene.portal.guard(faults);
            let ctx = scene.world.failing(faults).sending.ctx;
            handle_all(scene, &Registering { ctx, ..scene.registering() }).await;
        },
        settled,
    );
    let completed = enumerate_at(
        "completion of an onboarding",
        async || {
            let scene = Scene::new().await;
            scene.confirmed().await;
            scene.world.stream().await;
            let registering = scene.registering();
            for message in scene.world.cloud.receive("register") {
                handle(&registering, &message).await.unwrap();
            }
            scene.world.stream().await;
            scene
        },
        async |scene: &Scene, faults: &Arc<Faults>| {
            scene.portal.guard(faults);
            scene.registers.guard(faults);
            let ctx = scene.world.failing(faults).sending.ctx;
            handle_all(scene, &Registering { ctx, ..scene.registering() }).await;
        },
        settled,
    );
    let finished = enumerate_at(
        "sign-in after onboarding",
        async || {
            let scene = Scene::new().await;
            let id = scene.confirmed().await;
            scene.work().await;
            let application = scene.application(&id).await;
            (scene, application)
        },
        async |(scene, application): &(Scene, ApplicationRecord), faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = onboarding::finish(&ctx, application, None, Origin::default()).await;
        },
        async |(scene, application): &(Scene, ApplicationRecord)| {
            let now = scene.application(&application.application_id).await;
            onboarding::finish(scene.ctx(), &now, None, Origin::default()).await.unwrap();
            vec![(
                "sessions",
                scene
                    .world
                    .raw_items("SESSION")
                    .await
                    .iter()
                    .filter(|item| item["sk"].as_s().unwrap() == "SESSION")
                    .count(),
            )]
        },
    );
    let noticed = enumerate_at(
        "changes at the national portal",
        async || {
            let scene = Scene::new().await;
            let falcon = scene.onboarded().await;
            let organization = scene.world.organization("Integrator").await;
            scene.world.grant(&organization, &falcon, &[Scope::InvoicesRead]).await;
            scene.portal.change(TIN, |it| it["status"] = serde_json::json!("deregistered"));
            scene
        },
        async |scene: &Scene, faults: &Arc<Faults>| {
            scene.portal.guard(faults);
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = read_changes(&Registering { ctx, ..scene.registering() }).await;
        },
        async |scene: &Scene| {
            scene.portal.unguard();
            // The next hourly run.
            read_changes(&scene.registering()).await.unwrap();
            scene.work().await;
            let ended = scene.falcon().await.unwrap().status == TaxpayerStatus::Deregistered;
            vec![
                ("ends", usize::from(ended)),
                ("withdrawals", usize::from(scene.smp().is_none())),
                ("events", scene.world.events().await.len()),
            ]
        },
    );
    vec![
        Box::pin(asked).await,
        Box::pin(mailed).await,
        Box::pin(verified).await,
        Box::pin(confirmed).await,
        Box::pin(admitted).await,
        Box::pin(completed).await,
        Box::pin(finished).await,
        Box::pin(noticed).await,
    ]
}

/// Handles the messages in the queue, in a process that may die.
async fn handle_all(scene: &Scene, registering: &Registering) {
    for message in scene.world.cloud.messages() {
        if Box::pin(handle(registering, &message)).await.is_ok() {
            scene.world.cloud.acknowledge(&message);
        }
    }
}

async fn digest(scene: &Scene) -> String {
    let known = scene.portal.way().business(&TIN.parse().unwrap()).await.unwrap();
    let onboarding::Known::Appointed(business) = known else { panic!("it is appointed") };
    business.digest()
}

async fn settled(scene: &Scene) -> Vec<(&'static str, usize)> {
    scene.portal.unguard();
    scene.registers.unguard();
    for _ in 0..4 {
        scene.work().await;
        scene.pass(SignedDuration::from_mins(16)).await;
    }
    whole(scene).await
}

/// The counts of things that must exist once for an onboarded business.
async fn whole(scene: &Scene) -> Vec<(&'static str, usize)> {
    let falcon = scene.falcon().await;
    let is_active = falcon.as_ref().is_some_and(|it| it.status == TaxpayerStatus::Active);
    let profiles: Vec<Taxpayer> = scene.world.items("PROFILE").await;
    let network = match &falcon {
        Some(it) => {
            let store = &scene.ctx().store;
            store.get_registration(Mode::Live, &it.taxpayer_id, Register::Network).await.unwrap()
        }
        None => None,
    };
    let is_registered = network.is_some_and(|it| it.status == RegistrationStatus::Registered);
    let entries: Vec<crate::access::AuditRecord> = scene.world.items("aud_").await;
    let of = |action: &str| entries.iter().filter(|it| it.action.as_str() == action).count();
    vec![
        ("taxpayers", profiles.len()),
        ("active ones", usize::from(is_active)),
        ("taxpayers at the authority", scene.portal.registered(TIN).len()),
        ("registrations in the network", usize::from(is_registered)),
        ("entries of a confirmation", of("onboarding.confirmed")),
        ("entries of a status", of("taxpayer.status_changed")),
        ("things that wait, and one", 1 + scene.world.marks("due_pk").await.len()),
        ("parked, and one", 1 + scene.world.parked().await),
    ]
}
