//! Repeated deliveries and test events.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{opened, wanted};
use crate::{
    access::{AuditRecord, By, Role, Scope},
    document::Operation::Invoice,
    error::Code,
    service::{
        deliver, grants,
        tests::consent::connect,
        webhooks::{
            self, Patch, events,
            tools::{self, Again, Outcome, Retried},
        },
    },
    store::{Change, DeliveryRecord, DeliveryState, EventType, keys::DELIVERY_POINTER},
    testing::{World, invoice, send},
    types::{EndpointId, EventId, Mode, OrganizationId},
    webhook::receiver::{Behaviour, Received, Receiver},
};

/// An organization with one endpoint at a receiver of its own.
pub(in crate::service::tests) struct Desk {
    pub(in crate::service::tests) world: World,
    pub(in crate::service::tests) receiver: Receiver,
    pub(in crate::service::tests) organization_id: OrganizationId,
    pub(in crate::service::tests) endpoint_id: EndpointId,
}

impl Desk {
    pub(in crate::service::tests) async fn new() -> Desk {
        let world = World::new().await;
        let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
        let organization_id = world.organization("Integrator").await;
        let (notifying, by) = (world.notifying(), By::operator());
        let wanted = webhooks::EndpointSettings { url: receiver.url.clone(), ..wanted() };
        let made = webhooks::create(&notifying, world.mode, &organization_id, wanted, &by).await;
        let endpoint_id = made.unwrap().endpoint.endpoint_id;
        Desk { world, receiver, organization_id, endpoint_id }
    }

    /// Adds a member to the organization.
    pub(in crate::service::tests) async fn joins(&self, address: &str, role: Role) {
        let (world, address) = (&self.world, address.parse().unwrap());
        let member = world.member(&self.organization_id, address, role).await;
        world.ctx.store.note_joined(&member, world.now(), &[]).await.unwrap();
    }

    pub(super) async fn test(&self, event_type: EventType, outcome: Option<Outcome>) -> EventId {
        let (ctx, mode) = (&self.world.ctx, self.world.mode);
        let (id, by) = (&self.endpoint_id, By::operator());
        let due = tools::test(ctx, mode, &self.organization_id, id, event_type, outcome, &by);
        due.await.unwrap().event_id
    }

    /// Relays, and makes every queued attempt.
    pub(super) async fn deliver(&self) {
        self.world.stream().await;
        let delivering = self.world.healthy().delivering;
        for message in self.world.cloud.receive("deliver") {
            deliver::deliver(&delivering, &message.read()).await.unwrap();
        }
    }

    pub(super) async fn delivery(&self, event_id: &EventId) -> DeliveryRecord {
        let (store, mode) = (&self.world.ctx.store, self.world.mode);
        let found = store.get_delivery(mode, &self.organization_id, event_id, &self.endpoint_id);
        found.await.unwrap().unwrap()
    }

    /// How many deliveries are listed with a state.
    async fn listed(&self, state: DeliveryState) -> usize {
        let (store, mode) = (&self.world.ctx.store, self.world.mode);
        let owner = (&self.organization_id, &self.endpoint_id);
        let page = store.list_deliveries(mode, owner, &[state], None, None, 20).await;
        page.unwrap().unwrap().items.len()
    }

    async fn retry(&self, event_id: &EventId, again: bool) -> Result<DeliveryRecord, Code> {
        let (ctx, mode) = (&self.world.ctx, self.world.mode);
        let (organization_id, endpoint_id) = (&self.organization_id, &self.endpoint_id);
        let by = By::operator();
        let done = tools::retry(ctx, mode, organization_id, event_id, endpoint_id, again, &by);
        done.await.map_err(|failure| failure.code)
    }

    async fn retry_failed(&self, again: &Again, cursor: Option<&str>) -> Retried {
        let (notifying, mode) = (self.world.notifying(), self.world.mode);
        let (organization_id, endpoint_id) = (&self.organization_id, &self.endpoint_id);
        let by = By::operator();
        tools::retry_failed(&notifying, mode, organization_id, endpoint_id, again, cursor, &by)
            .await
            .unwrap()
    }

