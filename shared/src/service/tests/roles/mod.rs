//! The writes of each function, compared with its role. The template's roles limit kinds of items by patterns of their
//! partition keys.

mod network;
mod people;

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

const TEMPLATE: &str = include_str!("../../../../../template.yaml");

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

/// The text of a resource of the template.
fn resource(name: &str) -> &'static str {
    let text = TEMPLATE.split_once(&format!("\n  {name}:\n")).unwrap().1;
    // Up to the next resource.
    let mut lines = text.match_indices("\n  ").map(|(at, _)| at);
    let end = lines.find(|at| !text[at + 3..].starts_with([' ', '\n'])).unwrap();
    &text[..end]
}

/// The names of the template's policies of functions: those that name the roles they are attached to, or the others.
fn policies(attached: bool) -> Vec<&'static str> {
    let names = TEMPLATE.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.strip_suffix(':')?;
        (!name.starts_with(' ') && name.ends_with("Policy")).then_some(name)
    });
    let of_functions = names.filter(|name| {
        let policy = resource(name);
        policy.contains("AWS::IAM::ManagedPolicy") && policy.contains("Roles: [") == attached
    });
    of_functions.collect()
}

/// The statements of a function's policies that allow writes.
fn statements(function: &str) -> Vec<Statement> {
    let found = writing(function);
    assert!(!found.is_empty(), "{function} writes something");
    found
}

fn writing(function: &str) -> Vec<Statement> {
    let role = format!("!Ref {function}Role");
    let attached = policies(true).into_iter().map(resource).filter(|policy| policy.contains(&role));
    let policies = attached.chain([resource(&format!("{function}Policy"))]);
    let writes = |statement: &&str| {
        ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQL", "dynamodb:*"]
            .iter()
            .any(|action| statement.contains(action))
    };
    let found = policies.flat_map(|it| it.split("Sid:").skip(1)).filter(writes).map(|statement| {
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
    let policies = policies(false);
    assert_eq!(policies.len(), FUNCTIONS.len() + READERS.len(), "{policies:?}");
    for function in READERS {
        assert!(writing(function).is_empty(), "{function} writes");
    }
}

#[test]
fn who_shows_the_documentation_may_do_nothing() {
    let policy = resource("DocsPolicy");
    assert!(!policy.contains("Effect: Allow") && policy.matches("Sid:").count() == 1, "{policy}");
    let denied = "NotAction: [logs:CreateLogStream, logs:PutLogEvents], Resource: \"*\"";
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

/// Checks that there were no writes since the last call: a message that arrives before its job is due needs no note.
pub(super) fn assert_wrote_nothing(function: &str, world: &World) {
    let (batched, written) = (world.cloud.take_batched(), world.cloud.take_written());
    assert!(batched.is_empty() && written.is_empty(), "{function} wrote {written:?}");
}

/// Checks that the writes since the last call are within the function's role.
pub(super) fn assert_within(function: &str, world: &World) {
    let (batched, written) = (world.cloud.take_batched(), world.cloud.take_written());
    assert!(!written.is_empty(), "{function} wrote nothing");
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
    assert_wrote_nothing("Relay", &world);
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
    assert_wrote_nothing("Relay", &world);
    world.run("archives", &world.archiving()).await;
    assert_within("Archives", &world);

    send(&world.sending, &issuer, Invoice, &invoice("A-3", oasis), None).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(SignedDuration::from_mins(20));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
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
    assert_wrote_nothing("Relay", world);
    // A long answer is an item of its own.
    desk.receiver.behave(Behaviour::status("410 Gone", "", &"gone ".repeat(300)));
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
