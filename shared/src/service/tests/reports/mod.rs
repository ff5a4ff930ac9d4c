//! Reports to the tax authority, from the document to the verdict. The authority has an access point of its own on
//! loopback.

mod beside;
mod mishaps;
mod refused;
mod verdicts;
mod waiting;

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    access::Caller,
    document::Operation::Invoice,
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, InstanceId, Process, Spid},
        mls::{self, Acceptance, Reason, Text, Verdict},
        sbdh,
        statistics::{Direction, Month},
    },
    service::{
        TaxReporting, exchange_counts, job, later,
        overview::overview,
        reply::Reply,
        report::Pace,
        resubmission::{self, ResubmissionRequest},
        submit, sweep,
    },
    store::{
        AttemptOutcome, Awaited, DocumentRecord, EventRecord, EventType, PayloadKind, Reached,
        ReportMessage, StatusEffect, StatusRecord, TaxReportKind, TaxReportOutcome,
        TaxReportRecord, TaxReportRole, TaxReportSelection, TaxReportStatus, TurnRequest,
    },
    taxdata,
    testing::{
        AUTHORITY, Arrival, BUYER, Faults, Names, OUR_SEAT, Parcel, Takes, TestNetwork, World,
        befalls, enumerate_at, invoice, send, send_queued, ubl,
    },
    types::{Mode, ReportId},
    validate::validate,
    webhook::receiver::Fate,
};

const RECIPIENT: &str = "1009876501";
/// The predefined endpoint for recipients that are not subject to e-invoicing.
pub(super) const NOBODY: &str = "9900000098";

struct Scene {
    world: World,
    network: TestNetwork,
    authority: TestNetwork,
    sender: Caller,
    reporting: TaxReporting,
}

impl Scene {
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        world.caller("Oasis", BUYER).await;
        network.register(&format!("0235:{RECIPIENT}"));
        network.register("0242:000002");
        let reporting = world.tax_reporting();
        Scene { world, network, authority, sender, reporting }
    }

    /// A scene with a sent document.
    async fn with(number: &str) -> Scene {
        let scene = Scene::new().await;
        scene.send(number, RECIPIENT).await;
        scene
    }

    async fn send(&self, number: &str, recipient: &str) {
        let body = body(number, recipient);
        send(&self.world.sending, &self.sender, Invoice, &body, Some(number)).await.unwrap();
    }

    /// Runs stream and queues until nothing is left.
    async fn work(&self) {
        // Boxed, as below: in a debug build the state is large, and a test has a small stack.
        Box::pin(self.work_with(&self.reporting)).await;
    }

    async fn work_with(&self, reporting: &TaxReporting) {
        loop {
            Box::pin(self.world.stream()).await;
            let mut worked = Box::pin(self.world.work()).await;
            worked += self.world.run("judge", &self.world.validating()).await;
            worked += self.world.run("answer", &self.world.answering()).await;
            let mut messages = self.world.cloud.receive("report");
            // The sweeper also relays the reports of delayed messages.
            messages.retain(|message| message.delay_seconds == 0);
            for message in &messages {
                Box::pin(job::run(reporting, &message.read())).await.unwrap();
            }
            if worked + messages.len() == 0 {
                return;
            }
        }
    }

    async fn pass(&self, time: SignedDuration) {
        self.world.clock.advance(time);
        sweep::sweep(&self.world.relaying).await;
        self.work().await;
    }

    async fn tax_reports(&self) -> Vec<TaxReportRecord> {
        self.world.tax_reports().await
    }

    async fn only(&self) -> TaxReportRecord {
        let [tax_report] = self.tax_reports().await.try_into().unwrap();
        tax_report
    }

    async fn document(&self) -> DocumentRecord {
        let [document] = self.world.documents().await.try_into().unwrap();
        document
    }

    /// Receives a verdict on the only report.
    async fn says(&self, name: &str, verdict: Verdict) {
        let ref_to: InstanceId = (&self.only().await.instance_id).into();
        self.comes(&Parcel::verdict(name, &ref_to, verdict)).await;
    }

    async fn comes(&self, parcel: &Parcel) {
        assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
        self.work().await;
    }

    async fn published(&self) -> Vec<EventRecord> {
        let mut events = self.world.events().await;
        events.retain(|event| event.event_type == EventType::DocumentReported);
        events
    }

    async fn effects(&self) -> Vec<Option<StatusEffect>> {
        let kept: Vec<StatusRecord> = self.world.items("STATUS#").await;
        kept.iter().map(|status| status.effect).collect()
    }

    /// Does the same as `POST …/reports`.
    async fn resubmit(&self) {
        let document = self.document().await;
        let (document_id, idempotency_key) = (document.document_id.as_str(), Some("again"));
        let request = ResubmissionRequest { document_id, body: Ok(()), idempotency_key };
        let render = |_| Reply { status: 202, body: b"{}".to_vec() };
        let again = resubmission::resubmit(&self.world.sending, &self.sender, request, render);
        again.await.unwrap();
    }

    async fn parked(&self) -> usize {
        let items = self.world.raw_items("").await;
        items.iter().filter(|item| item.contains_key("parked")).count()
    }

    /// The Tax Data Documents that the authority received.
    fn reports(&self) -> Vec<String> {
        let document = |sbdh: &[u8]| sbdh::read(sbdh).unwrap().payload.document().into_owned();
        let taken = self.authority.taken();
        taken.iter().map(|it| String::from_utf8(document(&it.sbdh)).unwrap()).collect()
    }
}

