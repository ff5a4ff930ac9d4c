//! Creating and changing webhook endpoints.

mod crashes;
mod failing;
mod tools;

pub(super) use tools::Desk;

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use crate::{
    access::{AuditRecord, By},
    error::{Code, Failure},
    service::webhooks::{self, EndpointSettings, MAX_ENDPOINTS, OVERLAP, Patch},
    store::{DeletedEndpoint, EndpointRecord, EndpointStatus, keys::Key},
    testing::{World, sealing_key},
    types::{EndpointId, Mode, OrganizationId},
    webhook::Secret,
};

const URL: &str = "http://127.0.0.1:9/hook";

fn wanted() -> EndpointSettings {
    EndpointSettings { url: URL.to_owned(), ..EndpointSettings::default() }
}

async fn made(world: &World, organization_id: &OrganizationId) -> (EndpointId, Secret) {
    let (notifying, by) = (world.notifying(), By::operator());
    let made = webhooks::create(&notifying, world.mode, organization_id, wanted(), &by).await;
    let made = made.unwrap();
    (made.endpoint.endpoint_id, made.secret)
}

async fn actions(world: &World) -> Vec<&'static str> {
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    let mut entries: Vec<_> =
        entries.into_iter().filter(|it| it.action.as_str().starts_with("endpoint.")).collect();
    // Entries of the same instant have no order. They are sorted by name.
    entries.sort_by(|a, b| a.action.as_str().cmp(b.action.as_str()));
    entries.into_iter().map(|entry| entry.action.as_str()).collect()
}

fn opened(endpoint: &EndpointRecord) -> Secret {
    sealing_key().open(&endpoint.sealed_secret, endpoint.mode, &endpoint.endpoint_id).unwrap()
}

#[tokio::test]
async fn an_organization_has_as_many_endpoints_as_it_may_even_when_they_are_made_at_once() {
    let world = World::new().await;
    let organization_id = world.organization("Integrator").await;
    for _ in 2..MAX_ENDPOINTS {
        made(&world, &organization_id).await;
    }
    // Two of five concurrent requests have room.
    let (notifying, by) = (world.notifying(), By::operator());
    let ask = || webhooks::create(&notifying, world.mode, &organization_id, wanted(), &by);
    let (a, b, c, d, e) = tokio::join!(ask(), ask(), ask(), ask(), ask());
    let answers = [a, b, c, d, e];
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    let codes: Vec<Code> = refused.map(|failure| failure.code).collect();
    assert_eq!(codes, [Code::EndpointLimitReached; 3]);
    let there = webhooks::list(&world.ctx, world.mode, &organization_id).await.unwrap();
    assert_eq!(there.len(), MAX_ENDPOINTS);
    // A deleted endpoint makes room. Another organization and the other mode have limits of their own.
    let id = &there[0].endpoint.endpoint_id;
    webhooks::delete(&world.ctx, world.mode, &organization_id, id, &by).await.unwrap();
    made(&world, &organization_id).await;
    assert_eq!(ask().await.unwrap_err().code, Code::EndpointLimitReached);
    let live = webhooks::create(&notifying, Mode::Live, &organization_id, wanted(), &by);
    live.await.unwrap();
}

#[tokio::test]
async fn endpoints_are_found_by_what_additions_noted_and_where_they_noted_nothing_yet() {
    let world = World::new().await;
    let (ctx, mode, id) = (&world.ctx, world.mode, &world.organization("Integrator").await);
    let found = async || {
        let found = webhooks::list(ctx, mode, id).await.unwrap();
        found.into_iter().map(|it| it.endpoint.endpoint_id).collect::<BTreeSet<_>>()
    };
    assert!(found().await.is_empty());
    let (first, _) = made(&world, id).await;
    let (second, _) = made(&world, id).await;
    assert_eq!(found().await, BTreeSet::from([first.clone(), second.clone()]));
    webhooks::delete(ctx, mode, id, &first, &By::operator()).await.unwrap();
    assert_eq!(found().await, BTreeSet::from([second.clone()]));
    let before = BTreeMap::from([("version", 2)]);
    world.put(Key::endpoint_additions(mode, id), &before).await;
    assert_eq!(found().await, BTreeSet::from([second.clone()]));
    let (third, _) = made(&world, id).await;
    assert_eq!(found().await, BTreeSet::from([second, third]));
    let noted = world.raw_items("ADDITIONS").await.remove(0);
    assert_eq!(noted["endpoint_ids"].as_l().unwrap().len(), 2, "what was deleted is forgotten");
}

