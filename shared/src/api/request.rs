//! Reads a request of a [`Route`], in one order for all: credential, query, headers, body. So an unauthenticated caller
//! learns nothing from the errors of a request.
//!
//! API Gateway joins repeated headers by commas before a function receives them. So a repeated header is one invalid
//! value. Two Idempotency-Keys are one different key, because a key may contain a comma.

use axum::{
    RequestPartsExt,
    body::{Body, to_bytes},
    extract::{Path, Request},
    http::{
        HeaderMap, HeaderName, Method,
        header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, USER_AGENT},
        request::Parts,
    },
};

use super::{
    App,
    error::{ApiError, DocsUrl},
    query::Query,
    route::Route,
};
use crate::{
    access::{Actor, By, Caller, CredentialId, Credentials, OrganizationCaller, Origin},
    document::MAX_BODY_BYTES,
    error::{Code, Failure},
    log::{ClientAddress, RequestId},
    service::{
        self, Connecting, Context, Identity, Notifying, Printing,
        page::{CursorKey, PageQuery},
        requests::{Counted, Counting},
    },
};

const X_AE_TAXPAYER_ID: HeaderName = HeaderName::from_static("x-ae-taxpayer-id");
const X_AE_GRANT_ID: HeaderName = HeaderName::from_static("x-ae-grant-id");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The preference for queued delivery (RFC 7240, section 4.1).
pub(super) const RESPOND_ASYNC: &str = "respond-async";

/// The maximum length of an Idempotency-Key, in characters.
pub(super) const MAX_IDEMPOTENCY_KEY: usize = 1_024;

/// The maximum size of a body as a JSON string, in bytes. Lambda limits the event, which contains it together with
/// path, query and headers, to 6 MiB. API Gateway limits these to 10,240 bytes.
pub(super) const MAX_ESCAPED_BYTES: usize = 6_000_000;

/// The state of a function.
pub(super) trait State: Clone + Send + Sync + 'static {
    /// The context, with which callers are authenticated.
    fn ctx(&self) -> &Context;

    /// The rate limit of an organization, in requests a minute.
    fn requests_per_minute(&self) -> u32;
}

impl State for App {
    fn ctx(&self) -> &Context {
        &self.sending.ctx
    }

    fn requests_per_minute(&self) -> u32 {
        self.requests_per_minute
    }
}

impl State for Connecting {
    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn requests_per_minute(&self) -> u32 {
        self.requests_per_minute
    }
}

impl State for Notifying {
    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn requests_per_minute(&self) -> u32 {
        self.requests_per_minute
    }
}

impl State for Printing {
    fn ctx(&self) -> &Context {
        &self.reading.ctx
    }

    fn requests_per_minute(&self) -> u32 {
        self.requests_per_minute
    }
}

/// An authorized request, by default of a caller for a taxpayer.
pub(super) struct Call<C = Caller, A = App> {
    pub(super) app: A,
    pub(super) caller: C,
    pub(super) method: Method,
    /// The first path variable; empty when the path has none.
    pub(super) variable: String,
    /// The second path variable.
    pub(super) second: String,
    pub(super) query: Query,
    /// The URL of the documentation.
    pub(super) docs: Option<DocsUrl>,
    origin: Origin,
    headers: HeaderMap,
    body: Body,
}

/// A request of an organization in its own affairs.
pub(super) type OwnCall<A = App> = Call<OrganizationCaller, A>;

impl<C> Call<C> {
    /// The context, with the clock and the table.
    pub(super) fn ctx(&self) -> &Context {
        &self.app.sending.ctx
    }

    /// The requested page of a list.
    pub(super) fn asked(&self) -> Result<PageQuery<'_>, Failure> {
        asked(&self.app.cursors, &self.query)
    }
}

fn asked<'a>(cursors: &'a CursorKey, query: &'a Query) -> Result<PageQuery<'a>, Failure> {
    Ok(PageQuery { cursors, cursor: query.text("cursor"), limit: query.limit("limit")? })
}

impl OwnCall<Notifying> {
    /// The requested page of a list.
    pub(super) fn asked(&self) -> Result<PageQuery<'_>, Failure> {
        asked(&self.app.cursors, &self.query)
    }

    /// The bytes of a JSON body. A missing body counts as an empty object, whatever its Content-Type.
    pub(super) async fn optional_json(&mut self) -> Result<Vec<u8>, Failure> {
        let body = read_body(std::mem::take(&mut self.body)).await?;
        if body.is_empty() {
            return Ok(b"{}".to_vec());
        }
        check_media_type(&self.headers, BodyType::Json)?;
        Ok(body)
    }
}

