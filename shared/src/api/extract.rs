//! What handlers take out of a request. Order matters and is the order of the handlers' arguments:
//! who asks, then the headers, then the body.

use std::marker::PhantomData;

use axum::{
    body::{Body, to_bytes},
    extract::{FromRequest, FromRequestParts, Path, Query, Request},
    http::{
        HeaderMap, HeaderName,
        header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE},
        request::Parts,
    },
};
use serde::de::DeserializeOwned;

use super::{App, error::ApiError};
use crate::{
    access::{Caller, Credentials, Scope},
    document::MAX_BODY_BYTES,
    error::{Code, Failure},
    service,
};

const X_AE_TAXPAYER_ID: HeaderName = HeaderName::from_static("x-ae-taxpayer-id");
const X_AE_GRANT_ID: HeaderName = HeaderName::from_static("x-ae-grant-id");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The scopes of which a caller needs at least one.
pub(super) trait AnyOf {
    /// The scopes.
    const SCOPES: &'static [Scope];
}

/// `invoices:write`: send and validate.
#[derive(Debug)]
pub(super) struct Write;

impl AnyOf for Write {
    const SCOPES: &'static [Scope] = &[Scope::InvoicesWrite];
}

/// `invoices:read`, or `inbound:read` for what others sent to the taxpayer.
#[derive(Debug)]
pub(super) struct Read;

impl AnyOf for Read {
    const SCOPES: &'static [Scope] = &[Scope::InvoicesRead, Scope::InboundRead];
}

/// A caller who may do what `S` stands for. A handler of a taxpayer's affairs cannot be written
/// without it.
#[derive(Debug)]
pub(super) struct Authorized<S> {
    /// Who.
    pub(super) caller: Caller,
    needs: PhantomData<S>,
}

impl<S: AnyOf> FromRequestParts<App> for Authorized<S> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let headers = &parts.headers;
        let credentials = Credentials {
            authorization: single(headers, &AUTHORIZATION)?,
            taxpayer_id: single(headers, &X_AE_TAXPAYER_ID)?,
            grant_id: single(headers, &X_AE_GRANT_ID)?,
        };
        let caller = service::authorize(&app.sending.ctx, credentials, S::SCOPES).await?;
        Ok(Authorized { caller, needs: PhantomData })
    }
}

/// The headers of a send beside the credentials.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SendHeaders {
    /// The Idempotency-Key.
    pub(super) idempotency_key: Option<String>,
    /// Whether `Prefer: respond-async` is given.
    pub(super) respond_async: bool,
}

impl<S: Sync> FromRequestParts<S> for SendHeaders {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(send_headers(&parts.headers)?)
    }
}

fn send_headers(headers: &HeaderMap) -> Result<SendHeaders, Failure> {
    let idempotency_key = single(headers, &IDEMPOTENCY_KEY)?;
    // "One or more printable non-space ASCII characters (0x21 to 0x7E)"
    if let Some(key) = idempotency_key
        && (key.is_empty() || !key.bytes().all(|byte| (0x21..=0x7e).contains(&byte)))
    {
        return Err(invalid(
            "The Idempotency-Key header must be one or more printable ASCII characters without \
             spaces (0x21 to 0x7E).",
        ));
    }
    let respond_async = match single(headers, &PREFER)? {
        None => false,
        // Preference names do not depend on case (RFC 7240, section 2).
        Some(preference) if preference.trim().eq_ignore_ascii_case("respond-async") => true,
        Some(_) => {
            return Err(invalid("The Prefer header allows one value: respond-async."));
        }
    };
    Ok(SendHeaders { idempotency_key: idempotency_key.map(str::to_owned), respond_async })
}

/// The value of a header that may be given once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
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

/// The bytes of a JSON body, as sent: `application/json`, not compressed, at most
/// [`MAX_BODY_BYTES`].
#[derive(Debug)]
pub(super) struct JsonBytes(pub(super) Vec<u8>);

