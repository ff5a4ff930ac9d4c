//! Another access point for the local network, of two commands:
//!
//!     as4-peer send URL RECEIVER.pem SBDH.xml     sends an envelope as it stands, and verifies the receipt
//!     as4-peer serve PORT                         takes whatever comes, and says so in a line each, until it is ended
//!
//! AS4_CERTIFICATE, AS4_KEY and AS4_CA name PEM files: the own seat, its private key, the authority of access points.
//! Revocation is not looked at. Plain HTTP, for loopback alone.

#![expect(clippy::print_stdout, reason = "a program that tells what happens")]

use std::{
    error::Error,
    fs,
    io::{Read, Write},
    net::TcpStream,
    sync::Arc,
};

use access_point::{
    peppol::{
        as4::{
            Answer, Authenticity, Freight, MessageId, Outgoing, Participants, Purpose, Received,
            Refusal, Rule, SIGNAL_CONTENT_TYPE, Sent, build, error, open, read_answer, receipt,
        },
        pki::{
            Anchors, Certificate, LocalKey, RevocationPolicy, Revocations, Role, Trust, Trusted,
        },
        sbdh,
    },
    types::{Clock, Random, SystemClock, SystemRandom},
};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Bytes of an SBDH at most.
const LIMIT: usize = 100_000_000;

struct Peer {
    key: LocalKey,
    trust: Trust,
}

impl Peer {
    fn from_environment() -> Result<Self> {
        let file = |name| -> Result<String> { Ok(fs::read_to_string(variable(name)?)?) };
        let certificate = Certificate::from_pem(&file("AS4_CERTIFICATE")?)?;
        let ca = file("AS4_CA")?;
        let anchors = Anchors::local(ca.as_bytes(), ca.as_bytes())?;
        Ok(Peer {
            key: LocalKey::from_pem(&file("AS4_KEY")?, certificate)?,
            trust: Trust::new(anchors).with_revocation(RevocationPolicy::SoftFail),
        })
    }

    fn trusted(&self, certificate: &Certificate) -> Result<Trusted> {
        let nothing = Revocations::default();
        Ok(self.trust.check(certificate, Role::AccessPoint, SystemClock.now(), &nothing)?)
    }

    /// A message around an SBDH, for whom that says.
    async fn message(&self, receiver: &str, sbdh: &str) -> Result<(String, Vec<u8>, Sent)> {
        let receiver = Certificate::from_pem(&fs::read_to_string(receiver)?)?;
        let message_id = new_id()?;
        let sbdh = fs::read(sbdh)?;
        let header = sbdh::read(&sbdh)?.header;
        let participants =
            Participants { original_sender: header.sender, final_recipient: header.receiver };
        let freight = Freight::Document {
            document_type: header.document.document_type(),
            process: &header.process,
        };
        let outgoing = Outgoing {
            message_id: &message_id,
            conversation_id: message_id.as_str(),
            timestamp: SystemClock.now(),
            receiver: &self.trusted(&receiver)?,
            participants: &participants,
            freight,
        };
        let built = build(&outgoing, &sbdh, &self.key, &SystemRandom).await?;
        let receiver = receiver.common_name().parse()?;
        let sent = Sent { message_id, receiver, references: built.references };
        Ok((built.content_type, built.body, sent))
    }

    async fn send(&self, url: &str, receiver: &str, sbdh: &str) -> Result<String> {
        let (content_type, body, sent) = self.message(receiver, sbdh).await?;
        let (status, answer_type, answer) = post(url, &content_type, &body)?;
        match read_answer(status, &answer_type, &answer) {
            Answer::Receipt(receipt) => {
                let confirmed = receipt.verify(&self.trusted(receipt.signer())?, &sent)?;
                Ok(format!("receipt verified: {} by {}", confirmed.message_id, confirmed.by))
            }
            Answer::Rejected(rejection) => {
                let verified = match rejection.signer() {
                    Some(signer) => rejection.verify(&self.trusted(signer)?, &sent).is_ok(),
                    None => false,
                };
                let by = if verified { Authenticity::Proven } else { Authenticity::Unproven };
                let verdict = rejection.verdict(by);
                Ok(format!("rejected, {by:?}: {verdict:?} {:?}", rejection.errors()))
            }
            Answer::Nothing(silence) => Ok(format!("nothing: {silence}")),
        }
    }