impl<A: State> Call<Caller, A> {
    /// Authenticates and authorizes the caller for a taxpayer, and reads what all operations share.
    pub(super) async fn read(route: &Route, app: A, request: Request) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let credentials = credentials(&parts.headers)?;
        let by_token = credentials.is_token();
        let counting = counting(&app, &parts);
        let caller = service::authorize(app.ctx(), &counting, credentials, route.any_of).await;
        let caller = known(&app, &counting, &parts, caller).await;
        let caller = caller.map_err(|failure| match by_token {
            true => ApiError::for_token(failure, route.any_of),
            false => failure.into(),
        })?;
        Ok(Call::of(caller, route, app, parts, body).await?)
    }
}

impl<A: State> OwnCall<A> {
    /// Authenticates an organization and reads what all operations share. The request "needs Authorization only"
    /// (specification 4.4), so the header with a taxpayer is ignored. A named grant must belong to the organization.
    pub(super) async fn read_own(route: &Route, app: A, request: Request) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let headers = &parts.headers;
        let credentials = Credentials {
            authorization: single(headers, &AUTHORIZATION)?,
            taxpayer_id: None,
            grant_id: single(headers, &X_AE_GRANT_ID)?,
        };
        let counting = counting(&app, &parts);
        let caller = service::authorize_organization(app.ctx(), &counting, credentials).await;
        let caller = known(&app, &counting, &parts, caller).await?;
        Call::of(caller, route, app, parts, body).await
    }
}

impl Call<Identity> {
    /// Authenticates any kind of credential, and reads what all operations share.
    pub(super) async fn read_any(
        route: &Route,
        app: App,
        request: Request,
    ) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let credentials = credentials(&parts.headers)?;
        let counting = counting(&app, &parts);
        let caller = service::whoami(app.ctx(), &counting, credentials).await;
        let caller = known(&app, &counting, &parts, caller).await?;
        Call::of(caller, route, app, parts, body).await
    }
}

impl<C, A> Call<C, A> {
    async fn of(
        caller: C,
        route: &Route,
        app: A,
        mut parts: Parts,
        body: Body,
    ) -> Result<Self, Failure> {
        let query = Query::read(&parts.uri, route.query)?;
        let variables = match route.variables().next() {
            None => Vec::new(),
            Some(_) => match parts.extract::<Path<Vec<(String, String)>>>().await {
                Ok(Path(pairs)) => pairs,
                // Bytes that are not text cannot be an identifier.
                Err(_) => return Err(invalid("The path holds bytes that are not UTF-8.")),
            },
        };
        let mut variables = variables.into_iter().map(|(_, value)| value);
        Ok(Call {
            app,
            caller,
            origin: origin(&parts),
            docs: parts.extensions.get().cloned(),
            method: parts.method,
            variable: variables.next().unwrap_or_default(),
            second: variables.next().unwrap_or_default(),
            query,
            headers: parts.headers,
            body,
        })
    }

    /// The actor of a credential and its origin, for the audit trail.
    pub(super) fn by(&self, credential: &CredentialId) -> By {
        let actor = match credential {
            CredentialId::ApiKey(id) => Actor::ApiKey(id.clone()),
            CredentialId::AccessToken(client_id) => Actor::Client(client_id.clone()),
            CredentialId::Session(member_id) => Actor::Member(member_id.clone()),
        };
        By { actor, origin: self.origin.clone() }
    }

    pub(super) fn send_headers(&self) -> Result<SendHeaders, Failure> {
        send_headers(&self.headers)
    }

    /// The bytes of a JSON body as sent: uncompressed, at most [`MAX_BODY_BYTES`], and at most [`MAX_ESCAPED_BYTES`] as
    /// a JSON string.
    pub(super) async fn json_body(&mut self) -> Result<Vec<u8>, Failure> {
        self.body(BodyType::Json).await
    }

    /// The bytes of a body of a kind.
    pub(super) async fn body(&mut self, kind: BodyType) -> Result<Vec<u8>, Failure> {
        check_media_type(&self.headers, kind)?;
        let body = std::mem::take(&mut self.body);
        match kind {
            BodyType::File if !is_text(&self.headers) => read_bytes(body).await,
            _ => read_body(body).await,
        }
    }

