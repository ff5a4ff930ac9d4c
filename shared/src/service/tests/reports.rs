//! Reports to the tax authority, from the document to the verdict. The authority has an access point of its own on
//! loopback.

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
async fn a_refusal_of_the_authority_is_published_with_its_reasons() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    scene.says("V-1", refuses()).await;
    let tax_report = scene.only().await;
    assert_eq!(tax_report.status, TaxReportStatus::NotCompliant);
    let [reason] = &tax_report.reasons[..] else { panic!("{tax_report:?}") };
    assert!(reason.message.contains("ibr-tdd-01"));
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "NOT_COMPLIANT");
    assert_eq!(event["data"]["report"]["reasons"][0]["message"], &*reason.message);
    // It is in the list of such reports.
    let status = Some(TaxReportStatus::NotCompliant);
    let selection = TaxReportSelection { status, ..TaxReportSelection::default() };
    let (store, taxpayer_id) = (&scene.world.ctx.store, &tax_report.taxpayer_id);
    let page = store.list_tax_reports(taxpayer_id, &selection, None, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    // A second verdict changes nothing.
    scene.says("V-2", accepts()).await;
    assert_eq!(scene.only().await, tax_report);
    assert_eq!(scene.published().await.len(), 1);
    let effects = scene.effects().await;
    assert!(effects.contains(&Some(StatusEffect::Second)), "{effects:?}");
}

#[tokio::test]
async fn a_verdict_of_anybody_else_changes_nothing() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    let ref_to: InstanceId = (&scene.only().await.instance_id).into();
    // Verdicts of another provider, in its own name and in the authority's.
    let theirs = Parcel::verdict("V-1", &ref_to, accepts());
    let own = mls::Status {
        id: Text::new("V-2").unwrap(),
        issued_at: scene.world.now(),
        sender: Spid::new("000002").unwrap(),
        receiver: Spid::new("000001").unwrap(),
        ref_to: ref_to.clone(),
        verdict: accepts(),
    };
    let other = Parcel::status(&mls::write(&own));
    let forged = Parcel {
        message_id: "forged@their.test".to_owned(),
        instance_id: "forged".to_owned(),
        from: other.from,
        ..theirs
    };
    for parcel in [other, forged] {
        scene.comes(&parcel).await;
        assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    }
    assert_eq!(scene.effects().await, [Some(StatusEffect::Foreign); 2]);
    assert!(scene.published().await.is_empty());
}

#[tokio::test]
async fn a_verdict_that_overtakes_the_receipt_waits_for_it() {
    let scene = Scene::with("A-1").await;
    scene.authority.takes_first(&[Takes::AndHangsUp]);
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    scene.says("V-1", accepts()).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    // The retry is the same message.
    scene.pass(SignedDuration::from_mins(2)).await;
    scene.pass(SignedDuration::from_mins(5)).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Reported);
    let taken = scene.authority.taken();
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0].message_id, taken[1].message_id);
    assert_eq!(scene.published().await.len(), 1);
}

#[tokio::test]
async fn the_overview_awaits_a_verdict_and_shows_a_refusal_until_a_later_report_is_accepted() {
    let scene = Scene::with("A-1").await;
    scene.send("A-2", NOBODY).await;
    scene.work().await;
    let id = &scene.sender.organization_id;
    let shown = async || overview(&scene.world.ctx, scene.world.mode, id).await.unwrap();
    // Nobody owes a status for the predefined endpoints.
    let awaited: Vec<_> = shown().await.awaited.iter().map(|it| it.what).collect();
    assert_eq!(awaited, [Awaited::Status, Awaited::Verdict, Awaited::Verdict]);
    let tax_reports = scene.tax_reports().await;
    for (tax_report, verdict) in tax_reports.iter().zip([refuses(), accepts()]) {
        let ref_to: InstanceId = (&tax_report.instance_id).into();
        let name = format!("V-{}", tax_report.report_id);
        scene.comes(&Parcel::verdict(&name, &ref_to, verdict)).await;
    }
    let after = shown().await;
    assert_eq!(after.awaited.iter().map(|it| it.what).collect::<Vec<_>>(), [Awaited::Status]);
    let failed: Vec<_> = after.failures.iter().map(|it| it.reached).collect();
    assert_eq!(failed, [Reached::NotCompliant]);
    let today = after.days[0];
    let counts = [Reached::Sent, Reached::Reported, Reached::NotCompliant].map(|it| today.of(it));
    assert_eq!(counts, [2, 1, 1]);
}

