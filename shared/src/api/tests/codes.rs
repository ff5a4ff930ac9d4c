//! Makes every request on the page of error codes, and compares the response. `UPDATE_ANSWERS=1` rewrites the
//! responses.

use std::{collections::BTreeMap, sync::Arc};

use jiff::SignedDuration;
use serde_json::{Value, json};
use tracing::Level;

use super::{Answer, Api, Call, SAMPLES, invoice};
use crate::{
    access::{Scope, TaxpayerStatus},
    api::{error::ErrorResponse, openapi, status},
    docs::requests::{self, MARK, Request},
    document::{MAX_BODY_BYTES, Operation},
    error::Code,
    log::testing::Log,
    peppol::as4::Rule,
    store::{Change, Direction, DocumentRecord, Status, Subscription, TaxReportStatus, keys::Key},
    testing::{Fault, Faults, Names, Publishes, Takes, TestNetwork, World},
    types::{EndpointId, EventId, Mode, TaxpayerId},
    webhook::receiver::{Behaviour, Receiver},
};

/// A deployment in some state, and its values for the variables of requests.
struct Scene {
    api: Api,
    variables: BTreeMap<&'static str, String>,
}

impl Scene {
    fn of(api: Api) -> Self {
        let mut correction = invoice();
        // This is a variable too, and is replaced after the current one.
        correction["corrects_document_id"] = json!("$DOCUMENT");
        let variables = [
            ("$KEY", api.demo.api_keys.sandbox.clone()),
            ("$LIVE_KEY", api.demo.api_keys.live.clone()),
            ("$TOKEN", "at_test_none".to_owned()),
            ("$TAXPAYER", api.falcon().to_string()),
            ("$INVOICE", SAMPLES[0].1.to_owned()),
            ("$CORRECTION", correction.to_string()),
            ("$SPACES", " ".repeat(MAX_BODY_BYTES + 1)),
            ("$URL", "http://127.0.0.1:9/orders".to_owned()),
            ("$DOCUMENT", "doc_0".to_owned()),
            ("$EVENT", "evt_0".to_owned()),
            ("$ENDPOINT", api.demo.webhook_endpoint.endpoint_id.to_string()),
        ];
        Scene { variables: variables.into(), api: api.documented("https://api.example.com") }
    }

    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        assert!(self.variables.insert(name, value.to_string()).is_some(), "{name}");
        self
    }

    /// A Sandbox deployment.
    async fn plain() -> Self {
        let scene = Scene::of(Api::start().await);
        let token = scene.api.token(scene.api.falcon(), &Scope::ALL).await;
        scene.with("$TOKEN", token.access_token.reveal())
    }

    /// A deployment with a network that has the sample's customer, and with a Live taxpayer. The organization has no
    /// subscription.
    async fn live() -> (Self, TestNetwork, TaxpayerId) {
        let (world, network) = World::live().await;
        network.register("0235:1001234502");
        let api = Api::over(world).await;
        let id = api.world.taxpayer("Falcon Trading LLC", "1007654321").await.taxpayer_id;
        api.world.grant_on(&api.demo.organization_id, &id, &Scope::ALL).await;
        (Scene::of(api).with("$TAXPAYER", &id), network, id)
    }

    /// A Live deployment whose organization has a subscription.
    async fn subscribed() -> (Self, TestNetwork, TaxpayerId) {
        let (scene, network, id) = Scene::live().await;
        scene.api.world.subscribe(&scene.api.demo.organization_id).await;
        (scene, network, id)
    }

    /// A Live deployment in which the network treats the sample unusually.
    async fn where_the_network(does: impl FnOnce(&TestNetwork)) -> Self {
        let (scene, network, _) = Scene::subscribed().await;
        does(&network);
        scene
    }

    /// A Live deployment in which the sample was rejected, with this status of its report and of its correction.
    async fn rejected(reported: TaxReportStatus, corrected: bool) -> Self {
        let (scene, _, taxpayer_id) = Scene::subscribed().await;
        let (world, organization_id) = (&scene.api.world, &scene.api.demo.organization_id);
        let sent = async |status| {
            let (document, _) =
                world.reported(&taxpayer_id, organization_id, Direction::Outbound, status).await;
            document
        };
        let corrected_by = match corrected {
            true => Some(sent(TaxReportStatus::Reported).await.document_id),
            false => None,
        };
        let rejected = DocumentRecord {
            operation: Operation::Invoice,
            document_type_code: "380".to_owned(),
            number: "INV-1001".to_owned(),
            status: Status::Rejected,
            unanswered: None,
            corrected_by,
            ..sent(reported).await
        };
        world.put_document(&rejected).await;
        scene.with("$DOCUMENT", rejected.document_id)
    }

    /// An event for an endpoint, delivered or not.
    async fn with_event(is_delivered: bool) -> Self {
        let scene = Scene::plain().await;
        let api = &scene.api;
        let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
        let made = api.make_endpoint(json!({"url": receiver.url})).await;
        let endpoint_id: EndpointId = made["endpoint_id"].as_str().unwrap().parse().unwrap();
        let path = format!("/v1/webhook-endpoints/{endpoint_id}/test");
        let due = api.own(Call::post(&path, r#"{"event_type": "document.sent"}"#)).await.json();
        let event_id: EventId = due["event_id"].as_str().unwrap().parse().unwrap();
        if is_delivered {
            api.stream().await;
            api.deliver().await;
        } else {
            let (store, now) = (&api.world.ctx.store, api.world.now());
            let organization_id = &api.demo.organization_id;
            let due = store.get_delivery(Mode::Sandbox, organization_id, &event_id, &endpoint_id);
            let (due, owner) = (due.await.unwrap().unwrap(), api.world.ctx.new_uuid());
            let until = now + SignedDuration::from_secs(60);
            let begun = Change::begin(due, owner, now, until).unwrap();
            assert!(store.change_delivery(&begun).await.unwrap());
        }
        scene.with("$EVENT", event_id).with("$ENDPOINT", endpoint_id)
    }

    /// Sends the sample in Sandbox.
    async fn sent(self) -> Self {
        let sent = self.api.as_falcon(Call::post(SAMPLES[0].0, SAMPLES[0].1)).await;
        assert_eq!(sent.status, 201, "{sent:?}");
        self.with("$DOCUMENT", sent.json()["document_id"].as_str().unwrap())
    }

    /// The scene with failing calls to other services.
    fn failing(self, faults: &Arc<Faults>) -> Self {
        Scene { api: self.api.failing(faults), ..self }
    }

    async fn ask(&self, request: &Request) -> Answer {
        let mut text = request.text();
        for (name, value) in &self.variables {
            text = text.replace(name, value);
        }
        assert!(!text.contains('$'), "{text} has a variable that no example defines");
        self.api.call(read(&text)).await
    }
}

impl Scene {
    /// The response as the page shows it: with the variables of requests, and with fixed identifiers.
    fn shown(&self, answer: &Answer) -> String {
        let body: ErrorResponse = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(serde_json::to_vec(&body).unwrap(), answer.body, "all of it is read");
        let mut text = serde_json::to_string_pretty(&body).unwrap();
        // Only values of this length: not whole bodies, and not identifiers that match anything.
        let named = self.variables.iter().filter(|(_, value)| (10..100).contains(&value.len()));
        for (name, value) in named {
            text = text.replace(value, name);
        }
        // The network has a different port in each run.
        while let Some((before, after)) = text.split_once("http://127.0.0.1:") {
            let path = after.trim_start_matches(|it: char| it.is_ascii_digit());
            text = format!("{before}https://smp.example.com{path}");
        }
        text = text.replace(&body.detail.request_id, REQUEST_ID);
        if let Some(document_id) = &body.detail.document_id {
            text = text.replace(document_id.as_str(), DOCUMENT_ID);
        }
        let shown = ["content-type", "x-request-id", "allow", "retry-after", "www-authenticate"];
        let header =
            |name: &&str| Some(format!("{name}: {}\n", answer.headers.get(*name)?.to_str().ok()?));
        let headers: String = shown.iter().filter_map(header).collect();
        format!("{}\n{text}", headers.replace(&body.detail.request_id, REQUEST_ID))
    }
}

/// The request id on the page.
const REQUEST_ID: &str = "5d1f0a3e-7c42-4b8e-9f60-2a1b3c4d5e6f";
/// The id of a document without a variable on the page.
const DOCUMENT_ID: &str = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718";

/// Parses an HTTP message as a call.
fn read(text: &str) -> Call {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, path) = lines.next().unwrap().split_once(' ').unwrap();
    let mut call = Call::new(method.parse().unwrap(), path);
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        call = call.with(name.to_lowercase().leak(), value);
    }
    Call { body: body.into(), ..call }
}

