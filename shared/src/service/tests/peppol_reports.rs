//! The OpenPeppol reports: made once and sent once, by the schedule or by an operator.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::{
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, Process},
        sbdh,
        statistics::{Kind, Month},
    },
    service::{
        PeppolReporting, exchange_counts, job,
        peppol_reports::{self, Filed, Files, LATE, SETTLED},
        redrive, sweep,
    },
    store::{
        CountedExchange, Direction, ExchangeCount, ExchangeKind, PeppolReportId,
        PeppolReportMessage, PeppolReportRecord, PeppolReportStatus, StatusEffect, keys::Key,
    },
    testing::{
        Arrival, Faults, OPENPEPPOL, OUR_SEAT, Parcel, THEIR_SEAT, Takes, Tally, TestNetwork,
        World, accepted, befalls, enumerate_at,
    },
    types::{Mode, ParticipantId},
    validate::validate,
    webhook::receiver::Fate,
};

/// The last instant of May, with an exchange.
const MAY: &str = "2026-05-31T23:59:59.999Z";

pub(super) struct Scene {
    pub(super) world: World,
    pub(super) network: TestNetwork,
    pub(super) reporting: PeppolReporting,
}

impl Scene {
    /// The first of June after May is settled, with exchanges in May and in June.
    pub(super) async fn new() -> Scene {
        let (world, network) = World::live().await;
        network.register(OPENPEPPOL);
        let reporting = world.peppol_reporting();
        let scene = Scene { world, network, reporting };
        scene.at(may().end().saturating_add(SETTLED).unwrap());
        for at in [MAY, "2026-06-01T00:00:00Z"] {
            scene.count(at).await;
        }
        scene.world.cloud.take_written();
        scene
    }

    fn at(&self, instant: Timestamp) {
        self.world.clock.advance(instant.duration_since(self.world.now()));
    }

    /// Counts an exchange at an instant.
    async fn count(&self, at: &str) {
        let kind = ExchangeKind {
            provider: THEIR_SEAT.parse().unwrap(),
            document_type: DocumentType::INVOICE,
            process: Process::BILLING,
            direction: Direction::Outbound,
            sender_country: None,
            end_user: Some("0235:1001234501".to_owned()),
        };
        let at = at.parse().unwrap();
        let key = Key::exchange(&CountedExchange {
            instance_id: "i-1".parse().unwrap(),
            at,
            kind: kind.clone(),
        });
        self.world.put(key, &ExchangeCount { kind, exchanges: 3 }).await;
    }

    async fn due(&self) {
        peppol_reports::make_due(&self.reporting).await.unwrap();
    }

    /// Does the same as `peppol-report --send`.
    async fn report(&self, month: Month, again: bool) -> Vec<Filed> {
        let (reporter, receiver) = (OUR_SEAT.parse().unwrap(), openpeppol());
        let PeppolReporting { ctx, bucket, .. } = &self.reporting;
        let files = Files { ctx, bucket, reporter: &reporter, receiver: &receiver };
        peppol_reports::report(&files, month, again).await.unwrap()
    }

    /// Runs stream and queue until nothing is left.
    pub(super) async fn work(&self) {
        loop {
            self.world.stream().await;
            let messages = self.world.cloud.receive("report");
            if messages.is_empty() {
                return;
            }
            for message in &messages {
                Box::pin(job::run(&self.reporting, &message.read())).await.unwrap();
            }
        }
    }

    async fn pass(&self, time: SignedDuration) {
        self.world.pass(time).await;
        self.work().await;
    }

    /// Advances the clock until nothing is due any more.
    async fn rest(&self) {
        while let Some((due, place)) = self.world.next_due().await {
            self.at(due.max(self.world.now()));
            sweep::take_up(&self.world.relaying, &place).await;
            self.work().await;
        }
    }

    async fn records(&self, month: Month) -> Vec<PeppolReportRecord> {
        let mut all = Vec::new();
        for kind in Kind::ALL {
            all.extend(self.world.ctx.store.list_peppol_report(month, kind).await.unwrap());
        }
        all
    }

    async fn statuses(&self, month: Month) -> Vec<PeppolReportStatus> {
        self.records(month).await.iter().map(|record| record.status).collect()
    }

    /// The output of a dry run, without the XML declaration.
    async fn shown(&self, month: Month) -> [String; 2] {
        let (store, reporter) = (&self.world.ctx.store, OUR_SEAT.parse().unwrap());
        let reports = exchange_counts::reports(store, reporter, month).await.unwrap();
        Kind::ALL.map(|kind| {
            let text = String::from_utf8(reports.write(kind)).unwrap();
            text.split_once("?>").unwrap().1.trim().to_owned()
        })
    }