    /// Runs the schedule to its end at an endpoint that refuses.
    pub(super) async fn exhaust(&self, event_id: &EventId) {
        self.receiver.behave(Behaviour::status("400 Bad Request", "", "no"));
        self.deliver().await;
        while self.delivery(event_id).await.state() == DeliveryState::Failing {
            let due = self.delivery(event_id).await.next_attempt_at;
            let wait = due.duration_since(self.world.now()).max(SignedDuration::from_secs(1));
            self.world.pass(wait).await;
            self.deliver().await;
        }
    }
}

fn body(request: &Received) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

#[tokio::test]
async fn a_test_event_of_every_type_is_delivered_signed_and_found_and_touches_nothing_else() {
    let desk = Desk::new().await;
    for event_type in EventType::ALL {
        let event_id = desk.test(event_type, None).await;
        desk.deliver().await;
        let received = desk.receiver.received();
        let id = Some(event_id.as_str());
        let [request] =
            received.iter().filter(|it| it.header("webhook-id") == id).collect::<Vec<_>>()[..]
        else {
            panic!("{event_type:?} came otherwise than once")
        };
        let envelope = body(request);
        assert_eq!(envelope["type"], event_type.as_str());
        assert_eq!(json!([envelope["test"], envelope["environment"]]), json!([true, "sandbox"]));
        let (ctx, mode) = (&desk.world.ctx, desk.world.mode);
        let published =
            events::get_event(ctx, mode, &desk.organization_id, &event_id).await.unwrap();
        assert!(published.test && published.event.body.as_bytes() == request.body);
        let looked =
            events::look(ctx, mode, &desk.organization_id, &event_id, &desk.endpoint_id).await;
        let looked = looked.unwrap();
        assert_eq!(looked.delivery.state(), DeliveryState::Delivered);
        assert_eq!(looked.exchanges.len(), 1);
        assert!(looked.exchanges[0].request_headers.contains_key("webhook-signature"));
    }
    let world = &desk.world;
    assert!(world.documents().await.is_empty());
    assert!(world.raw_items("PROFILE").await.len() == 1, "the organization alone");
    let theirs = world.raw_items("EVENT").await;
    assert!(theirs.iter().all(|item| item["pk"].as_s().unwrap().contains("#ORGANIZATION#")));
}

#[tokio::test]
async fn a_simulated_report_has_the_outcome_that_was_asked_for() {
    let desk = Desk::new().await;
    for (outcome, word, reasons) in [
        (Outcome::Accepted, "REPORTED", 0),
        (Outcome::Rejected, "NOT_COMPLIANT", 1),
        (Outcome::Failed, "FAILED", 1),
    ] {
        desk.test(EventType::DocumentReported, Some(outcome)).await;
        desk.deliver().await;
        let payload = body(desk.receiver.received().last().unwrap());
        assert_eq!(payload["data"]["report"]["outcome"], word);
        assert_eq!(payload["data"]["report"]["reasons"].as_array().unwrap().len(), reasons);
        for name in ["document_id", "submission_id", "document_type_code", "submission_message_id"]
        {
            assert!(payload["data"][name].is_string(), "{name} (specification 6.3)");
        }
    }
}

