//! Notifications of members by mail: who gets which, how events are gathered, and that nothing is sent twice.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, ToSpan};
use serde_json::{Value, json};

use super::roles::assert_within;
use crate::{
    access::{Actor, By, Member, Notification, Role, Scope, Taxpayer},
    i18n::Language,
    service::{
        grants, members,
        notifications::{self, GATHERED},
        sweep,
    },
    store::{
        Direction, DocumentRecord, EventRecord, EventType, MailRecord, MailSubject, Notified,
        Reached, Status, Subject, TaxReportStatus, instant, keys::Key,
    },
    testing::{Faults, World, enumerate_at},
    types::{DocumentId, EventId, GrantId, Mode, OrganizationId, UAE_OFFSET, uae_date},
};

const ORIGIN: &str = "https://portal.example.com";

/// A Live organization that may act for a business, and its owner.
struct Scene {
    world: World,
    id: OrganizationId,
    falcon: Taxpayer,
    owner: Member,
}

impl Scene {
    async fn new() -> Scene {
        let world = World::unconnected().await;
        let id = world.organization("Books & Sons").await;
        let falcon = world.taxpayer("Falcon", "1001234501").await;
        world.grant(&id, &falcon, &Scope::ALL).await;
        world.stream().await;
        let owner = joined(&world, &id, "owner", Role::Owner).await;
        Scene { world, id, falcon, owner }
    }

    /// A document of an outcome, and the event that reports it, which is not relayed yet.
    async fn happens(&self, number: &str, reached: Reached) {
        // Each event has an instant of its own, so that their order is known.
        self.world.clock.advance(SignedDuration::from_millis(1));
        let (random, at) = (&*self.world.ctx.random, self.world.now());
        let document_id = DocumentId::new(at, random);
        let (of, filed) = (&self.falcon.taxpayer_id, TaxReportStatus::Due);
        let made = self.world.reported(of, &self.id, Direction::Outbound, filed).await;
        let document = DocumentRecord {
            document_id: document_id.clone(),
            number: number.to_owned(),
            status: Status::Rejected,
            created_at: at,
            ..made.0
        };
        self.world.put_document(&document).await;
        let fixture = include_str!("../../store/fixtures/event_document.json");
        let event = EventRecord {
            event_id: EventId::new(at, random),
            taxpayer_id: of.clone(),
            event_type: EventType::DocumentStatus,
            subject: Subject::Document { document_id },
            created_at: at,
            reached: Some(reached),
            awaits: Vec::new(),
            mode: Mode::Live,
            ..serde_json::from_str(fixture).unwrap()
        };
        let key = Key::event(Mode::Live, of, &event.event_id);
        let mut item: Value = serde_json::to_value(&event).unwrap();
        item["relay"] = json!("due");
        item["due_pk"] = json!("LIVE#DUE#0");
        item["due_at"] = json!(instant(at));
        self.world.put(key, &item).await;
    }

    /// The notifications that were mailed, with their addressees.
    async fn sent(&self) -> Vec<(String, Notified)> {
        let mails: Vec<MailRecord> = self.world.items("MAIL").await;
        let sent = mails.into_iter().filter_map(|mail| match mail.subject {
            MailSubject::Notification { notified, .. } => {
                Some((mail.to?.as_str().to_owned(), notified))
            }
            _ => None,
        });
        sent.collect()
    }

    /// The numbers of the documents in each mail, in the order of numbers.
    async fn numbers(&self) -> Vec<Vec<String>> {
        let sent = self.sent().await.into_iter();
        let mut sent: Vec<_> = sent
            .filter_map(|(_, notified)| match notified {
                Notified::Documents { documents, .. } => {
                    Some(documents.into_iter().map(|it| it.number).collect::<Vec<_>>())
                }
                _ => None,
            })
            .collect();
        sent.sort();
        sent
    }

    /// How many digests were made, sent ones included.
    async fn digests(&self) -> usize {
        let mails: Vec<MailRecord> = self.world.items("MAIL").await;
        let is_digest = |mail: &&MailRecord| {
            let MailSubject::Notification { notified, .. } = &mail.subject else { return false };
            matches!(notified, Notified::Digest(_))
        };
        mails.iter().filter(is_digest).count()
    }

    async fn sweep_after(&self, time: SignedDuration) {
        self.world.clock.advance(time);
        sweep::sweep(&self.world.relaying).await;
        self.world.stream().await;
    }

    async fn choose(&self, member: &Member, kinds: &[Notification], language: Language) {
        let chosen = |kind| kinds.contains(&kind);
        notifications::choose(&self.world.ctx, member, chosen, language).await.unwrap();
    }
}

