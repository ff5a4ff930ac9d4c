//! A network on loopback: DNS over UDP, an SMP and an access point over HTTP, each with configurable faults. Its
//! certificates come from the test PKI.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, State},
    http::Uri,
    http::header::CONTENT_TYPE,
    response::Response,
    routing::{get, post},
};
use serde_json::json;
use tokio::net::{TcpListener, UdpSocket};

use super::{TlsFront, kms};

use crate::{
    config::NetworkConfig,
    egress::{Client, Egress, testing::Internet},
    environment::Environment,
    lambda::network,
    peppol::{
        as4::{self, MessageId, Refusal, Rule},
        identifiers::{DocumentType, Process, segment_text},
        lookup::dns_name,
        pki::{
            OurKeys, Role,
            testing::{AP_CRL, Flaw, PKI, SMP_CRL, now, ready},
        },
        sbdh,
        smp::{ServiceEndpoint, ServiceGroup, ServiceInformation, ServiceMetadata, ServiceProcess},
    },
    service::{Connection, Dns, Live, Network, Parts, reply::Render},
    store::Bucket,
    types::ParticipantId,
    webhook::receiver::Fate,
};

/// The seat of this service.
pub(crate) const OUR_SEAT: &str = "PAE000001";
/// The seat of the receiving access point.
pub(crate) const THEIR_SEAT: &str = "PAE000002";
/// The seat of the tax authority.
pub(crate) const AUTHORITY_SEAT: &str = "PAE000003";
/// The participant identifier of the tax authority.
pub(crate) const AUTHORITY: &str = "0242:000003";
/// The participant identifier of OpenPeppol.
pub(crate) const OPENPEPPOL: &str = "9925:be0848934496";
pub(super) const ZONE: &str = "sml.test";

/// The behaviour of DNS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    Well,
    ServerFailure,
    NoName,
}

/// The behaviour of the SMP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Publishes {
    Well,
    Status(u16),
    Garbage,
    /// Signs with a certificate of another network.
    Foreign,
    /// Has no registration for the document's type.
    OtherDocuments,
    /// Has these registrations.
    Registrations(Vec<DocumentType>),
    /// Publishes a flawed certificate of the access point.
    Flawed(Flaw),
    /// Publishes another address of the access point.
    At(String),
    /// Answers correctly after this delay.
    After(Duration),
}

/// The behaviour of the access point for valid messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Takes {
    Well,
    /// Accepts the message, and closes the connection.
    AndHangsUp,
    /// Accepts the message, and answers with this status, type and body.
    AndAnswers(u16, &'static str, String),
    /// Accepts the message, and sends an invalid receipt.
    AndSpoilsReceipt,
    /// Accepts the message, and sends an unsigned receipt.
    AndSignsNothing,
    /// Accepts the message, and sends a receipt for another message.
    AndConfirmsAnother,
    /// Accepts the message, and sends half of a receipt.
    AndBreaksOff,
    /// Accepts the message, and sends the receipt after this delay.
    After(Duration),
    /// Refuses the message with this error, signed.
    Refuses(Rule),
    /// Answers that it already has the message.
    CallsDuplicate,
    /// Refuses the message with this error, unsigned.
    RefusesUnsigned(Rule),
    /// Refuses the message with only this status.
    Status(u16),
}

/// An accepted message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) message_id: String,
    pub(crate) instance_id: String,
    pub(crate) sbdh: Vec<u8>,
}

struct Days {
    names: Names,
    publishes: Publishes,
    takes: Takes,
    /// The behaviours for the next messages, before `takes` applies.
    first: Vec<Takes>,
    taken: Vec<Taken>,
    /// Number of DNS queries.
    questions: usize,
    /// Number of requests to the SMP.
    asked: usize,
    /// The document types of these requests.
    registrations: Vec<DocumentType>,
    /// Number of received messages.
    came: usize,
    /// Additional mishaps of the next messages.
    guard: Option<Guard>,
}

type Guard = Arc<dyn Fn() -> Fate + Send + Sync>;

/// The network: its addresses and its behaviour.
#[derive(Clone)]
pub(crate) struct TestNetwork {
    /// The seat of the access point.
    seat: &'static str,
    dns: SocketAddr,
    /// The origin of SMP and access point.
    origin: String,
    /// The egress of the network; if `public`, only the names of the test internet lead to it.
    egress: Egress,
    pub(crate) internet: Internet,
    days: Arc<Mutex<Days>>,
    participants: Arc<Mutex<BTreeMap<String, ParticipantId>>>,
    /// The SMPs of participants that an SML registered.
    pub(super) smps: Arc<Mutex<BTreeMap<ParticipantId, String>>>,
}