#[tokio::test]
async fn a_retry_begins_the_schedule_of_what_is_over_anew_and_goes_on_with_what_waits() {
    let desk = Desk::new().await;
    let event_id = desk.test(EventType::DocumentSent, None).await;
    desk.receiver.behave(Behaviour::status("503 Busy", "", ""));
    desk.deliver().await;
    let waiting = desk.delivery(&event_id).await;
    assert_eq!((waiting.state(), waiting.attempts), (DeliveryState::Failing, 1));
    assert_eq!(desk.listed(DeliveryState::Failing).await, 1);
    // The retry is made at once, and the schedule continues from there.
    desk.retry(&event_id, false).await.unwrap();
    desk.deliver().await;
    let second = desk.delivery(&event_id).await;
    assert_eq!((second.attempts, second.begun()), (2, 2));

    desk.exhaust(&event_id).await;
    let over = desk.delivery(&event_id).await;
    assert_eq!((over.state(), over.attempts), (DeliveryState::Failed, 10));
    assert_eq!(desk.listed(DeliveryState::Failed).await, 1);
    // The delivery is in the list of all and in the list of failed ones.
    assert_eq!(desk.world.raw_items(DELIVERY_POINTER).await.len(), 2);
    desk.retry(&event_id, false).await.unwrap();
    desk.deliver().await;
    let anew = desk.delivery(&event_id).await;
    assert_eq!((anew.state(), anew.attempts, anew.begun()), (DeliveryState::Failing, 11, 1));
    desk.receiver.behave(Behaviour::status("200 OK", "", ""));
    desk.world.pass(SignedDuration::from_mins(1)).await;
    desk.deliver().await;
    assert_eq!(desk.delivery(&event_id).await.state(), DeliveryState::Delivered);
    assert_eq!(desk.listed(DeliveryState::Delivered).await, 1);
    assert_eq!(desk.world.raw_items(DELIVERY_POINTER).await.len(), 1, "it failed no more");

    assert_eq!(desk.retry(&event_id, false).await, Err(Code::AlreadyDelivered));
    let before = desk.receiver.received().len();
    desk.retry(&event_id, true).await.unwrap();
    desk.deliver().await;
    let received = desk.receiver.received();
    assert_eq!(received.len(), before + 1);
    assert_eq!(received[before].header("webhook-id"), Some(event_id.as_str()));
}

#[tokio::test]
async fn a_retry_doubles_no_attempt_that_runs_and_none_goes_to_a_disabled_endpoint() {
    let desk = Desk::new().await;
    let (store, now) = (&desk.world.ctx.store, desk.world.now());
    let event_id = desk.test(EventType::DocumentSent, None).await;
    let due = desk.delivery(&event_id).await;
    let until = now + SignedDuration::from_secs(60);
    let begun = Change::begin(due, desk.world.ctx.new_uuid(), now, until).unwrap();
    assert!(store.change_delivery(&begun).await.unwrap());
    assert_eq!(desk.retry(&event_id, true).await, Err(Code::DeliveryInProgress));
    let everything = Again { since: now, include_delivered: true };
    assert_eq!(desk.retry_failed(&everything, None).await.retried, 0);
    assert_eq!(desk.delivery(&event_id).await, begun.into_new());
    // The attempt's worker is dead.
    desk.world.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(desk.retry(&event_id, false).await.unwrap().state(), DeliveryState::Failing);

    let (notifying, by) = (desk.world.notifying(), By::operator());
    let off = Patch { enabled: Some(false), ..Patch::default() };
    let (mode, id) = (desk.world.mode, &desk.endpoint_id);
    webhooks::patch(&notifying, mode, &desk.organization_id, id, &off, &by).await.unwrap();
    assert_eq!(desk.retry(&event_id, false).await, Err(Code::EndpointDisabled));
}

