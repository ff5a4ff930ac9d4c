//! Endpoints, deliveries and events in the portal of organizations: lists and filters, retries, and the size of the
//! largest pages.

use jiff::SignedDuration;

use super::{
    documents::{MAX_PAGE, keep},
    organization::Scene,
    *,
};
use crate::{
    access::{By, Role, Scope, Taxpayer},
    document::Operation,
    service::{
        grants,
        webhooks::{self, MAX_DESCRIPTION, MAX_ENDPOINTS, MAX_TAXPAYERS, MAX_URL, tools},
    },
    store::{
        AttemptAnswer, AttemptRecord, AttemptResult, DeliveryRecord, DeliveryState, DeliveryStatus,
        EventType,
        keys::{DeliveryList, Key},
    },
    testing::{invoice, send},
    types::{EndpointId, EventId, Mode},
    webhook::Secret,
};

const WEBHOOKS: &str = "/sandbox/organization/webhooks";
const EVENTS: &str = "/sandbox/organization/events";
const RETRY: &str = "/sandbox/organization/events/retry";
const RETRY_FAILED: &str = "/sandbox/organization/webhooks/retry-failed";

impl Scene {
    pub(super) async fn endpoint(&self, url: &str) -> EndpointId {
        let wanted = webhooks::EndpointSettings {
            url: url.to_owned(),
            ..webhooks::EndpointSettings::default()
        };
        self.endpoint_of(wanted).await
    }

    async fn endpoint_of(&self, wanted: webhooks::EndpointSettings) -> EndpointId {
        let (notifying, by) = (self.world.notifying(), By::operator());
        let (ctx, keys) = (&notifying.ctx, &notifying.sealing_keys);
        let secret = Secret::new(&*ctx.random);
        let made = webhooks::make(ctx, keys, (Mode::Sandbox, &self.id), wanted, secret, &by).await;
        made.unwrap().endpoint.endpoint_id
    }

    /// A test event that waits for an endpoint.
    pub(super) async fn made_up(&self, endpoint: &EndpointId) -> EventId {
        let (ctx, by, kind) = (&self.world.ctx, By::operator(), EventType::DocumentReported);
        let due = tools::test(ctx, Mode::Sandbox, &self.id, endpoint, kind, None, &by).await;
        due.unwrap().event_id
    }

    async fn delivery(&self, event: &EventId, endpoint: &EndpointId) -> DeliveryRecord {
        let store = &self.world.ctx.store;
        let found = store.get_delivery(Mode::Sandbox, &self.id, event, endpoint).await;
        found.unwrap().unwrap()
    }

    /// Stores a delivery in the state after some attempts.
    pub(super) async fn came_to(
        &self,
        status: DeliveryStatus,
        results: &[AttemptResult],
        of: (&EventId, &EndpointId),
    ) {
        let (event, endpoint) = of;
        let mut delivery = self.delivery(event, endpoint).await;
        delivery.status = status;
        delivery.attempts = u32::try_from(results.len().max(1)).unwrap();
        delivery.results = results.to_vec();
        let key = Key::delivery(Mode::Sandbox, &self.id, endpoint, event);
        self.world.put(key, &delivery).await;
        if matches!(delivery.state(), DeliveryState::Failing | DeliveryState::Failed) {
            let list = DeliveryList::Failed;
            let key = Key::in_deliveries(Mode::Sandbox, &self.id, endpoint, list, event);
            self.world.put(key, &serde_json::json!({})).await;
        }
    }

    async fn with_status(&self, status: DeliveryStatus) -> usize {
        let all: Vec<DeliveryRecord> = self.world.items("DELIVERY").await;
        all.iter().filter(|delivery| delivery.status == status).count()
    }

    /// A business with a sent document, and its event.
    pub(super) async fn sent(&self) -> (Taxpayer, String) {
        let falcon = self.world.taxpayer("Falcon", "1001234501").await;
        let scopes = [Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite];
        self.world.grant(&self.id, &falcon, &scopes).await;
        let key = self.world.api_key(&self.id).await;
        let writes = [Scope::InvoicesWrite];
        let caller = self.world.authorize(&key, &falcon, None, &writes).await.unwrap();
        let body = invoice("A-1", "1009876543");
        let sent = send(&self.world.sending, &caller, Operation::Invoice, &body, None).await;
        self.world.stream().await;
        (falcon, sent.unwrap().document_id.to_string())
    }
}

