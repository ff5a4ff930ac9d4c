//! Taxpayers that the operator creates, suspends and resumes.

use serde_json::{Value, json};

use super::{EMAIL, Scene, TIN, address};
use crate::{
    access::{Actor, Scope, Taxpayer, TaxpayerStatus, Trail},
    error::{Code, Failure},
    service::onboarding::{
        self, NewTaxpayer, create_taxpayer, plan_resumption, plan_suspension, plan_taxpayer,
        resume, suspend,
    },
    store::{AuditSelection, Register},
    testing::{Fault, Faults, business},
    types::{AuditId, Mode},
};

/// Falcon, with details as the portal has them.
fn falcon() -> NewTaxpayer {
    let details = business("Falcon Trading LLC", TIN, EMAIL)["details"].clone();
    NewTaxpayer { tin: TIN.parse().unwrap(), email: address(EMAIL), details }
}

impl Scene {
    /// Creates the taxpayer in a deployment without a portal.
    async fn create(&self) -> Result<Taxpayer, Failure> {
        create_taxpayer(self.ctx(), &falcon()).await
    }

    async fn trail_of(&self, taxpayer: &Taxpayer) -> Vec<(&'static str, bool)> {
        let trail = Trail::Taxpayer(taxpayer.taxpayer_id.clone());
        let all = AuditSelection {
            action: None,
            from: AuditId::floor(jiff::Timestamp::UNIX_EPOCH),
            to: AuditId::floor(jiff::Timestamp::MAX),
        };
        let page = self.ctx().store.list_audit(Mode::Live, &trail, &all, None, 100).await.unwrap();
        let entry =
            |it: crate::access::AuditRecord| (it.action.as_str(), it.actor == Actor::Operator);
        page.items.into_iter().rev().map(entry).collect()
    }
}

#[tokio::test]
async fn a_taxpayer_that_the_operator_creates_is_active_once_it_is_registered_in_the_network() {
    let scene = Scene::new().await;
    let planned = plan_taxpayer(scene.ctx(), &falcon()).await.unwrap();
    assert!(scene.falcon().await.is_none(), "a plan creates nothing");
    let created = scene.create().await.unwrap();
    assert_eq!((&created.name, &created.profile), (&planned.name, &planned.profile));
    assert_eq!(created.status, TaxpayerStatus::Onboarding);
    assert_eq!((created.email.as_ref(), &created.confirmed), (Some(&address(EMAIL)), &None));
    assert_eq!(scene.smp(), None);
    scene.work().await;
    assert!(scene.smp().is_some(), "the SML has its SMP");
    let active = scene.falcon().await.unwrap();
    assert_eq!(active, Taxpayer { status: TaxpayerStatus::Active, ..created });
    let trail = scene.trail_of(&active).await;
    assert_eq!(trail, [("taxpayer.created", true), ("taxpayer.status_changed", true)]);
}

#[tokio::test]
async fn details_with_which_no_invoice_can_be_sent_create_no_taxpayer() {
    let scene = Scene::new().await;
    type Spoil = fn(&mut Value);
    let wrong: [(Spoil, &str); 4] = [
        (|it| it["vat_identifier"] = json!("123"), "/vat_identifier"),
        (|it| drop(it.as_object_mut().unwrap().remove("name")), "/name"),
        (|it| drop(it.as_object_mut().unwrap().remove("address")), "/address"),
        (|it| it["legal_registration"]["type"] = json!("licence"), "/legal_registration/type"),
    ];
    for (spoil, pointer) in wrong {
        let mut new = falcon();
        spoil(&mut new.details);
        let failure = create_taxpayer(scene.ctx(), &new).await.unwrap_err();
        assert_eq!(failure.code, Code::ValidationFailed);
        let found: Vec<_> = failure.findings.iter().map(|it| it.pointer.as_str()).collect();
        assert!(found.contains(&pointer), "{pointer}: {found:?}");
    }
    for details in [json!(null), json!([]), json!("x")] {
        let new = NewTaxpayer { details, ..falcon() };
        assert_eq!(
            plan_taxpayer(scene.ctx(), &new).await.unwrap_err().code,
            Code::ValidationFailed
        );
    }
    assert!(scene.falcon().await.is_none());
}