    /// Requires an empty body. An empty object, which some clients send instead, is accepted.
    pub(super) async fn no_body(&mut self, instead: &str) -> Result<(), Failure> {
        let body = read_bytes(std::mem::take(&mut self.body)).await?;
        match body.trim_ascii() {
            b"" | b"{}" => Ok(()),
            _ => Err(invalid(format!("This operation takes no body: {instead}."))),
        }
    }
}

/// The headers with the credential and the taxpayer.
fn credentials(headers: &HeaderMap) -> Result<Credentials<'_>, Failure> {
    Ok(Credentials {
        authorization: single(headers, &AUTHORIZATION)?,
        taxpayer_id: single(headers, &X_AE_TAXPAYER_ID)?,
        grant_id: single(headers, &X_AE_GRANT_ID)?,
    })
}

/// How the request counts toward the rate limit. The edge adds the limit's headers to the response.
fn counting(app: &impl State, parts: &Parts) -> Counting {
    let counted = parts.extensions.get::<Counted>().cloned().unwrap_or_default();
    Counting { most: app.requests_per_minute(), counted }
}

/// The caller, if the credential is valid. An invalid one counts toward the limit of its IP address.
async fn known<C>(
    app: &impl State,
    counting: &Counting,
    parts: &Parts,
    caller: Result<C, Failure>,
) -> Result<C, Failure> {
    match caller {
        Err(failure) if matches!(failure.code, Code::Unauthorized | Code::InvalidToken) => {
            let address = parts.extensions.get().map(|ClientAddress(address)| *address);
            Err(counting.stranger(app.ctx(), address, failure).await)
        }
        caller => caller,
    }
}

fn origin(parts: &Parts) -> Origin {
    let ip = parts.extensions.get::<ClientAddress>().map(|ClientAddress(ip)| ip.to_string());
    let user_agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
    let request_id = parts.extensions.get::<RequestId>().map(|RequestId(id)| id.clone());
    Origin::new(ip, user_agent, request_id)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyType {
    Json,
    /// RFC 7396; plain JSON is accepted too.
    MergePatch,
    /// A file of documents, optionally compressed.
    File,
}

impl BodyType {
    pub(super) fn media_types(self) -> &'static [&'static str] {
        match self {
            BodyType::Json => &["application/json"],
            BodyType::MergePatch => &["application/merge-patch+json", "application/json"],
            BodyType::File => &["application/gzip", "application/x-ndjson", "text/csv"],
        }
    }
}

/// The headers of a send, apart from the credential.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SendHeaders {
    /// The Idempotency-Key.
    pub(super) idempotency_key: Option<String>,
    /// Whether `respond-async` is among the preferences.
    pub(super) respond_async: bool,
}

fn send_headers(headers: &HeaderMap) -> Result<SendHeaders, Failure> {
    let idempotency_key = single(headers, &IDEMPOTENCY_KEY)?;
    if let Some(key) = idempotency_key {
        // "One or more printable non-space ASCII characters (0x21 to 0x7E)"
        if key.is_empty() || !key.bytes().all(|byte| (0x21..=0x7e).contains(&byte)) {
            return Err(invalid(
                "The Idempotency-Key header must be one or more printable ASCII characters \
                 without spaces (0x21 to 0x7E).",
            ));
        }
        if key.len() > MAX_IDEMPOTENCY_KEY {
            let length = key.len();
            return Err(invalid(format!(
                "The Idempotency-Key header has {length} characters; at most \
                 {MAX_IDEMPOTENCY_KEY} are allowed."
            )));
        }
    }
    let respond_async = prefers(headers, RESPOND_ASYNC);
    Ok(SendHeaders { idempotency_key: idempotency_key.map(str::to_owned), respond_async })
}

/// Whether a request has a preference that takes no value (RFC 7240, section 2). There may be several preferences, also
/// in several header lines. Names are case-insensitive. Unknown or malformed preferences and all parameters are
/// ignored.
fn prefers(headers: &HeaderMap, name: &str) -> bool {
    let lines =
        headers.get_all(&PREFER).iter().map(|line| String::from_utf8_lossy(line.as_bytes()));
    let is_it = |preference: &str| {
        let token = split_outside_quotes(preference, b';').next().unwrap_or_default();
        let (token, value) = token.split_once('=').unwrap_or((token, ""));
        // "Empty or zero-length values […] are equivalent to no value being specified at all."
        token.trim().eq_ignore_ascii_case(name) && matches!(value.trim(), "" | "\"\"")
    };
    lines.into_iter().any(|line| split_outside_quotes(&line, b',').any(is_it))
}

