//! Reads a request of a [`Route`], in one order for all: credential, query, headers, body. So an unauthenticated caller
//! learns nothing from the errors of a request.

use axum::{
    RequestPartsExt,
    body::{Body, to_bytes},
    extract::{Path, Request},
    http::{
        HeaderMap, HeaderName, Method,
        header::{AUTHORIZATION, USER_AGENT},
        request::Parts,
    },
};

use super::{
    App,
    error::{ApiError, DocsUrl},
    header::{BodyType, SendHeaders, check_media_type, invalid, is_text, send_headers, single},
    query::Query,
    route::Route,
};
use crate::{
    access::{Actor, By, Caller, CredentialId, Credentials, OrganizationCaller, Origin},
    document::MAX_BODY_BYTES,
    error::{Code, Failure},
    log::{ClientAddress, RequestId},
    service::{
        self, Connecting, Context, Identity, Notifying,
        page::{CursorKey, PageQuery},
        requests::{Counted, Counting, RequestLimit},
    },
};

const X_AE_TAXPAYER_ID: HeaderName = HeaderName::from_static("x-ae-taxpayer-id");
const X_AE_GRANT_ID: HeaderName = HeaderName::from_static("x-ae-grant-id");

/// The maximum size of a body as a JSON string, in bytes. Lambda limits the event, which contains it together with
/// path, query and headers, to 6 MiB. API Gateway limits these to 10,240 bytes.
pub(super) const MAX_ESCAPED_BYTES: usize = 6_000_000;

/// The state of a function.
pub(super) trait State: Clone + Send + Sync + 'static {
    /// The context, with which callers are authenticated.
    fn ctx(&self) -> &Context;

    /// The limit of requests.
    fn request_limit(&self) -> &RequestLimit;
}

impl State for App {
    fn ctx(&self) -> &Context {
        &self.sending.ctx
    }

    fn request_limit(&self) -> &RequestLimit {
        &self.request_limit
    }
}

impl State for Connecting {
    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn request_limit(&self) -> &RequestLimit {
        &self.request_limit
    }
}

impl State for Notifying {
    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn request_limit(&self) -> &RequestLimit {
        &self.request_limit
    }
}

#[cfg(feature = "pdf")]
impl State for service::Printing {
    fn ctx(&self) -> &Context {
        &self.reading.ctx
    }

    fn request_limit(&self) -> &RequestLimit {
        &self.request_limit
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
    Counting { limit: app.request_limit().clone(), counted }
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
