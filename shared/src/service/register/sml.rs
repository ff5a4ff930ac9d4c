//! Notifies the SML of a participant.

use std::time::Duration;

use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{CONTENT_TYPE, InvalidHeaderValue},
};

use super::{
    registries::{Registries, configured},
    step::{Hindrance, Step},
};
use crate::{
    egress::Limits,
    peppol::sml::{self, Answer, Fault, FaultKind, MAX_ANSWER_BYTES, Request},
    types::ParticipantId,
};

/// The time limit for the SML, which writes to DNS during a request.
const DEADLINE: Duration = Duration::from_secs(20);

const SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Takes a step at the SML. After a refusal, an earlier attempt with a lost answer may have done the step. DNS, which
/// the SML writes, shows the current state.
pub(super) async fn tell(
    registries: &Registries,
    participant: &ParticipantId,
    step: Step<'_>,
) -> Result<(), Hindrance> {
    let smp_id = configured(registries.smp_id.as_ref(), "SMP_ID")?;
    let request = match step {
        Step::Create => Request::CreateParticipant { smp_id, participant },
        Step::Migrate(key) => Request::Migrate { smp_id, participant, key },
        Step::PrepareToMigrate(key) => Request::PrepareToMigrate { smp_id, participant, key },
        Step::Delete => Request::DeleteParticipant { smp_id, participant },
        Step::List | Step::Unlist => return Ok(()),
    };
    match ask(registries, &request).await? {
        Ok(()) => Ok(()),
        Err(fault) => consequence(registries, participant, step, fault).await,
    }
}

/// Sends a request to the SML. Returns its fault, if it answers with one.
pub(super) async fn ask(
    registries: &Registries,
    request: &Request<'_>,
) -> Result<Result<(), Fault>, Hindrance> {
    let sml_url = configured(registries.sml_url.as_ref(), "SML_URL")?;
    let url = format!("{sml_url}{}", request.path());
    let headers = headers(request).map_err(|error| Hindrance::Lasting(error.to_string()))?;
    let body = request.write().into_bytes();
    let limits = Limits { deadline: DEADLINE, answer_bytes: MAX_ANSWER_BYTES };
    let answer = registries.client()?.request(Method::POST, &url, headers, body, limits).await;
    let answer = answer.map_err(|error| Hindrance::Passing(format!("the SML: {error}")))?;
    match sml::read(answer.status.as_u16(), &answer.body) {
        Answer::Done => Ok(Ok(())),
        Answer::Fault(fault) => Ok(Err(fault)),
        Answer::Nothing(what) => Err(Hindrance::Passing(format!("the SML: {what}"))),
    }
}

fn headers(request: &Request<'_>) -> Result<HeaderMap, InvalidHeaderValue> {
    Ok(HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(sml::CONTENT_TYPE)),
        (SOAP_ACTION, HeaderValue::from_str(&request.action())?),
    ]))
}

/// The consequence of a fault for a step.
async fn consequence(
    registries: &Registries,
    participant: &ParticipantId,
    step: Step<'_>,
    fault: Fault,
) -> Result<(), Hindrance> {
    let refused = format!("the SML: {fault}");
    let again = match fault.kind {
        FaultKind::Internal => return Err(Hindrance::Passing(refused)),
        FaultKind::Unauthorized => Hindrance::Lasting,
        FaultKind::BadRequest | FaultKind::NotFound => Hindrance::Passing,
    };
    if let Step::PrepareToMigrate(_) = step {
        return Err(Hindrance::Lasting(refused));
    }
    let ours = configured(registries.smp_url.as_ref(), "SMP_URL")?;
    let current = registries.smp_of(participant).await.map_err(|why| {
        Hindrance::Passing(format!(
            "{refused}; the current registration cannot be read from DNS: {why}"
        ))
    })?;
    match (step, current) {
        (Step::Delete, Some(url)) if url != ours => Ok(()),
        (Step::Delete, None) if fault.kind != FaultKind::Unauthorized => Ok(()),
        (Step::Delete, _) => Err(again(refused)),
        (_, Some(url)) if url == ours => Ok(()),
        (_, Some(url)) => Err(Hindrance::Lasting(format!(
            "{refused}; the participant is at {url}: it needs that SMP's migration key to move"
        ))),
        (_, None) => Err(again(refused)),
    }
}
