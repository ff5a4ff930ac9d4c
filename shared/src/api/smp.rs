//! Our SMP at the root of its own host (Peppol SMP 1.4, section 5): the registered participants, their services and
//! endpoints.

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
use tracing::Instrument;

use crate::{
    log::{self, Field, HttpAnswer, HttpFailure, RequestId},
    peppol::identifiers::segment_text,
    service::publish::{self, Publishing},
};

/// The content type of every document (Peppol SMP 1.4).
const XML: HeaderValue = HeaderValue::from_static("text/xml; charset=UTF-8");
/// How long clients may cache a response. This is shorter than senders cache their lookups.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// The prefix of a participant's business card.
const CARDS: &str = "businesscard/";
/// The separator between participant and document type.
const SERVICES: &str = "/services/";

/// The original path, for servers that parse paths differently from URIs. Identifiers contain `#`.
#[derive(Debug, Clone)]
pub struct RawPath(pub String);

/// The requested resource, with each name decoded once.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Group(String),
    Metadata(String, String),
    Card(String),
}

impl Asked {
    /// The operation's name in the log.
    fn operation(&self) -> &'static str {
        match self {
            Asked::Group(_) => "smp_service_group",
            Asked::Metadata(..) => "smp_service_metadata",
            Asked::Card(_) => "smp_business_card",
        }
    }

    /// The cause in the log when the resource does not exist.
    fn absent(&self) -> &'static str {
        match self {
            Asked::Group(_) => "no such participant is registered",
            Asked::Metadata(..) => "no such participant is registered for the document type",
            Asked::Card(_) => "no such participant has a listed card",
        }
    }
}

/// Serves our SMP. Without one, responds that it is unavailable.
pub fn smp(publishing: Option<Publishing>) -> Router {
    Router::new().fallback(answer).with_state(Arc::new(publishing))
}

/// A refusal: the response's status, and the cause for our log. The response does not contain the cause, so it does not
/// distinguish former participants from unknown ones.
struct NotServed(StatusCode, String);

async fn answer(State(publishing): State<Arc<Option<Publishing>>>, request: Request) -> Response {
    let id = request.extensions().get::<RequestId>().map(|RequestId(id)| id.as_str());
    let span = log::request(id.unwrap_or_default());
    let raw = request.extensions().get::<RawPath>();
    let path = raw.map_or(request.uri().path(), |RawPath(path)| path);
    let answered = document((*publishing).as_ref(), request.method(), path);
    let answered = answered.instrument(span.clone()).await;
    let (status, failure) = match &answered {
        Ok(_) => (StatusCode::OK, None),
        Err(NotServed(status, cause)) => {
            (*status, Some(HttpFailure { code: None, cause, is_due_to_others: false }))
        }
    };
    let answer = HttpAnswer {
        method: request.method().as_str(),
        path,
        status: status.as_u16(),
        duration: None,
    };
    span.in_scope(|| answer.note(failure));
    match answered {
        Ok(xml) => ([(CONTENT_TYPE, XML), (CACHE_CONTROL, CACHED)], xml).into_response(),
        Err(NotServed(StatusCode::METHOD_NOT_ALLOWED, _)) => {
            let allowed = [(ALLOW, HeaderValue::from_static("GET, HEAD"))];
            (StatusCode::METHOD_NOT_ALLOWED, allowed).into_response()
        }
        Err(NotServed(status, _)) => status.into_response(),
    }
}

async fn document(
    publishing: Option<&Publishing>,
    method: &Method,
    path: &str,
) -> Result<String, NotServed> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Err(NotServed(
            StatusCode::METHOD_NOT_ALLOWED,
            "this resource is read-only".to_owned(),
        ));
    }
    let asked = asked(path);
    if let Some(asked) = &asked {
        log::note(Field::Operation, &asked.operation());
    }
    let unavailable = |cause: String| NotServed(StatusCode::SERVICE_UNAVAILABLE, cause);
    let publishing = publishing.ok_or_else(|| unavailable("there is no SMP yet".to_owned()))?;
    let missing = |what: &str| NotServed(StatusCode::NOT_FOUND, what.to_owned());
    let asked = asked.ok_or_else(|| missing("an SMP has no such path"))?;
    let found = match &asked {
        Asked::Group(participant) => publish::group(publishing, participant).await,
        Asked::Metadata(participant, document_type) => {
            publish::metadata(publishing, participant, document_type).await
        }
        Asked::Card(participant) => publish::business_card(publishing, participant).await,
    };
    let found = found.map_err(|error| unavailable(error.to_string()))?;
    found.ok_or_else(|| missing(asked.absent()))
}

/// Parses a path. Our identifiers contain no slash and no percent sign, so it does not matter whether a proxy has
/// decoded the path already.
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
