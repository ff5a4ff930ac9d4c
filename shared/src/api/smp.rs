//! Our SMP at the root of its own host (Peppol SMP 1.4, section 5): who is registered here, for what, and where that goes.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    http::{
        HeaderValue, Method, StatusCode,
        header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};

use crate::{
    peppol::identifiers::segment_text,
    service::publish::{self, Publishing},
    store::StoreError,
};

/// What every document is (Peppol SMP 1.4).
const XML: HeaderValue = HeaderValue::from_static("text/xml; charset=UTF-8");
/// For how long others may keep an answer: less than senders keep what they found.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// What stands before the participant whose card is wanted.
const CARDS: &str = "businesscard/";
/// What stands between participant and document type.
const SERVICES: &str = "/services/";

/// The path as it came, where whoever is in front reads it otherwise than a URI: identifiers hold `#`.
#[derive(Debug, Clone)]
pub struct RawPath(pub String);

/// What is asked for, each name decoded once.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Group(String),
    Metadata(String, String),
    Card(String),
}

/// Answers as our SMP; without one, that it cannot be reached.
pub fn smp(publishing: Option<Publishing>) -> Router {
    Router::new().fallback(answer).with_state(Arc::new(publishing))
}

async fn answer(State(publishing): State<Arc<Option<Publishing>>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let allowed = [(ALLOW, HeaderValue::from_static("GET, HEAD"))];
        return (StatusCode::METHOD_NOT_ALLOWED, allowed).into_response();
    }
    let Some(publishing) = &*publishing else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let raw = request.extensions().get::<RawPath>();
    let path = raw.map_or(request.uri().path(), |RawPath(path)| path);
    match document(publishing, asked(path)).await {
        Ok(Some(xml)) => ([(CONTENT_TYPE, XML), (CACHE_CONTROL, CACHED)], xml).into_response(),
        // Whoever is not registered is not told from whoever never was.
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::error!(%error, "the SMP could not answer");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

async fn document(
    publishing: &Publishing,
    asked: Option<Asked>,
) -> Result<Option<String>, StoreError> {
    match asked {
        Some(Asked::Group(participant)) => publish::group(publishing, &participant).await,
        Some(Asked::Metadata(participant, document_type)) => {
            publish::metadata(publishing, &participant, &document_type).await
        }
        Some(Asked::Card(participant)) => publish::business_card(publishing, &participant).await,
        None => Ok(None),
    }
}

/// Reads a path. No identifier of ours holds a slash or a percent sign, so that it does not matter whether whoever is
/// in front has decoded the path before.
fn asked(path: &str) -> Option<Asked> {
    let decoded = |segment: &str| {
        let text = segment_text(segment)?.into_owned();
        (!text.is_empty() && !text.contains('/')).then_some(text)
    };
    let path = path.strip_prefix('/')?;
    if let Some(participant) = path.strip_prefix(CARDS) {
        return decoded(participant).map(Asked::Card);
    }
    match path.split_once(SERVICES) {
        None => decoded(path).map(Asked::Group),
        Some((participant, document_type)) => {
            Some(Asked::Metadata(decoded(participant)?, decoded(document_type)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        let group = |text: &str| Some(Asked::Group(text.to_owned()));
        let participant = "iso6523-actorid-upis::0235:1234567890";
        for (path, expected) in [
            ("/iso6523-actorid-upis%3A%3A0235%3A1234567890", group(participant)),
            ("/iso6523-actorid-upis::0235:1234567890", group(participant)),
            ("/a%253Ab", group("a%3Ab")),
            (
                "/a%3a%3Ab/services/c%3A%3Ad%23%23e%40f%2A",
                Some(Asked::Metadata("a::b".to_owned(), "c::d##e@f*".to_owned())),
            ),
            (
                "/a::b/services/c::d##e@f*",
                Some(Asked::Metadata("a::b".to_owned(), "c::d##e@f*".to_owned())),
            ),
            ("/businesscard/a%3A%3Ab", Some(Asked::Card("a::b".to_owned()))),
            ("/", None),
            ("", None),
            ("/a/b", None),
            ("/a%2Fb", None),
            ("/a/services/", None),
            ("//services/b", None),
            ("/businesscard/", None),
            ("/a/services/b/c", None),
            ("/%FF", None),
        ] {
            assert_eq!(asked(path), expected, "{path}");
        }
    }
}
