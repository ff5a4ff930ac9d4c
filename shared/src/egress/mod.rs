//! The only way by which HTTP leaves the service, but for the SDK's own calls. An address may be
//! chosen by a customer, so every request is treated as one to an adversary: public addresses only, no redirect followed,
//! one deadline over everything, a bounded answer.

mod address;
mod roots;

pub use address::is_public;
pub use roots::of_aws as roots_of_aws;

use std::{
    error::Error,
    fmt,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use http::{
    HeaderMap, Method, StatusCode,
    header::{CONTENT_TYPE, HeaderName, RETRY_AFTER},
};
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};

/// Name resolution, TLS, request and answer of a webhook together may take this long.
pub const DEADLINE: Duration = Duration::from_secs(15);

/// No more of the body of a webhook's answer is read.
pub const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// What a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Name resolution, TLS, request and answer together may take this long.
    pub deadline: Duration,
    /// No more of the answer's body is read.
    pub answer_bytes: usize,
}

/// Where requests may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Egress {
    /// Public addresses over https.
    Public,
    /// Anywhere, http too: for local runs and tests alone.
    Any,
}

/// What kept a request from being answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The address is not an http(s) URL, or not one that is allowed.
    InvalidUrl,
    /// The host is, or resolves to, an address that is not public.
    Blocked,
    /// No connection: name unknown, refused, or TLS failed.
    Connect,
    /// No answer within the deadline.
    Timeout,
    /// The connection broke, or what came back is not HTTP.
    Protocol,
}

impl ErrorKind {
    /// The kind in snake case, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorKind::InvalidUrl => "invalid_url",
            ErrorKind::Blocked => "blocked",
            ErrorKind::Connect => "connect",
            ErrorKind::Timeout => "timeout",
            ErrorKind::Protocol => "protocol",
        }
    }
}

/// A request that was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EgressError {
    /// Which kind.
    pub kind: ErrorKind,
    /// What happened, in the words of the layer that saw it.
    pub message: String,
}

/// An answer, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status; redirects are not followed.
    pub status: StatusCode,
    /// The Retry-After header as sent.
    pub retry_after: Option<String>,
    /// The Content-Type header as sent.
    pub content_type: Option<String>,
    /// As much of the body as was allowed and came.
    pub body: Vec<u8>,
    /// Whether that is all of it.
    pub complete: bool,
}

/// The HTTP client, made once a process.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    egress: Egress,
    deadline: Duration,
}

impl Client {
    /// A client that reaches what `egress` allows, with [`DEADLINE`].
    pub fn new(egress: Egress) -> Result<Self, EgressError> {
        Self::with_deadline(egress, DEADLINE)
    }

    /// A client with a deadline of its own.
    pub fn with_deadline(egress: Egress, deadline: Duration) -> Result<Self, EgressError> {
        Self::build(egress, deadline, None)
    }

    /// A client that shows a certificate where it is asked for one (RFC 8446, section 4.4.2): the certificate and its
    /// key (PKCS #8), both in PEM.
    pub fn with_identity(
        egress: Egress,
        certificate: &str,
        private_key: &str,
    ) -> Result<Self, EgressError> {
        // What is wrong with a key must not be quoted.
        let wrong = |_| EgressError {
            kind: ErrorKind::Protocol,
            message: "certificate and key are no identity for TLS".to_owned(),
        };
        let pem = format!("{private_key}\n{certificate}");
        let identity = reqwest::Identity::from_pem(pem.as_bytes()).map_err(wrong)?;
        Self::build(egress, DEADLINE, Some(identity))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that makes an HTTP client")]
    fn build(
        egress: Egress,
        deadline: Duration,
        identity: Option<reqwest::Identity>,
    ) -> Result<Self, EgressError> {
        let failed = |e| EgressError { kind: ErrorKind::Protocol, message: chain(&e) };
        let mut builder = reqwest::Client::builder();
        if let Some(identity) = identity {
            builder = builder.identity(identity);
        }
        let http = builder
            .tls_certs_only(roots::public().map_err(failed)?)
            .dns_resolver(CheckedResolver(egress))
            .redirect(redirect::Policy::none())
            .https_only(egress == Egress::Public)
            .no_proxy()
            .referer(false)
            // Each attempt resolves and checks anew, and a frozen function keeps no dead connection.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(failed)?;
        Ok(Client { http, egress, deadline })
    }

    /// Posts `body` to `url` with `headers` and nothing else of our own, within the client's deadline.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Answer, EgressError> {
        let limits = Limits { deadline: self.deadline, answer_bytes: MAX_ANSWER_BYTES };
        self.request(Method::POST, url, headers, body, limits).await
    }

