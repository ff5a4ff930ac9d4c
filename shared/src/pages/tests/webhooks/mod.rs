//! Endpoints, deliveries and events in the portal of organizations: lists and filters, retries, and the size of the
//! largest pages.

mod full;

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