#[tokio::test]
async fn a_tax_report_without_a_verdict_is_overdue_after_a_day_and_nobody_guesses() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    let submitted = scene.only().await;
    for _ in 0..3 {
        let (due, _) = scene.world.next_tax_report().await.unwrap();
        assert!(due.duration_since(scene.world.now()) <= hours(24));
        scene.pass(hours(24)).await;
        assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    }
    assert_eq!((scene.published().await.len(), scene.reports().len()), (0, 1));
    assert_eq!(scene.only().await.submitted_at, submitted.submitted_at);
    scene.says("V-1", accepts()).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Reported);
}

#[tokio::test]
async fn what_provably_did_not_arrive_for_48_hours_has_failed_and_a_late_verdict_changes_nothing() {
    let scene = Scene::with("A-1").await;
    scene.network.names(Names::ServerFailure);
    let stored = scene.world.cloud.objects();
    scene.work().await;
    for _ in 0..49 {
        assert!(scene.published().await.is_empty());
        scene.pass(hours(1)).await;
        scene.pass(SignedDuration::from_mins(5)).await;
        if scene.only().await.status == TaxReportStatus::Failed {
            break;
        }
    }
    let failed = scene.only().await;
    assert_eq!(failed.status, TaxReportStatus::Failed);
    let age = failed.updated_at.duration_since(failed.begun_at.unwrap());
    assert!((hours(46)..=hours(49)).contains(&age), "{age}");
    assert_eq!(failed.reasons[0].rule, "AP-REPORT-given-up");
    assert_eq!(scene.world.cloud.objects(), stored, "no attempt leaves what never went");
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "FAILED");
    assert_eq!(scene.document().await.reporting.unwrap().outcome, Some(TaxReportOutcome::Failed));
    let status = Some(TaxReportStatus::Failed);
    let selection = TaxReportSelection { status, ..TaxReportSelection::default() };
    let store = &scene.world.ctx.store;
    let page = store.list_tax_reports(&failed.taxpayer_id, &selection, None, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(scene.world.next_tax_report().await, None);
}

#[tokio::test]
async fn an_attempt_that_ends_so_means_that() {
    use TaxReportStatus::{Failed, Filing, Submitted};
    for (takes, status) in [
        (Takes::Well, Submitted),
        // Nothing was sent before, so it cannot be a duplicate.
        (Takes::CallsDuplicate, Failed),
        (Takes::Refuses(Rule::Sbdh), Failed),
        (Takes::RefusesUnsigned(Rule::Sbdh), Filing),
        (Takes::AndHangsUp, Filing),
        (Takes::AndSpoilsReceipt, Filing),
        (Takes::Status(503), Filing),
    ] {
        let scene = Scene::with("A-1").await;
        scene.authority.takes(takes.clone());
        scene.work().await;
        assert_eq!(scene.only().await.status, status, "{takes:?}");
        let published = usize::from(status == Failed);
        assert_eq!(scene.published().await.len(), published, "{takes:?}");
    }
}

#[tokio::test]
async fn a_duplicate_after_silence_means_that_the_authority_has_the_report() {
    let scene = Scene::with("A-1").await;
    scene.authority.takes_first(&[Takes::AndHangsUp]);
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    scene.authority.takes(Takes::CallsDuplicate);
    scene.pass(hours(1)).await;
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    assert!(scene.published().await.is_empty());
}