/// An invoice that is valid for that recipient.
pub(super) fn body(number: &str, recipient: &str) -> Value {
    let mut body = invoice(number, recipient);
    if recipient == NOBODY {
        body["customer"]["identifiers"] = json!([{"id": "B-1"}]);
        body["customer"].as_object_mut().unwrap().remove("vat_identifier");
    }
    body
}

fn accepts() -> Verdict {
    Verdict::Accepted(Acceptance::default())
}

fn refuses() -> Verdict {
    let said = Text::new("It is not compliant.").unwrap();
    let finding = (Some("/pxs:TaxData"), Reason::Rule, "[ibr-tdd-01] It lacks a customization.");
    let findings = [finding].map(|(path, reason, words)| (path, reason, words.to_owned()));
    Verdict::Rejected(mls::reject(said, findings).unwrap())
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

/// The text of an element of a report.
fn said<'a>(report: &'a str, element: &str) -> Option<&'a str> {
    let (_, rest) = report.split_once(&format!("<{element}>"))?;
    rest.split_once("</").map(|(text, _)| text)
}

#[tokio::test]
async fn a_document_that_leaves_is_reported_beside_its_exchange_and_the_verdict_ends_that() {
    let scene = Scene::with("A-1").await;
    let document = scene.document().await;
    let due = scene.only().await;
    assert_eq!(due.report_id, ReportId::first_of(&document.document_id));
    assert_eq!((due.kind, due.role), (TaxReportKind::Submit, TaxReportRole::Sender));
    assert_eq!(due.status, TaxReportStatus::Due);
    let shown = document.reporting.clone().unwrap();
    assert_eq!((shown.report_id, shown.outcome), (due.report_id.clone(), None));
    assert!(scene.reports().is_empty(), "a send waits for no report");

    scene.work().await;
    let [report] = scene.reports().try_into().unwrap();
    taxdata::check(report.as_bytes()).unwrap();
    for (element, expected) in [
        ("pxs:DocumentTypeCode", "S"),
        ("pxs:ReporterRole", "01"),
        ("pxs:TransportHeaderID", &*document.message_id.to_string()),
    ] {
        assert_eq!(said(&report, element), Some(expected), "{element}");
    }
    let [taken] = scene.authority.taken().try_into().unwrap();
    let header = sbdh::read(&taken.sbdh).unwrap().header;
    assert_eq!(header.instance_id, (&due.instance_id).into());
    assert_eq!(*header.document.document_type(), DocumentType::TAX_DATA);
    assert_eq!(header.process, Process::TAX_REPORTING);
    assert_eq!(
        (header.sender.to_string(), header.receiver.to_string()),
        ("0235:1001234501".to_owned(), AUTHORITY.to_owned())
    );

    let submitted = scene.only().await;
    assert_eq!((submitted.status, &submitted.lease), (TaxReportStatus::Submitted, &None));
    assert_eq!(submitted.authority.as_ref().unwrap().participant().to_string(), AUTHORITY);
    let store = &scene.world.ctx.store;
    let (taxpayer_id, report_id) = (&submitted.taxpayer_id, &submitted.report_id);
    let transmission = store.get_tax_report_transmission(taxpayer_id, report_id).await.unwrap();
    let tax_data = submitted.tax_data(transmission.as_ref()).unwrap();
    let kept = scene.world.sending.bucket.get(tax_data).await.unwrap();
    // In the envelope it has no XML declaration.
    let kept = String::from_utf8(kept).unwrap();
    let envelope = str::from_utf8(&taken.sbdh).unwrap();
    assert!(envelope.contains(kept.split_once('\n').unwrap().1), "{envelope}");
    assert!(transmission.unwrap().receipt.is_some());
    assert!(scene.published().await.is_empty());

    scene.says("V-1", accepts()).await;
    let reported = scene.only().await;
    assert_eq!(reported.status, TaxReportStatus::Reported);
    assert!(scene.world.sending.bucket.get(&reported.verdict.unwrap().envelope).await.is_ok());
    let shown = scene.document().await.reporting.unwrap();
    assert_eq!(shown.outcome, Some(TaxReportOutcome::Reported));
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["environment"], "live");
    let data = &event["data"];
    let submission = format!("sub_{}", &document.document_id.as_str()["doc_".len()..]);
    for (name, expected) in [
        ("document_id", document.document_id.as_str()),
        ("submission_id", &submission),
        ("submission_message_id", &due.instance_id.to_string()),
        ("message_id", &document.message_id.to_string()),
        ("document_type_code", "380"),
    ] {
        assert_eq!(data[name], expected, "{name}");
    }
    assert_eq!(data["report"]["outcome"], "REPORTED");
    // The record has the same identifiers (specification 2.4).
    let record = scene.document().await;
    assert_eq!(record.submission_message_id(), Some(&due.instance_id));
    assert_eq!((&data["report"]["kind"], &data["report"]["role"]), (&"S".into(), &"01".into()));
    // Nothing is due any more.
    assert_eq!(scene.world.next_tax_report().await, None);
}