#[tokio::test]
async fn what_is_sent_again_goes_on_where_it_ended() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    for _ in 0..105 {
        let event = scene.made_up(&endpoint).await;
        scene.came_to(DeliveryStatus::Delivered, &[], (&event, &endpoint)).await;
    }
    let mut browser = scene.browser(Role::Developer).await;
    let path = format!("{WEBHOOKS}/{endpoint}");
    let page = browser.get(&path).await;
    let fields = [("since", "2026-11-13T12:00"), ("delivered", "yes")];
    let sent = browser.submit(&page, RETRY_FAILED, &fields).await;
    let page = browser.get(sent.location()).await;
    assert!(page.text().contains("There are more"), "{}", page.text());
    // A page is read together with its endpoint, by one call for 100 records.
    assert_eq!(scene.with_status(DeliveryStatus::Delivered).await, 105 - 99);
    // The person enters nothing again: the form contains the rest.
    let sent = browser.submit(&page, RETRY_FAILED, &[]).await;
    assert_eq!(scene.with_status(DeliveryStatus::Delivered).await, 0);
    let page = browser.get(sent.location()).await;
    assert!(!page.text().contains("There are more"), "{}", page.text());
    // An invalid position in the list is refused, and sends nothing.
    let hidden = page.hidden(RETRY_FAILED);
    let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let forged: Vec<_> = hidden.chain(fields).chain([("cursor", "x")]).collect();
    let refused = browser.post(RETRY_FAILED, &forged).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_is_sent_again_is_what_was_made_since_the_time_that_was_said() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    let early = scene.made_up(&endpoint).await;
    scene.came_to(DeliveryStatus::Exhausted, &[], (&early, &endpoint)).await;
    scene.world.clock.advance(SignedDuration::from_hours(10 * 24));
    let mut browser = scene.browser(Role::Developer).await;
    let page = browser.get(&format!("{WEBHOOKS}/{endpoint}")).await;
    // 30 November, 12:00 in the UAE, less a week.
    assert!(page.body.contains("name=\"since\" type=\"datetime-local\""), "{}", page.body);
    assert!(page.body.contains("value=\"2026-11-23T12:00\""), "{}", page.body);
    let none = browser.submit(&page, RETRY_FAILED, &[("since", "2026-11-23T12:00")]).await;
    let none = browser.get(none.location()).await;
    assert!(none.text().contains("no events to send again"), "{}", none.text());
    assert_eq!(scene.with_status(DeliveryStatus::Exhausted).await, 1);
    for wrong in ["", "yesterday", "2026-02-30T10:00"] {
        let refused = browser.submit(&page, RETRY_FAILED, &[("since", wrong)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(refused.text().contains("the date and time"), "{}", refused.text());
    }
    // The event was made at 12:00 in the UAE.
    browser.submit(&page, RETRY_FAILED, &[("since", "2026-11-20T12:01")]).await;
    assert_eq!(scene.with_status(DeliveryStatus::Exhausted).await, 1);
    let sent = browser.submit(&page, RETRY_FAILED, &[("since", "2026-11-20T12:00:00")]).await;
    let page = browser.get(sent.location()).await;
    assert!(page.text().contains("being sent again"), "{}", page.text());
    assert_eq!(scene.with_status(DeliveryStatus::Exhausted).await, 0);
}

#[tokio::test]
async fn a_condition_that_says_nothing_is_told_and_lists_nothing() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    scene.made_up(&endpoint).await;
    let mut browser = scene.browser(Role::Owner).await;
    let audit = "/sandbox/organization/audit";
    for (path, conditions) in [
        (
            EVENTS,
            &["taxpayer=x", "document=doc", "type=letter", "from=yesterday", "to=2026-02-30"][..],
        ),
        (audit, &["action=letter", "from=yesterday", "to=2026-02-30"][..]),
        (&*format!("{WEBHOOKS}/{endpoint}"), &["status=lost"][..]),
    ] {
        let all = browser.get(path).await;
        assert!(all.body.contains("<tbody>") && !all.text().contains("is not valid"));
        for condition in conditions {
            let page = browser.get(&format!("{path}?{condition}")).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{path}?{condition}");
            assert!(page.text().contains("is not valid"), "{condition}: {}", page.text());
            assert!(!page.body.contains("<tbody>"), "{condition}: {}", page.body);
        }
    }
    let page = browser.get(&format!("{EVENTS}?taxpayer=x%20y")).await;
    assert!(page.body.contains("value=\"x y\""), "what was entered stays");
}