#[tokio::test]
async fn without_an_authority_tax_reports_are_made_and_wait() {
    let scene = Scene::with("A-1").await;
    let unset = TaxReporting { authority: None, ..scene.world.tax_reporting() };
    scene.work_with(&unset).await;
    for _ in 0..60 {
        scene.world.clock.advance(hours(1));
        sweep::sweep(&scene.world.relaying).await;
        scene.work_with(&unset).await;
    }
    let waiting = scene.only().await;
    assert_eq!((waiting.status, waiting.begun_at), (TaxReportStatus::Due, None));
    assert_eq!((scene.parked().await, scene.authority.came()), (0, 0));
    // Once an authority is configured, the report is sent, however long that took.
    scene.pass(hours(1)).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
}

#[tokio::test]
async fn a_report_that_the_rules_refuse_fails_with_its_reason_and_can_be_filed_again() {
    let scene = Scene::with("A-1").await;
    let right = scene.document().await.ubl.unwrap();
    let DocumentRecord { taxpayer_id, document_id, .. } = scene.document().await;
    // A document as a fault of ours would leave it.
    let text = b"<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\"/>";
    let (bucket, kind, begun) = (&scene.world.sending.bucket, PayloadKind::Ubl, &mut Vec::new());
    let put = bucket.put(Mode::Live, &taxpayer_id, &document_id, kind, text.to_vec(), begun);
    let wrong = serde_dynamo::to_attribute_value(put.await.unwrap()).unwrap();
    scene.world.set("LIVE#TAXPAYER", "DOCUMENT", "ubl", wrong).await;
    scene.work().await;
    assert_eq!((scene.parked().await, scene.authority.came()), (0, 0));
    let failed = scene.only().await;
    assert_eq!(failed.status, TaxReportStatus::Failed);
    let [reason] = &failed.reasons[..] else { panic!("{:?}", failed.reasons) };
    assert_eq!(reason.rule, "AP-REPORT-invalid");
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "FAILED");
    assert_eq!(event["data"]["report"]["reasons"][0]["rule"], "AP-REPORT-invalid");

    // The cause is corrected and the report resubmitted. The authority has no earlier one, so R is not possible.
    let right = serde_dynamo::to_attribute_value(right).unwrap();
    scene.world.set("LIVE#TAXPAYER", "DOCUMENT", "ubl", right).await;
    scene.resubmit().await;
    scene.work().await;
    let [again] = scene.reports().try_into().unwrap();
    assert_eq!(said(&again, "pxs:DocumentTypeCode"), Some("S"));
}

#[tokio::test]
async fn an_invoice_in_a_currency_that_reports_do_not_have_is_not_sent() {
    let scene = Scene::new().await;
    for (recipient, code) in [(RECIPIENT, "XCG"), (RECIPIENT, "STN"), (NOBODY, "XCG")] {
        let mut body = body("A-1", recipient);
        body["currency"] = json!(code);
        body["currency_exchange_rate"] = json!("2.0");
        let (ctx, sender) = (&scene.world.ctx, &scene.sender);
        let bytes = serde_json::to_vec(&body).unwrap();
        let validated = submit::validate(ctx, sender, Invoice, &bytes).await.unwrap();
        let sent = send(&scene.world.sending, sender, Invoice, &body, Some("k")).await;
        for findings in [validated.findings, sent.unwrap_err().findings] {
            let [finding] = &findings[..] else { panic!("{findings:?}") };
            assert_eq!(finding.rule, "AP-REPORT-invalid");
            assert_eq!((&*finding.pointer, finding.value.as_deref()), ("/currency", Some(code)));
            assert!(finding.message.contains("ibr-tdd-30-1") && finding.fix.is_some());
        }
    }
    assert!(scene.world.documents().await.is_empty() && scene.tax_reports().await.is_empty());
    // The key is free, and a document that can be reported is sent.
    let mut body = body("A-1", RECIPIENT);
    body["currency"] = json!("USD");
    body["currency_exchange_rate"] = json!("3.6725");
    send(&scene.world.sending, &scene.sender, Invoice, &body, Some("k")).await.unwrap();
}

