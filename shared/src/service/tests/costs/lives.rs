//! The lives of documents, stage by stage, from the real use cases over a metered world.
//!
//! [`DOCUMENTS`] documents pass each stage one after another, always in the same order. The first one also does the
//! occasional work (a lookup, the use of a key, the first item of a day). So it is not measured. Each delivery is alone
//! in its batch.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    access::{Caller, Credentials, Scope},
    document::Operation::Invoice,
    egress::{Client, Egress},
    peppol::{
        identifiers::InstanceId,
        mls::{Acceptance, Verdict},
    },
    service::{
        Delivering, TaxReporting, authorize,
        convert::Convert,
        deliver::{OpenBreakers, Outcome, deliver_to_one},
        dispatch::Dispatch,
        job,
        mls_outbound::CONFIRMATION,
        relay,
        report::Pace,
        retirement::{self, Retired},
        sweep::{self, Part},
    },
    store::{
        DailyList, DeliverMessage, EnvelopeHash, RETIRED_AFTER, Status, TaxReportStatus,
        keys::JobId,
    },
    testing::{
        Arrival, BUYER, Metered, MeteredCall, Parcel, StreamRecord, TestNetwork, World, accepted,
        counting, invoice, sealing_key, send, send_queued,
    },
    types::Mode,
    webhook::receiver::{Behaviour, Receiver},
};

/// How many documents pass each stage. The first one is not measured.
pub(super) const DOCUMENTS: usize = 3;

/// The recipient of sent documents, at another access point.
const RECIPIENT: &str = "1009876501";
/// The access point whose documents and statuses arrive.
const THEIR_PROVIDER: &str = "0242:000002";
/// The time between two tax reports (template.yaml, ReportRate).
const REPORT_INTERVAL: SignedDuration = SignedDuration::from_millis(50);

/// A stage of a document's life: one invocation of a function.
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) function: &'static str,
    /// When it ended.
    pub(super) at: Timestamp,
    /// The calls of each measured document.
    pub(super) documents: Vec<Vec<MeteredCall>>,
}

/// A world with its stages so far.
struct Scene {
    world: World,
    metered: Metered,
    network: TestNetwork,
    /// The tax authority's access point.
    _authority: TestNetwork,
    /// The customer's webhook endpoint.
    _receiver: Receiver,
    caller: Caller,
    authorization: String,
    stages: Vec<Stage>,
}

impl Scene {
    /// A taxpayer of an organization with one webhook endpoint.
    async fn new(tin: &str) -> Scene {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        let caller = world.caller("Falcon", tin).await;
        world.subscribe(&caller.organization_id).await;
        let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
        world.endpoint_at(&caller.organization_id, &receiver.url).await;
        let key = world.api_key(&caller.organization_id).await;
        let authorization = format!("Api-Key {}", key.reveal());
        network.register(&format!("0235:{RECIPIENT}"));
        network.register(THEIR_PROVIDER);
        let (metered, stages) = (world.metered(), Vec::new());
        Scene {
            world,
            metered,
            network,
            _authority: authority,
            _receiver: receiver,
            caller,
            authorization,
            stages,
        }
    }

    /// Lets each document pass a stage.
    async fn stage(
        &mut self,
        name: &'static str,
        function: &'static str,
        work: impl AsyncFn(&Scene, usize),
    ) {
        let mut documents = Vec::new();
        for number in 0..DOCUMENTS {
            self.world.clock.advance(SignedDuration::from_millis(1));
            let _before = self.metered.meter.take_calls();
            Box::pin(work(self, number)).await;
            documents.push(self.metered.meter.take_calls());
        }
        documents.remove(0);
        let at = self.metered.sending.ctx.now();
        self.stages.push(Stage { name, function, at, documents });
    }

    /// Authorizes and counts a request, as the API does.
    async fn authorize(&self) -> Caller {
        let credentials = Credentials {
            authorization: Some(&self.authorization),
            taxpayer_id: Some(self.caller.taxpayer.taxpayer_id.as_str()),
            grant_id: None,
        };
        let scopes = &[Scope::InvoicesWrite];
        authorize(&self.metered.sending.ctx, &counting(), credentials, scopes).await.unwrap()
    }

