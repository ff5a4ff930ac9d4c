//! The registers of the network on loopback: an SML that writes the test network's DNS, and a Directory.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, State},
    response::Response,
    routing::{delete, post, put},
};
use tokio::net::TcpListener;

use super::{Faults, TestNetwork, TlsFront, network::ZONE};
use crate::{
    egress::{Client, Egress},
    peppol::{identifiers::segment_text, pki::testing::PKI, smp::Reach},
    service::{Dns, register::Registries},
    types::ParticipantId,
    webhook::receiver::Fate,
};

/// The id of this service's SMP.
pub(crate) const SMP_ID: &str = "SMP-PAE000001";
/// The address of this service's SMP; no server runs there.
pub(crate) const SMP_URL: &str = "http://127.0.0.1:9/smp";

/// The behaviour of a register for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    Well,
    /// Executes the request, and closes the connection.
    AndHangsUp,
    /// Answers with this fault and text.
    Fault(&'static str, &'static str),
    /// Answers with this status.
    Status(u16),
}

#[derive(Default)]
struct Books {
    /// The behaviours for the next requests.
    first: Vec<Tells>,
    /// The addresses of SMPs, by their ids.
    smps: BTreeMap<String, String>,
    keys: BTreeMap<ParticipantId, String>,
    listed: BTreeSet<String>,
    /// The received requests, one word for each.
    came: Vec<String>,
    guard: Option<Arc<dyn Fn() -> Fate + Send + Sync>>,
}

/// The registers: their addresses and their data.
#[derive(Clone)]
pub(crate) struct Registers {
    http: SocketAddr,
    network: TestNetwork,
    books: Arc<Mutex<Books>>,
}

impl Registers {
    /// Registers that contain this service's SMP.
    pub(crate) async fn start(network: &TestNetwork) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let smps = BTreeMap::from([(SMP_ID.to_owned(), SMP_URL.to_owned())]);
        let registers = Registers {
            http: listener.local_addr().unwrap(),
            network: network.clone(),
            books: Arc::new(Mutex::new(Books { smps, ..Books::default() })),
        };
        let router = Router::new()
            .route("/sml/manageparticipantidentifier", post(participants))
            .route("/sml/manageservicemetadata", post(publishers))
            .route("/directory/indexer/1.0/", put(list))
            .route("/directory/indexer/1.0/{participant}", delete(unlist))
            .with_state(registers.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        registers
    }

    /// The dependencies of the function `register`.
    pub(crate) fn registries(&self) -> Registries {
        let smp = PKI.publisher();
        let client = Client::with_identity(Egress::Any, &smp.certificate_pem(), smp.pem());
        Registries {
            client: Some(client.unwrap()),
            smp_id: Some(SMP_ID.to_owned()),
            smp_url: Some(SMP_URL.to_owned()),
            sml_url: Some(format!("http://{}/sml", self.http)),
            directory_url: Some(format!("http://{}/directory", self.http)),
            dns: Dns::new(Some(self.network.dns())).unwrap(),
            zone: ZONE.to_owned(),
            reach: Reach::Loopback,
        }
    }

    /// The registers with the settings of production: a public name, and TLS with client certificates.
    pub(crate) async fn deployed(&self) -> (TlsFront, Registries) {
        let (internet, smp) = (&self.network.internet, PKI.publisher());
        let authority = Some(PKI.smp.certificate.der());
        let front = TlsFront::public(internet, "registers.example", self.http, authority).await;
        let client =
            internet.client_with_identity(Egress::Public, &smp.certificate_pem(), smp.pem());
        let registries = Registries {
            client: Some(client.unwrap()),
            smp_url: Some("https://smp.example/smp".to_owned()),
            reach: Reach::Https,
            sml_url: Some(format!("{}/sml", front.url)),
            directory_url: Some(format!("{}/directory", front.url)),
            ..self.registries()
        };
        (front, registries)
    }

    /// Sets the behaviours for the next requests.
    pub(crate) fn tell_first(&self, first: &[Tells]) {
        self.books.lock().unwrap().first = first.to_vec();
    }

    /// Applies the mishaps of a process to its requests.
    pub(crate) fn guard(&self, faults: &Arc<Faults>) {
        let faults = faults.clone();
        let guard = move || faults.crash.as_ref().map_or(Fate::Taken, |one| one.befalls_request());
        self.books.lock().unwrap().guard = Some(Arc::new(guard));
    }

    pub(crate) fn unguard(&self) {
        self.books.lock().unwrap().guard = None;
    }

    /// The received requests, one word for each.
    pub(crate) fn came(&self) -> Vec<String> {
        self.books.lock().unwrap().came.clone()
    }

    /// The participants in the Directory.
    pub(crate) fn listed(&self) -> Vec<String> {
        self.books.lock().unwrap().listed.iter().cloned().collect()
    }

    /// The addresses of the registered SMPs.
    pub(crate) fn smps(&self) -> BTreeMap<String, String> {
        self.books.lock().unwrap().smps.clone()
    }

    pub(crate) fn forget_smps(&self) {
        self.books.lock().unwrap().smps.clear();
    }

    /// The migration key of a participant.
    pub(crate) fn key_of(&self, participant: &ParticipantId) -> Option<String> {
        self.books.lock().unwrap().keys.get(participant).cloned()
    }

    /// Another SMP sets a migration key for its participant.
    pub(crate) fn prepares(&self, participant: &ParticipantId, key: &str) {
        self.books.lock().unwrap().keys.insert(participant.clone(), key.to_owned());
    }