#[tokio::test]
async fn the_report_about_a_document_that_came_in_such_a_currency_fails_visibly() {
    let scene = Scene::new().await;
    // PINT-AE allows the currency, and the other access point sends it.
    let theirs = World::new().await;
    let seller = theirs.caller("Their seller", "1001234501").await;
    let mut body = body("B-1", BUYER);
    body["currency"] = json!("USD");
    body["currency_exchange_rate"] = json!("3.6725");
    let sent = send(&theirs.sending, &seller, Invoice, &body, None).await.unwrap();
    let bytes = ubl(&theirs.sending, &seller, sent.document_id.as_str()).await.unwrap();
    let document = String::from_utf8(bytes).unwrap().replace("USD", "XCG").into_bytes();
    scene.comes(&Parcel { document, ..Parcel::invoice("B-1") }).await;
    scene.pass(SignedDuration::from_mins(20)).await;
    scene.pass(SignedDuration::from_mins(20)).await;
    let failed = scene.only().await;
    assert_eq!((failed.status, failed.role), (TaxReportStatus::Failed, TaxReportRole::Receiver));
    assert_eq!(failed.reasons[0].rule, "AP-REPORT-invalid", "{:?}", failed.reasons);
    assert_eq!((scene.published().await.len(), scene.parked().await), (1, 0));
}

#[tokio::test]
async fn a_report_before_an_authority_without_room_waits_visibly_however_long_that_lasts() {
    let scene = Scene::with("A-1").await;
    let (ctx, address) = (&scene.world.ctx, scene.authority.address());
    let (network, _) = scene.world.sending.network().await.unwrap();
    let taken = network.receivers.all_places(ctx, Mode::Live, &address).await;
    scene.work().await;
    let transmission = async || {
        let TaxReportRecord { taxpayer_id, report_id, .. } = scene.only().await;
        ctx.store.get_tax_report_transmission(&taxpayer_id, &report_id).await.unwrap().unwrap()
    };
    let [attempt] = &transmission().await.attempts[..] else { panic!("it is recorded once") };
    assert_eq!(attempt.outcome, Some(AttemptOutcome::Held));
    for _ in 0..11 {
        scene.pass(hours(5)).await;
    }
    let waiting = scene.only().await;
    assert_eq!((waiting.status, transmission().await.attempts.len()), (TaxReportStatus::Filing, 1));
    assert_eq!(scene.authority.came(), 0);
    drop(taken);
    for _ in 0..5 {
        scene.pass(hours(1)).await;
    }
    assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
}

