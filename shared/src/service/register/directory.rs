//! What the Peppol Directory is told of a participant: that its SMP has a card to show, or no more.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};

use super::{
    registries::{Registries, told},
    step::Hindrance,
};
use crate::{
    egress::Limits,
    peppol::identifiers::{participant_uri, path_segment},
    types::ParticipantId,
};

/// How long the Directory may take: it only notes what it will ask our SMP for.
const DEADLINE: Duration = Duration::from_secs(15);
/// No more of its answer is read: its status says all.
const ANSWER_BYTES: usize = 1024;
/// Where it takes notes (Peppol Directory, "Indexing API").
const PATH: &str = "/indexer/1.0/";

/// Has the Directory fetch the card of a participant.
pub(super) async fn list(
    registries: &Registries,
    participant: &ParticipantId,
) -> Result<(), Hindrance> {
    let status = tell(registries, Method::PUT, "", participant_uri(participant)).await?;
    judge(status, false)
}

/// Has the Directory forget a participant. One that it does not know is forgotten.
pub(super) async fn unlist(
    registries: &Registries,
    participant: &ParticipantId,
) -> Result<(), Hindrance> {
    let segment = path_segment(&participant_uri(participant));
    let status = tell(registries, Method::DELETE, &segment, String::new()).await?;
    judge(status, status == StatusCode::NOT_FOUND)
}

async fn tell(
    registries: &Registries,
    method: Method,
    segment: &str,
    body: String,
) -> Result<StatusCode, Hindrance> {
    let base = told(registries.directory_url.as_ref(), "DIRECTORY_URL")?;
    let url = format!("{base}{PATH}{segment}");
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind)]);
    let limits = Limits { deadline: DEADLINE, answer_bytes: ANSWER_BYTES };
    let client = registries.client()?;
    let answer = client.request(method, &url, headers, body.into_bytes(), limits).await;
    let answer = answer.map_err(|error| Hindrance::Passing(format!("the Directory: {error}")))?;
    Ok(answer.status)
}

fn judge(status: StatusCode, is_done: bool) -> Result<(), Hindrance> {
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