    /// Relays marked jobs of a kind, one for each document.
    async fn relay(&mut self, name: &'static str, kind: &str) {
        let mut records = self.world.records().await;
        records.retain(|record| record.job_id.kind() == kind);
        // By their ids, which begin with a time: in the order of the documents.
        records.sort_by_key(|record| record.job_id.to_string());
        self.relay_each(name, &records).await;
    }

    async fn relay_each(&mut self, name: &'static str, records: &[StreamRecord]) {
        assert_eq!(records.len(), DOCUMENTS, "{name}");
        self.stage(name, "relay", async |scene, number| {
            let StreamRecord { job_id, item, .. } = &records[number];
            let batch = relay::Batch::new(&scene.metered.relaying);
            batch.relay(job_id, Some(item.clone())).await.unwrap();
        })
        .await;
    }

    /// Runs a job for each message of a queue.
    async fn run<J: job::Job>(
        &mut self,
        name: &'static str,
        (function, queue): (&'static str, &str),
        job: J,
    ) {
        let messages = self.world.cloud.receive(queue);
        assert_eq!(messages.len(), DOCUMENTS, "{name}");
        self.stage(name, function, async |_, number| {
            Box::pin(job::run(&job, &messages[number].read())).await.unwrap();
        })
        .await;
    }

    /// Relays an event of each document, and delivers it to the endpoint.
    async fn publish(&mut self, relayed: &'static str, delivered: &'static str) {
        self.relay(relayed, "event").await;
        let messages = self.world.cloud.receive("deliver");
        let messages: Vec<DeliverMessage> = messages.iter().map(|it| it.read()).collect();
        assert_eq!(messages.len(), DOCUMENTS, "{delivered}");
        let delivering = Delivering {
            ctx: self.metered.sending.ctx.clone(),
            queue: self.metered.relaying.deliver.clone(),
            client: Client::new(Egress::Any).unwrap(),
            sealing_key: sealing_key().into(),
            open_breakers: OpenBreakers::default(),
        };
        self.stage(delivered, "deliver", async |_, number| {
            let outcomes = deliver_to_one(&delivering, &messages[number..=number]).await;
            let [outcome] = outcomes.try_into().ok().unwrap();
            assert_eq!(outcome.unwrap(), Outcome::Delivered);
        })
        .await;
    }

    /// Receives a message about each document.
    async fn receive(&mut self, arrives: &'static str, parcels: &[Parcel]) {
        assert_eq!(parcels.len(), DOCUMENTS, "{arrives}");
        let packed: Vec<_> = parcels.iter().map(Parcel::pack).collect();
        let receiving = World::receiving_by(&self.metered.sending);
        self.stage(arrives, "inbound", async |_, number| {
            assert_eq!(packed[number].arrive(&receiving).await, Arrival::Receipt);
        })
        .await;
    }

    /// Validates the documents of messages that were received.
    async fn validate(&mut self, [relayed, validated]: [&'static str; 2], parcels: &[Parcel]) {
        let envelopes = parcels.iter().map(|it| EnvelopeHash::of(&it.instance_id.parse().unwrap()));
        let job_ids: Vec<_> = envelopes.map(|it| JobId::Message(Mode::Live, it)).collect();
        let mut records = self.world.records().await;
        records.retain(|record| job_ids.contains(&record.job_id));
        records.sort_by_key(|record| job_ids.iter().position(|id| *id == record.job_id));
        self.relay_each(relayed, &records).await;
        let validating = World::validating_by(&self.metered.sending);
        self.run(validated, ("validate_inbound", "judge"), validating).await;
    }

    /// Sends the tax report of each document.
    async fn report(&mut self) {
        let pace = Pace::new(REPORT_INTERVAL);
        let (sending, relaying) = (&self.metered.sending, &self.metered.relaying);
        let reporting = TaxReporting { pace, ..World::tax_reporting_by(sending, relaying) };
        self.run("report", ("report", "report"), reporting).await;
        let submitted = self.world.tax_reports().await;
        assert!(submitted.iter().all(|it| it.status == TaxReportStatus::Submitted));
    }

    /// Receives the verdict on each report, and publishes it.
    async fn verdict(&mut self) {
        let mut tax_reports = self.world.tax_reports().await;
        tax_reports.sort_by_key(|it| it.report_id.to_string());
        let parcels = tax_reports.iter().enumerate().map(|(number, tax_report)| {
            let ref_to: InstanceId = (&tax_report.instance_id).into();
            let verdict = Verdict::Accepted(Acceptance::default());
            Parcel::verdict(&format!("V-{number}"), &ref_to, verdict)
        });
        self.receive("verdict: receipt", &parcels.collect::<Vec<_>>()).await;
        self.publish("verdict: event", "verdict: delivery").await;
        let reported = self.world.tax_reports().await;
        assert!(reported.iter().all(|it| it.status == TaxReportStatus::Reported));
    }

    /// Receives the recipient's status of each document, and publishes it.
    async fn status(&mut self) {
        let mut documents = self.world.documents().await;
        documents.sort_by_key(|it| it.document_id.to_string());
        let parcels = documents.iter().enumerate().map(|(number, document)| {
            let status = accepted(&(&document.message_id).into(), self.world.now());
            Parcel {
                message_id: format!("s{number}@their.test"),
                instance_id: format!("status-{number}"),
                ..Parcel::status(&status)
            }
        });
        self.receive("status: receipt", &parcels.collect::<Vec<_>>()).await;
        self.publish("status: event", "status: delivery").await;
        let documents = self.world.documents().await;
        assert!(documents.iter().all(|it| it.status == Status::Delivered));
    }

    /// All stages after the recipient's receipt.
    async fn afterwards(&mut self) {
        assert_eq!(self.network.taken().len(), DOCUMENTS);
        self.publish("sent: event", "sent: delivery").await;
        self.relay("report: relay", "filing").await;
        self.report().await;
        self.verdict().await;
        self.status().await;
        self.at_rest().await;
    }

    /// Long afterwards, items of each document are retired.
    async fn retirement(&mut self, list: DailyList) {
        self.world.clock.advance(RETIRED_AFTER + SignedDuration::from_hours(48));
        let mut entries = Vec::new();
        let day = self.world.documents().await[0].created_at.to_zoned(TimeZone::UTC).date();
        for shard in 0..list.shards() {
            let page = self.world.ctx.store.list_day(list, (day, shard), None, i32::MAX).await;
            entries.extend(page.unwrap().0);
        }
        entries.sort_by_key(|it| it.names().1.to_string());
        assert_eq!(entries.len(), DOCUMENTS);
        self.stage("retirement", "archives", async |scene, number| {
            let ctx = &scene.metered.sending.ctx;
            let retired = retirement::visit(ctx, &entries[number]).await.unwrap();
            assert_eq!(retired, Retired { documents: 1, ..Retired::default() });
        })
        .await;
    }

    /// Nothing is left to do.
    async fn at_rest(&self) {
        assert_eq!(self.world.due().await, []);
        assert_eq!(self.world.marked().await, []);
        assert_eq!(self.world.parked().await, 0);
    }
}

/// An invoice of this many lines.
fn body(number: usize, lines: usize) -> Value {
    let mut body = invoice(&format!("Live-{number:05}"), RECIPIENT);
    let line = body["line_items"][0].clone();
    body["line_items"] = vec![line; lines].into();
    body["source_id"] = format!("order-{number:05}").into();
    body
}

/// An invoice that is sent while the caller waits.
pub(super) async fn sent(lines: usize) -> Vec<Stage> {
    Box::pin(sent_in(lines)).await.stages
}

/// An invoice of one line that is sent while the caller waits, until items of it are retired.
pub(super) async fn retired() -> Vec<Stage> {
    let mut scene = Box::pin(sent_in(1)).await;
    Box::pin(scene.retirement(DailyList::Sent)).await;
    scene.stages
}

async fn sent_in(lines: usize) -> Scene {
    let mut scene = Box::pin(Scene::new("1001234501")).await;
    scene
        .stage("send", "api", async |scene, number| {
            let (caller, key) = (scene.authorize().await, format!("key-{number:05}"));
            let (sending, body) = (&scene.metered.sending, body(number, lines));
            send(sending, &caller, Invoice, &body, Some(&key)).await.unwrap();
        })
        .await;
    Box::pin(scene.afterwards()).await;
    scene
}

/// An invoice of one line that is accepted and sent later.
pub(super) async fn queued() -> Vec<Stage> {
    let mut scene = Box::pin(Scene::new("1001234501")).await;
    scene
        .stage("acceptance", "api", async |scene, number| {
            let (caller, key) = (scene.authorize().await, format!("key-{number:05}"));
            send_queued(&scene.metered.sending, &caller, &body(number, 1), Some(&key))
                .await
                .unwrap();
        })
        .await;
    scene.relay("conversion: relay", "document").await;
    let sending = scene.metered.sending.clone();
    scene.run("conversion", ("convert", "convert"), Convert(sending.clone())).await;
    scene.relay("dispatch: relay", "document").await;
    scene.run("dispatch", ("dispatch", "dispatch"), Dispatch(sending)).await;
    Box::pin(scene.afterwards()).await;
    scene.stages
}

/// An invoice of one line that another access point sends.
pub(super) async fn received() -> Vec<Stage> {
    Box::pin(received_in()).await.stages
}

/// An invoice of one line that another access point sends, until items of it are retired.
pub(super) async fn received_and_retired() -> Vec<Stage> {
    let mut scene = Box::pin(received_in()).await;
    Box::pin(scene.retirement(DailyList::Received)).await;
    scene.stages
}

async fn received_in() -> Scene {
    let mut scene = Box::pin(Scene::new(BUYER)).await;
    let parcels = (0..DOCUMENTS).map(|number| Parcel::invoice(&format!("A-{number}")));
    let parcels: Vec<_> = parcels.collect();
    scene.receive("receipt", &parcels).await;
    scene.validate(["receipt: relay", "validation"], &parcels).await;
    scene.publish("received: event", "received: delivery").await;
    // A queue delays both messages until nobody confirms any more.
    scene.world.clock.advance(CONFIRMATION);
    scene.relay("status: relay", "answer").await;
    let answering = World::answering_by(&scene.metered.sending);
    scene.run("status", ("mls", "answer"), answering).await;
    scene.relay("report: relay", "filing").await;
    scene.report().await;
    scene.verdict().await;
    scene.at_rest().await;
    scene
}

/// The parts that a schedule of the template names by a word.
pub(in super::super) fn parts(word: &str) -> Vec<Part> {
    let inputs = include_str!("../../../../../template.yaml").lines().filter_map(|line| {
        let (_, input) = line.split_once(&format!(r#"Input: '{{"{word}": "#))?;
        Some(input.split_once("}'").unwrap().0)
    });
    inputs.map(|input| serde_json::from_str(input).unwrap()).collect()
}

/// The visits of schedules in a minute in which nothing is due.
pub(super) async fn idle() -> Vec<Stage> {
    let mut scene = Box::pin(Scene::new(BUYER)).await;
    // The days before the first document were visited.
    for _ in 0..29 {
        let until = Instant::now() + Duration::from_secs(60);
        retirement::retire_part(&scene.world.ctx, Part::WHOLE, until).await.unwrap();
    }
    for part in parts("retire") {
        scene
            .stage("retirement", "archives", async |scene, _| {
                let until = Instant::now() + Duration::from_secs(60);
                let ctx = &scene.metered.sending.ctx;
                let retired = retirement::retire_part(ctx, part, until).await.unwrap();
                assert_eq!(retired, Retired::default());
            })
            .await;
    }
    assert_eq!(scene.stages.len(), 4);
    for part in parts("part") {
        scene
            .stage("sweep", "sweeper", async |scene, _| {
                let swept = sweep::sweep_part(&scene.metered.relaying, part).await;
                assert_eq!(swept.relayed, 0);
            })
            .await;
    }
    assert_eq!(scene.stages.len(), 8);
    scene.stages
}
