//! Changes of a taxpayer's status, settings and metadata. Everybody concerned is notified once, under concurrency and
//! faults.

use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    access::{Actor, AuditRecord, By, Caller, Origin, Scope, Taxpayer, TaxpayerStatus, Trail},
    error::{Code, Failure},
    i18n::Language,
    peppol::identifiers::Spid,
    service::{
        Context,
        grants::{self, Approval, MAX_ORGANIZATIONS},
        taxpayers::{
            self, MetadataPatch, OwnSettings, Patch, SettingsPatch, current, patch, set_status,
        },
    },
    store::keys,
    testing::{FRESHNESS, Faults, Tally, World, enumerate_at},
    types::{GrantId, Mode, OrganizationId},
};

/// A taxpayer with two organizations. The first one acts; the second one may not read its details.
struct Scene {
    world: World,
    caller: Caller,
    other: OrganizationId,
}

impl Scene {
    async fn new() -> Self {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        let other = world.organization("Other").await;
        world.grant(&other, &caller.taxpayer, &[Scope::InvoicesRead]).await;
        let scene = Scene { world, caller, other };
        scene.tick();
        scene
    }

    /// Advances the clock, so that later items sort after earlier ones.
    fn tick(&self) {
        self.world.clock.advance(jiff::SignedDuration::from_millis(1));
    }

    async fn patch(&self, wish: &Patch) {
        patch(&self.world.ctx, &self.caller, wish, &by()).await.unwrap();
        self.tick();
    }

    /// The events so far, each with its organization.
    async fn published(&self) -> Vec<(String, Value)> {
        let mut events = self.world.events().await;
        events.sort_by_key(|event| event.event_id.clone());
        let published = events.iter().map(|event| {
            let audience = serde_json::to_value(&event.audience).unwrap();
            let to = audience["organization_id"].as_str().unwrap().to_owned();
            (to, serde_json::from_str(&event.body).unwrap())
        });
        published.collect()
    }

    async fn trail(&self, trail: Trail) -> Vec<&'static str> {
        let trail = trail.to_string();
        let mut entries: Vec<AuditRecord> = self.world.items("aud_").await;
        entries.sort_by_key(|entry| entry.audit_id.clone());
        entries.retain(|entry| entry.trail.to_string() == trail);
        entries.into_iter().map(|entry| entry.action.as_str()).collect()
    }

    fn taxpayer(&self) -> &Taxpayer {
        &self.caller.taxpayer
    }

    async fn status(&self, ctx: &Context, status: TaxpayerStatus) -> Result<(), Code> {
        let Taxpayer { mode, taxpayer_id, .. } = self.taxpayer();
        let set = set_status(ctx, *mode, taxpayer_id, status, &By::operator()).await;
        self.tick();
        set.map(drop).map_err(|failure| failure.code)
    }
}

fn by() -> By {
    let origin = Origin::new(Some("192.0.2.1".to_owned()), None, Some("r-1".to_owned()));
    By { actor: Actor::ApiKey("key_1".parse().unwrap()), origin }
}

fn metadata(pairs: &[(&str, Option<&str>)]) -> Patch {
    let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), value.map(str::to_owned)));
    Patch { metadata: MetadataPatch::Merge(pairs.collect()), ..Patch::default() }
}

fn language(language: Language) -> Patch {
    let settings = SettingsPatch { language: Some(language), ..SettingsPatch::default() };
    Patch { settings, ..Patch::default() }
}