    /// Makes a request with `headers` and `body` and nothing else of our own.
    pub async fn request(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: Limits,
    ) -> Result<Answer, EgressError> {
        let url = check_url(url, self.egress)?;
        let end = tokio::time::Instant::now() + limits.deadline;
        let request = self.http.request(method, url).headers(headers).body(body).send();
        let Ok(sent) = tokio::time::timeout_at(end, request).await else {
            let message = format!("no answer within {:?}", limits.deadline);
            return Err(EgressError { kind: ErrorKind::Timeout, message });
        };
        let mut response = sent.map_err(|error| classify(&error))?;

        let text = |response: &reqwest::Response, name: HeaderName| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let (retry_after, content_type) =
            (text(&response, RETRY_AFTER), text(&response, CONTENT_TYPE));
        let (mut body, mut complete) = (Vec::new(), false);
        // The status has been given: a body that breaks off or never ends does not change that.
        while let Ok(Ok(chunk)) = tokio::time::timeout_at(end, response.chunk()).await {
            let Some(chunk) = chunk else {
                complete = true;
                break;
            };
            let room = limits.answer_bytes - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                break;
            }
        }
        Ok(Answer { status: response.status(), retry_after, content_type, body, complete })
    }
}

/// Whether requests may go to `url`. The addresses behind a name are checked at each request, in
/// the resolver; an address written into the URL is checked here, since it is never resolved.
pub fn check_url(url: &str, egress: Egress) -> Result<Url, EgressError> {
    let invalid = |message: &str| EgressError {
        kind: ErrorKind::InvalidUrl,
        message: format!("the address {message}"),
    };
    let parsed = Url::parse(url).map_err(|_| invalid("is not a URL"))?;
    match (egress, parsed.scheme()) {
        (_, "https") | (Egress::Any, "http") => {}
        (Egress::Public, _) => return Err(invalid("must start with https://")),
        (Egress::Any, _) => return Err(invalid("must start with https:// or http://")),
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(invalid("must not contain a user name or password"));
    }
    let host = parsed.host_str().ok_or_else(|| invalid("has no host"))?;
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match literal {
        Ok(address) if egress == Egress::Public && !is_public(address) => {
            Err(EgressError { kind: ErrorKind::Blocked, message: NotPublic.to_string() })
        }
        _ => Ok(parsed),
    }
}

