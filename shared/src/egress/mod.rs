//! Outgoing HTTP of the service; only the AWS SDK has its own client. A customer may choose an address, so every
//! request is treated as hostile:
//!
//! - only public addresses;
//! - no redirects;
//! - one deadline for the whole request;
//! - a bounded response.

mod address;
#[cfg(feature = "service")]
mod authority;
mod resolver;
mod roots;
#[cfg(test)]
pub(crate) mod testing;

pub use address::is_public;
#[cfg(feature = "service")]
pub use authority::{AuthorityClient, AuthorityError, ListUrl, ResponderUrl};
#[cfg(feature = "service")]
pub use roots::of_aws as roots_of_aws;

use std::{error::Error, net::IpAddr, time::Duration};

use http::{
    HeaderMap, Method, StatusCode,
    header::{CONTENT_TYPE, HeaderName, LOCATION, RETRY_AFTER},
};
use reqwest::{Url, redirect};

#[cfg(test)]
use self::resolver::Lookup;
use self::resolver::{CheckedResolver, NotPublic, of_system};

/// Deadline for a whole webhook request: name resolution, TLS, request and response.
pub const DEADLINE: Duration = Duration::from_secs(15);

/// Deadline for a connection with its TLS handshake. A host that is gone shows by then, long before an answer would be
/// late.
pub const CONNECTION: Duration = Duration::from_secs(5);

/// Deadline for name resolution.
const RESOLUTION: Duration = Duration::from_secs(5);

/// Time that an idle connection of [`Client::keeping`] stays open. Receivers keep connections longer (gunicorn 2
/// seconds, Node.js and Apache 5), so they rarely close one that is about to be reused. A network also keeps them
/// longer while a function is frozen.
const KEPT: Duration = Duration::from_secs(1);
/// Maximum number of idle connections to one host: as many as run at the same time.
const KEPT_OF_A_HOST: usize = 10;

/// Maximum number of bytes that are read from the body of a webhook response.
pub const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// The limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Deadline for the whole request: name resolution, TLS, request and response.
    pub deadline: Duration,
    /// Maximum number of bytes that are read from the response body.
    pub answer_bytes: usize,
}

/// The addresses that requests may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Egress {
    /// Public addresses over https.
    Public,
    /// Any address, also over http: only for local runs and tests.
    Any,
}

/// The kind of content of a client. It decides which addresses [`Egress::Public`] allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transport {
    /// Any content: only over https.
    Any,
    /// Content signed by an authority: also over http, at the default port of the scheme.
    #[cfg(feature = "service")]
    Signed,
}

/// Why a request got no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The address is not an http(s) URL, or not an allowed one.
    InvalidUrl,
    /// The host is, or resolves to, an address that is not public.
    Blocked,
    /// No connection: the name is unknown, the connection was refused, or TLS failed.
    Connect,
    /// No response within the deadline.
    Timeout,
    /// The connection broke, or the response is not HTTP.
    Protocol,
}

impl ErrorKind {
    /// The kind in snake case, as stored.
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

/// A request without a response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EgressError {
    /// The kind.
    pub kind: ErrorKind,
    /// The error message of the failing layer.
    pub message: String,
}

/// A response of any status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status; redirects are not followed.
    pub status: StatusCode,
    /// The Retry-After header as received.
    pub retry_after: Option<String>,
    /// The Content-Type header as received.
    pub content_type: Option<String>,
    /// The Location header as received.
    pub location: Option<String>,
    /// The received part of the body, within the limit.
    pub body: Vec<u8>,
    /// Whether the body is complete.
    pub complete: bool,
}

/// The HTTP client; create it once per process.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    egress: Egress,
    transport: Transport,
    deadline: Duration,
    resolver: CheckedResolver,
}

/// The settings of a client.
struct Settings {
    egress: Egress,
    transport: Transport,
    deadline: Duration,
    identity: Option<reqwest::Identity>,
    roots: Vec<reqwest::Certificate>,
    resolver: CheckedResolver,
    kept_of_a_host: usize,
}