#[tokio::test]
async fn metadata_are_published_to_their_own_organization_alone_with_the_old_values_of_what_changed()
 {
    let scene = Scene::new().await;
    scene
        .patch(&metadata(&[("stays", Some("1")), ("changes", Some("1")), ("goes", Some("1"))]))
        .await;
    scene.patch(&metadata(&[("changes", Some("2")), ("goes", None), ("new", Some("1"))])).await;
    let published = scene.published().await;
    assert_eq!(published.len(), 2);
    let own = scene.caller.organization_id.as_str();
    assert!(published.iter().all(|(to, body)| to == own && body["type"] == "taxpayer.updated"));
    let nulls = json!({"stays": null, "changes": null, "goes": null});
    assert_eq!(published[0].1["previous_attributes"], json!({"metadata": nulls}));
    let (_, second) = &published[1];
    let previous = json!({"metadata": {"changes": "1", "goes": "1", "new": null}});
    assert_eq!(second["previous_attributes"], previous);
    let now = json!({"stays": "1", "changes": "2", "new": "1"});
    assert_eq!(second["data"]["metadata"], now);
    assert_eq!(second["data"]["grants"].as_array().unwrap().len(), 1);
    let found = current(&scene.world.ctx, &scene.caller).await.unwrap();
    assert_eq!(serde_json::to_value(found.connected.metadata).unwrap(), now);
    // The taxpayer's trail does not have it.
    let trail = Trail::Taxpayer(scene.taxpayer().taxpayer_id.clone());
    assert!(!scene.trail(trail).await.contains(&"taxpayer.updated"));
    let trail = Trail::Organization(scene.caller.organization_id.clone());
    assert!(scene.trail(trail).await.ends_with(&["taxpayer.updated", "taxpayer.updated"]));
}

#[tokio::test]
async fn what_changes_nothing_writes_nothing_and_tells_nobody() {
    let scene = Scene::new().await;
    let clear = Patch { metadata: MetadataPatch::Clear, settings: SettingsPatch::to_defaults() };
    for nothing in [Patch::default(), clear, metadata(&[("k", None)]), language(Language::English)]
    {
        scene.world.cloud.take_written();
        scene.patch(&nothing).await;
        assert!(scene.world.cloud.take_written().is_empty(), "{nothing:?}");
    }
    scene.patch(&metadata(&[("k", Some("v"))])).await;
    scene.patch(&metadata(&[("k", Some("v"))])).await;
    assert_eq!(scene.published().await.len(), 1);
    let active = TaxpayerStatus::Active;
    scene.status(&scene.world.ctx, active).await.unwrap();
    assert_eq!(scene.published().await.len(), 1);
}

#[tokio::test]
async fn settings_are_published_to_every_organization_and_shown_to_those_that_may_read_details() {
    let scene = Scene::new().await;
    let spid = Spid::try_from(&"0242:000306".parse().unwrap()).unwrap();
    let wish = Patch {
        settings: SettingsPatch {
            language: Some(Language::Arabic),
            mls_to: Some(Some(spid.clone())),
        },
        ..metadata(&[("k", Some("v"))])
    };
    scene.patch(&wish).await;
    let published = scene.published().await;
    assert_eq!(published.len(), 2);
    let to = |id: &OrganizationId| &published.iter().find(|(to, _)| to == id.as_str()).unwrap().1;
    let own = to(&scene.caller.organization_id);
    let shown = json!({"language": "ar", "mls_to": "0242:000306", "notification_email": null});
    assert_eq!(own["data"]["settings"], shown);
    let old = json!({"language": "en", "mls_to": null});
    assert_eq!(own["previous_attributes"], json!({"metadata": {"k": null}, "settings": old}));
    let other = to(&scene.other);
    assert_eq!(other["previous_attributes"], json!({"settings": {}}));
    assert_eq!(other["data"].get("settings"), None);
    assert_eq!(other["data"]["metadata"], json!({}));
    let grants = other["data"]["grants"].as_array().unwrap();
    assert_eq!(grants[0]["scopes"], json!(["invoices:read"]));
    let trail = Trail::Taxpayer(scene.taxpayer().taxpayer_id.clone());
    assert_eq!(scene.trail(trail).await.last(), Some(&"taxpayer.updated"));
}