#[tokio::test]
async fn endpoints_and_the_deleted_ones_are_found_however_long_their_urls_are() {
    let world = World::new().await;
    let (mode, id) = (world.mode, &world.organization("Integrator").await);
    let url = format!("{URL}?{}", "\u{1f9fe}".repeat(webhooks::MAX_URL - URL.len() - 1));
    let like = include_str!("../../../store/fixtures/endpoint.json");
    let like: EndpointRecord = serde_json::from_str(like).unwrap();
    for _ in 0..MAX_ENDPOINTS {
        let endpoint_id = EndpointId::new(world.now(), &*world.ctx.random);
        let key = Key::endpoint(mode, id, &endpoint_id);
        let endpoint = EndpointRecord { endpoint_id, url: url.clone(), ..like.clone() };
        world.put(key, &endpoint).await;
    }
    for _ in 0..120 {
        let endpoint_id = EndpointId::new(world.now(), &*world.ctx.random);
        let key = Key::deleted_endpoint(mode, id, &endpoint_id);
        let deleted = DeletedEndpoint { endpoint_id, url: url.clone(), deleted_at: world.now() };
        world.put(key, &deleted).await;
    }
    let (endpoints, deleted) = world.ctx.store.list_endpoints_and_deleted(mode, id).await.unwrap();
    let endpoints: Vec<_> = endpoints.iter().map(|it| &it.endpoint_id).collect();
    assert!(endpoints.len() == MAX_ENDPOINTS && endpoints.is_sorted());
    let deleted: Vec<_> = deleted.iter().rev().map(|it| &it.endpoint_id).collect();
    assert!(deleted.len() == 100 && deleted.is_sorted());
}

#[tokio::test]
async fn the_secret_is_shown_once_and_sealed() {
    let world = World::new().await;
    let organization_id = world.organization("Integrator").await;
    let (id, secret) = made(&world, &organization_id).await;
    let watched = webhooks::get(&world.ctx, world.mode, &organization_id, &id).await.unwrap();
    assert!(opened(&watched.endpoint) == secret);
    for item in world.raw_items("").await {
        assert!(!format!("{item:?}").contains(&secret.expose()));
    }
    assert_eq!(actions(&world).await, ["endpoint.created"]);
    let other = world.organization("Other").await;
    let foreign = webhooks::get(&world.ctx, world.mode, &other, &id).await;
    assert_eq!(foreign.unwrap_err().code, Code::NotFound, "another's is not there");
}

#[tokio::test]
async fn two_patches_at_once_both_hold_and_a_named_version_is_the_present_one() {
    let world = World::new().await;
    let organization_id = world.organization("Integrator").await;
    let (id, _) = made(&world, &organization_id).await;
    let (notifying, by) = (world.notifying(), By::operator());
    let change = async |patch: Patch| {
        webhooks::patch(&notifying, world.mode, &organization_id, &id, &patch, &by).await
    };
    let named = Patch { description: Some(Some("Ours".to_owned())), ..Patch::default() };
    let off = Patch { enabled: Some(false), ..Patch::default() };
    let (a, b) = tokio::join!(change(named.clone()), change(off));
    a.unwrap();
    b.unwrap();
    let after = webhooks::get(&world.ctx, world.mode, &organization_id, &id).await.unwrap();
    assert_eq!(after.endpoint.description.as_deref(), Some("Ours"));
    assert_eq!(after.endpoint.status, EndpointStatus::Disabled);
    assert_eq!(after.endpoint.version, 3);
    let stale = change(Patch { version: Some(2), ..named.clone() }).await;
    assert_eq!(stale.unwrap_err().code, Code::VersionConflict);
    // A patch without effect is no change.
    assert_eq!(change(Patch { version: Some(3), ..named }).await.unwrap().endpoint.version, 3);
    assert_eq!(actions(&world).await, ["endpoint.created", "endpoint.updated", "endpoint.updated"]);
    let nowhere = change(Patch { url: Some("ftp://example.com".to_owned()), ..Patch::default() });
    let Failure { code, findings, .. } = nowhere.await.unwrap_err();
    assert_eq!((code, findings[0].pointer.as_str()), (Code::ValidationFailed, "/url"));
}

