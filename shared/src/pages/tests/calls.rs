//! The number of calls of each page to the table, after the session is known: a query for each shard of what it lists,
//! whatever the amount of data, and reads by key.

#![expect(clippy::print_stdout, reason = "the figures are what the test is for")]

use std::collections::BTreeMap;

use super::*;
use crate::{
    access::{Holder, Origin, Role, Scope},
    document::Operation,
    service::{
        Notifying, sessions,
        webhooks::{self, tools},
    },
    store::{
        EventType,
        keys::{AWAITED_SHARDS, EVENT_SHARDS},
    },
    testing::{Metered, invoice, send},
    types::Mode,
    webhook::receiver::{Behaviour, Receiver},
};

/// Maximum queries of a page, and of the start page of an organization. That reads every shard of the events, of what is
/// awaited (where earlier versions had one more), and of the deliveries to its one endpoint.
const MOST_QUERIES: usize = EVENT_SHARDS as usize + 1;
const MOST_QUERIES_AT_START: usize = 4 + 2 * EVENT_SHARDS as usize + AWAITED_SHARDS as usize + 1;

/// The number of reads and queries by name.
fn counted(calls: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for call in calls {
        *counts.entry(call.as_str()).or_default() += 1;
    }
    counts
}

/// The calls of a page without `who`, the calls that check the session.
async fn read(browser: &mut Browser, metered: &Metered, path: &str, who: &[String]) -> String {
    metered.meter.take();
    let given = browser.get(path).await;
    assert_eq!(given.status, StatusCode::OK, "{path}: {}", given.text());
    let calls = metered.meter.take().calls;
    let mut counts = counted(&calls);
    for (call, count) in counted(who) {
        let of_page = counts.get_mut(call).unwrap_or_else(|| panic!("{path}: {calls:?}"));
        *of_page -= count;
    }
    let queries = counts.get("Query").copied().unwrap_or_default();
    let is_start = path.ends_with("/organization");
    let most = if is_start { MOST_QUERIES_AT_START } else { MOST_QUERIES };
    assert!(queries <= most, "{path} takes {queries} queries");
    let shown = counts.into_iter().filter(|(_, count)| *count > 0);
    let shown: Vec<_> = shown.map(|(call, count)| format!("{count} {call}")).collect();
    let shown = shown.join(", ");
    println!("{path}: {shown}");
    shown
}

/// The calls of a request that is refused directly after the session check.
async fn who(
    browser: &mut Browser,
    metered: &Metered,
    path: &str,
    status: StatusCode,
) -> Vec<String> {
    // The first request records the use of the session.
    browser.get(path).await;
    metered.meter.take();
    assert_eq!(browser.get(path).await.status, status);
    let calls = metered.meter.take().calls;
    println!("who asks: {calls:?}");
    calls
}

async fn signed_in(world: &World, router: &Router, holder: impl Into<Holder>) -> Browser {
    let mut browser = Browser::new(router.clone());
    let session = sessions::begin(&world.ctx, Mode::Sandbox, holder, Origin::default()).await;
    let cookie = crate::pages::cookies::session(Mode::Sandbox).to_owned();
    browser.cookies.insert(cookie, session.unwrap().reveal().to_owned());
    browser
}