#[tokio::test]
async fn a_queued_document_is_reported_once_when_its_first_message_leaves() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::Status(503)]);
    let body = invoice("A-1", RECIPIENT);
    send_queued(&scene.world.sending, &scene.sender, &body, Some("k")).await.unwrap();
    assert!(scene.tax_reports().await.is_empty());
    scene.work().await;
    assert_eq!(scene.reports().len(), 1);
    // The first message of the report failed. The next one carries the same report.
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!((scene.network.taken().len(), scene.reports().len()), (1, 1));
    let document = scene.document().await;
    let shown = document.reporting.unwrap();
    assert_eq!((shown.report_id, shown.outcome), (scene.only().await.report_id, None));
}

#[tokio::test]
async fn what_never_leaves_is_not_reported() {
    let scene = Scene::new().await;
    for (number, recipient, wrong) in [("A-1", "1009876599", false), ("A-2", RECIPIENT, true)] {
        let mut body = invoice(number, recipient);
        if wrong {
            body["line_items"] = Value::Array(Vec::new());
        }
        send(&scene.world.sending, &scene.sender, Invoice, &body, Some(number)).await.unwrap_err();
    }
    // A queued document whose recipient is never found.
    let body = invoice("A-3", "1009876599");
    send_queued(&scene.world.sending, &scene.sender, &body, Some("k")).await.unwrap();
    scene.work().await;
    assert!(scene.tax_reports().await.is_empty());
    assert!(scene.document().await.reporting.is_none());
}