pub(super) async fn joined(world: &World, id: &OrganizationId, name: &str, role: Role) -> Member {
    let email = format!("{name}@books.example").parse().unwrap();
    let member = world.member(id, email, role).await;
    members::joined(&world.ctx, &member, &By::operator()).await.unwrap();
    world.ctx.store.get_member(world.mode, id, &member.member_id).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_first_event_is_told_at_once_and_those_of_the_next_hour_together() {
    let scene = Scene::new().await;
    scene.happens("A-1", Reached::Rejected).await;
    scene.world.stream().await;
    assert_eq!(scene.numbers().await, [["A-1"]]);
    for number in ["A-2", "A-3"] {
        scene.happens(number, Reached::NotCompliant).await;
    }
    scene.world.stream().await;
    scene.sweep_after(GATHERED - SignedDuration::from_mins(1)).await;
    assert_eq!(scene.numbers().await.len(), 1, "not before the hour is over");
    scene.sweep_after(SignedDuration::from_mins(1)).await;
    assert_eq!(scene.numbers().await, [vec!["A-1"], vec!["A-3", "A-2"]]);
    // An hour in which nothing happened ends the notice, and the next event is mailed at once.
    scene.sweep_after(GATHERED).await;
    let notice = scene.world.ctx.store.get_notice(Mode::Live, &scene.id, Notification::Rejected);
    assert_eq!(notice.await.unwrap().unwrap().arrivals, 0);
    assert!(
        scene
            .world
            .marks("due_pk")
            .await
            .iter()
            .all(|item| !format!("{item:?}").contains("NOTICES"))
    );
    scene.happens("A-4", Reached::Rejected).await;
    scene.world.stream().await;
    assert_eq!(scene.numbers().await.len(), 3);
}

#[tokio::test]
async fn an_event_that_is_published_twice_is_told_once() {
    let scene = Scene::new().await;
    scene.happens("A-1", Reached::Failed).await;
    let events = scene.world.marked().await;
    scene.world.stream().await;
    for event in events {
        let _ = crate::service::relay::Batch::new(&scene.world.relaying).relay(&event, None).await;
    }
    let arrived =
        || notifications::arrived(&scene.world.ctx, Mode::Live, &scene.id, Notification::Failed);
    arrived().await.unwrap();
    scene.world.stream().await;
    scene.sweep_after(GATHERED).await;
    scene.sweep_after(GATHERED).await;
    arrived().await.unwrap();
    scene.world.stream().await;
    assert_eq!(scene.numbers().await, [["A-1"]]);
}

#[tokio::test]
async fn who_notifies_writes_what_its_role_allows() {
    let scene = Scene::new().await;
    let world = &scene.world;
    world.cloud.take_written();
    let kinds = [Notification::Rejected, Notification::Digest];
    scene.choose(&scene.owner, &kinds, Language::Arabic).await;
    assert_within("Portal", world);
    scene.happens("A-1", Reached::Rejected).await;
    world.cloud.take_written();
    world.stream().await;
    assert_within("Relay", world);
    world.clock.advance(SignedDuration::from_hours(24));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", world);
    let kind = Notification::Endpoint;
    notifications::arrived(&world.ctx, Mode::Live, &scene.id, kind).await.unwrap();
    assert_within("Webhook", world);
    world.ctx.store.put_certificate_end(world.now()).await.unwrap();
    assert_within("Upkeep", world);
}

#[tokio::test]
async fn each_member_gets_what_it_chose_in_its_language() {
    let scene = Scene::new().await;
    let viewer = joined(&scene.world, &scene.id, "viewer", Role::Viewer).await;
    joined(&scene.world, &scene.id, "billing", Role::Billing).await;
    scene.choose(&viewer, &[Notification::Rejected], Language::Arabic).await;
    scene.choose(&scene.owner, &[Notification::Failed], Language::English).await;
    scene.happens("A-1", Reached::Rejected).await;
    scene.happens("A-2", Reached::Unreported).await;
    scene.world.stream().await;
    let sent = scene.sent().await;
    let to = |outcome: Notification| {
        let about = |notified: &Notified| matches!(notified, Notified::Documents { outcome: it, .. } if *it == outcome);
        let sent = sent.iter().filter(|(_, notified)| about(notified));
        sent.map(|(to, _)| to.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(to(Notification::Rejected), ["viewer@books.example"]);
    assert_eq!(to(Notification::Failed), ["owner@books.example"]);
    scene.world.run("mail", &scene.world.mailing(ORIGIN)).await;
    let mails = scene.world.cloud.mails();
    let arabic = mails.iter().find(|mail| mail.subject == "رُفض مستند").unwrap();
    assert!(arabic.html.contains("<html lang=\"ar\" dir=\"rtl\">"), "{}", arabic.html);
    assert!(arabic.text.contains("A-1") && arabic.text.contains("Books & Sons"));
    let english = mails.iter().find(|mail| mail.subject == "A document failed").unwrap();
    for mail in [arabic, english] {
        let choice = format!("{ORIGIN}/organization/notifications");
        assert!(mail.text.contains(&choice) && mail.html.contains(&choice), "{}", mail.text);
    }
    let page = format!("{ORIGIN}/organization/taxpayers/{}/documents/", scene.falcon.taxpayer_id);
    assert!(english.text.contains(&page), "{}", english.text);
}

#[tokio::test]
async fn a_flood_makes_one_mail_that_counts_it_and_names_the_latest() {
    let scene = Scene::new().await;
    for number in 0..12 {
        scene.happens(&format!("A-{number:02}"), Reached::Rejected).await;
    }
    // The events are relayed before the notice has its first turn.
    for job in scene.world.marked().await {
        crate::service::relay::Batch::new(&scene.world.relaying).relay(&job, None).await.unwrap();
    }
    scene.world.stream().await;
    let sent = scene.sent().await;
    let [(_, Notified::Documents { count, is_more, documents, .. })] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((*count, *is_more, documents.len()), (12, false, 10));
    assert_eq!(documents[0].number, "A-11");
}

#[tokio::test]
async fn documents_whose_grant_has_ended_are_counted_and_not_named() {
    let scene = Scene::new().await;
    scene.happens("A-1", Reached::Rejected).await;
    for job in scene.world.marked().await {
        crate::service::relay::Batch::new(&scene.world.relaying).relay(&job, None).await.unwrap();
    }
    let grants = scene.world.ctx.store.list_active_grants(Mode::Live, &scene.falcon.taxpayer_id);
    for grant in grants.await.unwrap() {
        let (ctx, by) = (&scene.world.ctx, By::operator());
        grants::revoke(ctx, Mode::Live, &scene.id, &grant.grant_id, &by).await.unwrap();
    }
    scene.world.stream().await;
    let sent = scene.sent().await;
    let [(_, Notified::Documents { count: 1, documents, .. })] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert!(documents.is_empty());
}

#[tokio::test]
async fn the_digest_comes_every_morning_that_follows_a_day_with_documents() {
    let scene = Scene::new().await;
    scene.choose(&scene.owner, &[Notification::Digest], Language::English).await;
    let day = uae_date(scene.world.now());
    scene.happens("A-1", Reached::Sent).await;
    scene.happens("A-2", Reached::Rejected).await;
    scene.world.stream().await;
    let morning = |after: i64| {
        let day = day.saturating_add(after.days());
        UAE_OFFSET.to_timestamp(day.at(7, 30, 0, 0)).unwrap()
    };
    let until = async |at: Timestamp| {
        scene.sweep_after(at.duration_since(scene.world.now())).await;
    };
    until(morning(1)).await;
    let sent = scene.sent().await;
    let [(_, Notified::Digest(brief))] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((brief.day, brief.sent, brief.rejected, brief.open), (day, 1, 1, 1));
    scene.world.run("mail", &scene.world.mailing(ORIGIN)).await;
    // Nothing happened on the next day, and the owner wants no digest of the day after it.
    until(morning(2)).await;
    assert_eq!(scene.digests().await, 1);
    scene.happens("A-3", Reached::Received).await;
    scene.world.stream().await;
    until(morning(3)).await;
    assert_eq!(scene.digests().await, 2);
    scene.choose(&scene.owner, &[], Language::English).await;
    scene.happens("A-4", Reached::Received).await;
    scene.world.stream().await;
    until(morning(4)).await;
    until(morning(5)).await;
    assert_eq!(scene.digests().await, 2);
    let mails = scene.world.cloud.mails();
    let text = &mails[0].text;
    assert!(text.contains("- Sent: 1") && text.contains("Some documents need"), "{text}");
}

#[tokio::test]
async fn a_certificate_is_told_when_its_days_run_out_each_number_once() {
    let scene = Scene::new().await;
    scene.choose(&scene.owner, &[Notification::Certificate], Language::English).await;
    let end = scene.world.now() + SignedDuration::from_hours(31 * 24);
    scene.world.ctx.store.put_certificate_end(end).await.unwrap();
    let mut sent = Vec::new();
    for day in 1..=33 {
        scene.sweep_after(SignedDuration::from_hours(24)).await;
        let count = scene.sent().await.len();
        if count > sent.len() {
            sent.push(day);
        }
    }
    assert_eq!(sent.len(), 4, "{sent:?}");
}

#[tokio::test]
async fn seats_that_are_nearly_used_are_told_once_a_level() {
    let scene = Scene::new().await;
    let (ctx, by) = (&scene.world.ctx, By::operator());
    crate::service::subscriptions::set(ctx, &scene.id, Some(2), &by).await.unwrap();
    let arrived = async || {
        notifications::arrived(ctx, Mode::Live, &scene.id, Notification::Seats).await.unwrap();
        scene.world.stream().await;
    };
    arrived().await;
    assert_eq!(scene.sent().await, [], "one of two");
    let oasis = scene.world.taxpayer("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &oasis, &Scope::ALL).await;
    arrived().await;
    arrived().await;
    let owner = "owner@books.example".to_owned();
    assert_eq!(scene.sent().await, [(owner, Notified::Seats { in_use: 2, seats: 2 })]);
}

#[tokio::test]
async fn a_business_hears_when_another_party_ends_an_access() {
    let world = World::unconnected().await;
    let id = world.organization("Books & Sons").await;
    let email = "accounts@falcon.example".parse().unwrap();
    let falcon = world.registered("Falcon", "1001234501", &email).await;
    let revoke = async |grant_id: &GrantId, by: &By| {
        grants::revoke(&world.ctx, Mode::Live, &id, grant_id, by).await.unwrap();
    };
    for by in [
        By::operator(),
        By { actor: Actor::Taxpayer(falcon.taxpayer_id.clone()), ..By::operator() },
    ] {
        world.grant(&id, &falcon, &Scope::ALL).await;
        let grants = world.ctx.store.list_active_grants(Mode::Live, &falcon.taxpayer_id).await;
        let grant_id = grants.unwrap().remove(0).grant_id;
        revoke(&grant_id, &by).await;
        revoke(&grant_id, &by).await;
    }
    world.stream().await;
    world.run("mail", &world.mailing(ORIGIN)).await;
    let mails = world.cloud.mails();
    assert_eq!(mails.len(), 1, "a taxpayer knows what it did itself");
    assert!(mails[0].subject.starts_with("An app can no longer act for your business"));
    assert!(mails[0].text.contains("Books & Sons") && mails[0].text.contains("Falcon"));
}

#[tokio::test]
async fn notices_survive_all_mishaps_at_every_effect() {
    let one = async || {
        let scene = Scene::new().await;
        scene.happens("A-1", Reached::Rejected).await;
        scene
    };
    let sent = async |scene: &Scene| {
        scene.world.clock.advance(SignedDuration::from_mins(2));
        for _ in 0..4 {
            scene.world.stream().await;
            scene.sweep_after(GATHERED).await;
        }
        vec![("notifications of a document", scene.numbers().await.len())]
    };
    let relayed = enumerate_at(
        "relay of a rejected document to its notice",
        one,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let relaying = scene.world.failing(faults).relaying;
            for job in scene.world.marked().await {
                let _ = crate::service::relay::Batch::new(&relaying).relay(&job, None).await;
            }
        },
        sent,
    );
    let noticed = async || {
        let scene = one().await;
        for job in scene.world.marked().await {
            crate::service::relay::Batch::new(&scene.world.relaying)
                .relay(&job, None)
                .await
                .unwrap();
        }
        scene
    };
    let turned = enumerate_at(
        "turn of a notice",
        noticed,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let relaying = scene.world.failing(faults).relaying;
            for job in scene.world.marked().await {
                let _ = crate::service::relay::Batch::new(&relaying).relay(&job, None).await;
            }
        },
        sent,
    );
    let morning = async || {
        let scene = Scene::new().await;
        scene.choose(&scene.owner, &[Notification::Digest], Language::English).await;
        scene.happens("A-1", Reached::Sent).await;
        scene.world.stream().await;
        scene.world.clock.advance(SignedDuration::from_hours(24));
        scene
    };
    let digested = enumerate_at(
        "digest of a day",
        morning,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let relaying = scene.world.failing(faults).relaying;
            let due: Vec<_> = scene.world.due().await.into_iter().map(|(_, job)| job).collect();
            crate::service::relay::relay_due(&relaying, &due).await;
        },
        async |scene: &Scene| {
            for _ in 0..3 {
                scene.sweep_after(SignedDuration::from_mins(5)).await;
            }
            vec![("digests", scene.sent().await.len())]
        },
    );
    for tally in [Box::pin(relayed).await, Box::pin(turned).await, Box::pin(digested).await] {
        assert_eq!((tally.lost, tally.doubled), (0, 0), "of {} points", tally.points);
    }
}
