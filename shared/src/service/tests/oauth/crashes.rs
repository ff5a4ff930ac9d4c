//! What befalls a step of connecting at any effect: whoever repeats it finds no grant without its event, no event without its
//! grant, and one family of tokens.

use std::sync::Arc;

use super::*;
use crate::{
    access::{Grant, oauth::TokenFamily},
    service::onboarding::{Onboarded, Wish, simulate},
    testing::{Faults, Tally, enumerate_at},
};

/// Approving, exchanging and refreshing, and making a test business, each with mishaps at its effects.
pub(in super::super) async fn tallies() -> Vec<Tally> {
    let approval = enumerate_at(
        "approval of an application",
        async || {
            let flow = Flow::new().await;
            let pending = flow.pending().await;
            (flow, pending)
        },
        async |(flow, pending): &(Flow, Pending), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let origin = Origin::default();
            let approved =
                consent::approve(&ctx, FRESHNESS, ISSUER, pending, &flow.taxpayer, &origin);
            let _ = Box::pin(approved).await;
        },
        async |(flow, pending): &(Flow, Pending)| {
            // The person presses the button again.
            let code = code_of(flow.approve(pending).await);
            flow.exchange(&code).await.unwrap();
            // With the organization and with the taxpayer.
            let grants: Vec<Grant> = flow.world.items("GRANT#").await;
            vec![
                ("grants", grants.len() / 2),
                ("events", flow.world.events().await.len()),
                ("families", families(flow).await),
            ]
        },
    );
    let exchanged = enumerate_at(
        "exchange of a code",
        async || {
            let flow = Flow::new().await;
            let code = flow.code().await;
            (flow, code)
        },
        async |(flow, code): &(Flow, String), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let client = flow.authenticated().await;
            let sent = Exchange { code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
            let _ = Box::pin(exchange(&ctx, &client, sent)).await;
        },
        async |(flow, code): &(Flow, String)| {
            // Whether the code was used or not, using it now leaves one family, good or ended.
            let _ = flow.exchange(code).await;
            vec![("families", families(flow).await)]
        },
    );
    let refreshed = enumerate_at(
        "refresh of tokens",
        async || {
            let flow = Flow::new().await;
            let tokens = flow.tokens().await;
            (flow, tokens)
        },
        async |(flow, tokens): &(Flow, TokenResponse), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let client = flow.authenticated().await;
            let token = tokens.refresh_token.reveal();
            let _ = Box::pin(refresh(&ctx, &client, token, None)).await;
        },
        async |(flow, tokens): &(Flow, TokenResponse)| {
            // The answer was lost: the client repeats it, and goes on.
            let again = flow.refresh(tokens).await.unwrap();
            let works = usize::from(flow.use_token(&again).await.is_ok());
            let families: Vec<TokenFamily> = flow.world.items("FAMILY").await;
            let moved = families.iter().map(|family| family.generation).sum::<u32>();
            vec![("tokens that work", works), ("generations", usize::try_from(moved).unwrap())]
        },
    );
    let onboarded = enumerate_at(
        "making of a test business",
        Flow::new,
        async |flow: &Flow, faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let _ = Box::pin(simulate(&ctx, wish())).await;
        },
        async |flow: &Flow| {
            let again = simulate(flow.ctx(), wish()).await.unwrap();
            assert!(matches!(again, Onboarded::Active(_) | Onboarded::TinTaken), "{again:?}");
            let participant = "0235:1001234509".parse().unwrap();
            let store = &flow.ctx().store;
            let found = store.find_participant(Mode::Sandbox, &participant).await.unwrap();
            let found = found.map(|found| found.taxpayer_id);
            let made = match &found {
                Some(id) => store.get_taxpayer(Mode::Sandbox, id).await.unwrap(),
                None => None,
            };
            vec![("businesses", usize::from(made.is_some()))]
        },
    );
    let mut tallies = vec![
        Box::pin(approval).await,
        Box::pin(exchanged).await,
        Box::pin(refreshed).await,
        Box::pin(onboarded).await,
    ];
    tallies.extend(Box::pin(seats::tallies()).await);
    tallies
}

fn wish() -> Wish<'static> {
    Wish { tin: Some("1001234509"), name: "Falcon", email: None, place: "192.0.2.1" }
}

async fn families(flow: &Flow) -> usize {
    flow.world.items::<TokenFamily>("FAMILY").await.len()
}
