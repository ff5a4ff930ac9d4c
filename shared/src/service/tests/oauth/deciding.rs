//! The taxpayer's decision.

use super::*;
use crate::access::{GrantStatus, TaxpayerStatus};

#[tokio::test]
async fn an_approval_makes_the_grant_and_gives_a_code_with_state_and_issuer() {
    let flow = Flow::new().await;
    let pending = flow.pending().await;
    let to = back(flow.approve(&pending).await);
    assert!(to.starts_with("https://app.example/callback?of=erp&code=ac_test_"), "{to}");
    assert_eq!(parameter(&to, "state").as_deref(), Some("xyz &="));
    assert_eq!(parameter(&to, "iss").as_deref(), Some("https://portal.example/sandbox"));
    let grants = flow
        .ctx()
        .store
        .list_active_grants(Mode::Sandbox, &flow.taxpayer.taxpayer_id)
        .await
        .unwrap();
    let [grant] = grants.as_slice() else { panic!("{grants:?}") };
    assert_eq!((&grant.grant_id, grant.status), (&pending.request.grant_id, GrantStatus::Active));
    assert_eq!(grant.scopes, pending.request.scopes);
    assert_eq!(grant.organization_id, flow.organization_id);
    let events = flow.world.events().await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].event_type.as_str(), "taxpayer.created");
}

#[tokio::test]
async fn approving_again_is_the_same_grant_with_the_same_code_and_ends_no_tokens() {
    let flow = Flow::new().await;
    let handle = flow.waiting().await;
    let tab = || async { consent::pending(flow.ctx(), &handle, BROWSER).await.unwrap().unwrap() };
    let first = code_of(flow.approve(&tab().await).await);
    // A second click or a second tab gives the same code.
    let second = code_of(flow.approve(&tab().await).await);
    assert_eq!(first, second);
    assert_eq!(flow.world.events().await.len(), 1);
    let late = tab().await;
    let tokens = flow.exchange(&first).await.unwrap();
    // The application has its tokens: a third click gives no code, which could end them.
    assert_eq!(flow.approve(&late).await, Decided::Before);
    assert!(flow.use_token(&tokens).await.is_ok());
    // A code works only once (RFC 6749, section 4.1.2).
    assert_eq!(refused(flow.exchange(&first).await), ErrorCode::InvalidGrant);
    assert_eq!(flow.use_token(&tokens).await.unwrap_err(), Code::InvalidToken);
}

#[tokio::test]
async fn what_was_declined_cannot_be_approved_and_grants_nothing() {
    let flow = Flow::new().await;
    let pending = flow.pending().await;
    let to = back(consent::decline(flow.ctx(), ISSUER, &pending).await.unwrap());
    assert_eq!(parameter(&to, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&to, "code"), None);
    assert_eq!(flow.approve(&pending).await, Decided::Before);
    assert!(flow.world.events().await.is_empty());
    // The same in the other order.
    let pending = flow.pending().await;
    back(flow.approve(&pending).await);
    let declined = consent::decline(flow.ctx(), ISSUER, &pending).await;
    assert_eq!(declined.unwrap(), Decided::Before);
}

#[tokio::test]
async fn of_two_businesses_that_approve_one_request_the_first_has() {
    let flow = Flow::new().await;
    let other = flow.world.taxpayer("Oasis", "1001234502").await;
    let pending = flow.pending().await;
    back(flow.approve(&pending).await);
    let second =
        consent::approve(flow.ctx(), FRESHNESS, ISSUER, &pending, &other, &Origin::default()).await;
    assert_eq!(second.unwrap(), Decided::Before);
    let store = &flow.ctx().store;
    let grants = store.list_active_grants(Mode::Sandbox, &other.taxpayer_id).await.unwrap();
    assert!(grants.is_empty());
}

#[tokio::test]
async fn a_business_that_is_not_active_approves_nothing() {
    let flow = Flow::new().await;
    let pending = flow.pending().await;
    let further = TaxpayerStatus::ALL.into_iter().chain([TaxpayerStatus::Unknown]);
    for status in further.filter(|status| *status != TaxpayerStatus::Active) {
        let taxpayer = Taxpayer { status, ..flow.taxpayer.clone() };
        let approved = consent::approve(
            flow.ctx(),
            FRESHNESS,
            ISSUER,
            &pending,
            &taxpayer,
            &Origin::default(),
        )
        .await;
        assert_eq!(approved.unwrap(), Decided::NotActive);
    }
    assert!(flow.world.events().await.is_empty());
}

#[tokio::test]
async fn a_request_ends_after_an_hour_and_is_its_browsers_alone() {
    let flow = Flow::new().await;
    let handle = flow.waiting().await;
    let another = consent::pending(flow.ctx(), &handle, "another browser").await.unwrap();
    assert!(another.is_none());
    flow.wait(3_599);
    assert!(consent::pending(flow.ctx(), &handle, BROWSER).await.unwrap().is_some());
    flow.wait(1);
    assert!(consent::pending(flow.ctx(), &handle, BROWSER).await.unwrap().is_none());
    let nobody = PresentedRequest::generate(Mode::Sandbox, &*flow.ctx().random);
    assert!(consent::pending(flow.ctx(), &nobody, BROWSER).await.unwrap().is_none());
}

/// "A taxpayer can grant several apps or workspaces independently" (specification 5.4, point 4).
#[tokio::test]
async fn grants_stand_side_by_side() {
    let flow = Flow::new().await;
    let (first, second) = (flow.tokens().await, flow.tokens().await);
    assert_ne!(first.grant_id, second.grant_id);
    for tokens in [&first, &second] {
        let caller = flow.use_token(tokens).await.unwrap();
        assert_eq!(caller.grant_ids, [tokens.grant_id.clone()].into());
    }
}