impl TestNetwork {
    pub(crate) async fn start() -> Self {
        Self::start_as(THEIR_SEAT, Egress::Any, Internet::default()).await
    }

    /// A network like production's: SMP and access point have public names and https, and the authorities' revocation
    /// lists are at the addresses in the certificates.
    pub(crate) async fn public() -> Self {
        let internet = Internet::default();
        let lists = TcpListener::bind("127.0.0.1:0").await.unwrap();
        internet.serves("crl.one.nl.digicert.com", lists.local_addr().unwrap());
        let path = |url: &str| url.parse::<Uri>().unwrap().path().to_owned();
        let router = Router::new()
            .route(&path(AP_CRL), get(async || PKI.ap.crl()))
            .route(&path(SMP_CRL), get(async || PKI.smp.crl()));
        tokio::spawn(async move { axum::serve(lists, router).await });
        Self::start_as(THEIR_SEAT, Egress::Public, internet).await
    }

    /// The tax authority: an access point with its own SMP and behaviour, registered in this network.
    pub(crate) async fn authority(&self) -> Self {
        let authority = Self::start_as(AUTHORITY_SEAT, self.egress, self.internet.clone()).await;
        authority.register(AUTHORITY);
        self.leads(&AUTHORITY.parse().unwrap(), &authority.smp_url());
        authority
    }

    async fn start_as(seat: &'static str, egress: Egress, internet: Internet) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = listener.local_addr().unwrap();
        let origin = match egress {
            Egress::Any => format!("http://{http}"),
            Egress::Public => {
                let name = format!("{}.example", seat.to_ascii_lowercase());
                TlsFront::public(&internet, &name, http, None).await.url
            }
        };
        let days = Days {
            names: Names::Well,
            publishes: Publishes::Well,
            takes: Takes::Well,
            first: Vec::new(),
            taken: Vec::new(),
            questions: 0,
            asked: 0,
            registrations: Vec::new(),
            came: 0,
            guard: None,
        };
        let network = TestNetwork {
            seat,
            dns: socket.local_addr().unwrap(),
            origin,
            egress,
            internet,
            days: Arc::new(Mutex::new(days)),
            participants: Arc::default(),
            smps: Arc::default(),
        };
        tokio::spawn(resolve(network.clone(), socket));
        let router = Router::new()
            .route("/smp/{participant}", get(group))
            .route("/smp/{participant}/services/{document}", get(metadata))
            .route("/as4", post(take))
            .with_state(network.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        network
    }

    /// Registers a participant for the invoices and credit notes of PINT-AE, for statuses and for reports.
    pub(crate) fn register(&self, participant: &str) {
        let participant: ParticipantId = participant.parse().unwrap();
        self.participants.lock().unwrap().insert(participant.to_string(), participant);
    }

    /// The address of the SMP.
    pub(crate) fn smp_url(&self) -> String {
        format!("{}/smp", self.origin)
    }

    /// The address for messages at the access point.
    pub(crate) fn address(&self) -> String {
        format!("{}/as4", self.origin)
    }

    /// The address of the name server.
    pub(super) fn dns(&self) -> SocketAddr {
        self.dns
    }

    /// Lets the DNS name of a participant lead to another SMP.
    pub(crate) fn leads(&self, participant: &ParticipantId, smp_url: &str) {
        self.smps.lock().unwrap().insert(participant.clone(), smp_url.to_owned());
    }

    /// The SMP of a participant, if an SML registered it.
    pub(crate) fn smp_of(&self, participant: &ParticipantId) -> Option<String> {
        self.smps.lock().unwrap().get(participant).cloned()
    }

    pub(crate) fn names(&self, names: Names) {
        self.days.lock().unwrap().names = names;
    }

    pub(crate) fn publishes(&self, publishes: Publishes) {
        self.days.lock().unwrap().publishes = publishes;
    }

    pub(crate) fn takes(&self, takes: Takes) {
        self.days.lock().unwrap().takes = takes;
    }

    /// Sets the behaviours for the next messages.
    pub(crate) fn takes_first(&self, first: &[Takes]) {
        self.days.lock().unwrap().first = first.to_vec();
    }

    /// Sets mishaps of the next messages.
    pub(crate) fn guard(&self, guard: impl Fn() -> Fate + Send + Sync + 'static) {
        self.days.lock().unwrap().guard = Some(Arc::new(guard));
    }

    /// The accepted messages.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.days.lock().unwrap().taken.clone()
    }

