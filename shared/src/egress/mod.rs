//! The only way by which HTTP leaves the service, but for the SDK's own calls. An address may be
//! chosen by a customer, so every request is treated as one to an adversary: public addresses only, no redirect followed,
//! one deadline over everything, a bounded answer.

mod address;
#[cfg(feature = "service")]
mod authority;
#[cfg(test)]
pub(crate) mod internet;
mod resolver;
mod roots;

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

/// Name resolution, TLS, request and answer of a webhook together may take this long.
pub const DEADLINE: Duration = Duration::from_secs(15);

/// Resolving a name alone may take this long.
const RESOLUTION: Duration = Duration::from_secs(5);

/// A connection of [`Client::keeping`] waits so long for its next request. Less than receivers wait (gunicorn 2 seconds, Node.js
/// and Apache 5), so that they seldom close what is about to be used, and than a network forgets while a function is frozen.
const KEPT: Duration = Duration::from_secs(1);
/// So many connections to one host wait at most: as many as go to it at once.
const KEPT_OF_A_HOST: usize = 10;

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

/// What a client transports, which decides where [`Egress::Public`] lets it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transport {
    /// Anything: over https alone.
    Any,
    /// What an authority signed: over http too, at the own port of the scheme.
    #[cfg(feature = "service")]
    Signed,
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
    /// The Location header as sent.
    pub location: Option<String>,
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
    transport: Transport,
    deadline: Duration,
    resolver: CheckedResolver,
}

/// What a client is made of.
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
    /// The system's resolver, public roots, [`DEADLINE`], and a connection for each request.
    fn new(egress: Egress) -> Result<Self, EgressError> {
        Ok(Self::of(egress, public_roots()?))
    }

    /// The same with these roots.
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
    /// A client that reaches what `egress` allows, with [`DEADLINE`].
    pub fn new(egress: Egress) -> Result<Self, EgressError> {
        Self::with_deadline(egress, DEADLINE)
    }

    /// A client with a deadline of its own.
    pub fn with_deadline(egress: Egress, deadline: Duration) -> Result<Self, EgressError> {
        Self::build(Settings { deadline, ..Settings::new(egress)? })
    }

    /// A client for many requests to a host, with [`DEADLINE`]: a connection is used again when the next follows within a
    /// second. It stays with the address that was checked when it was made.
    pub fn keeping(egress: Egress) -> Result<Self, EgressError> {
        Self::build(Settings { kept_of_a_host: KEPT_OF_A_HOST, ..Settings::new(egress)? })
    }

    /// A client that asks somebody else than the system where names lead, and keeps connections.
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

    /// A client that shows a certificate where it is asked for one (RFC 8446, section 4.4.2): the certificate and its
    /// key (PKCS #8), both in PEM.
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
            .build()
            .map_err(|error| failed(&error))?;
        Ok(Client { http, egress, transport, deadline, resolver })
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

    /// Whether requests may go to `url` now: its name is resolved as for a request, and nothing is sent.
    pub async fn judge(&self, url: &str) -> Result<(), EgressError> {
        let url = check(url, self.egress, self.transport)?;
        // An address that is written out is judged already.
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

    /// Makes a request with `headers` and `body` and nothing else of our own.
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
        let status = response.status();
        Ok(Answer { status, retry_after, content_type, location, body, complete })
    }
}

fn public_roots() -> Result<Vec<reqwest::Certificate>, EgressError> {
    roots::public().map_err(|error| failed(&error))
}

fn identity(certificate: &str, private_key: &str) -> Result<reqwest::Identity, EgressError> {
    let pem = format!("{private_key}\n{certificate}");
    // What is wrong with a key must not be quoted.
    reqwest::Identity::from_pem(pem.as_bytes()).map_err(|_| EgressError {
        kind: ErrorKind::Protocol,
        message: "certificate and key are no identity for TLS".to_owned(),
    })
}

/// Why a client could not be made.
fn failed(error: &reqwest::Error) -> EgressError {
    EgressError { kind: ErrorKind::Protocol, message: chain(error) }
}

/// Whether requests may go to `url`. The addresses behind a name are checked at each request, in
/// the resolver; an address written into the URL is checked here, since it is never resolved.
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
        // A URL parser leaves out the scheme's own port (WHATWG URL, "URL representation").
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
        // Nobody listens there (RFC 6335, section 6).
        _ if parsed.port() == Some(0) => Err(invalid("must not name the port 0")),
        _ => Ok(parsed),
    }
}

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
mod tests;
