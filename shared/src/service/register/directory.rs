//! Notifies the Peppol Directory that the SMP of a participant has a card to show, or has none any more.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};

use super::{
    registries::{Registries, configured},
    step::Hindrance,
};
use crate::{
    egress::Limits,
    peppol::identifiers::{participant_uri, path_segment},
    types::ParticipantId,
};

/// The time limit for the Directory. It only queues its own request to our SMP.
const DEADLINE: Duration = Duration::from_secs(15);
/// Maximum bytes of its answer. Only the status matters.
const ANSWER_BYTES: usize = 1024;
/// The path for notifications (Peppol Directory, "Indexing API").
const PATH: &str = "/indexer/1.0/";

/// Makes the Directory fetch the card of a participant.
pub(super) async fn list(
    registries: &Registries,
    participant: &ParticipantId,
) -> Result<(), Hindrance> {
    let status = tell(registries, Method::PUT, "", participant_uri(participant)).await?;
    outcome(status, false)
}

/// Makes the Directory delete a participant. An unknown participant counts as deleted.
pub(super) async fn unlist(
    registries: &Registries,
    participant: &ParticipantId,
) -> Result<(), Hindrance> {
    let segment = path_segment(&participant_uri(participant));
    let status = tell(registries, Method::DELETE, &segment, String::new()).await?;
    outcome(status, status == StatusCode::NOT_FOUND)
}

async fn tell(
    registries: &Registries,
    method: Method,
    segment: &str,
    body: String,
) -> Result<StatusCode, Hindrance> {
    let base = configured(registries.directory_url.as_ref(), "DIRECTORY_URL")?;
    let url = format!("{base}{PATH}{segment}");
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind)]);
    let limits = Limits { deadline: DEADLINE, answer_bytes: ANSWER_BYTES };
    let client = registries.client()?;
    let answer = client.request(method, &url, headers, body.into_bytes(), limits).await;
    let answer = answer.map_err(|error| Hindrance::Passing(format!("the Directory: {error}")))?;
    Ok(answer.status)
}

fn outcome(status: StatusCode, is_done: bool) -> Result<(), Hindrance> {
    let refused = format!("the Directory: HTTP status {status}");
    match status {
        _ if status.is_success() || is_done => Ok(()),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            Err(Hindrance::Passing(refused))
        }
        _ if status.is_client_error() => Err(Hindrance::Lasting(refused)),
        _ => Err(Hindrance::Passing(refused)),
    }
}