/// The parts of a header's value between separators. Separators within a quoted-string do not count (RFC 9110, section
/// 5.6.4).
fn split_outside_quotes(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |c: char| {
        let is_escaped = std::mem::take(&mut escaped);
        match c {
            '\\' => escaped = quoted && !is_escaped,
            '"' if !is_escaped => quoted = !quoted,
            _ => {}
        }
        c == char::from(separator) && !quoted
    })
}

/// The value of a header that may occur once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    // This cannot happen behind API Gateway, which joins them.
    if values.next().is_some() {
        return Err(invalid(format!("The header {name} is given more than once; give it once.")));
    }
    let text = value
        .to_str()
        .map_err(|_| invalid(format!("The header {name} holds characters beyond ASCII.")))?;
    Ok(Some(text))
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(Code::InvalidRequest, message)
}

fn check_media_type(headers: &HeaderMap, kind: BodyType) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::new(Code::UnsupportedMediaType, message));
    let allowed = kind.media_types();
    let content_type = single(headers, &CONTENT_TYPE)?.unwrap_or_default();
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    if !allowed.iter().any(|allowed| essence.trim().eq_ignore_ascii_case(allowed)) {
        let allowed = allowed.join(" or ");
        return refuse(&format!("Send the body with Content-Type: {allowed}."));
    }
    let parameters = parameters.split(';').map(|one| one.trim().to_ascii_lowercase());
    for parameter in parameters.filter(|one| !one.is_empty()) {
        match parameter.as_str() {
            "charset=utf-8" | "charset=\"utf-8\"" => {}
            // RFC 4180, section 3.
            "header=present" | "header=\"present\"" if kind == BodyType::File => {}
            "header=absent" | "header=\"absent\"" if kind == BodyType::File => {
                return refuse(
                    "The first row of a table names its columns: header=absent is not allowed.",
                );
            }
            other if other.starts_with("charset=") => {
                return refuse(&format!(
                    "Send the body in UTF-8: Content-Type: {}.",
                    essence.trim()
                ));
            }
            other => {
                let other: String = other.chars().take(100).collect();
                let essence = essence.trim();
                return refuse(&format!(
                    "Content-Type takes no parameter {other:?}: send Content-Type: {essence}; charset=utf-8."
                ));
            }
        }
    }
    match single(headers, &CONTENT_ENCODING)? {
        None => Ok(()),
        Some(encoding) if encoding.eq_ignore_ascii_case("identity") => Ok(()),
        Some(_) => refuse("Send the body without Content-Encoding."),
    }
}

/// Whether API Gateway passes the body as text. It passes other types in Base64, whatever their bytes.
fn is_text(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("text/"))
}

async fn read_bytes(body: Body) -> Result<Vec<u8>, Failure> {
    // A body from a Lambda event is never incomplete, so an error means that the limit is exceeded.
    let bytes = to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| {
        Failure::new(
            Code::PayloadTooLarge,
            format!(
                "The body is larger than {MAX_BODY_BYTES} bytes (4 MiB); send fewer or smaller \
                 attachments, or several documents, and a file compressed by gzip."
            ),
        )
    })?;
    Ok(bytes.into())
}

async fn read_body(body: Body) -> Result<Vec<u8>, Failure> {
    let too_large = |message| Failure::new(Code::PayloadTooLarge, message);
    let bytes = read_bytes(body).await?;
    let escaped: usize = bytes.iter().map(|byte| escaped_length(*byte)).sum();
    if escaped > MAX_ESCAPED_BYTES {
        return Err(too_large(format!(
            "The body takes {escaped} bytes as a JSON string, in which quotation marks, \
             backslashes, tabs and line breaks count twice and other control characters six \
             times; at most {MAX_ESCAPED_BYTES} are allowed. Leave out the indentation, or send \
             several documents."
        )));
    }
    Ok(bytes)
}