#[tokio::test]
async fn a_page_reads_no_more_than_the_table_of_figures_says() {
    let world = World::new().await;
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let address = "accounts@falcon.example".parse().unwrap();
    let falcon = world.registered("Falcon", "1001234501", &address).await;
    let id = world.organization("Integrator").await;
    world.grant(&id, &falcon, &Scope::ALL).await;
    let key = world.api_key(&id).await;
    let caller = world.authorize(&key, &falcon, None, &[Scope::InvoicesWrite]).await.unwrap();
    let by = crate::access::By::operator();
    let wanted = webhooks::EndpointSettings { url: receiver.url.clone(), ..Default::default() };
    let made = webhooks::create(&world.notifying(), Mode::Sandbox, &id, wanted, &by).await;
    let endpoint = made.unwrap().endpoint.endpoint_id;
    let body = invoice("A-1", "1009999901");
    let sent = send(&world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
    let kind = EventType::DocumentReported;
    let test = tools::test(&world.ctx, Mode::Sandbox, &id, &endpoint, kind, None, &by).await;
    let event = test.unwrap().event_id;
    world.settle().await;

    let metered = world.metered();
    let ctx = metered.sending.ctx.clone();
    let notifying = Notifying { ctx: ctx.clone(), ..world.notifying() };
    let portal = crate::service::Portal {
        ctx,
        notifying: Some(Arc::new(notifying)),
        ..world.portal(ORIGIN)
    };
    let pages = crate::pages::organization::routes(Router::new());
    let router = router(Arc::new(portal), pages);

    let owner = world.member(&id, "owner@integrator.example".parse().unwrap(), Role::Owner).await;
    let viewer =
        world.member(&id, "viewer@integrator.example".parse().unwrap(), Role::Viewer).await;
    let mut refused = signed_in(&world, &router, &viewer).await;
    let audit = "/sandbox/organization/audit";
    let of_member = who(&mut refused, &metered, audit, StatusCode::FORBIDDEN).await;
    assert_eq!(of_member.len(), 2, "the session, and who holds it: {of_member:?}");
    let taxpayer = format!("taxpayers/{}", falcon.taxpayer_id);
    let document = format!("{taxpayer}/documents/{}", sent.document_id);
    let mut browser = signed_in(&world, &router, &owner).await;
    browser.get(audit).await;
    let mut wrong = Vec::new();
    for (path, figures) in [
        ("", "7 BatchGetItem, 2 GetItem, 37 Query"),
        ("/documents", "2 BatchGetItem, 1 GetItem, 8 Query"),
        ("/members", "1 Query"),
        ("/sessions", "1 BatchGetItem, 1 GetItem, 1 Query"),
        ("/taxpayers", "1 BatchGetItem, 1 Query"),
        (&*format!("/{taxpayer}"), "1 BatchGetItem"),
        (&*format!("/{taxpayer}/documents"), "2 BatchGetItem, 1 GetItem, 4 Query"),
        (&*format!("/{taxpayer}/imports"), "1 BatchGetItem, 1 Query"),
        (&*format!("/{document}"), "1 BatchGetItem, 2 GetItem, 1 Query"),
        ("/events", "3 BatchGetItem, 8 Query"),
        (&*format!("/events/{event}"), "1 BatchGetItem, 1 GetItem, 2 Query"),
        (&*format!("/events/{event}/{endpoint}"), "3 GetItem, 1 Query"),
        ("/webhooks/verify", ""),
        ("/webhooks", "2 BatchGetItem, 1 GetItem, 1 Query"),
        (&*format!("/webhooks/{endpoint}"), "2 BatchGetItem, 8 Query"),
        (&*format!("/webhooks/{endpoint}/change"), "2 BatchGetItem, 1 Query"),
        ("/keys", "1 BatchGetItem, 1 Query"),
        ("/clients", "1 Query"),
        ("/billing", "2 BatchGetItem, 2 GetItem"),
        ("/audit", "2 BatchGetItem, 1 Query"),
    ] {
        let path = format!("/sandbox/organization{path}");
        let found = read(&mut browser, &metered, &path, &of_member).await;
        wrong.extend((found != figures).then(|| format!("{path}: {found}")));
    }

    let mut browser = signed_in(&world, &router, &falcon.taxpayer_id).await;
    let nothing = format!("/sandbox/documents/{}/nothing", sent.document_id);
    let of_taxpayer = who(&mut browser, &metered, &nothing, StatusCode::NOT_FOUND).await;
    assert_eq!(of_taxpayer.len(), 2, "the session, and who holds it: {of_taxpayer:?}");
    for (path, figures) in [
        ("/account", "2 BatchGetItem, 2 GetItem, 1 Query"),
        ("/account/business", "4 GetItem"),
        ("/account/archives", "1 Query"),
        ("/account/settings", "1 BatchGetItem"),
        ("/documents", "1 BatchGetItem, 4 Query"),
        (&*format!("/documents/{}", sent.document_id), "3 GetItem"),
    ] {
        let path = format!("/sandbox{path}");
        let found = read(&mut browser, &metered, &path, &of_taxpayer).await;
        wrong.extend((found != figures).then(|| format!("{path}: {found}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
