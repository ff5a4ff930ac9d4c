//! The writes of each function, compared with its role. The template's roles limit kinds of items by patterns of their
//! partition keys.

use std::{collections::BTreeSet, sync::Arc};

use jiff::{SignedDuration, civil::date};
use serde_json::Value;

use crate::{
    access::{Actor, By, Credentials, Origin, Role, Scope},
    document::Operation::Invoice,
    egress::{Client, Egress},
    i18n::Language,
    peppol::{as4::Rule, mls, smp::BusinessEntity},
    service::{
        Delivering, Registering,
        archives::{self, Period},
        authorize, authorize_organization, billing, business_cards,
        convert::Convert,
        deliver,
        dispatch::Dispatch,
        grants::{self, Approval},
        imports::{self, Asking, NewImport, Requested},
        job, logos,
        members::{self, Invitation},
        oauth::{
            clients::{self, ClientCredentials, NewClient, authenticate},
            refresh::refresh,
            revoke::revoke,
        },
        onboarding::Registration,
        onboarding::{Onboarded, Wish, simulate},
        organizations, peppol_reports, register,
        reply::Reply,
        reports::Report,
        resubmission::{self, ResubmissionRequest},
        sessions,
        sign_in::{self, Ask, Press, Then},
        sign_up, sweep,
        taxpayers::{self, MetadataPatch, OwnSettings, Patch, SettingsPatch},
        usage,
        webhooks::{self, Patch as EndpointPatch, tools},
    },
    store::{DeliverMessage, Direction, EventType, Status, TaxReportStatus},
    testing::{
        Arrival, BUYER, FRESHNESS, Parcel, Registers, Takes, Tells, World, accepted, counting,
        invoice, render_import, sealing_key, send, send_queued,
    },
    types::{Mode, OpaqueToken},
    webhook::receiver::{Behaviour, Receiver},
};

const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// The kinds of items about identity, which no function creates or changes.
const OPERATORS: [&str; 6] = [
    "LIVE#TAXPAYER#txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
    "SANDBOX#TAXPAYER#txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
    "LIVE#ORGANIZATION#org_1",
    "SANDBOX#ORGANIZATION#org_1",
    "LIVE#PARTICIPANT#0235:1001234501",
    "SANDBOX#PARTICIPANT#0235:1001234501",
];

/// The kinds of items about permissions, which only one function may write.
const CONNECTIONS: [&str; 4] = [
    "LIVE#ORGANIZATION#org_1#SEATS",
    "LIVE#TAXPAYER#txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718#GRANTS",
    "SANDBOX#ORGANIZATION#org_1#GRANTS",
    "LIVE#TAXPAYER#txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718#SETTINGS",
];

/// The kinds of items about members and credentials, which only one function may write completely.
const CREDENTIALS: [&str; 8] = [
    "LIVE#APIKEY#0a",
    "SANDBOX#CLIENT#client_1",
    "LIVE#ORGANIZATION#org_1#CLIENTS",
    "LIVE#ORGANIZATION#org_1#KEYS",
    "SANDBOX#ORGANIZATION#org_1#KEYS",
    "LIVE#MEMBERSHIP#0a",
    "LIVE#ORGANIZATION#org_1#MEMBERS",
    "SANDBOX#ORGANIZATION#org_1#MEMBERS",
];

/// Audit trails, which are only appended to.
const TRAILS: [&str; 2] = ["LIVE#TAXPAYER#txpay_1#AUDIT", "SANDBOX#ORGANIZATION#org_1#AUDIT"];

const FUNCTIONS: [&str; 21] = [
    "Api",
    "OAuth",
    "Portal",
    "Hooks",
    "Pdf",
    "Billing",
    "Reconcile",
    "Convert",
    "Dispatch",
    "Inbound",
    "Judge",
    "Answer",
    "Report",
    "Register",
    "Webhook",
    "Relay",
    "Sweep",
    "Imports",
    "Archives",
    "Mail",
    "Upkeep",
];

/// The functions that write nothing.
const READERS: [&str; 2] = ["Docs", "Smp"];

/// A statement that allows writes to the table.
#[derive(Debug)]
struct Statement {
    /// Whether it allows changing or removing existing items.
    changes: bool,
    /// Whether it allows writing several items by one call without a transaction.
    batches: bool,
    /// The patterns of partition keys that it is limited to.
    patterns: Vec<String>,
    /// The attributes that it is limited to, if any.
    attributes: Option<String>,
}

impl Statement {
    fn allows(&self, pk: &str) -> bool {
        self.patterns.iter().any(|pattern| is_like(pattern, pk))
    }
}

/// IAM's `StringLike`: `*` matches any text, `?` matches one character.
fn is_like(pattern: &str, text: &str) -> bool {
    let (Some(first), rest) = (pattern.chars().next(), pattern.get(1..).unwrap_or_default()) else {
        return text.is_empty();
    };
    match first {
        '*' => (0..=text.len()).any(|at| is_like(rest, &text[at..])),
        '?' => text.get(1..).is_some_and(|left| is_like(rest, left)),
        same => text.strip_prefix(same).is_some_and(|left| is_like(rest, left)),
    }
}