    async fn answer(&self, content_type: &str, body: Vec<u8>) -> Result<(String, Vec<u8>)> {
        let (id, now) = (new_id()?, SystemClock.now());
        match self.receive(content_type, body).await {
            Ok(received) => {
                let what = match &received.header.purpose {
                    Purpose::Ping => "ping".to_owned(),
                    Purpose::Document(participants) => format!("{participants:?}"),
                };
                let length = received.payload.as_ref().map_or(0, Vec::len);
                let told =
                    format!("received {}: {length} bytes, {what}", received.header.message_id);
                Ok((told, receipt(&received, &self.key, &id, now).await?))
            }
            Err(refusal) => {
                let signal = error(&refusal, Some(&self.key), &id, now).await?;
                Ok((format!("refused {:?}: {refusal}", refusal.message_id()), signal))
            }
        }
    }

    async fn receive(
        &self,
        content_type: &str,
        body: Vec<u8>,
    ) -> std::result::Result<Received, Refusal> {
        let opened = open(content_type, body)?;
        let signer = self.trusted(opened.signer()).map_err(|error| {
            let refusal = Refusal::new(Rule::UntrustedSigner, error.to_string());
            refusal.about(Some(opened.message_id().clone()))
        })?;
        let received = opened.verify(&signer, &[&self.key], LIMIT).await?;
        if let (false, Some(payload)) = (received.is_ping(), &received.payload) {
            let sbdh = sbdh::receive(payload).map_err(|error| {
                let refusal = Refusal::new(Rule::Sbdh, error.to_string());
                refusal.about(Some(received.header.message_id.clone()))
            })?;
            received.header.check_against(&sbdh.header)?;
        }
        Ok(received)
    }
}

fn new_id() -> Result<MessageId> {
    let mut bytes = [0; 16];
    SystemRandom.fill(&mut bytes);
    Ok(format!("{:032x}@as4-peer.example", u128::from_be_bytes(bytes)).parse()?)
}

/// One request over HTTP/1.0: status, Content-Type and body of the answer.
fn post(url: &str, content_type: &str, body: &[u8]) -> Result<(u16, String, Vec<u8>)> {
    let rest = url.strip_prefix("http://").ok_or("an http:// URL")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host)?;
    let length = body.len();
    write!(
        stream,
        "POST /{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    )?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no HTTP answer")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    let kind = head.lines().filter_map(|line| line.split_once(':'));
    let mut kind = kind.filter(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let kind = kind.next().map_or(String::new(), |(_, value)| value.trim().to_owned());
    Ok((status, kind, answer.split_off(end + 4)))
}

async fn serve(peer: Peer, port: u16) -> Result<()> {
    let peer = Arc::new(peer);
    let handler = move |headers: axum::http::HeaderMap, body: axum::body::Bytes| async move {
        let content_type = headers.get("content-type").and_then(|value| value.to_str().ok());
        let answer = peer.answer(content_type.unwrap_or_default(), body.into()).await;
        let (told, signal) = answer.unwrap_or_else(|error| (error.to_string(), Vec::new()));
        println!("{told}");
        ([("content-type", SIGNAL_CONTENT_TYPE)], signal)
    };
    let app = axum::Router::new()
        .fallback(handler)
        .layer(axum::extract::DefaultBodyLimit::max(LIMIT * 2));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening {}", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own, without the service's settings"
)]
fn variable(name: &str) -> Result<String> {
    std::env::var(name).map_err(|_| format!("{name} is not set").into())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let peer = Peer::from_environment()?;
    match arguments[..] {
        ["send", url, receiver, sbdh] => println!("{}", peer.send(url, receiver, sbdh).await?),
        ["serve", port] => serve(peer, port.parse()?).await?,
        _ => return Err("send URL RECEIVER.pem SBDH.xml | serve PORT".into()),
    }
    Ok(())
}