#[tokio::test]
async fn the_secret_before_signs_for_a_day_unless_it_leaked() {
    let world = World::new().await;
    let organization_id = world.organization("Integrator").await;
    let (id, first) = made(&world, &organization_id).await;
    let (notifying, by) = (world.notifying(), By::operator());
    let rotate = async |immediately| {
        let rotated =
            webhooks::rotate(&notifying, world.mode, &organization_id, &id, immediately, &by);
        rotated.await.unwrap()
    };
    let rotated = rotate(false).await;
    let previous = rotated.endpoint.previous_secret.clone().unwrap();
    assert_eq!(previous.until, world.now() + OVERLAP);
    let before = sealing_key().open(&previous.sealed_secret, world.mode, &id).unwrap();
    assert!(
        before == first && rotated.secret != first && opened(&rotated.endpoint) == rotated.secret
    );
    world.clock.advance(SignedDuration::from_hours(1));
    assert!(rotate(true).await.endpoint.previous_secret.is_none());
    let recorded: BTreeSet<_> = actions(&world).await.into_iter().collect();
    assert_eq!(recorded, BTreeSet::from(["endpoint.created", "endpoint.secret_rotated"]));
}

#[tokio::test]
async fn a_url_is_kept_as_it_is_called() {
    let world = World::new().await;
    let organization_id = world.organization("Integrator").await;
    let (notifying, by) = (world.notifying(), By::operator());
    for (given, kept) in [
        ("  http://127.0.0.1:9/hook\n", "http://127.0.0.1:9/hook"),
        ("http:127.0.0.1:9/", "http://127.0.0.1:9/"),
        ("http://127.0.0.1:9\\@10.0.0.1/", "http://127.0.0.1:9/@10.0.0.1/"),
        ("http://:@127.0.0.1:9/a b#part", "http://127.0.0.1:9/a%20b"),
        ("HTTP://127.0.0.1:80", "http://127.0.0.1/"),
    ] {
        let wanted = EndpointSettings { url: given.to_owned(), ..EndpointSettings::default() };
        let made = webhooks::create(&notifying, world.mode, &organization_id, wanted, &by).await;
        let made = made.unwrap().endpoint;
        assert_eq!(made.url, kept, "{given:?}");
        // The same URL in another form is no change.
        let patch = Patch { url: Some(given.to_owned()), ..Patch::default() };
        let id = &made.endpoint_id;
        let same = webhooks::patch(&notifying, world.mode, &organization_id, id, &patch, &by).await;
        assert_eq!(same.unwrap().endpoint.version, made.version, "{given:?}");
    }
    let wanted =
        EndpointSettings { url: "http://127.0.0.1:0/".to_owned(), ..EndpointSettings::default() };
    let refused = webhooks::create(&notifying, world.mode, &organization_id, wanted, &by).await;
    assert!(refused.unwrap_err().findings[0].message.contains("port 0"));
}

#[tokio::test]
async fn an_endpoint_is_limited_to_taxpayers_that_the_organization_has_a_grant_on() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let organization_id = &caller.organization_id;
    let own = caller.taxpayer.taxpayer_id.clone();
    let foreign = world.taxpayer("Oasis", "1001234502").await.taxpayer_id;
    let (notifying, by) = (world.notifying(), By::operator());
    let taxpayer_ids = vec![own.clone(), foreign, "txpay_x".parse().unwrap()];
    let wanted = EndpointSettings { taxpayer_ids: taxpayer_ids.clone(), ..wanted() };
    let refused = webhooks::create(&notifying, world.mode, organization_id, wanted, &by).await;
    let places = |failure: Failure| {
        assert_eq!(failure.code, Code::ValidationFailed);
        failure.findings.into_iter().map(|finding| finding.pointer).collect::<Vec<_>>()
    };
    assert_eq!(places(refused.unwrap_err()), ["/taxpayer_ids/1", "/taxpayer_ids/2"]);
    let wanted = EndpointSettings { taxpayer_ids: vec![own], ..self::wanted() };
    let made = webhooks::create(&notifying, world.mode, organization_id, wanted, &by).await;
    let id = made.unwrap().endpoint.endpoint_id;
    let patch = Patch { taxpayer_ids: Some(taxpayer_ids), ..Patch::default() };
    let refused = webhooks::patch(&notifying, world.mode, organization_id, &id, &patch, &by).await;
    assert_eq!(places(refused.unwrap_err()), ["/taxpayer_ids/1", "/taxpayer_ids/2"]);
}