#[tokio::test]
async fn lists_are_limited_to_days_of_the_uae_and_to_a_state() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    // 20 November, 12:00 in the UAE; and 21 November, 01:00 there, which is the 20th in Greenwich.
    let first = scene.made_up(&endpoint).await;
    scene.world.clock.advance(SignedDuration::from_hours(13));
    let second = scene.made_up(&endpoint).await;
    scene.came_to(DeliveryStatus::Exhausted, &[], (&second, &endpoint)).await;
    let mut browser = scene.browser(Role::Owner).await;
    for (conditions, found) in [
        ("", [true, true]),
        ("?from=2026-11-20&to=2026-11-21", [true, true]),
        ("?to=2026-11-20", [true, false]),
        ("?from=2026-11-21", [false, true]),
        ("?from=2026-11-22", [false, false]),
    ] {
        for path in [EVENTS, "/sandbox/organization/audit?action=event.tested"] {
            let conditions = match path.contains('?') {
                true => conditions.replace('?', "&"),
                false => conditions.to_owned(),
            };
            let page = browser.get(&format!("{path}{conditions}")).await;
            let has = [&first, &second].map(|event| page.body.contains(event.as_str()));
            assert_eq!(has, found, "{path}{conditions}");
        }
    }
    let path = format!("{WEBHOOKS}/{endpoint}");
    for (status, found) in
        [("", [true, true]), ("pending", [true, false]), ("failed", [false, true])]
    {
        let page = browser.get(&format!("{path}?status={status}")).await;
        let has = [&first, &second].map(|event| page.body.contains(event.as_str()));
        assert_eq!(has, found, "{status}");
        assert!(page.body.contains(RETRY_FAILED), "{status}: what failed may be on another page");
    }
    let none = browser.get(&format!("{path}?status=delivered")).await;
    assert!(none.text().contains("No results"), "{}", none.text());
}

#[tokio::test]
async fn pages_of_a_list_keep_its_conditions_and_say_no_more_what_was_done() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    for _ in 0..60 {
        scene.made_up(&endpoint).await;
    }
    let mut browser = scene.browser(Role::Owner).await;
    let one = format!("{WEBHOOKS}/{endpoint}");
    for (path, condition) in [
        (EVENTS, "type=document.reported"),
        ("/sandbox/organization/audit", "action=event.tested"),
        (&one, "status=pending"),
    ] {
        let first = format!("{path}?{condition}");
        let page = browser.get(&format!("{first}&done=changed&lang=en")).await;
        let next = page.attribute("rel=\"next\"", "href");
        assert!(next.starts_with(&format!("{first}&")) && !next.contains("done="), "{next}");
        let page = browser.get(&next).await;
        assert_eq!(page.status, StatusCode::OK, "{next}");
        assert!(page.body.contains(&format!("href=\"{first}\"")), "{first}: {}", page.body);
    }
    let keys = "/sandbox/organization/keys";
    let page = browser.get(keys).await;
    for _ in 0..31 {
        browser.submit(&page, &format!("{keys}/create"), &[("label", "ERP")]).await;
    }
    let page = browser.get(&format!("{keys}?done=revoked")).await;
    assert!(page.text().contains("The key was revoked"));
    assert!(page.attribute("hreflang=\"ar\"", "href").contains("done=revoked"), "the same page");
    let next = page.attribute("rel=\"next\"", "href");
    assert!(!browser.get(&next).await.text().contains("The key was revoked"), "{next}");
}

#[tokio::test]
async fn a_delivery_to_a_deleted_endpoint_leads_nowhere_and_is_not_sent_again() {
    let scene = Scene::new().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    let event = scene.made_up(&endpoint).await;
    scene.came_to(DeliveryStatus::Exhausted, &[], (&event, &endpoint)).await;
    let mut browser = scene.browser(Role::Developer).await;
    let path = format!("{EVENTS}/{event}/{endpoint}");
    let page = browser.get(&path).await;
    assert!(page.body.contains(RETRY) && page.body.contains(&format!("{WEBHOOKS}/{endpoint}")));
    let by = By::operator();
    let deleted = webhooks::delete(&scene.world.ctx, Mode::Sandbox, &scene.id, &endpoint, &by);
    deleted.await.unwrap();
    let page = browser.get(&path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("Deleted"), "{}", page.text());
    assert!(page.text().contains("http://127.0.0.1:9/hook"), "where it was: {}", page.text());
    assert!(!page.body.contains(RETRY), "{}", page.body);
    assert!(!page.body.contains(&format!("{WEBHOOKS}/{endpoint}")), "{}", page.body);
    // Nothing else is stored about an endpoint that was deleted before deletions were recorded.
    let key = Key::deleted_endpoint(Mode::Sandbox, &scene.id, &endpoint);
    scene.world.remove(key).await;
    let page = browser.get(&path).await;
    assert!(page.text().contains("Deleted") && !page.body.contains(RETRY), "{}", page.text());
}