    /// The reports that OpenPeppol received, in the order of the kinds.
    fn taken(&self) -> Vec<String> {
        let mut taken: Vec<_> = self.network.taken();
        taken.sort_by_key(|it| {
            let envelope = sbdh::read(&it.sbdh).unwrap();
            *envelope.header.document.document_type() == DocumentType::END_USER_STATISTICS
        });
        let document = |sbdh: &[u8]| sbdh::read(sbdh).unwrap().payload.document().into_owned();
        taken.iter().map(|it| String::from_utf8(document(&it.sbdh)).unwrap()).collect()
    }
}

fn may() -> Month {
    "2026-05".parse().unwrap()
}

fn june() -> Month {
    "2026-06".parse().unwrap()
}

fn openpeppol() -> ParticipantId {
    OPENPEPPOL.parse().unwrap()
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

#[tokio::test]
async fn a_month_that_is_over_is_reported_once() {
    let scene = Scene::new().await;
    for _ in 0..2 {
        scene.due().await;
        scene.work().await;
    }
    let taken = scene.taken();
    assert_eq!(taken, scene.shown(may()).await);
    assert!(taken[0].contains("<Outgoing>3</Outgoing>"), "{}", taken[0]);
    for report in &taken {
        let verdict = validate(report.as_bytes()).unwrap();
        assert!(verdict.is_valid() && verdict.findings.is_empty(), "{:?}", verdict.findings);
    }
    let records = scene.records(may()).await;
    for (record, kind) in records.iter().zip(Kind::ALL) {
        assert_eq!(
            (record.id.clone(), record.status),
            (PeppolReportId::first(may(), kind), PeppolReportStatus::Sent)
        );
        let transmission =
            scene.world.ctx.store.get_peppol_report_transmission(&record.id).await.unwrap();
        let transmission = transmission.unwrap();
        let receipt = transmission.receipt.unwrap();
        let receipt = receipt.stored().unwrap();
        assert!(receipt.key.starts_with("live/monthly/2026-05/"), "{receipt:?}");
        assert!(scene.world.sending.bucket.get(receipt).await.is_ok());
        let message = transmission.message.unwrap();
        let mut sent = scene.network.taken();
        sent.retain(|taken| taken.instance_id == record.instance_id.to_string());
        let [sent] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!(sent.message_id, message.message_id);
        let header = sbdh::receive(&sent.sbdh).unwrap().header;
        assert_eq!(header.document.document_type(), &kind.document_type());
        assert_eq!(header.process, Process::NETWORK_REPORTING);
        assert_eq!(
            (header.sender.to_string(), header.receiver),
            ("0242:000001".to_owned(), openpeppol())
        );
    }
    // The reports are not counted as exchanges, and nothing is due.
    assert_eq!(scene.world.exchanges().await, 6);
    assert!(scene.world.marks("due_pk").await.is_empty());
}

#[tokio::test]
async fn nothing_is_made_before_the_month_is_settled_or_without_a_network_or_a_receiver() {
    let scene = Scene::new().await;
    scene.world.clock.advance(-SignedDuration::from_millis(1));
    scene.due().await;
    scene.world.clock.advance(SignedDuration::from_millis(1));
    for reporting in [
        PeppolReporting { receiver: None, ..scene.reporting.clone() },
        PeppolReporting { connection: None, ..scene.reporting.clone() },
    ] {
        peppol_reports::make_due(&reporting).await.unwrap();
    }
    assert!(scene.records(may()).await.is_empty());
    assert!(scene.world.cloud.take_written().is_empty());
}

#[tokio::test]
async fn a_month_without_an_exchange_is_reported_too() {
    let scene = Scene::new().await;
    let april = may().previous();
    assert!(matches!(scene.report(april, false).await[..], [Filed::Made(_), Filed::Made(_)]));
    scene.work().await;
    assert_eq!(scene.taken(), scene.shown(april).await);
    assert_eq!(scene.statuses(april).await, [PeppolReportStatus::Sent; 2]);
}

#[tokio::test]
async fn a_missed_day_heals_itself() {
    let scene = Scene::new().await;
    scene.world.clock.advance(hours(10 * 24));
    scene.due().await;
    scene.work().await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sent; 2]);
}

#[tokio::test]
async fn what_was_sent_of_a_month_before_it_ended_is_replaced_when_it_has() {
    let scene = Scene::new().await;
    scene.at("2026-05-20T12:00:00Z".parse().unwrap());
    assert_eq!(scene.report(may(), false).await.len(), 2);
    scene.at(may().end().saturating_add(SETTLED).unwrap());
    // A replacement is not made before the earlier reports have ended: they could arrive after it.
    scene.due().await;
    assert_eq!(scene.records(may()).await.len(), 2);
    scene.work().await;
    scene.due().await;
    scene.work().await;
    scene.due().await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sent; 4]);
    assert_eq!(scene.network.taken().len(), 4);
}

