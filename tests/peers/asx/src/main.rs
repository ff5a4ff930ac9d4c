//! asx-rs as a peer: Peppol AS4 over plain HTTP on loopback, by the crate's public interface alone.
//!
//!     asx-peer serve --pki DIR --seat NAME --out FILE --not-serviced PARTICIPANT     receives until it is ended
//!     asx-peer send URL RECEIVER.pem SBDH.xml --pki DIR --seat NAME                  sends; --ping, --service S, --action A
//!
//! What happens is told as JSON, one object a line.

use std::{
    error::Error,
    fmt,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::SystemTime,
};

use asx::{
    Certificate, HttpClient, KeyPair, LocalParty, MemoryDedup, Partner, Payload, Profile, Reject,
    Verified,
    as4::{As4, Message, UserMessage},
};
use bytes::Bytes;
use http::{Request, Response};
use lexopt::prelude::*;
use serde_json::{Value as Json, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

type Failure = Box<dyn Error + Send + Sync>;
type Result<T> = std::result::Result<T, Failure>;

#[derive(Default)]
struct Options {
    words: Vec<String>,
    pki: PathBuf,
    seat: String,
    out: PathBuf,
    not_serviced: String,
    service: String,
    action: String,
    ping: bool,
    repeat: usize,
}

impl Options {
    fn read() -> Result<Self> {
        let mut options = Options { repeat: 1, ..Options::default() };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Value(word) => options.words.push(word.string()?),
                Long("pki") => options.pki = arguments.value()?.into(),
                Long("seat") => options.seat = arguments.value()?.string()?,
                Long("out") => options.out = arguments.value()?.into(),
                Long("not-serviced") => options.not_serviced = arguments.value()?.string()?,
                Long("service") => options.service = arguments.value()?.string()?,
                Long("action") => options.action = arguments.value()?.string()?,
                Long("repeat") => options.repeat = arguments.value()?.parse()?,
                Long("ping") => options.ping = true,
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(options)
    }

    fn as4(&self, http: Loopback) -> Result<As4> {
        let file = |name: &str| fs::read(self.pki.join(name));
        let seat = &self.seat;
        let key =
            KeyPair::from_pem(&file(&format!("{seat}.pem"))?, &file(&format!("{seat}.key.pem"))?)?;
        let local = LocalParty::new(seat).signer(key.clone()).decrypter(key);
        let builder = As4::builder(Profile::peppol()).local(local).http_client(http);
        let anchored = builder
            .trust_anchor(Certificate::from_pem(&file("root-ca.pem")?)?)
            .trust_anchor(Certificate::from_pem(&file("ap-ca.pem")?)?);
        Ok(anchored.build()?)
    }
}

/// HTTP to one address on this machine, whatever the URL says: the crate sends to https alone. Revocation lists come
/// from the folder of the PKI.
struct Loopback {
    target: String,
    lists: PathBuf,
}

impl fmt::Debug for Loopback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.target)
    }
}

impl HttpClient for Loopback {
    fn send(&self, request: Request<Bytes>) -> asx::BoxFuture<'_, Result<Response<Bytes>>> {
        Box::pin(async move {
            if request.method() == http::Method::GET {
                let name = request.uri().path().rsplit('/').next().unwrap_or_default();
                let list = fs::read(self.lists.join(name));
                return Ok(match list {
                    Ok(list) => Response::new(list.into()),
                    Err(_) => Response::builder().status(404).body(Bytes::new())?,
                });
            }
            post(&self.target, request).await
        })
    }
}

async fn post(target: &str, request: Request<Bytes>) -> Result<Response<Bytes>> {
    let rest = target.strip_prefix("http://").ok_or("an http:// URL")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let kind = request.headers().get("content-type").ok_or("no Content-Type")?.to_str()?.to_owned();
    let body = request.into_body();
    let length = body.len();
    let mut stream = TcpStream::connect(host).await?;
    let head = format!(
        "POST /{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no HTTP answer")?;
    let body = answer.split_off(end + 4);
    let head = String::from_utf8_lossy(&answer);
    let status: u16 = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    let kind = fields
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        .map(|(_, kind)| kind.trim());
    let mut response = Response::builder().status(status);
    for kind in kind {
        response = response.header("content-type", kind);
    }
    Ok(response.body(body.into())?)
}

async fn send(options: &Options, url: &str, receiver: &str, sbdh: &str) -> Result<()> {
    let certificate = Certificate::from_pem(&fs::read(receiver)?)?;
    let name = Path::new(receiver).file_stem().and_then(|name| name.to_str()).ok_or("a seat")?;
    // The one form of an address that it takes; where it really goes, the client above knows.
    let partner = Partner::new(name)
        .endpoint("https://receiver.example/as4")
        .signing_cert(certificate.clone())
        .encryption_cert(certificate);
    let http = Loopback { target: url.to_owned(), lists: options.pki.join("crl") };
    let as4 = match options.as4(http) {
        Ok(as4) => as4,
        Err(error) => {
            println!("{}", json!({"outcome": "not sent", "why": error.to_string()}));
            return Ok(());
        }
    };
    let message = match options.ping {
        true => Message::ping(&partner),
        false => Message::to(&partner).service(&options.service).action(&options.action),
    };
    let id = format!("{}@asx-peer.example", std::process::id());
    let message = message
        .message_id(id)
        .timestamp(SystemTime::now())
        .payload(Payload::new(fs::read(sbdh)?, "application/xml"));
    for _ in 0..options.repeat {
        let told = match as4.send(message.clone()).await {
            Ok(_) => json!({"outcome": "receipt verified"}),
            Err(error) => json!({
                "outcome": format!("{:?}", error.kind()),
                "code": error.ebms_code(),
                "why": error.to_string(),
            }),
        };
        println!("{told}");
    }
    Ok(())
}

async fn serve(options: Options) -> Result<()> {
    let http = Loopback { target: String::new(), lists: options.pki.join("crl") };
    let as4 = options.as4(http)?;
    let Options { out, not_serviced, .. } = options;
    let deliver = move |message: Verified<UserMessage>| {
        let (out, not_serviced) = (out.clone(), not_serviced.clone());
        async move {
            let payload = message
                .payloads()
                .first()
                .map(|payload| payload.bytes().clone())
                .unwrap_or_default();
            let head = String::from_utf8_lossy(&payload[..payload.len().min(4096)]);
            if head.contains(&format!(">{not_serviced}<")) {
                return Err(asx::peppol::not_serviced());
            }
            let digest = openssl::sha::sha256(&payload);
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let told = json!({"message_id": message.message_id(), "from": message.from(), "sha256": digest});
            tell(&out, &told).map_err(Reject::new)
        }
    };
    let app =
        axum::Router::new().route_service("/as4", as4.inbound(MemoryDedup::default(), deliver));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening {}", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}

fn tell(out: &Path, told: &Json) -> std::io::Result<()> {
    writeln!(OpenOptions::new().create(true).append(true).open(out)?, "{told}")
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::read()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    match words[..] {
        ["send", url, receiver, sbdh] => send(&options, url, receiver, sbdh).await,
        ["serve"] => serve(options).await,
        _ => Err("send URL RECEIVER.pem SBDH.xml | serve".into()),
    }
}