#[tokio::test]
async fn an_event_leads_to_its_document_and_business_and_a_made_up_one_to_none() {
    let scene = Scene::new().await;
    let (falcon, document) = scene.sent().await;
    let mut browser = scene.browser(Role::Viewer).await;
    let business = format!("/sandbox/organization/taxpayers/{}", falcon.taxpayer_id);
    let document = format!("{business}/documents/{document}");
    let events = browser.get(EVENTS).await;
    let event = browser.get(&events.attribute("/organization/events/evt_", "href")).await;
    // Both are named in words; a business whose grant has ended keeps its identifier.
    for page in [&events, &event] {
        assert!(page.text().contains("Falcon") && page.text().contains("A-1"), "{}", page.text());
        for path in [&business, &document] {
            assert!(page.body.contains(&format!("href=\"{path}\"")), "{path}: {}", page.body);
            assert_eq!(browser.get(path).await.status, StatusCode::OK, "{path}");
        }
    }
    let scopes = [Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite];
    let store = &scene.world.ctx.store;
    let grants = store.list_active_grants(Mode::Sandbox, &falcon.taxpayer_id).await.unwrap();
    for grant in grants {
        let (ctx, by) = (&scene.world.ctx, By::operator());
        grants::revoke(ctx, Mode::Sandbox, &scene.id, &grant.grant_id, &by).await.unwrap();
    }
    let later = browser.get(EVENTS).await;
    assert!(!later.text().contains("Falcon") && !later.text().contains("A-1"), "{}", later.text());
    assert!(later.body.contains(falcon.taxpayer_id.as_str()), "{}", later.body);
    scene.world.grant(&scene.id, &falcon, &scopes).await;
    scene.world.clock.advance(SignedDuration::from_secs(1));
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    let made_up = scene.made_up(&endpoint).await;
    let page = browser.get(&format!("{EVENTS}/{made_up}")).await;
    let list = browser.get(&format!("{EVENTS}?type=document.reported")).await;
    for page in [page, list] {
        assert!(page.text().contains("test"), "{}", page.text());
        assert!(!page.body.contains("/taxpayers/"), "there are no such: {}", page.body);
    }
}

#[tokio::test]
async fn an_event_is_sent_to_an_endpoint_that_never_got_it() {
    let scene = Scene::new().await;
    scene.sent().await;
    let endpoint = scene.endpoint("http://127.0.0.1:9/new").await;
    let off = webhooks::EndpointSettings {
        url: "http://127.0.0.1:9/off".to_owned(),
        disabled: true,
        ..webhooks::EndpointSettings::default()
    };
    let off = scene.endpoint_of(off).await;
    let mut browser = scene.browser(Role::Developer).await;
    let events = browser.get(EVENTS).await;
    let path = events.attribute("/organization/events/evt_", "href");
    let page = browser.get(&path).await;
    assert!(page.text().contains("No endpoint was subscribed to this event"), "{}", page.text());
    assert!(page.text().contains("http://127.0.0.1:9/new"), "{}", page.text());
    assert!(!page.body.contains(off.as_str()), "one that takes nothing is none to choose");
    let sent = browser.submit(&page, RETRY, &[("endpoint", endpoint.as_str())]).await;
    assert_eq!(sent.location(), format!("{path}/{endpoint}?done=retried"));
    let page = browser.get(sent.location()).await;
    assert!(
        page.text().contains("Pending") && page.text().contains("being sent again"),
        "{}",
        page.text()
    );
    let page = browser.get(&path).await;
    assert!(page.body.contains(&format!("{path}/{endpoint}\"")), "{}", page.body);
    assert!(!page.body.contains(RETRY), "there is no other endpoint: {}", page.body);
    let mut viewer = scene.browser(Role::Viewer).await;
    scene.endpoint("http://127.0.0.1:9/other").await;
    assert!(!viewer.get(&path).await.body.contains(RETRY));
    assert!(browser.get(&path).await.body.contains(RETRY));
}