#[tokio::test]
async fn an_operator_files_once_and_again_when_he_says_so() {
    let scene = Scene::new().await;
    assert!(matches!(scene.report(june(), false).await[..], [Filed::Made(_), Filed::Made(_)]));
    assert!(matches!(
        scene.report(june(), false).await[..],
        [Filed::Existing(_), Filed::Existing(_)]
    ));
    assert!(matches!(
        scene.report(june(), true).await[..],
        [Filed::OnItsWay(_), Filed::OnItsWay(_)]
    ));
    scene.work().await;
    assert_eq!(scene.network.taken().len(), 2);
    assert!(matches!(scene.report(june(), true).await[..], [Filed::Made(_), Filed::Made(_)]));
    scene.work().await;
    let numbers: Vec<_> = scene.records(june()).await.iter().map(|it| it.id.number).collect();
    assert_eq!((numbers, scene.network.taken().len()), (vec![1, 2, 1, 2], 4));
}

#[tokio::test]
async fn what_did_not_arrive_is_tried_again_as_the_same_message() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp, Takes::AndHangsUp]);
    scene.due().await;
    scene.work().await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sending; 2]);
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sent; 2]);
    let taken = scene.network.taken();
    let mut ids: Vec<_> = taken.iter().map(|it| (&it.instance_id, &it.message_id)).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((taken.len(), ids.len()), (4, 2));
}

#[tokio::test]
async fn what_is_refused_or_never_arrives_has_failed_and_may_be_filed_again() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::Refuses(Rule::NotServiced), Takes::Status(503)]);
    scene.network.takes(Takes::Status(503));
    scene.due().await;
    scene.work().await;
    let mut statuses = scene.statuses(may()).await;
    statuses.sort_by_key(|status| status.as_str());
    assert_eq!(statuses, [PeppolReportStatus::Failed, PeppolReportStatus::Sending]);
    scene.rest().await;
    let records = scene.records(may()).await;
    assert!(
        records.iter().all(|record| record.status == PeppolReportStatus::Failed),
        "{records:?}"
    );
    let mut reasons: Vec<_> = records.into_iter().filter_map(|record| record.reason).collect();
    reasons.sort();
    assert!(reasons[0].starts_with("no attempt succeeded for 5 days"), "{reasons:?}");
    assert!(reasons[1].starts_with("the receiver refused it: "), "{reasons:?}");
    // No new report is made automatically: an operator must act.
    scene.due().await;
    assert_eq!(scene.records(may()).await.len(), 2);
    scene.network.takes(Takes::Well);
    scene.report(may(), true).await;
    scene.rest().await;
    let sent = scene.statuses(may()).await;
    assert_eq!(sent.iter().filter(|status| **status == PeppolReportStatus::Sent).count(), 2);
}

#[tokio::test]
async fn a_receiver_that_is_not_registered_yet_is_asked_again() {
    let scene = Scene::new().await;
    let elsewhere = Some("9925:be0000000000".parse().unwrap());
    let reporting = PeppolReporting { receiver: elsewhere, ..scene.reporting.clone() };
    peppol_reports::make_due(&reporting).await.unwrap();
    scene.work().await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sending; 2]);
    scene.network.register("9925:be0000000000");
    scene.pass(hours(3)).await;
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sent; 2]);
}

#[tokio::test]
async fn a_late_report_is_watched_and_changes_nothing() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::Status(503));
    scene.due().await;
    scene.at(may().end().saturating_add(LATE).unwrap());
    let before = scene.records(may()).await;
    scene.due().await;
    assert_eq!(scene.records(may()).await, before);
}

#[tokio::test]
async fn a_report_whose_bytes_are_gone_is_parked_and_replaced_and_never_undoes_that() {
    let scene = Scene::new().await;
    scene.due().await;
    let [object, _] = &scene
        .world
        .cloud
        .objects()
        .into_iter()
        .filter(|it| it.ends_with(".report"))
        .collect::<Vec<_>>()[..]
    else {
        panic!()
    };
    scene.world.cloud.set_object(object, None);
    scene.work().await;
    let parked =
        redrive::parked(&scene.world.ctx, &redrive::ParkedFilter::default()).await.unwrap();
    let [(place, why)] = &parked[..] else { panic!("{parked:?}") };
    assert_eq!((place.kind(), why.reason.contains("NoSuchKey")), ("monthly", true));
    for _ in 0..3 {
        scene.pass(hours(1)).await;
    }
    assert_eq!(scene.network.taken().len(), 1);

    scene.report(may(), true).await;
    scene.work().await;
    assert!(redrive::redrive(&scene.world.ctx, place).await.unwrap());
    scene.pass(SignedDuration::ZERO).await;
    let mut statuses = scene.statuses(may()).await;
    statuses.sort_by_key(|status| status.as_str());
    use PeppolReportStatus::{Failed, Sent};
    assert_eq!(statuses, [Failed, Sent, Sent, Sent]);
    assert_eq!(scene.network.taken().len(), 3);
    assert!(scene.world.marks("due_pk").await.is_empty());
}