/// Creates the state that a request needs.
async fn scene(code: Code) -> Scene {
    match code {
        Code::InvalidToken => {
            let scene = Scene::plain().await;
            let token = scene.api.token(scene.api.falcon(), &Scope::ALL).await;
            scene.api.end(&token).await;
            scene.with("$TOKEN", token.access_token.reveal())
        }
        Code::GrantRequired => {
            let scene = Scene::plain().await;
            let pearl = scene.api.pearl().clone();
            scene.with("$TAXPAYER", pearl)
        }
        Code::InsufficientScope => {
            let scene = Scene::plain().await;
            let (api, scopes) = (&scene.api, [Scope::InvoicesRead]);
            let key = api.another_organization(api.falcon(), &scopes).await;
            scene.with("$KEY", key)
        }
        Code::TaxpayerInactive => {
            let scene = Scene::plain().await;
            let suspended = scene.api.taxpayer_with_key(TaxpayerStatus::Suspended).await;
            scene.with("$TAXPAYER", suspended.0).with("$KEY", suspended.1)
        }
        Code::SubscriptionRequired => Scene::live().await.0,
        Code::BillingStatusUnavailable => {
            let (scene, ..) = Scene::live().await;
            let (world, id) = (&scene.api.world, &scene.api.demo.organization_id);
            let confirmed_at = Some(world.now());
            let said = Subscription { active: true, confirmed_at, ..Subscription::default() };
            world.put(Key::subscription(id), &said).await;
            world.clock.advance(crate::testing::FRESHNESS.0 + SignedDuration::from_secs(1));
            scene
        }
        Code::QuotaExceeded => {
            let mut world = World::new().await;
            world.sending.settings.sandbox_daily_sends = 1;
            Scene::of(Api::over(world).await).sent().await
        }
        Code::IdempotencyKeyReused => {
            let scene = Scene::plain().await;
            let (path, body) = SAMPLES[1];
            let other = Call::post(path, body).with("idempotency-key", "order-4711");
            assert_eq!(scene.api.as_falcon(other).await.status, 201);
            scene
        }
        Code::IdempotencyInProgress => {
            let hangs_up = |network: &TestNetwork| network.takes_first(&[Takes::AndHangsUp]);
            let scene = Scene::where_the_network(hangs_up).await;
            let first = scene.ask(&requests::of(code)).await;
            assert_eq!(first.error(), (503, Code::TransmissionUnconfirmed.to_string()));
            scene
        }
        Code::QueuedDeliveryDisabled => {
            let mut world = World::new().await;
            world.sending.settings.queued_delivery = false;
            Scene::of(Api::over(world).await)
        }
        Code::NotCorrectable | Code::ReportNotRepairable => Scene::plain().await.sent().await,
        Code::AlreadyCorrected => Scene::rejected(TaxReportStatus::NotCompliant, true).await,
        Code::CorrectionRecoveryPending => Scene::rejected(TaxReportStatus::Reported, false).await,
        Code::VersionConflict | Code::EndpointDisabled => {
            let scene = Scene::plain().await;
            let path = format!("/v1/webhook-endpoints/{}", scene.variables["$ENDPOINT"]);
            let changed = scene.api.own(Call::patch(&path, r#"{"enabled": false}"#)).await;
            assert_eq!(changed.status, 200);
            scene
        }
        Code::EndpointLimitReached => {
            let scene = Scene::plain().await;
            for _ in 1..50 {
                let id = &scene.api.demo.organization_id;
                scene.api.world.endpoint_at(id, "http://127.0.0.1:9/orders").await;
            }
            scene
        }
        Code::DeliveryInProgress => Scene::with_event(false).await,
        Code::AlreadyDelivered => Scene::with_event(true).await,
        Code::RecipientNotRegistered => {
            Scene::where_the_network(|it| it.names(Names::NoName)).await
        }
        Code::RecipientNotCapable => {
            Scene::where_the_network(|it| it.publishes(Publishes::OtherDocuments)).await
        }
        Code::RecipientRegistrationDefective => {
            Scene::where_the_network(|it| it.publishes(Publishes::Foreign)).await
        }
        Code::TransmissionRefused => {
            Scene::where_the_network(|it| it.takes(Takes::Refuses(Rule::NotServiced))).await
        }
        Code::RecipientLookupFailed => {
            Scene::where_the_network(|it| it.names(Names::ServerFailure)).await
        }
        Code::RecipientUnreachable => {
            let nowhere = || Publishes::At("http://127.0.0.1:9/as4".to_owned());
            let scene = Scene::where_the_network(|it| it.publishes(nowhere())).await;
            for _ in 0..5 {
                let (status, code) = scene.ask(&requests::of(code)).await.error();
                assert_eq!((status, code), (503, Code::TransmissionUnconfirmed.to_string()));
            }
            scene
        }
        Code::TransmissionUnconfirmed => {
            Scene::where_the_network(|it| it.takes_first(&[Takes::AndHangsUp])).await
        }
        Code::IdempotencyUnavailable => {
            let takes_nothing = Faults::only("TransactWriteItems", Fault::Before);
            Scene::plain().await.failing(&takes_nothing)
        }
        Code::ServiceUnavailable => {
            Scene::plain().await.failing(&Faults::new(Fault::Before, 0, usize::MAX))
        }
        Code::InternalError => {
            let scene = Scene::plain().await.sent().await;
            let documents = scene.api.world.documents().await;
            let sent = scene.variables["$DOCUMENT"].parse().unwrap();
            let document = documents.into_iter().find(|it| it.document_id == sent).unwrap();
            let key = Key::document(Mode::Sandbox, &document.taxpayer_id, &sent);
            scene.api.world.put(key, &json!({"number": "INV-1001"})).await;
            scene
        }
        Code::RateLimited => {
            let scene = Scene::of(Api::limited(World::new().await, 1).await);
            assert_eq!(scene.api.own(Call::get("/v1/me")).await.status, 200);
            scene
        }
        _ => panic!("{code} has a state that is not brought about"),
    }
}

#[test]
fn every_request_of_the_page_gets_its_code_by_its_state_and_not_without_it() {
    // Without optimization a Live send over the router needs more stack than a test thread has.
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(make_every_request()));
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[expect(clippy::disallowed_methods, reason = "a switch of the test run, not configuration")]
pub(super) fn rewrite() -> bool {
    std::env::var_os("UPDATE_ANSWERS").is_some()
}

/// The level of the line about a request: only a fault of this service is an error, since an alarm rings for it.
fn level(code: Code) -> &'static str {
    match (status(code).is_server_error(), code) {
        (false, _) => "INFO",
        (
            true,
            Code::RecipientLookupFailed
            | Code::RecipientUnreachable
            | Code::TransmissionUnconfirmed,
        ) => "WARN",
        (true, _) => "ERROR",
    }
}

/// The level of the line that was logged about the request with an answer.
fn level_of(log: &Log, code: Code) -> String {
    let mut lines = log.lines().into_iter();
    let of_request =
        |it: &Value| it["error.code"] == code.to_string() && it["http.status"] != Value::Null;
    let line = lines.find(of_request).unwrap_or_else(|| panic!("{code}: {}", log.text()));
    line["level"].as_str().unwrap().to_owned()
}

async fn make_every_request() {
    let plain = Box::pin(Scene::plain()).await;
    let mut answers = BTreeMap::new();
    for code in openapi::codes() {
        let request = requests::of(code);
        let expected = (status(code).as_u16(), code.to_string());
        if request.state.is_empty() {
            let log = Log::start(Level::INFO);
            let answer = plain.ask(&request).await;
            assert_eq!(answer.error(), expected);
            assert_eq!(level_of(&log, code), level(code), "{code}");
            answers.insert(code.to_string(), plain.shown(&answer));
            continue;
        }
        let without = plain.ask(&request).await;
        let is_answered = without.status.is_success();
        assert!(is_answered || without.error() != expected, "{code} needs no state");
        let scene = Box::pin(scene(code)).await;
        let log = Log::start(Level::INFO);
        let answer = scene.ask(&request).await;
        assert!(!answer.status.is_success(), "{code}: {answer:?}");
        assert_eq!(answer.error(), expected, "{}", answer.message());
        assert_eq!(level_of(&log, code), level(code), "{code}");
        answers.insert(code.to_string(), scene.shown(&answer));
    }
    let listed = answers.iter().map(|(code, answer)| format!("{MARK}{code}\n{answer}\n"));
    let listed: String = listed.collect();
    let noted = concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/data/answers.txt");
    if rewrite() {
        std::fs::write(noted, &listed).unwrap();
    }
    assert!(
        std::fs::read_to_string(noted).unwrap() == listed,
        "UPDATE_ANSWERS=1 notes what is answered"
    );
}