    /// The mishap and behaviour of a request; an answer if the request has no effect.
    fn begin(&self, what: &str) -> Result<Tells, Box<Response>> {
        let (tells, guard) = {
            let mut books = self.books.lock().unwrap();
            books.came.push(what.to_owned());
            let tells = if books.first.is_empty() { Tells::Well } else { books.first.remove(0) };
            (tells, books.guard.clone())
        };
        match (guard.map_or(Fate::Taken, |guard| guard()), tells) {
            (Fate::Refused, _) => Err(status(503).into()),
            (Fate::Unanswered, _) => Ok(Tells::AndHangsUp),
            (_, Tells::Status(code)) => Err(status(code).into()),
            (_, Tells::Fault(kind, words)) => Err(fault(kind, words).into()),
            (_, tells) => Ok(tells),
        }
    }
}

fn status(code: u16) -> Response {
    Response::builder().status(code).body(Body::empty()).unwrap()
}

fn fault(kind: &str, words: &str) -> Response {
    let locator = "http://busdox.org/serviceMetadata/locator/1.0/";
    let body = format!(
        "<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"><S:Body><S:Fault><faultcode>S:Server</faultcode>\
         <faultstring>x</faultstring><detail><{kind} xmlns=\"{locator}\"><FaultMessage>{words}</FaultMessage></{kind}></detail>\
         </S:Fault></S:Body></S:Envelope>"
    );
    Response::builder().status(500).body(Body::from(body)).unwrap()
}

/// Ends a successful request.
fn end(tells: &Tells) -> Response {
    if *tells == Tells::AndHangsUp {
        // A panic ends the connection's task, and so the connection.
        std::panic::resume_unwind(Box::new("hangs up"))
    }
    status(200)
}

/// The text of an element.
fn field(body: &str, name: &str) -> String {
    let (_, rest) = body.split_once(name).unwrap();
    let (_, rest) = rest.split_once('>').unwrap();
    rest.split_once('<').unwrap().0.to_owned()
}

async fn participants(State(registers): State<Registers>, body: String) -> Response {
    let names = ["CreateParticipant", "DeleteParticipant", "PrepareMigration", "CompleteMigration"];
    let what = names.into_iter().find(|name| body.contains(name)).unwrap();
    let tells = match registers.begin(what) {
        Ok(tells) => tells,
        Err(answer) => return *answer,
    };
    let participant: ParticipantId = field(&body, "id:ParticipantIdentifier").parse().unwrap();
    let smp_id = field(&body, "<ServiceMetadataPublisherID");
    let mut books = registers.books.lock().unwrap();
    let Some(smp) = books.smps.get(&smp_id).cloned() else {
        return fault("NotFoundFault", "[ERR-100] The SMP doesn't exist.");
    };
    let mut names = registers.network.smps.lock().unwrap();
    let current = names.get(&participant).cloned();
    match what {
        "CreateParticipant" if current.is_some() => {
            return fault("BadRequestFault", "[ERR-106] The participant identifier already exist");
        }
        "DeleteParticipant" | "PrepareMigration" if current.as_ref() != Some(&smp) => {
            return fault("NotFoundFault", "[ERR-100] The participant doesn't exist.");
        }
        "CreateParticipant" => drop(names.insert(participant, smp)),
        "DeleteParticipant" => drop(names.remove(&participant)),
        "PrepareMigration" => drop(books.keys.insert(participant, field(&body, "<MigrationKey"))),
        _ => {
            if books.keys.get(&participant) != Some(&field(&body, "<MigrationKey")) {
                return fault("BadRequestFault", "[ERR-106] There is no such migration");
            }
            books.keys.remove(&participant);
            names.insert(participant, smp);
        }
    }
    drop((books, names));
    end(&tells)
}

async fn publishers(State(registers): State<Registers>, body: String) -> Response {
    let names = ["CreateServiceMetadata", "UpdateServiceMetadata"];
    let what = names.into_iter().find(|name| body.contains(name)).unwrap();
    let tells = match registers.begin(what) {
        Ok(tells) => tells,
        Err(answer) => return *answer,
    };
    let (id, url) = (field(&body, "<ServiceMetadataPublisherID"), field(&body, "<LogicalAddress"));
    let mut books = registers.books.lock().unwrap();
    match (what, books.smps.contains_key(&id)) {
        ("CreateServiceMetadata", true) => fault("BadRequestFault", "[ERR-106] already exists"),
        ("UpdateServiceMetadata", false) => fault("NotFoundFault", "[ERR-100] no such SMP"),
        _ => {
            books.smps.insert(id, url);
            drop(books);
            end(&tells)
        }
    }
}

async fn list(State(registers): State<Registers>, body: Bytes) -> Response {
    let tells = match registers.begin("list") {
        Ok(tells) => tells,
        Err(answer) => return *answer,
    };
    let participant = String::from_utf8(body.to_vec()).unwrap();
    registers.books.lock().unwrap().listed.insert(participant);
    end(&tells)
}

async fn unlist(State(registers): State<Registers>, Path(segment): Path<String>) -> Response {
    let tells = match registers.begin("unlist") {
        Ok(tells) => tells,
        Err(answer) => return *answer,
    };
    let participant = segment_text(&segment).unwrap().into_owned();
    let was_there = registers.books.lock().unwrap().listed.remove(&participant);
    if was_there { end(&tells) } else { status(404) }
}