    /// The accepted messages after the first `seen` ones.
    pub(crate) fn taken_since(&self, seen: usize) -> Vec<Taken> {
        self.days.lock().unwrap().taken[seen..].to_vec()
    }

    /// The number of received messages.
    pub(crate) fn came(&self) -> usize {
        self.days.lock().unwrap().came
    }

    /// The number of DNS queries.
    pub(crate) fn questions(&self) -> usize {
        self.days.lock().unwrap().questions
    }

    /// The number of requests to the SMP.
    pub(crate) fn asked(&self) -> usize {
        self.days.lock().unwrap().asked
    }

    /// The document types of the requests to the SMP, in order.
    pub(crate) fn registrations(&self) -> Vec<DocumentType> {
        self.days.lock().unwrap().registrations.clone()
    }

    /// The dependencies of Live sends in a process with this bucket; the authorities' revocation lists are in it.
    pub(crate) async fn live(&self, bucket: &Bucket, render: Render) -> Live {
        bucket.put_revocation_list(AP_CRL, PKI.ap.crl()).await.unwrap();
        bucket.put_revocation_list(SMP_CRL, PKI.smp.crl()).await.unwrap();
        self.connected(bucket, render)
    }

    /// Like [`Self::live`], if the lists are in the bucket already.
    pub(crate) fn connected(&self, bucket: &Bucket, render: Render) -> Live {
        if self.egress == Egress::Public {
            return self.deployed(bucket, render);
        }
        let (dns, internet, bucket) = (self.dns, self.internet.clone(), bucket.clone());
        let connection = Connection::new(move || {
            let (internet, bucket) = (internet.clone(), bucket.clone());
            Box::pin(async move {
                Ok(Network::new(Parts {
                    trust: PKI.trust(),
                    keys: OurKeys::new(vec![Arc::new(PKI.seat(OUR_SEAT).key())]),
                    smp: Some(PKI.publisher().certificate),
                    zone: ZONE.to_owned(),
                    dns: Dns::new(Some(dns))?,
                    client: Client::new(Egress::Any)?,
                    // No server has the lists at the addresses in the certificates.
                    authority_client: internet.authority_client(Egress::Any)?,
                    egress: Egress::Any,
                    bucket,
                }))
            })
        });
        Live { connection, render }
    }

    /// The dependencies of a deployment with the template's default parameters: the key is in KMS, and the other data
    /// of the network is in its secret.
    fn deployed(&self, bucket: &Bucket, render: Render) -> Live {
        let (dns, internet, bucket) = (self.dns, self.internet.clone(), bucket.clone());
        let connection = Connection::new(move || {
            let (internet, bucket) = (internet.clone(), bucket.clone());
            Box::pin(async move {
                let dns = dns.to_string();
                let environment = Environment::from_iter([
                    ("NETWORK", "test"),
                    ("NETWORK_SECRET_ARN", "arn:aws:secretsmanager:me-central-1:1:secret:keys"),
                    ("SML_ZONE", ZONE),
                    ("DNS_SERVER", &dns),
                    ("REVOCATION", default_of("Revocation")),
                    ("EGRESS", default_of("Egress")),
                ]);
                let config = NetworkConfig::read(&environment)?.ok_or("no network")?;
                let ways_out =
                    (internet.client(config.egress)?, internet.authority_client(config.egress)?);
                let (seat, smp) = (PKI.seat(OUR_SEAT), PKI.publisher());
                let secret = json!({
                    "keys": [{
                        "certificate": seat.certificate.to_pem(),
                        "kms": {"sign": kms::SIGN, "decrypt": kms::DECRYPT},
                    }],
                    "authorities": {
                        "access_point": PKI.ap.certificate.to_pem(),
                        "publisher": PKI.smp.certificate.to_pem(),
                    },
                    "smp": {"certificate": smp.certificate.to_pem(), "private_key": smp.pem()},
                });
                let kms = kms::client(kms::serve(&seat).await);
                network(&secret.to_string(), &kms, config, ways_out, bucket).await
            })
        });
        Live { connection, render }
    }
}

/// The default of a parameter in the template.
pub(crate) fn default_of(parameter: &str) -> &'static str {
    let template = include_str!("../../../template.yaml");
    let (_, said) = template.split_once(&format!("\n  {parameter}: {{ ")).unwrap();
    let (_, default) = said.split_once(" Default: ").unwrap();
    default.split_once(',').unwrap().0
}

/// Answers queries for NAPTR records (RFC 1035, RFC 3403).
async fn resolve(network: TestNetwork, socket: UdpSocket) {
    let mut question = [0; 1500];
    while let Ok((length, from)) = socket.recv_from(&mut question).await {
        let answer = name_answer(&network, &question[..length]);
        let _ = socket.send_to(&answer, from).await;
    }
}