#[tokio::test]
async fn metadata_beyond_their_limits_are_refused_with_what_stays() {
    let scene = Scene::new().await;
    let keys: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let full: Vec<_> = keys.iter().map(|key| (key.as_str(), Some("v"))).collect();
    scene.patch(&metadata(&full)).await;
    let large = "x".repeat(16 * 1024);
    for (wish, rule) in [
        (metadata(&[("one more", Some("v"))]), "/metadata"),
        (metadata(&[("0", None), ("", Some("v"))]), "/metadata/"),
        (metadata(&[("0", Some(&large))]), "/metadata"),
    ] {
        let refused = patch(&scene.world.ctx, &scene.caller, &wish, &by()).await.unwrap_err();
        assert_eq!(refused.code, Code::ValidationFailed);
        assert_eq!(refused.findings[0].pointer, rule);
    }
    // A removed pair makes room.
    scene.patch(&metadata(&[("0", None), ("one more", Some("v"))])).await;
}

#[tokio::test]
async fn a_status_changes_as_it_may_with_its_pointer_and_is_published_to_all() {
    let scene = Scene::new().await;
    let ctx = &scene.world.ctx;
    scene.status(ctx, TaxpayerStatus::Suspended).await.unwrap();
    let Taxpayer { mode, participant_id, .. } = scene.taxpayer();
    let pointer = ctx.store.find_participant(*mode, participant_id).await.unwrap().unwrap();
    assert_eq!(pointer.status, TaxpayerStatus::Suspended);
    for wrong in [TaxpayerStatus::Onboarding, TaxpayerStatus::Unknown] {
        assert_eq!(scene.status(ctx, wrong).await, Err(Code::InvalidRequest));
    }
    let published = scene.published().await;
    let to: Vec<&str> = published.iter().map(|(to, _)| to.as_str()).collect();
    assert!(to.contains(&scene.other.as_str()) && to.len() == 2, "{to:?}");
    for (_, body) in &published {
        assert_eq!(body["previous_attributes"], json!({"status": "active"}));
        assert_eq!(body["data"]["status"], "suspended");
    }
    scene.status(ctx, TaxpayerStatus::Active).await.unwrap();
    assert_eq!(scene.published().await.len(), 4);
    let trail = Trail::Taxpayer(scene.taxpayer().taxpayer_id.clone());
    let last = scene.trail(trail).await.split_off(2);
    assert_eq!(last, ["taxpayer.status_changed"; 2]);
}

#[tokio::test]
async fn one_that_was_stored_as_inactive_is_suspended_and_comes_back() {
    let scene = Scene::new().await;
    let Taxpayer { mode, taxpayer_id, .. } = scene.taxpayer();
    for pk in [keys::taxpayer(*mode, taxpayer_id), "SANDBOX#PARTICIPANT#0235:1001234501".to_owned()]
    {
        let sk = if pk.contains("PARTICIPANT") { "TAXPAYER" } else { keys::PROFILE };
        scene.world.set(&pk, sk, "status", AttributeValue::S("inactive".to_owned())).await;
    }
    // A grant is made meanwhile: the change reads the current settings and grants.
    scene.world.grant(&scene.other, scene.taxpayer(), &[Scope::TaxpayerRead]).await;
    scene.status(&scene.world.ctx, TaxpayerStatus::Active).await.unwrap();
    let published = scene.published().await;
    assert_eq!(published.len(), 2);
    assert!(
        published
            .iter()
            .all(|(_, body)| body["previous_attributes"] == json!({"status": "suspended"}))
    );
}

#[tokio::test]
async fn what_leads_nowhere_is_refused_with_what_leads_on() {
    let scene = Scene::new().await;
    let (ctx, Taxpayer { mode, taxpayer_id, .. }) = (&scene.world.ctx, scene.taxpayer());
    let set = async |status| set_status(ctx, *mode, taxpayer_id, status, &By::operator()).await;
    let refused = set(TaxpayerStatus::Onboarding).await.unwrap_err();
    let message = "A taxpayer that is active cannot become onboarding: it may become suspended or \
                   reverification or deregistered.";
    assert_eq!((refused.code, refused.message.as_str()), (Code::InvalidRequest, message));
    set(TaxpayerStatus::Deregistered).await.unwrap();
    for status in TaxpayerStatus::ALL.into_iter().filter(|it| *it != TaxpayerStatus::Deregistered) {
        let refused = set(status).await.unwrap_err();
        assert!(refused.message.ends_with("this status is final."), "{}", refused.message);
    }
    assert_eq!(scene.published().await.len(), 2, "its end, to each");
}