#[tokio::test]
async fn what_failed_since_an_instant_is_made_again_page_by_page() {
    let desk = Desk::new().await;
    let early = desk.test(EventType::DocumentSent, None).await;
    desk.exhaust(&early).await;
    let since = desk.world.now();
    let mut late = Vec::new();
    for _ in 0..105 {
        late.push(desk.test(EventType::DocumentStatus, None).await);
    }
    desk.receiver.behave(Behaviour::status("400 Bad Request", "", ""));
    for _ in 0..12 {
        desk.deliver().await;
        desk.world.pass(SignedDuration::from_mins(20)).await;
    }
    let taken = late.pop().unwrap();
    desk.receiver.behave(Behaviour::status("200 OK", "", ""));
    desk.retry(&taken, false).await.unwrap();
    desk.deliver().await;
    assert_eq!(desk.delivery(&taken).await.state(), DeliveryState::Delivered);
    let again = Again { since, include_delivered: false };
    let (mut retried, mut cursor) = (0, None);
    loop {
        let page = desk.retry_failed(&again, cursor.as_deref()).await;
        assert!(page.retried <= 100);
        retried += page.retried;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let waiting = late.len();
    let mut done = 0;
    for event_id in &late {
        done += usize::from(desk.delivery(event_id).await.state() == DeliveryState::Delivered);
    }
    assert_eq!(retried + done, waiting, "neither the early one nor what was taken");
    assert_eq!(desk.delivery(&early).await.state(), DeliveryState::Failed);
    // A cursor is valid only for its own request.
    let first = desk.retry_failed(&Again { include_delivered: true, ..again }, None).await;
    let other = Again { since: since + SignedDuration::from_secs(1), include_delivered: true };
    let (notifying, mode) = (desk.world.notifying(), desk.world.mode);
    let (organization_id, id) = (&desk.organization_id, &desk.endpoint_id);
    let cursor = first.next_cursor.unwrap();
    let (cursor, by) = (Some(&*cursor), By::operator());
    let refused =
        tools::retry_failed(&notifying, mode, organization_id, id, &other, cursor, &by).await;
    assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_and_the_new_one_alone_after_it() {
    let desk = Desk::new().await;
    let (notifying, by) = (desk.world.notifying(), By::operator());
    let (mode, id) = (desk.world.mode, &desk.endpoint_id);
    let rotate = webhooks::rotate(&notifying, mode, &desk.organization_id, id, false, &by);
    let rotated = rotate.await.unwrap();
    assert!(opened(&rotated.endpoint) == rotated.secret);
    for (after, signatures) in [(0, 2), (23, 2), (1, 1)] {
        desk.world.clock.advance(SignedDuration::from_hours(after));
        desk.test(EventType::DocumentSent, None).await;
        desk.deliver().await;
        let received = desk.receiver.received();
        let signature = received.last().unwrap().header("webhook-signature").unwrap();
        assert_eq!(signature.split(' ').count(), signatures, "{signature}");
    }
}

#[tokio::test]
async fn a_test_in_live_is_of_live_and_another_organization_finds_nothing_of_it() {
    let desk = Desk::new().await;
    let (notifying, by) = (desk.world.notifying(), By::operator());
    let wanted = webhooks::EndpointSettings { url: desk.receiver.url.clone(), ..wanted() };
    let live = webhooks::create(&notifying, Mode::Live, &desk.organization_id, wanted, &by).await;
    let live = live.unwrap().endpoint.endpoint_id;
    let ctx = &desk.world.ctx;
    let kind = EventType::DocumentReported;
    let sent = tools::test(ctx, Mode::Live, &desk.organization_id, &live, kind, None, &by).await;
    let due = sent.unwrap();
    desk.deliver().await;
    assert_eq!(body(desk.receiver.received().last().unwrap())["environment"], "live");
    let other = desk.world.organization("Other").await;
    for (mode, organization_id) in [(Mode::Sandbox, &desk.organization_id), (Mode::Live, &other)] {
        let found = events::get_event(ctx, mode, organization_id, &due.event_id).await;
        assert_eq!(found.unwrap_err().code, Code::NotFound);
    }
}

#[tokio::test]
async fn whatever_is_sent_at_somebodys_wish_is_in_the_trail_once() {
    let desk = Desk::new().await;
    let event_id = desk.test(EventType::DocumentSent, None).await;
    desk.exhaust(&event_id).await;
    desk.retry(&event_id, false).await.unwrap();
    desk.deliver().await;
    assert_eq!(desk.delivery(&event_id).await.state(), DeliveryState::Failing);
    // A refused request has no audit entry, nor has one with nothing to do.
    desk.receiver.behave(Behaviour::status("200 OK", "", ""));
    let everything = Again { since: jiff::Timestamp::UNIX_EPOCH, include_delivered: false };
    assert_eq!(desk.retry_failed(&everything, None).await.retried, 1);
    desk.deliver().await;
    assert_eq!(desk.retry(&event_id, false).await, Err(Code::AlreadyDelivered));
    assert_eq!(desk.retry_failed(&everything, None).await.retried, 0);
    // To an endpoint that never got the event.
    let (notifying, by) = (desk.world.notifying(), By::operator());
    let wanted = webhooks::EndpointSettings { url: desk.receiver.url.clone(), ..wanted() };
    let (ctx, mode, id) = (&desk.world.ctx, desk.world.mode, &desk.organization_id);
    let made = webhooks::create(&notifying, mode, id, wanted, &by).await.unwrap();
    let second = &made.endpoint.endpoint_id;
    tools::retry(ctx, mode, id, &event_id, second, false, &by).await.unwrap();
    let entries: Vec<AuditRecord> = desk.world.items("aud_").await;
    let subjects = |action: &str| -> Vec<_> {
        let found = entries.iter().filter(|entry| entry.action.as_str() == action);
        found.map(|entry| entry.subject.clone()).collect()
    };
    assert_eq!(subjects("event.tested"), [event_id.to_string()]);
    assert_eq!(subjects("delivery.retried"), [event_id.to_string(), event_id.to_string()]);
    assert_eq!(subjects("endpoint.replayed"), [desk.endpoint_id.to_string()]);
}

#[tokio::test]
async fn deliveries_to_an_endpoint_that_was_deleted_are_shown_with_their_event() {
    let desk = Desk::new().await;
    let event_id = desk.test(EventType::DocumentSent, None).await;
    desk.deliver().await;
    let (ctx, mode, id) = (&desk.world.ctx, desk.world.mode, &desk.organization_id);
    let made = events::deliveries_of_event(ctx, mode, id, &event_id).await.unwrap().made;
    assert_eq!((made.len(), &made[0].deleted), (1, &None));
    webhooks::delete(ctx, mode, id, &desk.endpoint_id, &By::operator()).await.unwrap();
    let [made] = &events::deliveries_of_event(ctx, mode, id, &event_id).await.unwrap().made[..]
    else {
        panic!("it is not shown")
    };
    assert_eq!(made.delivery.state(), DeliveryState::Delivered);
    let deleted = made.deleted.as_ref().unwrap();
    assert_eq!((&deleted.endpoint_id, &deleted.url), (&desk.endpoint_id, &desk.receiver.url));
    assert_eq!(deleted.deleted_at, desk.world.now());
    assert!(webhooks::list(ctx, mode, id).await.unwrap().is_empty(), "it is no endpoint any more");
}

#[tokio::test]
async fn what_failed_before_a_new_consent_is_not_sent_again_after_it() {
    let desk = Desk::new().await;
    let world = &desk.world;
    let caller = world.caller("Falcon", "1001234501").await;
    let grant = connect(world, &desk.organization_id, &caller.taxpayer, &Scope::ALL).await;
    desk.deliver().await;
    world.clock.advance(SignedDuration::from_millis(1));
    desk.receiver.behave(Behaviour::status("503 Busy", "", ""));
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    desk.deliver().await;
    let owner = &desk.organization_id;
    let (filter, asked) = (events::EventFilter::default(), world.asked(None, 10));
    let listed = events::list_events(&world.ctx, world.mode, owner, &filter, asked);
    let event_id = listed.await.unwrap().items[0].event.event_id.clone();
    assert_eq!(desk.delivery(&event_id).await.state(), DeliveryState::Failing);

    let revoked = grants::revoke(&world.ctx, world.mode, owner, &grant, &By::operator()).await;
    revoked.unwrap();
    world.clock.advance(SignedDuration::from_millis(1));
    connect(world, owner, &caller.taxpayer, &Scope::ALL).await;
    desk.receiver.behave(Behaviour::status("200 OK", "", ""));
    let again = Again { since: "2026-01-01T00:00:00Z".parse().unwrap(), include_delivered: false };
    let is_delivered =
        || desk.receiver.received().iter().any(|it| body(it)["type"] == "document.sent");
    let before = desk.receiver.received().len();
    for by_hand in [true, false] {
        match by_hand {
            true => drop(desk.retry(&event_id, false).await.unwrap()),
            false => assert!(desk.retry_failed(&again, None).await.retried >= 1),
        }
        desk.deliver().await;
        let over = desk.delivery(&event_id).await;
        assert_eq!(over.state(), DeliveryState::Failed);
        let why = over.results.last().unwrap().error.as_deref();
        assert_eq!(why, Some("no active grant that is older than the event covers it"));
    }
    let later = &desk.receiver.received()[before..];
    assert!(later.iter().all(|it| body(it)["type"] != "document.sent"));
    assert!(is_delivered(), "the first attempt was made");
}