fn name_answer(network: &TestNetwork, question: &[u8]) -> Vec<u8> {
    let (mut end, mut name) = (12, String::new());
    while question[end] != 0 {
        let label = &question[end + 1..=end + usize::from(question[end])];
        name.push_str(&String::from_utf8_lossy(label));
        name.push('.');
        end += label.len() + 1;
    }
    end += 5; // root, type and class
    let names = {
        let mut days = network.days.lock().unwrap();
        days.questions += 1;
        days.names
    };
    let own = network.participants.lock().unwrap();
    let own = own.values().map(|one| (one.clone(), network.smp_url()));
    let led = network.smps.lock().unwrap().clone();
    let mut smps = led.into_iter().chain(own);
    let smp = smps.find(|(participant, _)| dns_name(participant, ZONE) == name);
    let known = smp.is_some();
    let code = match names {
        Names::ServerFailure => 2,
        Names::Well if known => 0,
        Names::Well | Names::NoName => 3,
    };
    let mut answer = question[..2].to_vec();
    answer.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(code == 0), 0, 0, 0, 0]);
    answer.extend(&question[12..end]);
    if let (0, Some((_, url))) = (code, smp) {
        let rule = format!("!.*!{url}!");
        let mut data = vec![0, 100, 0, 10];
        for text in ["U", "Meta:SMP", &rule] {
            data.push(u8::try_from(text.len()).unwrap());
            data.extend(text.as_bytes());
        }
        data.push(0);
        answer.extend([0xc0, 12, 0, 35, 0, 1, 0, 0, 0, 60, 0]);
        answer.push(u8::try_from(data.len()).unwrap());
        answer.extend(data);
    }
    answer
}

fn xml(text: String) -> Response {
    Response::builder()
        .header(CONTENT_TYPE, "text/xml;charset=UTF-8")
        .body(Body::from(text))
        .unwrap()
}

fn status(code: u16) -> Response {
    Response::builder().status(code).body(Body::empty()).unwrap()
}

impl TestNetwork {
    fn participant(&self, segment: &str) -> Option<ParticipantId> {
        let text = segment_text(segment).unwrap();
        let value = text.split_once("::").unwrap().1;
        self.participants.lock().unwrap().get(value).cloned()
    }

    async fn publishing(&self) -> Publishes {
        let publishes = {
            let mut days = self.days.lock().unwrap();
            days.asked += 1;
            days.publishes.clone()
        };
        if let Publishes::After(time) = publishes {
            tokio::time::sleep(time).await;
        }
        publishes
    }
}

async fn group(State(network): State<TestNetwork>, Path(participant): Path<String>) -> Response {
    let document_types = match network.publishing().await {
        Publishes::Status(code) => return status(code),
        Publishes::Garbage => return xml("<html><body>Welcome".to_owned()),
        Publishes::OtherDocuments => vec![DocumentType::TAX_DATA],
        Publishes::Registrations(registrations) => registrations,
        _ => [
            DocumentType::INVOICE,
            DocumentType::CREDIT_NOTE,
            DocumentType::SELF_BILLED_INVOICE,
            DocumentType::SELF_BILLED_CREDIT_NOTE,
        ]
        .iter()
        .map(DocumentType::registration)
        .chain([
            DocumentType::MESSAGE_LEVEL_STATUS,
            DocumentType::TAX_DATA,
            DocumentType::TRANSACTION_STATISTICS,
            DocumentType::END_USER_STATISTICS,
        ])
        .collect(),
    };
    let Some(participant) = network.participant(&participant) else { return status(404) };
    let group = ServiceGroup { participant, document_types };
    xml(group.write(&network.smp_url()))
}

async fn metadata(
    State(network): State<TestNetwork>,
    Path((participant, document)): Path<(String, String)>,
) -> Response {
    let publishes = network.publishing().await;
    let Some(participant) = network.participant(&participant) else { return status(404) };
    let document_type: DocumentType = document.parse().unwrap();
    network.days.lock().unwrap().registrations.push(document_type.clone());
    let flaw = match &publishes {
        Publishes::Status(code) => return status(*code),
        Publishes::Flawed(flaw) => *flaw,
        _ => Flaw::None,
    };
    let address = match &publishes {
        Publishes::At(address) => address.clone(),
        _ => network.address(),
    };
    let certificate = PKI.issue(&PKI.ap, network.seat, flaw).certificate;
    let endpoint = ServiceEndpoint::ours(&address, &certificate, "mailto:ap@example.com");
    let process = |process| ServiceProcess { process, endpoints: vec![endpoint.clone()] };
    let metadata = ServiceMetadata::Information(ServiceInformation {
        participant,
        document_type,
        processes: [
            Process::BILLING,
            Process::SELF_BILLING,
            Process::MESSAGE_LEVEL_STATUS,
            Process::TAX_REPORTING,
            Process::NETWORK_REPORTING,
        ]
        .map(process)
        .to_vec(),
    });
    let signer = match publishes {
        Publishes::Foreign => PKI.issue(&PKI.foreign, "PAE000901", Flaw::None),
        _ => PKI.publisher(),
    };
    xml(metadata.sign(&signer.key()).await.unwrap())
}

