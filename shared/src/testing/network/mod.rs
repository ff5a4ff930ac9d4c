//! A network on loopback: DNS over UDP, an SMP and an access point over HTTP, each with configurable faults. Its
//! certificates come from the test PKI.

mod access_point;
mod name_server;
mod publisher;

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::Uri,
    response::Response,
    routing::{get, post},
};
use serde_json::json;
use tokio::net::{TcpListener, UdpSocket};

use self::{
    access_point::take,
    name_server::resolve,
    publisher::{group, metadata},
};
use super::{TlsFront, kms};
use crate::{
    config::NetworkConfig,
    egress::{Client, Egress, testing::Internet},
    environment::Environment,
    lambda::network,
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, Spid},
        pki::{
            OurKeys,
            testing::{AP_CRL, Flaw, PKI, SMP_CRL},
        },
        sbdh,
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

pub(in crate::testing) const ZONE: &str = "sml.test";

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

impl Taken {
    /// The document in the envelope.
    pub(crate) fn document(&self) -> String {
        let document = sbdh::read(&self.sbdh).unwrap().payload.document().into_owned();
        String::from_utf8(document).unwrap()
    }

    /// The number that the document's identifier has after a prefix, if it begins with the prefix.
    pub(crate) fn number(&self, prefix: &str) -> Option<usize> {
        let document = self.document();
        let (_, rest) = document.split_once(&format!("<cbc:ID>{prefix}"))?;
        Some(rest.split_once('<')?.0.parse().unwrap())
    }
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
    pub(in crate::testing) smps: Arc<Mutex<BTreeMap<ParticipantId, String>>>,
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
    pub(in crate::testing) fn dns(&self) -> SocketAddr {
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

    /// Removes and returns the accepted messages, so that a long run does not keep them.
    pub(crate) fn drain_taken(&self) -> Vec<Taken> {
        std::mem::take(&mut self.days.lock().unwrap().taken)
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
        Live { connection, render, authority: Some(tax_authority()) }
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
        Live { connection, render, authority: Some(tax_authority()) }
    }
}

/// The tax authority of the tests.
pub(crate) fn tax_authority() -> Spid {
    Spid::new("000003").unwrap()
}

/// The default of a parameter in the template.
pub(crate) fn default_of(parameter: &str) -> &'static str {
    let template = include_str!("../../../../template.yaml");
    let (_, said) = template.split_once(&format!("\n  {parameter}: {{ ")).unwrap();
    let (_, default) = said.split_once(" Default: ").unwrap();
    default.split_once(',').unwrap().0
}

fn status(code: u16) -> Response {
    Response::builder().status(code).body(Body::empty()).unwrap()
}
