//! Faults at every effect of connecting. After a repetition there is no grant without its event, no event without its
//! grant, and one family of tokens.

use std::sync::Arc;

use super::*;
use crate::{
    access::{
        Action, Grant,
        oauth::{RevocationReason, TokenFamily},
    },
    service::{
        oauth::{
            clients::{change, delete, list, rotate_secret},
            revoke::revoke,
        },
        onboarding::{Onboarded, Wish, simulate},
    },
    testing::{Faults, Tally, enumerate_at},
};

/// Approving, exchanging and refreshing, and creating a test business, each with a fault at each effect.
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
            // The copies of the organization and of the taxpayer.
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
            // Whether the code was used or not, another use leaves one family, active or ended.
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
            // The answer was lost: the client repeats the request and continues.
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
    tallies.extend(Box::pin(clients()).await);
    tallies.extend(Box::pin(endings()).await);
    tallies.extend(Box::pin(seats::tallies()).await);
    tallies
}

/// Creating and changing a client, each with a fault at each effect.
async fn clients() -> Vec<Tally> {
    let by = By::operator();
    let made = enumerate_at(
        "making of a client",
        async || {
            let world = World::new().await;
            let id = world.organization("Integrator").await;
            (world, id)
        },
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let ctx = world.failing(faults).sending.ctx;
            let _ = Box::pin(create(&ctx, new_client(world.mode, id), &by)).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            // A caller without an answer checks, and repeats the request if nothing was done.
            let listed = async || list(&world.ctx, world.mode, id).await.unwrap().len();
            if listed().await == 0 {
                client_of(&world.ctx, world.mode, id).await;
            }
            vec![
                ("clients that are listed", listed().await),
                ("clients beside their pointers", world.raw_items("CLIENT").await.len() - 1),
                ("entries", world.entries_of(Action::ClientCreated).await),
            ]
        },
    );
    let rotated = enumerate_at(
        "rotation of a client's secret",
        Flow::new,
        async |flow: &Flow, faults: &Arc<Faults>| {
            let (ctx, id) = (flow.world.failing(faults).sending.ctx, &flow.client.client_id);
            let _ = Box::pin(rotate_secret(&ctx, flow.world.mode, id, false, &by)).await;
        },
        async |flow: &Flow| {
            let was_changed = flow.current_client().await.secrets != flow.client.secrets;
            let is_recorded = flow.world.entries_of(Action::ClientSecretRotated).await
                == usize::from(was_changed);
            // Only the lost answer had the secret, so another one is needed.
            let (mode, id) = (flow.world.mode, &flow.client.client_id);
            let secret = rotate_secret(flow.ctx(), mode, id, false, &by).await.unwrap();
            let works = authenticated(flow.ctx(), &flow.client, secret.reveal()).await.is_ok();
            let current = flow.current_client().await;
            let lasting = current.secrets.iter().filter(|secret| secret.expires_at.is_none());
            vec![
                ("secrets that work", usize::from(works)),
                ("secrets without an end", lasting.count()),
                ("secrets but one", current.secrets.len() - 1),
                ("changes with an entry each", usize::from(is_recorded)),
            ]
        },
    );
    let elsewhere = || ["https://app.example/elsewhere".to_owned()];
    let led = enumerate_at(
        "change of a client's addresses",
        Flow::new,
        async |flow: &Flow, faults: &Arc<Faults>| {
            let (ctx, id) = (flow.world.failing(faults).sending.ctx, &flow.client.client_id);
            let _ = change(&ctx, flow.world.mode, id, (None, &elsewhere()), &by).await;
        },
        async |flow: &Flow| {
            let leads = async |uri: &str| flow.current_client().await.redirect_uri(uri).is_some();
            let was_changed = !leads(CALLBACK).await;
            let is_recorded =
                flow.world.entries_of(Action::ClientUpdated).await == usize::from(was_changed);
            let (mode, id) = (flow.world.mode, &flow.client.client_id);
            change(flow.ctx(), mode, id, (None, &elsewhere()), &by).await.unwrap();
            vec![
                ("addresses", usize::from(leads(&elsewhere()[0]).await && !leads(CALLBACK).await)),
                ("changes with an entry each", usize::from(is_recorded)),
            ]
        },
    );
    let deleted = enumerate_at(
        "deletion of a client",
        Flow::new,
        async |flow: &Flow, faults: &Arc<Faults>| {
            let (ctx, id) = (flow.world.failing(faults).sending.ctx, &flow.client.client_id);
            let _ = delete(&ctx, flow.world.mode, id, &by).await;
        },
        async |flow: &Flow| {
            let (mode, id) = (flow.world.mode, &flow.client.client_id);
            // A repetition finds the client, or that it is gone.
            let _ = delete(flow.ctx(), mode, id, &by).await;
            let gone = flow.ctx().store.get_client(mode, id).await.unwrap().is_none();
            let unlisted = list(flow.ctx(), mode, &flow.client.organization_id).await.unwrap();
            vec![
                ("deleted clients", usize::from(gone && unlisted.is_empty())),
                ("entries", flow.world.entries_of(Action::ClientDeleted).await),
            ]
        },
    );
    vec![
        Box::pin(made).await,
        Box::pin(rotated).await,
        Box::pin(led).await,
        Box::pin(deleted).await,
    ]
}