/// The length of a text's byte in a JSON string (RFC 8259, section 7).
fn escaped_length(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0x00..=0x1f => 6,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(&'static str, &[u8])]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &[u8])| {
            (HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap())
        };
        let mut map = HeaderMap::new();
        for (name, value) in pairs.iter().map(pair) {
            map.append(name, value);
        }
        map
    }

    #[test]
    fn idempotency_keys_are_printable_ascii_without_spaces() {
        let cases: [(&[u8], bool); 9] = [
            (b"!", true),
            (b"~", true),
            (b"order-1,2;3=\"x\"", true),
            (&[b'k'; 1024], true),
            (&[b'k'; 1025], false),
            (b"", false),
            (b"a b", false),
            (b"a\tb", false),
            (b"caf\xc3\xa9", false),
        ];
        for (key, good) in cases {
            let read = send_headers(&headers(&[("idempotency-key", key)]));
            assert_eq!(read.is_ok(), good, "{key:?}");
        }
    }

    #[test]
    fn preferences_are_read_as_rfc_7240_writes_them() {
        let cases: [(&[&[u8]], bool); 24] = [
            (&[b"respond-async"], true),
            (&[b"Respond-Async"], true),
            (&[b"respond-async, wait=10"], true),
            (&[b"wait=10, respond-async"], true),
            (&[b"respond-async,respond-async"], true),
            (&[b"respond-async; foo=bar; baz"], true),
            (&[b" respond-async ; foo=\"a,b;c\" , x"], true),
            (&[b"respond-async=\"\""], true),
            (&[b"respond-async = "], true),
            (&[b",, respond-async,"], true),
            (&[b"return=minimal", b"respond-async"], true),
            (&[b"caf\xc3\xa9", b"respond-async"], true),
            (&[b"foo=\"\\\"\", respond-async"], true),
            (&[b"foo; bar=\"x\", RESPOND-ASYNC;a"], true),
            (&[b""], false),
            (&[b"wait=10"], false),
            (&[b"handling=lenient, return=minimal"], false),
            (&[b"respond-async=false"], false),
            (&[b"respond-async2"], false),
            (&[b"x-respond-async"], false),
            (&[b"foo=respond-async"], false),
            (&[b"foo; respond-async"], false),
            (&[b"foo=\"a, respond-async, b\""], false),
            (&[b"foo=\"\\\", respond-async"], false),
        ];
        for (lines, wanted) in cases {
            let lines: Vec<_> = lines.iter().map(|line| ("prefer", *line)).collect();
            let read = send_headers(&headers(&lines)).unwrap();
            assert_eq!(read.respond_async, wanted, "{lines:?}");
        }
        assert_eq!(send_headers(&HeaderMap::new()).unwrap(), SendHeaders::default());
    }

    #[test]
    fn an_idempotency_key_given_twice_is_refused_by_name() {
        let (name, value) = ("idempotency-key", b"k".as_slice());
        let failure = send_headers(&headers(&[(name, value), (name, value)])).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        assert!(failure.message.contains(name), "{}", failure.message);
    }

    #[test]
    fn bodies_are_plain_json_in_utf_8() {
        for (value, good) in [
            ("application/json", true),
            ("Application/JSON", true),
            ("application/json; charset=utf-8", true),
            ("application/json;charset=UTF-8", true),
            ("application/json; charset=latin1", false),
            ("application/json; charset=utf-8;", true),
            ("application/json; header=present", false),
            ("application/json; profile=x", false),
            ("text/json", false),
            ("application/xml", false),
            ("application/jsonp", false),
            ("", false),
        ] {
            let checked =
                check_media_type(&headers(&[("content-type", value.as_bytes())]), BodyType::Json);
            assert_eq!(checked.is_ok(), good, "{value:?}");
        }
        assert!(check_media_type(&HeaderMap::new(), BodyType::Json).is_err());
        for (value, good) in [
            ("text/csv; header=present", true),
            ("text/csv; header=present; charset=utf-8", true),
            ("text/csv;charset=UTF-8;header=\"present\"", true),
            ("text/csv; header=absent", false),
            ("text/csv; header=present; charset=latin1", false),
        ] {
            let headers = headers(&[("content-type", value.as_bytes())]);
            assert_eq!(check_media_type(&headers, BodyType::File).is_ok(), good, "{value:?}");
        }
        let zipped =
            [("content-type", b"application/json".as_slice()), ("content-encoding", b"gzip")];
        assert!(check_media_type(&headers(&zipped), BodyType::Json).is_err());
        let patch = [("content-type", b"application/merge-patch+json".as_slice())];
        assert!(check_media_type(&headers(&patch), BodyType::MergePatch).is_ok());
        assert!(check_media_type(&headers(&patch), BodyType::Json).is_err());
    }
}