/// The pattern that the mapping `Keys` has for two names. The text begins with the names: `Any, Document]`.
fn pattern(names: &str) -> String {
    let (mode, kind) = names.split_once(']').unwrap().0.split_once(", ").unwrap();
    let of_mode = TEMPLATE.split_once("\n  Keys:\n").unwrap().1;
    let of_mode = of_mode.split_once(&format!("\n    {mode}: {{\n")).or_else(|| {
        // The first mode begins where the mapping begins.
        of_mode.strip_prefix(&format!("    {mode}: {{\n")).map(|rest| ("", rest))
    });
    let of_mode = of_mode.unwrap().1.split_once(" }\n").unwrap().0;
    let after = of_mode.split_once(&format!(" {kind}: \"")).unwrap().1;
    after.split_once('"').unwrap().0.to_owned()
}

/// The statements of a function's policy that allow writes.
fn statements(function: &str) -> Vec<Statement> {
    let found = writing(function);
    assert!(!found.is_empty(), "{function} writes something");
    found
}

fn writing(function: &str) -> Vec<Statement> {
    let policy = TEMPLATE.split_once(&format!("\n  {function}Policy:\n")).unwrap().1;
    // Up to the next resource.
    let mut lines = policy.match_indices("\n  ").map(|(at, _)| at);
    let end = lines.find(|at| !policy[at + 3..].starts_with([' ', '\n'])).unwrap();
    let policy = &policy[..end];
    let writes = |statement: &&str| {
        ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQL", "dynamodb:*"]
            .iter()
            .any(|action| statement.contains(action))
    };
    let found = policy.split("Sid:").skip(1).filter(writes).map(|statement| {
        assert!(statement.contains(r#""Null": { dynamodb:LeadingKeys: "false" }"#), "{statement}");
        let condition = statement.split_once("ForAllValues:StringLike:").unwrap().1;
        let (keys, attributes) = match condition.split_once("ForAllValues:StringEquals:") {
            Some((keys, rest)) => {
                (keys, rest.split_once("dynamodb:Attributes: [")?.1.split_once(']').map(|(a, _)| a))
            }
            None => (condition, None),
        };
        let patterns = keys.split("!FindInMap [Keys, ").skip(1).map(pattern).collect();
        let actions = statement.split_once("Action:").unwrap().1;
        let actions = actions.split_once("Resource:").unwrap().0;
        let changes = ["UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQL", "dynamodb:*"];
        let changes = changes.iter().any(|action| actions.contains(action));
        let batches = actions.contains("BatchWriteItem");
        Some(Statement { changes, batches, patterns, attributes: attributes.map(str::to_owned) })
    });
    found.map(Option::unwrap).collect()
}

#[test]
fn no_functions_role_may_write_who_somebody_is_and_one_alone_who_may_act_for_whom() {
    for function in FUNCTIONS {
        for pk in CREDENTIALS {
            let writes = statements(function).iter().any(|it| it.allows(pk));
            let notes_use =
                ["Api", "OAuth", "Hooks", "Pdf"].contains(&function) && pk.contains("#APIKEY#");
            assert_eq!(writes, function == "Portal" || notes_use, "{function} and {pk}");
        }
        for pk in CONNECTIONS {
            let writes = statements(function).iter().any(|it| it.allows(pk));
            let notes_use = ["Api", "Pdf"].contains(&function)
                && pk.contains("#TAXPAYER#")
                && pk.ends_with("#GRANTS");
            assert_eq!(writes, function == "OAuth" || notes_use, "{function} and {pk}");
        }
        for statement in statements(function) {
            for pk in OPERATORS {
                // Test businesses are created where people connect. In Live the identity comes from the national
                // portal, which only a background function asks.
                let at = match function {
                    "OAuth" => "SANDBOX#",
                    "Register" => "LIVE#",
                    _ => "nowhere",
                };
                let may = pk.starts_with(at) && !pk.contains("#ORGANIZATION#");
                assert!(may || !statement.allows(pk), "{function} may write {pk}: {statement:?}");
            }
            let whole = statement.attributes.is_none();
            let connections = CONNECTIONS.into_iter().filter(|pk| whole && statement.allows(pk));
            assert!(connections.count() == 0 || function == "OAuth", "{function}: {statement:?}");
            let credentials = CREDENTIALS.into_iter().filter(|pk| whole && statement.allows(pk));
            assert!(credentials.count() == 0 || function == "Portal", "{function}: {statement:?}");
            let endpoints = whole && statement.allows("LIVE#ORGANIZATION#org_1#ENDPOINTS");
            let may = ["Hooks", "Portal"].contains(&function);
            assert!(!endpoints || may, "{function} may write endpoints");
        }
    }
    // The statements with limited attributes: the function that talks to foreign endpoints reads no key and changes no
    // secret.
    let partly = |function| {
        let statements = statements(function).into_iter();
        statements.filter_map(|s| Some((s.patterns.concat(), s.attributes?))).collect::<Vec<_>>()
    };
    let text = |pair: (&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
    let keys = text(("*#APIKEY#*", "pk, sk, last_used_at"));
    for function in ["OAuth", "Hooks"] {
        assert_eq!(partly(function), std::slice::from_ref(&keys));
    }
    let notes = [keys, text(("*#TAXPAYER#*#GRANTS", "pk, sk, used, used_for"))];
    assert_eq!(partly("Api"), notes);
    let sessions = text(("*#SESSION#*", "pk, sk, last_seen_at"));
    assert_eq!(partly("Pdf"), [&notes[..], &[sessions]].concat());
    let endpoints = ("*#ORGANIZATION#*#ENDPOINTS*", "pk, sk, status, url, disabled, version");
    assert_eq!(partly("Webhook"), [text(endpoints)]);
    // Every policy of the template is checked.
    let policies = TEMPLATE.lines().filter(|line| {
        line.strip_prefix("  ")
            .is_some_and(|line| !line.starts_with(' ') && line.ends_with("Policy:"))
    });
    let others = ["Bucket", "Queue", "Letters", "KmsKeys", "MissingObjects", "ObjectLock"];
    let policies: Vec<_> =
        policies.filter(|line| !others.iter().any(|other| line.contains(other))).collect();
    assert_eq!(policies.len(), FUNCTIONS.len() + READERS.len(), "{policies:?}");
    for function in READERS {
        assert!(writing(function).is_empty(), "{function} writes");
    }
}

#[test]
fn who_shows_the_documentation_may_do_nothing() {
    let policy = TEMPLATE.split_once("\n  DocsPolicy:\n").unwrap().1;
    let policy = policy.split_once("\n  HooksFunction:").unwrap().0;
    assert!(!policy.contains("Effect: Allow") && policy.matches("Sid:").count() == 1, "{policy}");
    let denied =
        "NotAction: [logs:CreateLogStream, logs:PutLogEvents]\n            Resource: \"*\"";
    assert!(policy.contains("Effect: Deny") && policy.contains(denied), "{policy}");
}

#[test]
fn no_functions_role_may_change_or_remove_an_entry_of_an_audit_trail() {
    for function in FUNCTIONS {
        for statement in statements(function) {
            let reached = TRAILS.iter().filter(|pk| statement.allows(pk)).count();
            assert!(!statement.changes || reached == 0, "{function}: {statement:?}");
        }
        let adds = |pk: &&str| statements(function).iter().any(|statement| statement.allows(pk));
        let may: &[_] = match function {
            "OAuth" => &TRAILS,
            // Changes of members, credentials, endpoints and files are only in their organization's trail.
            "Api" | "Portal" | "Hooks" | "Webhook" => &TRAILS[1..],
            // Changes of businesses in Live are in the taxpayer's trail.
            "Register" => &TRAILS[..1],
            _ => &[],
        };
        assert_eq!(TRAILS.into_iter().filter(adds).collect::<Vec<_>>(), may, "{function}");
    }
}

#[tokio::test]
async fn who_changes_who_may_act_for_whom_writes_what_its_role_allows() {
    let world = World::new().await;
    let (caller, ctx) = (world.caller("Falcon", "1001234501").await, &world.ctx);
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    let other = world.organization("Other").await;
    world.grant_on(&other, taxpayer_id, &Scope::ALL).await;
    let by = By { actor: Actor::ApiKey("key_1".parse().unwrap()), origin: Origin::default() };
    // The function `api` writes cards too.
    let card = business_cards::put_card(ctx, &caller.taxpayer, Vec::new()).await.unwrap();
    world.cloud.take_written();
    let (seen, entity) = (Some(card.updated_at), BusinessEntity::default());
    business_cards::put_first(ctx, &caller.taxpayer, seen, entity).await.unwrap().unwrap();
    let patch = Patch {
        metadata: MetadataPatch::Merge([("k".to_owned(), Some("v".to_owned()))].into()),
        settings: SettingsPatch { language: Some(Language::Arabic), ..Default::default() },
    };
    taxpayers::patch(ctx, &caller, &patch, &by).await.unwrap();
    let notification_email = Some("it@falcon.example".to_owned());
    let wish = OwnSettings { language: Language::English, notification_email };
    let (mode, origin) = (caller.mode, Origin::default());
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    let card = business_cards::card(ctx, &caller.taxpayer).await.unwrap();
    business_cards::put_card(ctx, &caller.taxpayer, card.entities).await.unwrap();
    business_cards::unlist(ctx, &caller.taxpayer).await.unwrap();
    taxpayers::set(ctx, mode, taxpayer_id, &wish, &origin).await.unwrap();
    assert_within("OAuth", &world);
    let approval = Approval {
        mode: Mode::Sandbox,
        grant_id: "tgr_1".parse().unwrap(),
        taxpayer_id: taxpayer_id.clone(),
        organization_id: caller.organization_id.clone(),
        scopes: Scope::ALL.into(),
        grant_label: None,
        external_id: None,
        request: None,
    };
    grants::approve(ctx, FRESHNESS, &approval, &by).await.unwrap().unwrap();
    assert_within("OAuth", &world);
    let Approval { mode, organization_id, grant_id, .. } = &approval;
    grants::revoke(ctx, *mode, organization_id, grant_id, &by).await.unwrap();
    assert_within("OAuth", &world);
}

#[tokio::test]
async fn who_gives_organizations_people_and_credentials_writes_what_its_role_allows() {
    let world = World::new().await;
    let (ctx, mode, by) = (&world.ctx, Mode::Sandbox, By::operator());
    let id = world.organization("Integrator").await;
    world.cloud.take_written();
    let invite = async |name: &str, role| {
        let email = format!("{name}@integrator.example").parse().unwrap();
        let language = Language::English;
        let invitation = Invitation { mode, organization_id: &id, email, role, language };
        members::invite(ctx, invitation, &by).await.unwrap().unwrap()
    };
    let ada = invite("ada", Role::Owner).await;
    let bob = invite("bob", Role::Viewer).await;
    members::joined(ctx, &ada, &by).await.unwrap();
    let developer = Role::Developer;
    let changed = members::set_role(ctx, mode, &id, &bob.member_id, developer, &by).await;
    changed.unwrap().unwrap();
    members::remove(ctx, mode, &id, &bob.member_id, &by).await.unwrap().unwrap();
    let (_, key) = organizations::create_key(ctx, mode, &id, "ERP", &by).await.unwrap();
    organizations::revoke_key(ctx, mode, &id, &key.key_id, &by).await.unwrap();
    let new = NewClient {
        mode,
        organization_id: id.clone(),
        name: "Books".to_owned(),
        redirect_uris: vec!["https://books.example/cb".to_owned()],
        scopes: Scope::ALL.into(),
    };
    let (client, _) = clients::create(ctx, new, &by).await.unwrap();
    clients::rotate_secret(ctx, mode, &client.client_id, false, &by).await.unwrap();
    assert_within("Portal", &world);
    // Another function does the sign-in.
    let token = sessions::begin(ctx, mode, &ada, Origin::default()).await.unwrap();
    sessions::end(ctx, mode, &token, Origin::default()).await.unwrap();
    assert_within("OAuth", &world);
    // A change from one mode to the other.
    sessions::begin(ctx, Mode::Live, &ada, Origin::default()).await.unwrap();
    assert_within("Portal", &world);
}

/// The items about subscriptions.
const PAID: [&str; 2] = ["LIVE#ORGANIZATION#org_1#SUBSCRIPTION", "LIVE#SUBSCRIBERS#0"];

#[tokio::test]
async fn the_functions_of_the_billing_provider_write_subscriptions_alone() {
    for function in FUNCTIONS {
        let writes = |pk: &str| statements(function).iter().any(|it| it.allows(pk));
        let is_of_billing = ["Billing", "Reconcile"].contains(&function);
        assert_eq!(PAID.into_iter().any(writes), is_of_billing, "{function}");
    }
    for statement in ["Billing", "Reconcile"].into_iter().flat_map(statements) {
        for pk in OPERATORS.into_iter().chain(CONNECTIONS).chain(TRAILS) {
            assert!(!statement.allows(pk), "{pk}");
        }
    }
    let scene = super::billing_events::Scene::new().await;
    scene.world.cloud.take_written();
    for (id, seats) in [("msg_1", 1), ("msg_2", 1), ("msg_3", 2)] {
        let event = scene.event("active", Some(seats), i64::from(seats));
        scene.take(id, &event).await.unwrap();
        assert_within("Billing", &scene.world);
    }
    let provider = super::billing_reconciled::Listing::of([vec![]]);
    scene.world.clock.advance(SignedDuration::from_hours(1));
    let ended = billing::reconcile::reconcile(&scene.world.ctx, &provider).await.unwrap().ended;
    assert_eq!(ended, 1);
    assert_within("Reconcile", &scene.world);
    usage::export_due(&scene.world.ctx, &scene.world.sending.bucket).await.unwrap();
    assert_within("Reconcile", &scene.world);
}

#[tokio::test]
async fn who_connects_in_live_counts_seats_within_its_role() {
    let world = World::unconnected().await;
    let organization_id = world.organization("Integrator").await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    world.subscribe(&organization_id).await;
    let made = world.client(world.mode, &organization_id).await;
    world.cloud.take_written();
    let tokens = world.tokens_of(&made, &taxpayer, &Scope::ALL).await;
    let (id, origin) = (&taxpayer.taxpayer_id, Origin::default());
    grants::revoke_as_taxpayer(&world.ctx, world.mode, id, &tokens.grant_id, &origin)
        .await
        .unwrap();
    let seats = format!("LIVE#ORGANIZATION#{organization_id}#SEATS");
    let written = world.cloud.take_written();
    assert_eq!(written.iter().filter(|pk| **pk == seats).count(), 2);
    for pk in written {
        assert!(statements("OAuth").iter().any(|it| it.allows(&pk)), "{pk}");
    }
}

/// Checks that the writes since the last call are within the function's role.
pub(super) fn assert_within(function: &str, world: &World) {
    let (batched, written) = (world.cloud.take_batched(), world.cloud.take_written());
    // A message that arrives before its job is due needs no write.
    assert!(!written.is_empty() || function == "Relay", "{function} wrote nothing");
    let statements = statements(function);
    for pk in written {
        assert!(statements.iter().any(|s| s.allows(&pk)), "{function} may not write {pk}");
    }
    for pk in batched {
        let allowed = statements.iter().any(|it| it.batches && it.allows(&pk));
        assert!(allowed, "{function} may not write {pk} in a batch");
    }
}

#[tokio::test]
async fn every_function_writes_what_its_role_allows_and_nothing_else() {
    let receiver = Receiver::start(Behaviour::status("410 Gone", "", "")).await;
    let (world, demo) = World::with_demo(&receiver.url).await;
    let issuer = world.caller("Issuer", "1001234509").await;
    let oasis = demo.taxpayers[1].participant_id.tin().unwrap();
    world.cloud.take_written();

    let authorization = format!("Api-Key {}", demo.api_keys.sandbox);
    let key = Credentials { authorization: Some(&authorization), ..Credentials::default() };
    authorize_organization(&world.ctx, &counting(), key).await.unwrap();
    let named = Some(demo.taxpayers[0].taxpayer_id.as_str());
    let for_taxpayer = Credentials { taxpayer_id: named, ..key };
    authorize(&world.ctx, &counting(), for_taxpayer, &Scope::ALL).await.unwrap();
    send(&world.sending, &issuer, Invoice, &invoice("A-1", oasis), Some("a")).await.unwrap();
    let wrong: Value = serde_json::json!({});
    send(&world.sending, &issuer, Invoice, &wrong, Some("b")).await.unwrap_err();
    send_queued(&world.sending, &issuer, &invoice("A-2", oasis), Some("c")).await.unwrap();
    assert_within("Api", &world);

    world.stream().await;
    assert_within("Relay", &world);
    for (queue, function) in [("convert", "Convert"), ("dispatch", "Dispatch")] {
        for message in world.cloud.receive(queue) {
            let message = message.read();
            match queue {
                "convert" => job::run(&Convert(world.sending.clone()), &message).await.unwrap(),
                _ => job::run(&Dispatch(world.sending.clone()), &message).await.unwrap(),
            }
        }
        assert_within(function, &world);
        world.stream().await;
        world.cloud.take_written();
    }
    let delivering = Delivering {
        ctx: world.ctx.clone(),
        queue: world.relaying.deliver.clone(),
        client: Client::new(Egress::Any).unwrap(),
        sealing_key: sealing_key().into(),
        open_breakers: crate::service::deliver::OpenBreakers::default(),
    };
    let messages: Vec<DeliverMessage> =
        world.cloud.receive("deliver").iter().map(|message| message.read()).collect();
    assert!(!messages.is_empty());
    deliver::deliver(&delivering, &messages[0]).await.unwrap();
    assert_within("Webhook", &world);

    let file = format!("{}\n", invoice("A-4", oasis)).into_bytes();
    let new = NewImport { operation: Invoice, name: None, file };
    let again = NewImport { file: [&new.file[..], b"\n"].concat(), ..new.clone() };
    for idempotency_key in [None, Some("k")] {
        let requested = Requested { by: By::operator(), new: new.clone(), idempotency_key };
        imports::take(&world.sending, &issuer, requested, render_import).await.unwrap();
        assert_within("Api", &world);
    }
    let (asked_by, grant_ids) = (issuer.credential.clone(), issuer.grant_ids.clone());
    let asking = Asking { asked_by, grant_ids, by: By::operator() };
    let portal = world.portal("https://portal.example.com");
    let held = imports::hold(&portal, (&issuer).into(), again).await.unwrap();
    let (reading, taxpayer) = (portal.reading(), &issuer.taxpayer);
    let wanted = (Invoice, held.as_str());
    imports::look(&reading, (&issuer).into(), taxpayer, wanted).await.unwrap();
    let wanted = (Invoice, held.as_str(), None);
    imports::take_held(&portal, (&issuer).into(), asking, wanted).await.unwrap();
    assert_within("Portal", &world);
    world.stream().await;
    assert_within("Relay", &world);
    world.run("imports", &world.importing()).await;
    assert_within("Imports", &world);

    let mut logo = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(9, 9).write_to(&mut logo, image::ImageFormat::Png).unwrap();
    let (mode, id) = (taxpayer.mode, &taxpayer.taxpayer_id);
    let (by, organization_id) = (&By::operator(), Some(&issuer.organization_id));
    let change = logos::LogoChange { mode, taxpayer_id: id, by, organization_id };
    logos::replace(&reading, change, logo.into_inner()).await.unwrap();
    logos::remove(&reading, change).await.unwrap();
    assert_within("OAuth", &world);

    let year = Period { from: date(2026, 1, 1), to: date(2026, 12, 31) };
    archives::create(&world.ctx, issuer.reader(), None, year).await.unwrap();
    assert_within("Api", &world);
    let but_a_day = Period { to: date(2026, 12, 30), ..year };
    archives::create(&world.ctx, issuer.reader(), None, but_a_day).await.unwrap();
    assert_within("OAuth", &world);
    world.stream().await;
    assert_within("Relay", &world);
    world.run("archives", &world.archiving()).await;
    assert_within("Archives", &world);

    send(&world.sending, &issuer, Invoice, &invoice("A-3", oasis), None).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(SignedDuration::from_mins(20));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
}

#[tokio::test]
async fn what_is_abandoned_takes_no_function_beyond_its_role() {
    let (world, _network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    world.endpoint(&sender.organization_id, &[]).await;
    let body = super::reports::body("A-1", super::reports::NOBODY);
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    let body = super::reports::body("A-2", super::reports::NOBODY);
    send_queued(&world.sending, &sender, &body, Some("k")).await.unwrap();
    world.cloud.take_written();
    // Waiting jobs are rescheduled and abandoned at last: a document with its report, and the events.
    let broken = world.without_queues();
    loop {
        let waiting = [world.next_due().await, world.next_tax_report().await].into_iter().flatten();
        let Some(due) = waiting.map(|(due, _)| due).min() else { break };
        world.clock.advance(due.duration_since(world.now()).max(SignedDuration::ZERO));
        sweep::sweep(&broken).await;
    }
    let tax_reports = world.tax_reports().await;
    assert!(
        tax_reports.iter().all(|tax_report| tax_report.status == TaxReportStatus::Failed),
        "{tax_reports:?}"
    );
    let mut statuses: Vec<_> = world.documents().await.iter().map(|it| it.status).collect();
    statuses.retain(|status| *status == Status::Failed);
    assert_eq!((tax_reports.len(), statuses.len()), (1, 1));
    let written = world.cloud.take_written();
    for function in ["Sweep", "Relay"] {
        let statements = statements(function);
        // Only a sweep notes what it saw.
        let own = written.iter().filter(|pk| function == "Sweep" || !pk.ends_with("#SWEEP"));
        for pk in own {
            assert!(statements.iter().any(|it| it.allows(pk)), "{function} may not write {pk}");
        }
    }
}

#[tokio::test]
async fn who_prints_notes_who_asked_and_writes_nothing_else() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let id = &caller.taxpayer.taxpayer_id;
    let key = world.api_key(&caller.organization_id).await;
    let session = sessions::begin(&world.ctx, world.mode, id, Origin::default()).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(sessions::SEEN_EVERY);
    // One use by the API, and one by a person's page.
    world.authorize(&key, &caller.taxpayer, None, &[Scope::InvoicesRead]).await.unwrap();
    assert_within("Pdf", &world);
    assert!(sessions::current(&world.ctx, world.mode, &session).await.unwrap().is_some());
    assert_within("Pdf", &world);
}

#[tokio::test]
async fn live_documents_take_no_function_beyond_its_role() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    world.cloud.take_written();
    let body = |number| invoice(number, "1009876543");
    send(&world.sending, &sender, Invoice, &body("A-1"), Some("a")).await.unwrap();
    send_queued(&world.sending, &sender, &body("A-2"), Some("b")).await.unwrap();
    assert_within("Api", &world);
    for (queue, function) in [("convert", "Convert"), ("dispatch", "Dispatch")] {
        world.stream().await;
        world.cloud.take_written();
        for message in world.cloud.receive(queue) {
            let (sending, message) = (&world.sending, message.read());
            match queue {
                "convert" => job::run(&Convert(sending.clone()), &message).await.unwrap(),
                _ => job::run(&Dispatch(sending.clone()), &message).await.unwrap(),
            }
        }
        assert_within(function, &world);
    }
    assert_eq!(network.taken().len(), 2);
}

#[tokio::test]
async fn those_who_receive_and_validate_messages_write_what_their_roles_allow() {
    let (world, network) = World::live().await;
    network.register("0242:000002");
    let buyer = world.caller("Oasis", BUYER).await;
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    world.endpoint_at(&buyer.organization_id, &receiver.url).await;
    world.cloud.take_written();
    let status = include_bytes!("../../peppol/mls/samples/good/MessageLevelStatus_Example_RE.xml");
    for parcel in [Parcel::invoice("A-1"), Parcel::status(status)] {
        assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    }
    assert_within("Inbound", &world);
    world.stream().await;
    assert_within("Relay", &world);
    world.run("judge", &world.validating()).await;
    assert_within("Judge", &world);
    world.stream().await;
    assert_within("Relay", &world);
    let delivering = world.healthy().delivering;
    for message in world.cloud.receive("deliver") {
        deliver::deliver(&delivering, &message.read()).await.unwrap();
    }
    assert_within("Webhook", &world);
    world.stream().await;
    world.cloud.take_written();
    world.run("answer", &world.answering()).await;
    assert_within("Answer", &world);
    assert_eq!(network.taken().len(), 1);

    // Another message that is retrieved, and one that waits for the sweeper.
    for number in ["A-2", "A-3"] {
        assert_eq!(
            Parcel::invoice(number).pack().arrive(&world.receiving()).await,
            Arrival::Receipt
        );
    }
    world.stream().await;
    world.run("judge", &world.validating()).await;
    let documents = world.documents().await;
    let retrieved = documents.iter().find(|document| document.number == "A-2").unwrap();
    world.cloud.take_written();
    crate::testing::ubl(&world.sending, &buyer, retrieved.document_id.as_str()).await.unwrap();
    assert_within("Api", &world);
    world.clock.advance(SignedDuration::from_mins(31));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
    assert_eq!(world.cloud.receive("answer").len(), 2);
}

#[tokio::test]
async fn a_status_that_settles_a_document_takes_no_function_beyond_its_role() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    // The send is unconfirmed at first, so that its list must change.
    network.takes_first(&[Takes::AndHangsUp, Takes::CallsDuplicate]);
    let body = invoice("A-1", "1009876543");
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap_err();
    let (due, place) = world.next_due().await.unwrap();
    world.clock.advance(due.duration_since(world.now()));
    sweep::take_up(&world.relaying, &place).await;
    world.work().await;
    let [document] = world.documents().await.try_into().unwrap();
    let status = Parcel::status(&accepted(&(&document.message_id).into(), world.now()));
    assert_eq!(status.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    world.stream().await;
    world.cloud.take_written();
    world.run("judge", &world.validating()).await;
    assert_within("Judge", &world);
    let [document] = world.documents().await.try_into().unwrap();
    assert_eq!(document.status, Status::Delivered);
}

#[tokio::test]
async fn who_reports_writes_what_the_role_allows_and_nothing_of_the_sandbox() {
    let (world, network) = World::live().await;
    let authority = network.authority().await;
    network.register("0235:1009876543");
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    for number in ["A-1", "A-2"] {
        let body = invoice(number, "1009876543");
        send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    }
    world.stream().await;
    // One report is submitted after a failed attempt, and one is refused.
    authority.takes_first(&[Takes::Status(503), Takes::Refuses(Rule::Sbdh)]);
    let tax_report = world.tax_reporting();
    for again in [true, false] {
        world.cloud.take_written();
        for message in world.cloud.receive("report") {
            crate::service::job::run(&tax_report, &message.read()).await.unwrap();
        }
        assert_within("Report", &world);
        if again {
            world.clock.advance(SignedDuration::from_mins(20));
            sweep::sweep(&world.relaying).await;
            assert_within("Sweep", &world);
        }
    }
    let tax_reports = world.tax_reports().await;
    let statuses: BTreeSet<_> =
        tax_reports.iter().map(|tax_report| tax_report.status.as_str()).collect();
    assert_eq!(statuses, BTreeSet::from(["failed", "submitted"]));
    let submitted = authority.taken().remove(0).instance_id.parse().unwrap();
    let verdict = mls::Verdict::Accepted(mls::Acceptance::default());
    let parcel = Parcel::verdict("V-1", &submitted, verdict);
    assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    world.stream().await;
    world.cloud.take_written();
    world.run("judge", &world.validating()).await;
    assert_within("Judge", &world);
    for statement in statements("Report") {
        assert!(statement.patterns.iter().all(|it| it.starts_with("LIVE#")), "{statement:?}");
    }
}

#[tokio::test]
async fn who_reports_to_openpeppol_writes_what_the_role_allows() {
    let scene = super::peppol_reports::Scene::new().await;
    let world = &scene.world;
    peppol_reports::make_due(&scene.reporting).await.unwrap();
    assert_within("Report", world);
    world.stream().await;
    assert_within("Relay", world);
    world.run("report", &scene.reporting).await;
    assert_eq!(scene.network.taken().len(), 2);
    assert_within("Report", world);
    let report = "LIVE#MONTHLY#2026-10";
    for function in FUNCTIONS {
        let writes = statements(function).iter().any(|it| it.allows(report));
        assert_eq!(writes, ["Report", "Relay", "Sweep"].contains(&function), "{function}");
    }
    // A report that the relay missed.
    let again = super::peppol_reports::Scene::new().await;
    peppol_reports::make_due(&again.reporting).await.unwrap();
    again.world.cloud.take_written();
    again.world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&again.world.relaying).await;
    assert_within("Sweep", &again.world);
}

#[tokio::test]
async fn who_registers_taxpayers_writes_what_the_roles_allow() {
    let (world, network) = World::live().await;
    let registers = Registers::start(&network).await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (ctx, id) = (&world.ctx, &caller.taxpayer.taxpayer_id);
    world.cloud.take_written();
    let entities = vec![BusinessEntity { country: "AE".to_owned(), ..BusinessEntity::default() }];
    business_cards::put_card(ctx, &caller.taxpayer, entities.clone()).await.unwrap();
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    business_cards::put_card(ctx, &caller.taxpayer, entities).await.unwrap();
    assert_within("Api", &world);
    register::withdraw(ctx, Mode::Live, id).await.unwrap();
    world.cloud.take_written();
    world.stream().await;
    assert_within("Relay", &world);
    registers.tell_first(&[Tells::Status(503), Tells::Status(403)]);
    let registries = Some(Arc::new(registers.registries()));
    let lease = world.sending.settings.lease;
    let sealing_keys = sealing_key().into();
    let registering =
        Registering { ctx: ctx.clone(), registries, national_portal: None, sealing_keys, lease };
    world.run("register", &Registration(registering.clone())).await;
    world.clock.advance(SignedDuration::from_mins(5));
    assert_within("Register", &world);
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
}

#[tokio::test]
async fn who_connects_applications_writes_no_more_than_its_role_may() {
    let world = World::new().await;
    let ctx = &world.ctx;
    let organization_id = world.organization("Integrator").await;
    // The items that the operator creates.
    let made = world.client(world.mode, &organization_id).await;
    world.cloud.take_written();
    let email = Some("accounts@example.com".parse().unwrap());
    let wish = Wish { tin: None, name: "Falcon", email, place: "192.0.2.1" };
    let Onboarded::Active(taxpayer) = simulate(ctx, wish).await.unwrap() else {
        panic!("no test business was made")
    };
    let session =
        sessions::begin(ctx, world.mode, &taxpayer.taxpayer_id, Origin::default()).await.unwrap();
    sessions::end(ctx, world.mode, &session, Origin::default()).await.unwrap();
    sessions::end_all(ctx, world.mode, &taxpayer.taxpayer_id, &By::operator()).await.unwrap();
    let tokens = world.tokens_of(&made, &taxpayer, &Scope::ALL).await;
    let credentials = ClientCredentials {
        client_id: made.0.client_id.to_string(),
        client_secret: made.1.reveal().to_owned(),
    };
    let client = authenticate(ctx, &credentials).await.unwrap();
    let next = refresh(ctx, &client, tokens.refresh_token.reveal(), None).await.unwrap();
    revoke(ctx, &client, next.access_token.reveal()).await.unwrap();
    let later = refresh(ctx, &client, next.refresh_token.reveal(), None).await.unwrap();
    // The second use of a token ends all of them, and the taxpayer is notified.
    assert!(refresh(ctx, &client, tokens.refresh_token.reveal(), None).await.is_err());
    revoke(ctx, &client, later.refresh_token.reveal()).await.unwrap();
    let origin = Origin::default();
    grants::revoke_as_taxpayer(ctx, world.mode, &taxpayer.taxpayer_id, &tokens.grant_id, &origin)
        .await
        .unwrap();
    assert_within("OAuth", &world);
}

#[tokio::test]
async fn who_sends_mails_writes_mails_and_links_alone() {
    let world = World::new().await;
    let address = "accounts@example.com".parse().unwrap();
    world.registered("Falcon", "1001234501", &address).await;
    let browser = OpaqueToken::generate(&*world.ctx.random);
    let ask = || Ask {
        mode: world.mode,
        address: address.clone(),
        browser: &browser,
        place: "192.0.2.1",
        language: Language::English,
        then: Then::account(world.mode),
    };
    sign_in::ask(&world.ctx, ask()).await.unwrap();
    world.cloud.take_written();
    world.stream().await;
    assert_within("Relay", &world);
    let mailing = world.mailing("https://portal.example.com");
    world.run("mail", &mailing).await;
    assert_within("Mail", &world);
    assert_eq!(world.cloud.mails().len(), 1);
    // A mail that the relay missed.
    sign_in::ask(&world.ctx, ask()).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
    for pk in ["LIVE#SESSION#0a", "SANDBOX#SIGNIN#mail_1", "LIVE#EMAIL#0a"] {
        // The addresses of Live taxpayers come from the national portal.
        let may = |function: &str| match function {
            "OAuth" => true,
            "Register" => pk.starts_with("LIVE#EMAIL#"),
            // A member may change from one mode to the other without another mail.
            // A person who signs up uses a link there.
            "Portal" => pk.contains("#SESSION#") || pk.starts_with("SANDBOX#SIGNIN#"),
            // Only the use of the session is recorded.
            "Pdf" => pk.contains("#SESSION#"),
            _ => false,
        };
        for function in FUNCTIONS.into_iter().filter(|function| !may(function)) {
            assert!(!statements(function).iter().any(|it| it.allows(pk)), "{function}: {pk}");
        }
    }
}

#[tokio::test]
async fn who_signs_up_makes_an_organization_and_its_owner_alone() {
    let world = World::new().await;
    let browser = OpaqueToken::generate(&*world.ctx.random);
    let ask = Ask {
        mode: Mode::Sandbox,
        address: "ada@books.example".parse().unwrap(),
        browser: &browser,
        place: "192.0.2.1",
        language: Language::English,
        then: Then::organization(Mode::Sandbox),
    };
    world.cloud.take_written();
    sign_up::ask(&world.ctx, ask, "Books").await.unwrap();
    assert_within("Portal", &world);
    world.stream().await;
    world.run("mail", &world.mailing("https://portal.example.com")).await;
    assert_within("Mail", &world);
    let mail = world.cloud.mails().pop().unwrap();
    let token = mail.text.split_once("token=").unwrap().1.lines().next().unwrap().parse().unwrap();
    let origin = Origin::default();
    let press = Press { token: &token, browser: &browser, chosen: None, before: None, origin };
    let made = sign_up::confirm(&world.ctx, Mode::Sandbox, press).await.unwrap();
    assert!(matches!(made, sign_up::Link::Good(_)), "{made:?}");
    assert_within("Portal", &world);
    // Nobody makes an organization in Live, and nothing of an organization but the record itself in this way.
    for pk in ["LIVE#ORGANIZATION#org_0", "SANDBOX#ORGANIZATION#org_0#QUOTA"] {
        assert!(!statements("Portal").iter().any(|it| it.allows(pk)), "{pk}");
    }
}

#[tokio::test]
async fn a_report_that_is_filed_again_takes_no_function_beyond_its_role() {
    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (taxpayer_id, organization) = (&caller.taxpayer.taxpayer_id, &caller.organization_id);
    let (direction, status) = (Direction::Outbound, TaxReportStatus::Failed);
    let (document, _) = world.reported(taxpayer_id, organization, direction, status).await;
    world.cloud.take_written();
    let request = ResubmissionRequest {
        document_id: document.document_id.as_str(),
        body: Ok(()),
        idempotency_key: Some("k"),
    };
    let render = |_: Report| Reply { status: 202, body: Vec::new() };
    resubmission::resubmit(&world.sending, &caller, request, render).await.unwrap();
    assert_within("Api", &world);
    world.stream().await;
    assert_within("Relay", &world);
}

#[tokio::test]
async fn who_manages_webhooks_and_who_delivers_write_what_their_roles_allow() {
    let desk = super::webhooks::Desk::new().await;
    let (world, organization_id) = (&desk.world, &desk.organization_id);
    let (notifying, by) = (world.notifying(), By::operator());
    let (mode, id, ctx) = (world.mode, &desk.endpoint_id, &world.ctx);
    world.cloud.take_written();
    let key = world.api_key(organization_id).await;
    let authorization = format!("Api-Key {}", key.reveal());
    world.cloud.take_written();
    let key = Credentials { authorization: Some(&authorization), ..Credentials::default() };
    authorize_organization(ctx, &counting(), key).await.unwrap();
    let off = EndpointPatch { enabled: Some(false), ..EndpointPatch::default() };
    let on = EndpointPatch { enabled: Some(true), ..EndpointPatch::default() };
    for patch in [off, on] {
        webhooks::patch(&notifying, mode, organization_id, id, &patch, &by).await.unwrap();
    }
    webhooks::rotate(&notifying, mode, organization_id, id, false, &by).await.unwrap();
    let wanted =
        webhooks::EndpointSettings { url: desk.receiver.url.clone(), ..Default::default() };
    let made = webhooks::create(&notifying, mode, organization_id, wanted, &by).await.unwrap();
    let second = &made.endpoint.endpoint_id;
    webhooks::delete(ctx, mode, organization_id, second, &by).await.unwrap();
    let kind = EventType::DocumentSent;
    let due = tools::test(ctx, mode, organization_id, id, kind, None, &by).await.unwrap();
    tools::retry(ctx, mode, organization_id, &due.event_id, id, false, &by).await.unwrap();
    assert_within("Hooks", world);

    world.stream().await;
    assert_within("Relay", world);
    desk.receiver.behave(Behaviour::status("410 Gone", "", ""));
    desk.joins("dev@example.com", Role::Developer).await;
    world.cloud.take_written();
    let delivering = world.healthy().delivering;
    for message in world.cloud.receive("deliver") {
        deliver::deliver(&delivering, &message.read()).await.unwrap();
    }
    let written = world.cloud.take_written();
    for kind in ["#ENDPOINTS", "#AUDIT", "#ATTEMPTS#", "#MAIL#"] {
        assert!(written.iter().any(|pk| pk.contains(kind)), "{kind}");
    }
    for pk in written {
        assert!(statements("Webhook").iter().any(|it| it.allows(&pk)), "{pk}");
    }
}