/// Revoking tokens and declining, each with a fault at each effect. The caller repeats the request.
async fn endings() -> Vec<Tally> {
    let tokens = async || {
        let flow = Flow::new().await;
        let tokens = flow.tokens().await;
        (flow, tokens)
    };
    let refresh_token = enumerate_at(
        "revocation of a refresh token",
        tokens,
        async |(flow, tokens): &(Flow, TokenResponse), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let client = flow.authenticated().await;
            let _ = revoke(&ctx, &client, tokens.refresh_token.reveal()).await;
        },
        async |(flow, tokens): &(Flow, TokenResponse)| {
            let client = flow.authenticated().await;
            revoke(flow.ctx(), &client, tokens.refresh_token.reveal()).await.unwrap();
            let is_over = flow.use_token(tokens).await.is_err();
            let found: Vec<TokenFamily> = flow.world.items("FAMILY").await;
            let revoked = |it: &&TokenFamily| it.revoked_for == Some(RevocationReason::Client);
            vec![
                ("families that ended", found.iter().filter(revoked).count()),
                ("access tokens that are over", usize::from(is_over)),
                ("refresh tokens that are over", usize::from(flow.refresh(tokens).await.is_err())),
            ]
        },
    );
    let access_token = enumerate_at(
        "revocation of an access token",
        tokens,
        async |(flow, tokens): &(Flow, TokenResponse), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let client = flow.authenticated().await;
            let _ = revoke(&ctx, &client, tokens.access_token.reveal()).await;
        },
        async |(flow, tokens): &(Flow, TokenResponse)| {
            let client = flow.authenticated().await;
            revoke(flow.ctx(), &client, tokens.access_token.reveal()).await.unwrap();
            let is_over = flow.use_token(tokens).await.is_err();
            vec![
                ("access tokens that are over", usize::from(is_over)),
                ("families that go on", usize::from(flow.refresh(tokens).await.is_ok())),
            ]
        },
    );
    let declined = enumerate_at(
        "refusal of an application",
        async || {
            let flow = Flow::new().await;
            let pending = flow.pending().await;
            (flow, pending)
        },
        async |(flow, pending): &(Flow, Pending), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let _ = consent::decline(&ctx, ISSUER, pending).await;
        },
        async |(flow, pending): &(Flow, Pending)| {
            let again = consent::decline(flow.ctx(), ISSUER, pending).await.unwrap();
            let is_decided = flow.approve(pending).await == Decided::Before;
            let grants: Vec<Grant> = flow.world.items("GRANT#").await;
            vec![
                ("refusals", usize::from(matches!(again, Decided::Back(_)) && is_decided)),
                ("grants, and one", 1 + grants.len()),
            ]
        },
    );
    vec![Box::pin(refresh_token).await, Box::pin(access_token).await, Box::pin(declined).await]
}

impl Flow {
    /// The current client.
    async fn current_client(&self) -> OAuthClient {
        let (store, id) = (&self.ctx().store, &self.client.client_id);
        store.get_client(self.world.mode, id).await.unwrap().unwrap()
    }
}

fn wish() -> Wish<'static> {
    Wish { tin: Some("1001234509"), name: "Falcon", email: None, place: "192.0.2.1" }
}

async fn families(flow: &Flow) -> usize {
    flow.world.items::<TokenFamily>("FAMILY").await.len()
}
