//! The headers of a request.
//!
//! API Gateway joins repeated headers by commas before a function receives them. So a repeated header is one invalid
//! value. Two Idempotency-Keys are one different key, because a key may contain a comma.

use axum::http::{
    HeaderMap, HeaderName,
    header::{CONTENT_ENCODING, CONTENT_TYPE},
};

use crate::error::{Code, Failure};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The preference for queued delivery (RFC 7240, section 4.1).
pub(super) const RESPOND_ASYNC: &str = "respond-async";

/// The maximum length of an Idempotency-Key, in characters.
pub(super) const MAX_IDEMPOTENCY_KEY: usize = 1_024;

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
            BodyType::File => &[
                "application/gzip",
                // IANA: the registered type of .xlsx.
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "application/x-ndjson",
                "text/csv",
            ],
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

pub(super) fn send_headers(headers: &HeaderMap) -> Result<SendHeaders, Failure> {
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
pub(super) fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Failure> {
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

pub(super) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(Code::InvalidRequest, message)
}

pub(super) fn check_media_type(headers: &HeaderMap, kind: BodyType) -> Result<(), Failure> {
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
pub(super) fn is_text(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("text/"))
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