impl Settings {
    /// The system's resolver, public roots, [`DEADLINE`], and a new connection for each request.
    fn new(egress: Egress) -> Result<Self, EgressError> {
        Ok(Self::of(egress, public_roots()?))
    }

    /// The settings with other roots.
    fn of(egress: Egress, roots: Vec<reqwest::Certificate>) -> Self {
        Settings {
            egress,
            transport: Transport::Any,
            deadline: DEADLINE,
            identity: None,
            roots,
            resolver: CheckedResolver::new(egress, of_system()),
            kept_of_a_host: 0,
        }
    }
}

impl Client {
    /// A client for the addresses that `egress` allows, with [`DEADLINE`].
    pub fn new(egress: Egress) -> Result<Self, EgressError> {
        Self::with_deadline(egress, DEADLINE)
    }

    /// A client with another deadline.
    pub fn with_deadline(egress: Egress, deadline: Duration) -> Result<Self, EgressError> {
        Self::build(Settings { deadline, ..Settings::new(egress)? })
    }

    /// A client for many requests to a host, with [`DEADLINE`]. It reuses a connection for a request within a second.
    /// The connection keeps the address that was checked when it was opened.
    pub fn keeping(egress: Egress) -> Result<Self, EgressError> {
        Self::build(Settings { kept_of_a_host: KEPT_OF_A_HOST, ..Settings::new(egress)? })
    }

    /// A client with another name resolution than the system's. It keeps connections.
    #[cfg(test)]
    fn with_lookup(
        egress: Egress,
        deadline: Duration,
        lookup: Lookup,
    ) -> Result<Self, EgressError> {
        let resolver = CheckedResolver::new(egress, lookup);
        let kept_of_a_host = KEPT_OF_A_HOST;
        Self::build(Settings { deadline, resolver, kept_of_a_host, ..Settings::new(egress)? })
    }

    /// A client with a TLS client certificate (RFC 8446, section 4.4.2): the certificate and its key (PKCS #8), both
    /// in PEM.
    pub fn with_identity(
        egress: Egress,
        certificate: &str,
        private_key: &str,
    ) -> Result<Self, EgressError> {
        let identity = Some(identity(certificate, private_key)?);
        Self::build(Settings { identity, ..Settings::new(egress)? })
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that makes an HTTP client")]
    fn build(settings: Settings) -> Result<Self, EgressError> {
        let Settings { egress, transport, deadline, identity, roots, resolver, kept_of_a_host } =
            settings;
        let mut builder = reqwest::Client::builder();
        if let Some(identity) = identity {
            builder = builder.identity(identity);
        }
        let http = builder
            .tls_certs_only(roots)
            .dns_resolver(resolver.clone())
            .redirect(redirect::Policy::none())
            .https_only(egress == Egress::Public && transport == Transport::Any)
            .no_proxy()
            .referer(false)
            .pool_max_idle_per_host(kept_of_a_host)
            .pool_idle_timeout(KEPT)
            .connect_timeout(CONNECTION)
            .build()
            .map_err(|error| failed(&error))?;
        Ok(Client { http, egress, transport, deadline, resolver })
    }

    /// Posts `body` to `url` with these `headers` only, within the client's deadline.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Answer, EgressError> {
        let limits = Limits { deadline: self.deadline, answer_bytes: MAX_ANSWER_BYTES };
        self.request(Method::POST, url, headers, body, limits).await
    }

    /// Checks whether requests may go to `url` now. It resolves the name as a request does, but sends nothing.
    pub async fn check_url(&self, url: &str) -> Result<(), EgressError> {
        let url = check(url, self.egress, self.transport)?;
        // `check` has already checked an IP address in the URL.
        let Some(name) = url.domain() else { return Ok(()) };
        let resolved =
            tokio::time::timeout(RESOLUTION, self.resolver.clone().addresses(name.to_owned()))
                .await;
        let error = |kind, message| Err(EgressError { kind, message });
        match resolved {
            Ok(Ok(addresses)) if addresses.is_empty() => {
                error(ErrorKind::Connect, format!("the name {name} has no address"))
            }
            Ok(Ok(_)) => Ok(()),
            Ok(Err(cause)) if cause.is::<NotPublic>() => {
                error(ErrorKind::Blocked, cause.to_string())
            }
            Ok(Err(_)) => error(ErrorKind::Connect, format!("the name {name} does not resolve")),
            Err(_) => {
                let message = format!("the name {name} was not resolved within {RESOLUTION:?}");
                error(ErrorKind::Timeout, message)
            }
        }
    }