#[tokio::test]
async fn what_the_portal_suspended_it_ends_unless_the_operator_took_it_over() {
    let scene = Scene::new().await;
    let (ctx, Taxpayer { mode, taxpayer_id, .. }) = (&scene.world.ctx, scene.taxpayer());
    let suspended = TaxpayerStatus::Suspended;
    let portal = By::national_portal();
    let by = async |by: &By| {
        let set = set_status(ctx, *mode, taxpayer_id, suspended, by).await.unwrap();
        scene.tick();
        set.suspended_by
    };
    assert_eq!(by(&portal).await, Some(Actor::NationalPortal));
    assert_eq!(by(&By::operator()).await, Some(Actor::Operator));
    assert_eq!(by(&portal).await, Some(Actor::Operator), "it stays the operator's");
    assert_eq!(scene.published().await.len(), 2, "one suspension");
    let back = set_status(ctx, *mode, taxpayer_id, TaxpayerStatus::Active, &portal).await.unwrap();
    assert_eq!(back.suspended_by, None);
}

#[tokio::test]
async fn no_more_organizations_are_connected_than_one_change_can_tell() {
    let world = World::new().await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    let approval = |organization_id: &OrganizationId| Approval {
        mode: Mode::Sandbox,
        grant_id: GrantId::new(world.now(), &*world.ctx.random),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: organization_id.clone(),
        scopes: Scope::ALL.into(),
        grant_label: None,
        external_id: None,
        request: None,
    };
    let mut first = None;
    for number in 0..MAX_ORGANIZATIONS {
        let organization = world.organization(&format!("Integrator {number}")).await;
        world.grant(&organization, &taxpayer, &Scope::ALL).await;
        first.get_or_insert(organization);
    }
    let one_more = world.organization("One more").await;
    let approve = async |id| grants::approve(&world.ctx, FRESHNESS, &approval(id), &by()).await;
    let refused = approve(&one_more).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
    assert!(refused.message.contains("50 organizations"), "{}", refused.message);
    // A connected organization gets another grant, and all organizations are notified of a change.
    approve(&first.unwrap()).await.unwrap().unwrap();
    let (mode, id) = (Mode::Sandbox, &taxpayer.taxpayer_id);
    let suspended = TaxpayerStatus::Suspended;
    set_status(&world.ctx, mode, id, suspended, &By::operator()).await.unwrap();
    assert_eq!(world.events().await.len(), 1 + MAX_ORGANIZATIONS);
}

#[tokio::test]
async fn changes_at_once_are_made_one_after_the_other_and_each_is_published_truly() {
    let scene = Scene::new().await;
    let mut changes = JoinSet::new();
    for number in 0..4 {
        let (ctx, caller) = (scene.world.ctx.clone(), scene.caller.clone());
        changes.spawn(async move {
            let key = number.to_string();
            let wish = metadata(&[(key.as_str(), Some("v"))]);
            patch(&ctx, &caller, &wish, &by()).await.unwrap();
        });
        let (ctx, caller) = (scene.world.ctx.clone(), scene.caller.clone());
        let wish = language([Language::Arabic, Language::English][number % 2]);
        changes.spawn(async move { drop(patch(&ctx, &caller, &wish, &by()).await.unwrap()) });
    }
    let world = &scene.world;
    world.grant(&scene.other, scene.taxpayer(), &[Scope::TaxpayerRead]).await;
    while let Some(done) = changes.join_next().await {
        done.unwrap();
    }
    let found = current(&world.ctx, &scene.caller).await.unwrap();
    assert_eq!(found.connected.metadata.len(), 4);
    // Each metadata event has a new key. Each settings change has two events, and the version counts them.
    let published = scene.published().await;
    let of = |name: &str| {
        let has = |body: &&(String, Value)| body.1["previous_attributes"].get(name).is_some();
        published.iter().filter(has).count()
    };
    assert_eq!(of("metadata"), 4);
    assert_eq!(of("settings"), 2 * usize::try_from(found.settings.version).unwrap());
}