async fn take(
    State(network): State<TestNetwork>,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Response {
    let takes = {
        let mut days = network.days.lock().unwrap();
        days.came += 1;
        if days.first.is_empty() { days.takes.clone() } else { days.first.remove(0) }
    };
    let guard = network.days.lock().unwrap().guard.clone();
    let fate = guard.map_or(Fate::Taken, |guard| guard());
    if fate == Fate::Refused {
        return status(503);
    }
    let content_type = headers[CONTENT_TYPE].to_str().unwrap();
    let opened = as4::open(content_type, body.to_vec()).unwrap();
    let signer = PKI.trusted(opened.signer(), Role::AccessPoint);
    let key = PKI.seat(network.seat).key();
    let received = ready(opened.verify(&signer, &[&key], 1 << 24)).unwrap();
    let sbdh = received.payload.clone().unwrap();
    let envelope = sbdh::read(&sbdh).unwrap();
    received.header.check_against(&envelope.header).unwrap();
    let refused =
        |rule| Refusal::new(rule, "a test").about(Some(received.header.message_id.clone()));
    let id: MessageId = "answer@their.test".parse().unwrap();
    let soap = |bytes: Vec<u8>| {
        let response = Response::builder().header(CONTENT_TYPE, as4::SIGNAL_CONTENT_TYPE);
        response.body(Body::from(bytes)).unwrap()
    };
    match takes {
        Takes::Refuses(rule) => {
            return soap(ready(as4::error(&refused(rule), Some(&key), &id, now())).unwrap());
        }
        Takes::CallsDuplicate => {
            let id_of = Some(received.header.message_id.clone());
            let refusal = Refusal::new(Rule::Sbdh, "a duplicate").about(id_of);
            return soap(ready(as4::error(&refusal, Some(&key), &id, now())).unwrap());
        }
        Takes::RefusesUnsigned(rule) => {
            return soap(ready(as4::error(&refused(rule), None, &id, now())).unwrap());
        }
        Takes::Status(code) => return status(code),
        _ => {}
    }
    let taken = Taken {
        message_id: received.header.message_id.to_string(),
        instance_id: envelope.header.instance_id.to_string(),
        sbdh: sbdh.clone(),
    };
    let times = if fate == Fate::TakenTwice { 2 } else { 1 };
    network.days.lock().unwrap().taken.extend(std::iter::repeat_n(taken, times));
    if fate == Fate::Unanswered {
        std::panic::resume_unwind(Box::new("hangs up"));
    }
    let mut received = received;
    if takes == Takes::AndConfirmsAnother {
        received.header.message_id = "another@our.test".parse().unwrap();
    }
    let receipt = ready(as4::receipt(&received, &key, &id, now())).unwrap();
    match takes {
        Takes::AndHangsUp => {
            // A panic ends the connection's task, and so the connection.
            std::panic::resume_unwind(Box::new("hangs up"))
        }
        Takes::AndAnswers(code, kind, text) => Response::builder()
            .status(code)
            .header(CONTENT_TYPE, kind)
            .body(Body::from(text))
            .unwrap(),
        Takes::AndSpoilsReceipt => {
            let text = String::from_utf8(receipt).unwrap();
            soap(text.replacen("<ds:DigestValue>", "<ds:DigestValue>AAAA", 1).into_bytes())
        }
        Takes::AndSignsNothing => {
            let text = String::from_utf8(receipt).unwrap();
            let (before, signed) = text.split_once("<wsse:Security").unwrap();
            let (_, after) = signed.split_once("</wsse:Security>").unwrap();
            soap(format!("{before}{after}").into_bytes())
        }
        Takes::AndBreaksOff => soap(receipt[..receipt.len() / 2].to_vec()),
        Takes::After(time) => {
            tokio::time::sleep(time).await;
            soap(receipt)
        }
        _ => soap(receipt),
    }
}