#[tokio::test]
async fn a_status_message_about_a_report_is_kept_and_shown() {
    let scene = Scene::new().await;
    scene.due().await;
    scene.work().await;
    let records = scene.records(may()).await;
    // The time of the other access point equals that of the test PKI.
    let status = accepted(&(&records[0].instance_id).into(), scene.world.now());
    assert_eq!(
        Parcel::status(&status).pack().arrive(&scene.world.receiving()).await,
        Arrival::Receipt
    );
    scene.world.stream().await;
    scene.world.run("judge", &scene.world.validating()).await;
    let known = peppol_reports::known(&scene.world.ctx, may()).await.unwrap();
    let said: Vec<Vec<_>> =
        known.iter().map(|known| known.statuses.iter().map(|it| it.effect).collect()).collect();
    assert_eq!(said, [vec![Some(StatusEffect::NoDocument)], vec![]]);
    assert!(known.iter().all(|known| known.transmission.is_some() && known.parked.is_none()));
    assert_eq!(scene.statuses(may()).await, [PeppolReportStatus::Sent; 2]);
}

/// Making and sending a report at every crash point, for `crashes.rs`.
pub(super) async fn tallies() -> [Tally; 2] {
    let made = async || {
        let scene = Scene::new().await;
        scene.due().await;
        scene.world.stream().await;
        scene
    };
    // The other report exists already, since counting takes many reads, and each is an effect.
    let half = async || {
        let scene = Scene::new().await;
        let (reporter, receiver) = (OUR_SEAT.parse().unwrap(), openpeppol());
        let PeppolReporting { ctx, bucket, .. } = &scene.reporting;
        let files = Files { ctx, bucket, reporter: &reporter, receiver: &receiver };
        peppol_reports::file(&files, may(), Kind::EndUsers, None).await.unwrap();
        scene
    };
    let make = async |scene: &Scene, faults: &Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let _ =
            Box::pin(peppol_reports::make_due(&World::peppol_reporting_by(&failing.sending))).await;
    };
    let send = async |scene: &Scene, faults: &Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let reporting = World::peppol_reporting_by(&failing.sending);
        scene.network.guard(befalls(faults));
        for message in scene.world.cloud.receive("report") {
            let message: PeppolReportMessage = message.read();
            let _ = Box::pin(job::run(&reporting, &message)).await;
        }
    };
    let after_all = async |scene: &Scene| {
        scene.network.guard(|| Fate::Taken);
        // The next run of the schedule, and then queue and sweeper.
        scene.due().await;
        scene.work().await;
        scene.rest().await;
        let (records, taken) = (scene.records(may()).await, scene.network.taken());
        let mut counts = Vec::new();
        for (kind, [made, ended, envelopes, messages]) in [
            (Kind::Transactions, ["TSR made", "TSR sent", "TSR envelopes", "TSR messages"]),
            (Kind::EndUsers, ["EUSR made", "EUSR sent", "EUSR envelopes", "EUSR messages"]),
        ] {
            let of: Vec<_> = records.iter().filter(|record| record.id.kind == kind).collect();
            let sent = of.iter().filter(|record| record.status == PeppolReportStatus::Sent).count();
            let is_of = |sbdh: &[u8]| {
                let header = sbdh::read(sbdh).unwrap().header;
                *header.document.document_type() == kind.document_type()
            };
            let came: Vec<_> = taken.iter().filter(|it| is_of(&it.sbdh)).collect();
            let distinct = |mut of: Vec<&String>| {
                of.sort();
                of.dedup();
                of.len()
            };
            let instances = distinct(came.iter().map(|it| &it.instance_id).collect());
            let ids = distinct(came.iter().map(|it| &it.message_id).collect());
            counts.extend([
                (made, of.len()),
                (ended, sent),
                (envelopes, instances),
                (messages, ids),
            ]);
        }
        let waiting = scene.world.marks("due_pk").await.len();
        counts.push(("at rest", usize::from(waiting == 0)));
        counts.push(("receipts but one", scene.world.receipts().await.saturating_sub(1)));
        counts
    };
    [
        enumerate_at("OpenPeppol reports made", half, make, after_all).await,
        enumerate_at("OpenPeppol reports sent", made, send, after_all).await,
    ]
}

#[tokio::test]
async fn the_sandbox_has_no_place_for_peppol_reports() {
    let scene = Scene::new().await;
    scene.due().await;
    scene.work().await;
    let written = scene.world.cloud.take_written();
    assert!(!written.is_empty());
    for pk in written {
        assert!(pk.starts_with(Mode::Live.key()), "{pk}");
    }
}