#[tokio::test]
async fn what_is_for_a_predefined_endpoint_is_reported_without_an_exchange() {
    let scene = Scene::new().await;
    scene.send("A-1", NOBODY).await;
    let queued = body("A-2", NOBODY);
    send_queued(&scene.world.sending, &scene.sender, &queued, Some("k")).await.unwrap();
    scene.work().await;
    assert!(scene.network.taken().is_empty());
    let reports = scene.reports();
    assert_eq!(reports.len(), 2);
    for report in reports {
        assert_eq!(said(&report, "pxs:TransportHeaderID"), None);
    }
    for document in scene.world.documents().await {
        assert!(document.reporting.is_some());
    }
}

#[tokio::test]
async fn a_valid_document_that_came_is_reported_when_its_status_is_due_or_was_confirmed() {
    let scene = Scene::new().await;
    scene.comes(&Parcel::invoice("A-1")).await;
    let waiting = scene.only().await;
    assert_eq!((waiting.kind, waiting.role), (TaxReportKind::Submit, TaxReportRole::Receiver));
    scene.pass(SignedDuration::from_mins(14)).await;
    assert!(scene.reports().is_empty());
    scene.pass(SignedDuration::from_mins(2)).await;
    let [report] = scene.reports().try_into().unwrap();
    assert_eq!(said(&report, "pxs:ReporterRole"), Some("02"));
    let exchanged = Parcel::invoice("A-1").instance_id;
    assert_eq!(said(&report, "pxs:TransportHeaderID"), Some(&*exchanged));

    // A document that its receiver retrieved, so that its status is sent.
    let scene = Scene::new().await;
    scene.comes(&Parcel::invoice("A-1")).await;
    let document = scene.document().await;
    let buyer = Caller { taxpayer: scene.taxpayer(&document).await, ..scene.sender.clone() };
    ubl(&scene.world.sending, &buyer, document.document_id.as_str()).await.unwrap();
    scene.work().await;
    assert_eq!(scene.reports().len(), 1);

    // A sender that wants failures only is owed no status: the document is reported at once.
    let scene = Scene::new().await;
    let parcel = Parcel { mls_type: None, ..Parcel::invoice("A-1") };
    scene.comes(&parcel).await;
    assert_eq!(scene.reports().len(), 1);
}

impl Scene {
    async fn taxpayer(&self, document: &DocumentRecord) -> crate::access::Taxpayer {
        let store = &self.world.ctx.store;
        store.get_taxpayer_lately(Mode::Live, &document.taxpayer_id).await.unwrap().unwrap()
    }
}

#[tokio::test]
async fn a_document_that_breaks_the_rules_is_reported_as_failed_however_broken_it_is() {
    let valid = Parcel::invoice("A-1");
    let text = String::from_utf8(valid.document.clone()).unwrap();
    let unnumbered = text.replace("<cbc:ID>A-1</cbc:ID>", "").into_bytes();
    let empty = b"<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\"/>";
    for document in [unnumbered, empty.to_vec()] {
        let scene = Scene::new().await;
        scene.comes(&Parcel { document, ..valid.clone() }).await;
        let tax_report = scene.only().await;
        assert_eq!(
            (tax_report.kind, tax_report.role),
            (TaxReportKind::Failed, TaxReportRole::Receiver)
        );
        assert_eq!(tax_report.status, TaxReportStatus::Submitted, "{tax_report:?}");
        let [report] = scene.reports().try_into().unwrap();
        assert_eq!(said(&report, "pxs:DocumentTypeCode"), Some("F"));
        taxdata::check(report.as_bytes()).unwrap();
    }
}

#[tokio::test]
async fn reports_and_the_statuses_about_them_are_exchanges_both() {
    let scene = Scene::new().await;
    scene.send("A-1", NOBODY).await;
    scene.work().await;
    scene.says("V-1", accepts()).await;
    let (store, month) = (&scene.world.ctx.store, Month::of(scene.world.now()));
    let reports = exchange_counts::reports(store, OUR_SEAT.parse().unwrap(), month).await.unwrap();
    let mut counted: Vec<_> = reports.transactions.exchanges.iter().collect();
    counted.sort_by_key(|it| it.direction != Direction::Outgoing);
    let counted: Vec<_> = counted.iter().map(|it| (it.document_type.clone(), it.count)).collect();
    let expected = [(DocumentType::TAX_DATA, 1), (DocumentType::MESSAGE_LEVEL_STATUS, 1)];
    assert_eq!(counted, expected);
    for report in [reports.transactions.write(), reports.end_users.write()] {
        let verdict = validate(&report).unwrap();
        assert!(verdict.is_valid() && verdict.findings.is_empty(), "{:?}", verdict.findings);
    }
}