impl<S: Sync> FromRequest<S> for JsonBytes {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        check_media_type(request.headers())?;
        Ok(JsonBytes(read_body(request.into_body()).await?))
    }
}

fn check_media_type(headers: &HeaderMap) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::new(Code::UnsupportedMediaType, message));
    let content_type = single(headers, &CONTENT_TYPE)?.unwrap_or_default();
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let charset = parameters.trim().to_ascii_lowercase();
    if !essence.trim().eq_ignore_ascii_case("application/json") {
        return refuse("Send the body with Content-Type: application/json.");
    }
    if !matches!(charset.as_str(), "" | "charset=utf-8" | "charset=\"utf-8\"") {
        return refuse("Send the body in UTF-8: Content-Type: application/json.");
    }
    match single(headers, &CONTENT_ENCODING)? {
        None => Ok(()),
        Some(encoding) if encoding.eq_ignore_ascii_case("identity") => Ok(()),
        Some(_) => refuse("Send the body without Content-Encoding."),
    }
}

async fn read_body(body: Body) -> Result<Vec<u8>, Failure> {
    let too_large = || {
        let message = format!(
            "The body is larger than {MAX_BODY_BYTES} bytes (4 MiB); send fewer or smaller \
             attachments, or several documents."
        );
        Failure::new(Code::PayloadTooLarge, message)
    };
    // A body that breaks off never comes out of a Lambda event: an error here is the limit's.
    let bytes = to_bytes(body, MAX_BODY_BYTES).await.map_err(|_| too_large())?;
    Ok(bytes.into())
}

/// The query of a list. Unknown and repeated names are refused, as is what does not parse.
#[derive(Debug)]
pub(super) struct Parameters<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(parameters)) => Ok(Parameters(parameters)),
            Err(rejection) => {
                let text = rejection.body_text();
                let reason = text.trim_start_matches("Failed to deserialize query string: ");
                Err(invalid(format!("The query is not right: {reason}.")).into())
            }
        }
    }
}

/// The one variable of a path. What is not text cannot name anything.
#[derive(Debug)]
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Name(name)),
            Err(_) => Err(invalid("The path holds bytes that are not UTF-8.").into()),
        }
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
        let cases: [(&[u8], bool); 8] = [
            (b"!", true),
            (b"~", true),
            (b"order-1,2;3=\"x\"", true),
            (&[b'k'; 1000], true),
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
    fn prefer_allows_respond_async_alone() {
        for (value, good) in [
            ("respond-async", true),
            ("Respond-Async", true),
            ("", false),
            ("wait=10", false),
            ("respond-async, wait=10", false),
            ("respond-async,respond-async", false),
        ] {
            let read = send_headers(&headers(&[("prefer", value.as_bytes())]));
            assert_eq!(read.is_ok_and(|h| h.respond_async), good, "{value:?}");
        }
        assert_eq!(send_headers(&HeaderMap::new()).unwrap(), SendHeaders::default());
    }

    #[test]
    fn a_header_given_twice_is_refused_by_name() {
        for name in ["idempotency-key", "prefer"] {
            let value = b"respond-async".as_slice();
            let failure = send_headers(&headers(&[(name, value), (name, value)])).unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest);
            assert!(failure.message.contains(name), "{}", failure.message);
        }
    }

    #[test]
    fn bodies_are_plain_json_in_utf_8() {
        for (value, good) in [
            ("application/json", true),
            ("Application/JSON", true),
            ("application/json; charset=utf-8", true),
            ("application/json;charset=UTF-8", true),
            ("application/json; charset=latin1", false),
            ("text/json", false),
            ("application/xml", false),
            ("application/jsonp", false),
            ("", false),
        ] {
            let checked = check_media_type(&headers(&[("content-type", value.as_bytes())]));
            assert_eq!(checked.is_ok(), good, "{value:?}");
        }
        assert!(check_media_type(&HeaderMap::new()).is_err());
        let zipped =
            [("content-type", b"application/json".as_slice()), ("content-encoding", b"gzip")];
        assert!(check_media_type(&headers(&zipped)).is_err());
    }
}