/// Checks addresses in the very resolution that the connection uses, so that a name cannot point
/// elsewhere between check and use.
struct CheckedResolver(Egress);

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let egress = self.0;
        Box::pin(async move {
            let addresses: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            // One bad answer spoils the name: a mix of public and private is an attack or a mistake.
            if egress == Egress::Public && !addresses.iter().all(|a| is_public(a.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// The reason of [`ErrorKind::Blocked`].
#[derive(Debug)]
struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the address leads to an address that is not public")
    }
}

impl Error for NotPublic {}

fn classify(error: &reqwest::Error) -> EgressError {
    let mut causes = causes(error);
    let kind = if causes.any(|cause| cause.is::<NotPublic>()) {
        ErrorKind::Blocked
    } else if error.is_timeout() {
        ErrorKind::Timeout
    } else if error.is_connect() {
        ErrorKind::Connect
    } else if error.is_builder() {
        ErrorKind::InvalidUrl
    } else {
        ErrorKind::Protocol
    };
    EgressError { kind, message: chain(error) }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&cause| cause.source())
}

/// An error and its causes in one line. The first, reqwest's own, repeats the URL: left out when
/// there is something more exact.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = causes(error).map(ToString::to_string).collect();
    if texts.len() > 1 {
        texts.remove(0);
    }
    texts.dedup();
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::pki::testing::PKI;
    use crate::webhook::receiver::{Manner, Receiver};

    #[test]
    fn addresses_of_the_public_internet_are_told_from_all_others() {
        let cases = [
            ("8.8.8.8", true),
            ("1.1.1.1", true),
            ("172.15.255.255", true),
            ("172.32.0.0", true),
            ("100.63.255.255", true),
            ("100.128.0.0", true),
            ("198.17.255.255", true),
            ("198.20.0.0", true),
            ("223.255.255.255", true),
            ("192.0.1.1", true),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("100.127.255.255", false),
            ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.170", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.19.255.255", false),
            ("198.51.100.7", false),
            ("203.0.113.7", false),
            ("224.0.0.1", false),
            ("239.255.255.255", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700:4700::1111", true),
            ("2a00:1450:4001::1", true),
            ("2001:4860:4860::8888", true),
            ("2003::1", true),
            ("::", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("::ffff:8.8.8.8", true),
            ("::127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b::808:808", false),
            ("64:ff9b:1::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:1ff::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::1", false),
            ("3fff::1", false),
            ("3fff:fff::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ];
        for (address, public) in cases {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[test]
    fn urls_are_checked_before_anything_is_sent() {
        use ErrorKind::{Blocked, InvalidUrl};
        let cases = [
            ("https://example.com/hook", Egress::Public, None),
            ("https://example.com:8443/hook?x=1", Egress::Public, None),
            ("https://8.8.8.8/", Egress::Public, None),
            ("http://example.com/", Egress::Public, Some(InvalidUrl)),
            ("ftp://example.com/", Egress::Public, Some(InvalidUrl)),
            ("file:///etc/passwd", Egress::Any, Some(InvalidUrl)),
            ("https://user@example.com/", Egress::Public, Some(InvalidUrl)),
            ("https://user:pass@example.com/", Egress::Any, Some(InvalidUrl)),
            ("https:///", Egress::Public, Some(InvalidUrl)),
            ("example.com", Egress::Public, Some(InvalidUrl)),
            ("", Egress::Public, Some(InvalidUrl)),
            ("https://127.0.0.1/", Egress::Public, Some(Blocked)),
            // All spellings of 127.0.0.1 that URL parsers know (WHATWG URL, "IPv4 parser").
            ("https://2130706433/", Egress::Public, Some(Blocked)),
            ("https://0x7f.1/", Egress::Public, Some(Blocked)),
            ("https://0177.0.0.1/", Egress::Public, Some(Blocked)),
            ("https://127.1/", Egress::Public, Some(Blocked)),
            ("https://127.0.0.1./", Egress::Public, Some(Blocked)),
            ("https://①②⑦.0.0.1/", Egress::Public, Some(Blocked)),
            ("https://[::1]/", Egress::Public, Some(Blocked)),
            ("https://[::ffff:7f00:1]/", Egress::Public, Some(Blocked)),
            ("https://[fd00::1]:9000/", Egress::Public, Some(Blocked)),
            ("http://127.0.0.1:9000/", Egress::Any, None),
        ];
        for (url, egress, refused) in cases {
            assert_eq!(check_url(url, egress).err().map(|e| e.kind), refused, "{url}");
        }
    }

    #[test]
    fn what_is_no_identity_is_refused_without_being_quoted() {
        let smp = PKI.publisher();
        let (certificate, key) = (smp.certificate_pem(), smp.pem());
        Client::with_identity(Egress::Public, &certificate, key).unwrap();
        let cut: String = key.lines().take(5).collect();
        for (certificate, key) in [("", key), (certificate.as_str(), ""), (&certificate, &cut)] {
            let error = Client::with_identity(Egress::Public, certificate, key).unwrap_err();
            assert_eq!(error.message, "certificate and key are no identity for TLS");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_blocked_when_it_is_resolved() {
        let client = Client::new(Egress::Public).unwrap();
        let error = post(&client, "https://localhost:1/").await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Blocked, "{error}");
    }

    async fn post(client: &Client, url: &str) -> Result<Answer, EgressError> {
        client.post(url, HeaderMap::new(), b"{}".to_vec()).await
    }

    fn local() -> Client {
        Client::with_deadline(Egress::Any, Duration::from_millis(500)).unwrap()
    }

    #[tokio::test]
    async fn a_status_of_every_kind_is_an_answer_and_redirects_are_not_followed() {
        let other = Receiver::start(Manner::status("200 OK", "", "")).await;
        let there = format!("location: {}\r\n", other.url);
        for (status, headers) in [
            ("200 OK", ""),
            ("204 No Content", ""),
            ("301 Moved Permanently", there.as_str()),
            ("307 Temporary Redirect", there.as_str()),
            ("410 Gone", ""),
            ("500 Internal Server Error", ""),
        ] {
            let receiver = Receiver::start(Manner::status(status, headers, "")).await;
            let answer = post(&local(), &receiver.url).await.unwrap();
            assert!(status.starts_with(answer.status.as_str()), "{status}");
            assert_eq!(receiver.received()[0].body, b"{}");
        }
        assert!(other.received().is_empty(), "a redirect was followed");
    }

    #[tokio::test]
    async fn retry_after_is_handed_on() {
        let busy = Manner::status("429 Too Many Requests", "retry-after: 120\r\n", "");
        let receiver = Receiver::start(busy).await;
        let answer = post(&local(), &receiver.url).await.unwrap();
        assert_eq!(answer.retry_after.as_deref(), Some("120"));
    }

    #[tokio::test]
    async fn a_receiver_that_hangs_is_left_at_the_deadline() {
        let receiver = Receiver::start(Manner::Hangs).await;
        let error = post(&local(), &receiver.url).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Timeout, "{error}");
    }

    #[tokio::test]
    async fn a_body_is_read_to_its_bound_and_no_further() {
        let head = "HTTP/1.1 200 OK\r\n\r\n".to_owned();
        let receiver = Receiver::start(Manner::NeverEnds(head)).await;
        let answer = post(&local(), &receiver.url).await.unwrap();
        assert_eq!(answer.body, [b'x'; MAX_ANSWER_BYTES]);
    }

    #[tokio::test]
    async fn a_status_counts_even_when_its_body_never_comes() {
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
        let receiver = Receiver::start(Manner::Says(head.to_owned())).await;
        let answer = post(&local(), &receiver.url).await.unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (StatusCode::OK, b"half".as_slice()));
    }

    #[tokio::test]
    async fn what_is_not_answered_is_told_apart() {
        use ErrorKind::{Connect, Protocol};
        let closed = {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            format!("http://{}/", listener.local_addr().unwrap())
        };
        let hangs_up = Receiver::start(Manner::HangsUp).await;
        let babbles = Receiver::start(Manner::Says("SSH-2.0-x\r\n\r\n".to_owned())).await;
        let not_tls = {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("https://{}/", listener.local_addr().unwrap());
            tokio::spawn(async move {
                let (stream, _) = listener.accept().await.unwrap();
                stream.writable().await.unwrap();
                stream.try_write(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
            });
            url
        };
        for (url, kind) in [
            (&closed, Connect),
            (&"http://no-such-host.invalid/".to_owned(), Connect),
            (&hangs_up.url, Protocol),
            (&babbles.url, Protocol),
            (&not_tls, Connect),
        ] {
            let error = post(&local(), url).await.unwrap_err();
            assert_eq!(error.kind, kind, "{url}: {error}");
            assert!(!error.message.is_empty());
        }
    }
}