#[tokio::test]
async fn a_report_ends_after_48_hours_of_attempts_and_the_hours_before_the_first_do_not_count() {
    let scene = Scene::with("A-1").await;
    let (ctx, address) = (&scene.world.ctx, scene.authority.address());
    let (network, _) = scene.world.sending.network().await.unwrap();
    let taken = network.receivers.all_places(ctx, Mode::Live, &address).await;
    scene.work().await;
    for _ in 0..6 {
        scene.pass(hours(5)).await;
    }
    let until = scene.world.now();
    drop(taken);
    // No connection is accepted. The breaker is open between the attempts.
    scene.authority.guard(|| Fate::Refused);
    while scene.only().await.status == TaxReportStatus::Filing {
        scene.pass(hours(1)).await;
    }
    let ended = scene.only().await;
    let transmission =
        ctx.store.get_tax_report_transmission(&ended.taxpayer_id, &ended.report_id).await.unwrap();
    let attempts = transmission.unwrap().attempts.into_iter();
    let attempts: Vec<_> = attempts.filter(|it| it.outcome != Some(AttemptOutcome::Held)).collect();
    assert!(attempts.len() >= 10, "{attempts:?}");
    assert!(attempts[0].started_at >= until);
    let lasted = ended.updated_at.duration_since(attempts[0].started_at);
    assert!((hours(46)..=hours(50)).contains(&lasted), "{lasted:?}");
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
async fn tax_reports_go_at_the_rate_that_is_set_and_the_oldest_first() {
    let scene = Scene::new().await;
    let slow = TaxReporting {
        pace: Pace::new(SignedDuration::from_secs(10)),
        ..scene.world.tax_reporting()
    };
    for number in 0..5 {
        scene.send(&format!("A-{number}"), NOBODY).await;
        scene.world.clock.advance(SignedDuration::from_millis(1));
    }
    let mut went = Vec::new();
    let begun = scene.world.now();
    scene.world.stream().await;
    let mut messages: Vec<ReportMessage> =
        scene.world.cloud.receive("report").iter().map(|message| message.read()).collect();
    messages.sort_by(|a, b| a.report_id.cmp(&b.report_id));
    for message in &messages {
        job::run(&slow, message).await.unwrap();
    }
    went.push(scene.reports().len());
    for _ in 0..4 {
        scene.world.clock.advance(SignedDuration::from_secs(10));
        // The queue brings each report at its turn.
        for message in &messages {
            job::run(&slow, message).await.unwrap();
        }
        went.push(scene.reports().len());
    }
    assert_eq!(went, [1, 2, 3, 4, 5], "from {begun}");
    let mut tax_reports = scene.tax_reports().await;
    tax_reports.sort_by_key(|tax_report| tax_report.submitted_at);
    let ids: Vec<_> = tax_reports.iter().map(|tax_report| tax_report.report_id.clone()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[tokio::test]
async fn a_turn_that_was_missed_is_given_again() {
    let scene = Scene::with("A-1").await;
    let interval = SignedDuration::from_secs(60);
    let slow = TaxReporting { pace: Pace::new(interval), ..scene.world.tax_reporting() };
    let taken = async || {
        let now = scene.world.now();
        let request =
            TurnRequest { count: 1, interval, until: later(now, interval), running: true };
        scene.world.ctx.store.lease_turns(now, request).await.unwrap()
    };
    taken().await;
    scene.world.stream().await;
    let [message] = scene.world.cloud.receive("report").try_into().unwrap();
    job::run(&slow, &message.read()).await.unwrap();
    let [again] = scene.world.cloud.receive("report").try_into().unwrap();
    assert_eq!((again.delay_seconds, again.body.clone()), (60, message.body));
    let turn = scene.only().await.turn;
    let next = later(scene.world.now(), interval);
    assert_eq!(turn.map(|it| it.as_second()), Some(next.as_second()));
    // The function was down: reports that missed their turns together are not sent together.
    scene.world.clock.advance(hours(1));
    taken().await;
    job::run(&slow, &again.read()).await.unwrap();
    assert!(scene.reports().is_empty());
    assert!(scene.only().await.turn > turn);
}

#[tokio::test]
async fn a_report_that_finds_no_turn_within_the_delay_of_a_queue_waits_without_one() {
    let scene = Scene::with("A-1").await;
    let interval = SignedDuration::from_secs(60);
    let slow = TaxReporting { pace: Pace::new(interval), ..scene.world.tax_reporting() };
    let now = scene.world.now();
    let lease = TurnRequest { count: 30, interval, until: now, running: false };
    scene.world.ctx.store.lease_turns(now, lease).await.unwrap();
    scene.world.stream().await;
    let [message] = scene.world.cloud.receive("report").try_into().unwrap();
    let message: ReportMessage = message.read();
    job::run(&slow, &message).await.unwrap();
    assert!(scene.world.cloud.receive("report").is_empty());
    let (due, _) = scene.world.next_tax_report().await.unwrap();
    // Half of the turns that a queue reaches are free then: 30 minutes are taken, and a queue reaches 14.
    let waits = due.duration_since(now);
    let (least, most) = (SignedDuration::from_mins(23), SignedDuration::from_mins(24));
    assert!((least..=most).contains(&waits), "{waits:?}");
    assert_eq!(scene.only().await.turn, None);
    scene.world.clock.advance(most);
    job::run(&slow, &message).await.unwrap();
    let turn = scene.only().await.turn.unwrap();
    assert_eq!(turn.as_second(), later(now, interval * 30).as_second());
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
            let page =
                store.list_tax_reports(taxpayer_id, &selection, from.as_ref(), 2).await.unwrap();
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
    let document =
        store.get_document(Mode::Live, taxpayer_id, &all[0].document_id).await.unwrap().unwrap();
    assert_eq!(store.list_tax_reports_about(&document).await.unwrap(), [all[0].clone()]);
}

#[tokio::test]
async fn a_tax_report_and_its_verdict_survive_every_mishap_at_every_effect() {
    let due = async || {
        let scene = Box::pin(Scene::with("A-1")).await;
        scene.world.stream().await;
        scene
    };
    let file = async |scene: &Scene, faults: &std::sync::Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let tax_report = World::tax_reporting_by(&failing.sending, &failing.relaying);
        scene.authority.guard(befalls(faults));
        let [message] = scene.world.cloud.receive("report").try_into().unwrap();
        if Box::pin(job::run(&tax_report, &message.read())).await.is_err() {
            // The queue brings it again.
            scene.world.clock.advance(SignedDuration::from_mins(15));
        }
    };
    let submitted = async || {
        let scene = Box::pin(Scene::with("A-1")).await;
        Box::pin(scene.work()).await;
        let ref_to: InstanceId = (&scene.only().await.instance_id).into();
        let parcel = Parcel::verdict("V-1", &ref_to, refuses());
        assert_eq!(parcel.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
        scene.world.stream().await;
        scene
    };
    let decide = async |scene: &Scene, faults: &std::sync::Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let (ctx, bucket) = (failing.sending.ctx.clone(), failing.sending.bucket.clone());
        let validating =
            crate::service::ValidatingInbound { ctx, bucket, ..scene.world.validating() };
        let [message] = scene.world.cloud.receive("judge").try_into().unwrap();
        if Box::pin(job::run(&validating, &message.read())).await.is_err() {
            scene.world.clock.advance(SignedDuration::from_mins(15));
        }
    };
    let filed = async |scene: &Scene| {
        scene.authority.guard(|| Fate::Taken);
        scene.recover(TaxReportStatus::Submitted).await;
        while let Some((due, place)) = scene.world.next_receipt().await {
            scene.world.clock.advance(due.duration_since(scene.world.now()).max(hours(0)));
            sweep::take_up(&scene.world.relaying, &place).await;
            scene.work().await;
        }
        let taken = scene.authority.taken();
        let mut messages: Vec<_> = taken.iter().map(|it| &it.message_id).collect();
        messages.dedup();
        let submitted = scene.tax_reports().await;
        let ended = submitted.iter().filter(|it| it.status == TaxReportStatus::Submitted).count();
        vec![
            ("tax reports", submitted.len()),
            ("submitted", ended),
            ("messages", messages.len()),
            // The receipts of the document and of this report.
            ("receipts but one", scene.world.receipts().await.saturating_sub(1)),
            ("exchanges but one", scene.world.exchanges().await.saturating_sub(1)),
        ]
    };
    let decided = async |scene: &Scene| {
        scene.recover(TaxReportStatus::NotCompliant).await;
        let ended = scene.tax_reports().await;
        let ended = ended.iter().filter(|it| it.status == TaxReportStatus::NotCompliant).count();
        let shown = scene.document().await.reporting.unwrap().outcome;
        let listed = async |status| {
            let selection =
                TaxReportSelection { status: Some(status), ..TaxReportSelection::default() };
            let taxpayer_id = &scene.sender.taxpayer.taxpayer_id;
            let page = scene
                .world
                .ctx
                .store
                .list_tax_reports(taxpayer_id, &selection, None, 10)
                .await
                .unwrap();
            page.items.len()
        };
        // A reader of the old list removes the pointer.
        assert_eq!(listed(TaxReportStatus::Submitted).await, 0);
        let of_outcome = scene.world.raw_items("rep_").await.len() - 1;
        vec![
            ("refused", ended),
            ("events", scene.published().await.len()),
            ("shown", usize::from(shown == Some(TaxReportOutcome::NotCompliant))),
            ("pointers beside that among all", of_outcome),
            ("listed", listed(TaxReportStatus::NotCompliant).await),
        ]
    };
    let tallies = [
        Box::pin(enumerate_at("file", due, file, filed)).await,
        Box::pin(enumerate_at("mls-of-authority", submitted, decide, decided)).await,
    ];
    assert!(tallies.iter().all(|tally| (tally.lost, tally.doubled) == (0, 0)), "{tallies:?}");
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