#[tokio::test]
async fn a_tin_is_one_taxpayers_and_a_creation_that_broke_off_goes_on() {
    let scene = Scene::new().await;
    let mut calls = 0;
    let first = loop {
        let failing = scene.world.failing(&Faults::new(Fault::Before, calls, usize::MAX));
        assert!(create_taxpayer(&failing.sending.ctx, &falcon()).await.is_err());
        match scene.falcon().await {
            Some(created) => break created,
            None => calls += 1,
        }
    };
    let (store, id) = (&scene.ctx().store, &first.taxpayer_id);
    let registration = store.get_registration(Mode::Live, id, Register::Network).await.unwrap();
    assert_eq!(registration, None, "it broke off before the network was to be notified");
    let again = scene.create().await.unwrap();
    assert_eq!(again, first, "the same details go on with the same taxpayer");
    scene.work().await;
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Active);
    let other = NewTaxpayer { email: address("other@falcon.example"), ..falcon() };
    for new in [falcon(), other] {
        let failure = create_taxpayer(scene.ctx(), &new).await.unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        let owner = format!("the taxpayer {}, which is active", first.taxpayer_id);
        assert!(failure.message.contains(&owner), "{}", failure.message);
    }
    let (mode, ended) = (Mode::Live, TaxpayerStatus::Deregistered);
    onboarding::set_status(scene.ctx(), mode, &first.taxpayer_id, ended).await.unwrap();
    let failure = scene.create().await.unwrap_err();
    assert!(failure.message.contains("That status is final"), "{}", failure.message);
}

#[tokio::test]
async fn a_taxpayer_is_suspended_and_resumes_and_a_plan_of_either_changes_nothing() {
    let scene = Scene::new().await;
    scene.create().await.unwrap();
    scene.work().await;
    let falcon = scene.falcon().await.unwrap();
    let (ctx, mode, id) = (scene.ctx(), Mode::Live, &falcon.taxpayer_id);
    let organization = scene.world.organization("Integrator").await;
    scene.world.subscribe(&organization).await;
    scene.world.grant(&organization, &falcon, &[Scope::TaxpayerRead]).await;

    let plan = plan_suspension(ctx, mode, id).await.unwrap();
    assert_eq!(plan.after.status, TaxpayerStatus::Suspended);
    assert_eq!((&plan.before, &plan.notified), (&falcon, &vec![organization]));
    assert_eq!(scene.falcon().await.unwrap(), falcon, "a plan changes nothing");
    let refused = resume(ctx, mode, id).await.unwrap_err();
    assert!(refused.message.contains("is active"), "{}", refused.message);

    let suspended = suspend(ctx, mode, id).await.unwrap();
    assert_eq!(scene.falcon().await.unwrap().status, TaxpayerStatus::Suspended);
    assert_eq!(suspended.suspended_by, Some(Actor::Operator));
    assert_eq!(plan_suspension(ctx, mode, id).await.unwrap().notified, []);
    let plan = plan_resumption(ctx, mode, id).await.unwrap();
    assert_eq!((plan.after.status, plan.notified.len()), (TaxpayerStatus::Active, 1));
    resume(ctx, mode, id).await.unwrap();
    assert_eq!(scene.falcon().await.unwrap(), falcon);
    let trail = scene.trail_of(&falcon).await;
    let statuses = trail.iter().filter(|it| **it == ("taxpayer.status_changed", true));
    assert_eq!(statuses.count(), 3, "active, suspended, active again: {trail:?}");
}

#[tokio::test]
async fn resuming_does_not_skip_the_confirmation_of_details() {
    let scene = Scene::new().await;
    let falcon = scene.onboarded().await;
    let (ctx, mode, id) = (scene.ctx(), Mode::Live, &falcon.taxpayer_id);
    onboarding::set_status(ctx, mode, id, TaxpayerStatus::Reverification).await.unwrap();
    let refused = resume(ctx, mode, id).await.unwrap_err();
    assert!(refused.message.contains("is reverification"), "{}", refused.message);
    suspend(ctx, mode, id).await.unwrap();
    let plan = plan_resumption(ctx, mode, id).await.unwrap();
    assert_eq!(plan.after.status, TaxpayerStatus::Reverification);
    assert_eq!(resume(ctx, mode, id).await.unwrap().status, TaxpayerStatus::Reverification);
}