/// Crash points of changes to a taxpayer, and of a revoked grant.
pub(super) async fn tallies() -> Vec<Tally> {
    let once = async |scene: &Scene, previous: &str| {
        let published = scene.published().await.into_iter();
        let of = published.filter(|(_, body)| body["previous_attributes"].get(previous).is_some());
        of.filter(|(to, _)| *to == scene.caller.organization_id.as_str()).count()
    };
    let entries = async |scene: &Scene, action: &str| {
        let trail = scene.trail(Trail::Taxpayer(scene.taxpayer().taxpayer_id.clone())).await;
        trail.into_iter().filter(|found| *found == action).count()
    };
    let changed = enumerate_at(
        "change of a taxpayer",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = Box::pin(patch(&ctx, &scene.caller, &both(), &by())).await;
        },
        async |scene: &Scene| {
            // The caller tries again.
            scene.patch(&both()).await;
            vec![
                ("events of metadata", once(scene, "metadata").await),
                ("events of settings", once(scene, "settings").await),
                ("entries", entries(scene, "taxpayer.updated").await),
            ]
        },
    );
    let status = enumerate_at(
        "change of a status",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = Box::pin(scene.status(&ctx, TaxpayerStatus::Suspended)).await;
        },
        async |scene: &Scene| {
            scene.status(&scene.world.ctx, TaxpayerStatus::Suspended).await.unwrap();
            vec![
                ("events of a status", once(scene, "status").await),
                ("entries", entries(scene, "taxpayer.status_changed").await),
            ]
        },
    );
    let revoked = enumerate_at(
        "revoked grant",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            Box::pin(revoke(scene, &ctx)).await;
        },
        async |scene: &Scene| {
            revoke(scene, &scene.world.ctx).await;
            let published = scene.published().await.into_iter();
            let ended = published.filter(|(_, body)| body["type"] == "taxpayer.deleted").count();
            vec![("events of an end", ended), ("entries", entries(scene, "grant.revoked").await)]
        },
    );
    let own = enumerate_at(
        "settings of a taxpayer, by itself",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = Box::pin(set_own(scene, &ctx)).await;
        },
        async |scene: &Scene| {
            set_own(scene, &scene.world.ctx).await.unwrap();
            vec![
                ("events of settings", once(scene, "settings").await),
                ("entries", entries(scene, "taxpayer.updated").await),
            ]
        },
    );
    let all = [Box::pin(changed).await, Box::pin(status).await, Box::pin(revoked).await];
    all.into_iter().chain([Box::pin(own).await]).collect()
}

async fn set_own(scene: &Scene, ctx: &Context) -> Result<(), Failure> {
    let id = &scene.taxpayer().taxpayer_id;
    let notification_email = Some("it@falcon.example".to_owned());
    let wish = OwnSettings { language: Language::Arabic, notification_email };
    taxpayers::set(ctx, Mode::Sandbox, id, &wish, &Origin::default()).await.map(drop)
}

fn both() -> Patch {
    Patch { settings: language(Language::Arabic).settings, ..metadata(&[("k", Some("v"))]) }
}

async fn revoke(scene: &Scene, ctx: &Context) {
    let grant_id = scene.caller.grant_ids.first().unwrap();
    let organization_id = &scene.caller.organization_id;
    let _ = grants::revoke(ctx, Mode::Sandbox, organization_id, grant_id, &by()).await;
}