/// Checks the size of a page and of all its continuations in both languages; returns how often `marks` occurs.
async fn all_pages(browser: &mut Browser, path: &str, marks: &str) -> usize {
    let (mut next, mut seen) = (Some(path.to_owned()), 0);
    while let Some(path) = next {
        for language in ["ar", "en"] {
            let page = Browser { language, ..browser.clone() }.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert!(page.body.len() <= MAX_PAGE, "{path} has {} bytes", page.body.len());
            let name = path.split('?').next().and_then(|path| path.rsplit('/').next());
            keep(&format!("full-{}", name.unwrap_or_default()), language, &page);
        }
        let page = browser.get(&path).await;
        seen += page.body.matches(marks).count();
        let more = page.body.contains("rel=\"next\"");
        next = more.then(|| page.attribute("rel=\"next\"", "href"));
    }
    seen
}

/// The page of a delivery whose only attempt has this answer.
async fn answered(scene: &Scene, answer: AttemptAnswer) -> String {
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    let event = scene.made_up(&endpoint).await;
    let result = AttemptResult {
        number: Some(1),
        at: scene.world.now(),
        status: Some(500),
        duration_ms: 20,
        error: Some("HTTP 500".to_owned()),
    };
    scene.came_to(DeliveryStatus::Exhausted, &[result], (&event, &endpoint)).await;
    let attempt = AttemptRecord {
        mode: Mode::Sandbox,
        organization_id: scene.id.clone(),
        event_id: event.clone(),
        endpoint_id: endpoint.clone(),
        number: 1,
        at: scene.world.now(),
        request_headers: BTreeMap::new(),
        answer: Some(answer),
    };
    scene.world.put(Key::attempt(&attempt), &attempt).await;
    format!("{EVENTS}/{event}/{endpoint}")
}

#[tokio::test]
async fn all_that_is_kept_of_an_answer_is_shown() {
    let scene = Scene::new().await;
    let text = format!("<p>{}", "No room for more. ".repeat(300));
    let answer = AttemptAnswer::of(text.as_bytes(), true);
    let path = answered(&scene, answer.clone()).await;
    let page = scene.browser(Role::Owner).await.get(&path).await;
    let kept = answer.body.strip_prefix("<p>").unwrap();
    assert!(page.body.contains(&format!("{kept}…</pre>")), "{}", page.body);
    assert!(!page.text().contains("The API returns more of it"), "{}", page.text());
}

#[tokio::test]
async fn an_answer_without_a_body_is_said_to_have_none() {
    let scene = Scene::new().await;
    let path = answered(&scene, AttemptAnswer::of(b"", false)).await;
    let browser = scene.browser(Role::Owner).await;
    for (language, said) in [("en", "The response has no body."), ("ar", "لا محتوى في الرد.")]
    {
        let page = Browser { language, ..browser.clone() }.get(&path).await;
        assert!(page.text().contains(said), "{}", page.text());
        assert!(!page.body.contains("<pre class=\"code\" tabindex=\"0\"></pre>"), "{}", page.body);
    }
    // The answers of endpoints are only for owners, even empty ones.
    let page = scene.browser(Role::Developer).await.get(&path).await;
    assert!(
        page.text().contains("Only owners can see the response of the endpoint."),
        "{}",
        page.text()
    );
    assert!(!page.text().contains("The response has no body."), "{}", page.text());
}