    /// Sends a request with these `headers` and this `body` only.
    pub async fn request(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: Limits,
    ) -> Result<Answer, EgressError> {
        let url = check(url, self.egress, self.transport)?;
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
        let location = text(&response, LOCATION);
        let (mut body, mut complete) = (Vec::new(), false);
        // The status is already received: a body that breaks off or never ends does not change it.
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
        let status = response.status();
        Ok(Answer { status, retry_after, content_type, location, body, complete })
    }
}

fn public_roots() -> Result<Vec<reqwest::Certificate>, EgressError> {
    roots::public().map_err(|error| failed(&error))
}

fn identity(certificate: &str, private_key: &str) -> Result<reqwest::Identity, EgressError> {
    let pem = format!("{private_key}\n{certificate}");
    // The error must not quote the key.
    reqwest::Identity::from_pem(pem.as_bytes()).map_err(|_| EgressError {
        kind: ErrorKind::Protocol,
        message: "certificate and key are no identity for TLS".to_owned(),
    })
}

/// The error for a client that could not be built.
fn failed(error: &reqwest::Error) -> EgressError {
    EgressError { kind: ErrorKind::Protocol, message: chain(error) }
}

/// Checks whether requests may go to `url`. An IP address in the URL is checked here, because it is never resolved.
/// The resolver checks the addresses behind a name at each request.
pub fn check_url(url: &str, egress: Egress) -> Result<Url, EgressError> {
    check(url, egress, Transport::Any)
}

fn check(url: &str, egress: Egress, transport: Transport) -> Result<Url, EgressError> {
    let invalid = |message: &str| EgressError {
        kind: ErrorKind::InvalidUrl,
        message: format!("the address {message}"),
    };
    let parsed = Url::parse(url).map_err(|_| invalid("is not a URL"))?;
    match (egress, transport, parsed.scheme()) {
        (Egress::Public, Transport::Any, "https") | (Egress::Any, _, "http" | "https") => {}
        (Egress::Public, Transport::Any, _) => return Err(invalid("must start with https://")),
        // A URL parser removes the default port of the scheme (WHATWG URL, "URL representation").
        #[cfg(feature = "service")]
        (Egress::Public, Transport::Signed, "http" | "https") if parsed.port().is_none() => {}
        #[cfg(feature = "service")]
        (Egress::Public, Transport::Signed, "http" | "https") => {
            return Err(invalid("must not name another port than 80 of http and 443 of https"));
        }
        _ => return Err(invalid("must start with https:// or http://")),
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
        // Port 0 is reserved (RFC 6335, section 6).
        _ if parsed.port() == Some(0) => Err(invalid("must not name the port 0")),
        _ => Ok(parsed),
    }
}

fn classify(error: &reqwest::Error) -> EgressError {
    let mut causes = causes(error);
    let kind = if causes.any(|cause| cause.is::<NotPublic>()) {
        ErrorKind::Blocked
    } else if error.is_connect() {
        // A connection that takes too long is none: nothing of the request has left.
        ErrorKind::Connect
    } else if error.is_timeout() {
        ErrorKind::Timeout
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

/// An error and its causes in one line. The first text is reqwest's own and repeats the URL, so it is omitted if
/// there is a cause.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = causes(error).map(ToString::to_string).collect();
    if texts.len() > 1 {
        texts.remove(0);
    }
    texts.dedup();
    texts.join(": ")
}

#[cfg(test)]
mod tests;