#[tokio::test]
async fn a_report_that_was_not_received_is_no_exchange() {
    let scene = Scene::new().await;
    scene.send("A-1", NOBODY).await;
    scene.authority.takes(Takes::Refuses(Rule::Sbdh));
    scene.work().await;
    assert_eq!(
        (scene.only().await.status, scene.world.exchanges().await),
        (TaxReportStatus::Failed, 0)
    );
}

#[tokio::test]
async fn tax_reports_are_listed_newest_first_and_by_what_they_are() {
    let scene = Scene::new().await;
    for number in 0..7 {
        scene.send(&format!("A-{number}"), NOBODY).await;
        scene.world.clock.advance(SignedDuration::from_secs(1));
        if number == 2 {
            scene.work().await;
        }
    }
    let store = &scene.world.ctx.store;
    let taxpayer_id = &scene.sender.taxpayer.taxpayer_id;
    let list = async |status: Option<TaxReportStatus>, kind: Option<TaxReportKind>| {
        let selection = TaxReportSelection { status, kind, ..TaxReportSelection::default() };
        let (mut found, mut from) = (Vec::new(), None);
        loop {
            let page = store
                .list_tax_reports(taxpayer_id, &selection, (from.as_ref(), 2), scene.world.now())
                .await
                .unwrap();
            assert!(page.items.len() <= 2);
            found.extend(page.items.into_iter().map(|(tax_report, _)| tax_report));
            from = page.next;
            if from.is_none() {
                return found;
            }
        }
    };
    let all = list(None, None).await;
    assert_eq!(all.len(), 7);
    assert!(all.is_sorted_by(|a, b| a.report_id > b.report_id));
    use TaxReportStatus::{Due, Failed, Reported, Submitted};
    for (status, kind, expected) in [
        (Some(Submitted), None, 3),
        (Some(Due), Some(TaxReportKind::Submit), 4),
        (None, Some(TaxReportKind::Submit), 7),
        (None, Some(TaxReportKind::Failed), 0),
        (Some(Reported), None, 0),
        (Some(Failed), None, 0),
    ] {
        assert_eq!(list(status, kind).await.len(), expected, "{status:?} {kind:?}");
    }
    // Those of the last hour are found among all. The sweeper lists what is open for longer.
    let open = async || {
        let pointers = scene.world.raw_items("rep_").await;
        pointers.iter().filter(|it| it["pk"].as_s().unwrap().contains("#OPEN#")).count()
    };
    assert_eq!(open().await, 0);
    scene.world.clock.advance(SignedDuration::from_mins(20));
    sweep::sweep(&scene.world.relaying).await;
    assert_eq!(open().await, 7);
    for minutes in [0, 39, 1, 60] {
        scene.world.clock.advance(SignedDuration::from_mins(minutes));
        assert_eq!(list(Some(Submitted), None).await.len(), 3, "{minutes}");
        let due = list(Some(Due), None).await;
        assert!(due.len() == 4 && due.is_sorted_by(|a, b| a.report_id > b.report_id));
    }
    let document =
        store.get_document(Mode::Live, taxpayer_id, &all[0].document_id).await.unwrap().unwrap();
    assert_eq!(store.list_tax_reports_about(&document).await.unwrap(), [all[0].clone()]);
}

impl Scene {
    /// Runs a healthy deployment until the report has a status.
    async fn recover(&self, status: TaxReportStatus) {
        Box::pin(self.work()).await;
        for _ in 0..40 {
            let tax_reports = self.tax_reports().await;
            if tax_reports.iter().all(|tax_report| tax_report.status == status) {
                return;
            }
            Box::pin(self.pass(SignedDuration::from_mins(3))).await;
        }
    }
}