#[tokio::test]
async fn the_fullest_pages_of_webhooks_and_events_have_50_kb_at_most() {
    let scene = Scene::new().await;
    let world = &scene.world;
    // Texts in which each character takes five bytes on a page.
    let url = format!("{:&<MAX_URL$}", "http://127.0.0.1:9/?");
    let mut businesses = Vec::new();
    for at in 0..MAX_TAXPAYERS {
        let name = "\"".repeat(100);
        let business = world.onboarded(&name, &format!("10{at:08}")).await;
        if at < 20 {
            world.grant(&scene.id, &business, &[Scope::TaxpayerRead]).await;
        }
        businesses.push(business.taxpayer_id);
    }
    let mut endpoints = Vec::new();
    for at in 0..MAX_ENDPOINTS {
        let wanted = webhooks::EndpointSettings {
            url: url.clone(),
            event_types: EventType::ALL[1..].to_vec(),
            taxpayer_ids: businesses
                .iter()
                .take([20, MAX_TAXPAYERS, 0][at.min(2)])
                .cloned()
                .collect(),
            description: Some("\"".repeat(MAX_DESCRIPTION)),
            disabled: false,
        };
        endpoints.push(scene.endpoint_of(wanted).await);
    }
    let (one, (ctx, by)) = (&endpoints[0], (&world.ctx, By::operator()));
    let result = |number| AttemptResult {
        number: Some(number),
        at: world.now(),
        status: Some(500),
        duration_ms: 15_000,
        error: Some("\"".repeat(300)),
    };
    let results: Vec<_> = (1..=20).map(result).collect();
    let mut events = Vec::new();
    for _ in 0..60 {
        let event = scene.made_up(one).await;
        scene.came_to(DeliveryStatus::Exhausted, &results, (&event, one)).await;
        events.push(event);
    }
    let event = &events[0];
    for endpoint in &endpoints[1..] {
        let sent = tools::retry(ctx, Mode::Sandbox, &scene.id, event, endpoint, false, &by).await;
        sent.unwrap();
        scene.came_to(DeliveryStatus::Exhausted, &results, (event, endpoint)).await;
    }
    let store = &ctx.store;
    let mut published =
        store.get_published_event(Mode::Sandbox, &scene.id, event).await.unwrap().unwrap().event;
    published.body = serde_json::json!({"findings": vec!["\"".repeat(200); 500]}).to_string();
    world.put(Key::test_event(Mode::Sandbox, &scene.id, event), &published).await;
    let name = |at: usize| format!("webhook-header-{at}");
    for number in 1..=20 {
        let attempt = AttemptRecord {
            mode: Mode::Sandbox,
            organization_id: scene.id.clone(),
            event_id: event.clone(),
            endpoint_id: one.clone(),
            number,
            at: world.now(),
            request_headers: (0..6).map(|at| (name(at), "v1,=".repeat(25))).collect(),
            answer: Some(AttemptAnswer { body: "<".repeat(AttemptAnswer::KEPT), truncated: true }),
        };
        world.put(Key::attempt(&attempt), &attempt).await;
    }
    let mut browser = scene.browser(Role::Owner).await;
    let list = all_pages(&mut browser, WEBHOOKS, "organization/webhooks/we_").await;
    assert_eq!(list, endpoints.len(), "each once");
    for (endpoint, deliveries) in [(one, 60), (&endpoints[1], 1)] {
        let path = format!("{WEBHOOKS}/{endpoint}");
        let found = all_pages(&mut browser, &path, "organization/events/evt_").await;
        assert_eq!(found, deliveries, "each once");
        all_pages(&mut browser, &format!("{path}/change"), "").await;
    }
    let path = format!("{EVENTS}/{event}/{one}");
    assert_eq!(all_pages(&mut browser, &path, "HTTP 500").await, 20, "each once");
    let path = format!("{EVENTS}/{event}");
    let found = all_pages(&mut browser, &path, &format!("{path}/we_")).await;
    assert_eq!(found, endpoints.len(), "each once");
    let other = format!("{EVENTS}/{}", events[1]);
    let page = browser.get(&other).await;
    let choices = page.body.matches("<option value=\"we_").count();
    assert_eq!(choices, endpoints.len() - 1, "all may be chosen: {}", page.body);
    all_pages(&mut browser, &other, "").await;
    assert_eq!(all_pages(&mut browser, EVENTS, "organization/events/evt_").await, 60);
    all_pages(&mut browser, "/sandbox/organization/audit", "").await;
    all_pages(&mut browser, "/sandbox/organization", "").await;
    // The full text is available for download.
    for (path, file, text) in [
        (format!("{EVENTS}/{event}"), "body", "findings"),
        (format!("{EVENTS}/{event}/{one}"), "body", "findings"),
    ] {
        let page = browser.get(&path).await;
        assert!(page.text().contains("Shortened"), "{}", page.text());
        let whole = browser.get(&page.attribute(&format!("/{file}\""), "href")).await;
        assert_eq!(whole.header("content-type"), "application/json");
        assert!(whole.header("content-disposition").starts_with("attachment; filename=\"evt_"));
        assert_eq!(whole.body, published.body, "{text}");
    }
    // A refused form contains the entered values, and stays as small.
    let wrong = [("url", "\"".repeat(2_500)), ("taxpayers", "\"".repeat(2_500))];
    let wrong = wrong.each_ref().map(|(name, value)| (*name, value.as_str()));
    for (path, action) in
        [(WEBHOOKS.to_owned(), "create"), (format!("{WEBHOOKS}/{one}/change"), "change")]
    {
        let page = browser.get(&path).await;
        let refused = browser.submit(&page, &format!("{WEBHOOKS}/{action}"), &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.body.len() <= MAX_PAGE, "{action}: {}", refused.body.len());
    }
}
