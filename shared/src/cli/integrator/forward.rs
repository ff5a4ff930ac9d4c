//! Delivers an event to the integrator's own program, signed as the service signs it.

use std::time::Duration;

use http::Method;
use jiff::SignedDuration;
use serde_json::Value;
use tokio::time::Instant;

use super::{Error, credentials};
use crate::{
    egress::{Client, DEADLINE, Egress, EgressError, Limits, MAX_ANSWER_BYTES, check_url},
    environment::Environment,
    types::{Clock, SystemClock, SystemRandom},
    webhook::{Secret, headers},
};

/// Where events are forwarded to, and by which secret they are signed.
pub(super) struct Forward {
    client: Client,
    url: String,
    secret: Secret,
}

/// What came of it.
pub(super) struct Forwarded {
    pub(super) answer: Result<u16, EgressError>,
    pub(super) took: SignedDuration,
}

impl Forward {
    /// To the address that the command line names.
    pub(super) fn to(url: &str, secret: Secret) -> Result<Self, Error> {
        let url = check_url(url, Egress::Any);
        let url = url.map_err(|why| Error::Usage(format!("--forward: {}", why.message)))?;
        let client = Client::new(Egress::Any).map_err(|why| Error::failed("the client", why))?;
        Ok(Forward { client, url: url.into(), secret })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Posts what is delivered of an event, signed as a webhook is.
    pub(super) async fn post(&self, payload: &Value) -> Forwarded {
        let body = payload.to_string().into_bytes();
        let id = payload["id"].as_str().unwrap_or_default();
        let secrets = std::slice::from_ref(&self.secret);
        let headers = headers(secrets, id, SystemClock.now(), &body);
        let limits = Limits { deadline: DEADLINE, answer_bytes: MAX_ANSWER_BYTES };
        let begun = Instant::now();
        let answer = self.client.request(Method::POST, &self.url, headers, body, limits).await;
        let took = SignedDuration::try_from(begun.elapsed()).unwrap_or(SignedDuration::MAX);
        Forwarded { answer: answer.map(|answer| answer.status.as_u16()), took }
    }
}

/// The secret that signs forwarded events: the one in the file, or a new one, which is saved if there is a file.
pub(super) fn secret(environment: &Environment) -> Result<Secret, Error> {
    let kept = credentials::kept(environment)?;
    if let Some(text) = kept.as_ref().and_then(|kept| kept.listen_secret.as_deref()) {
        let wrong = |why| Error::Unreadable(format!("listen_secret in the credentials: {why}"));
        return text.parse().map_err(wrong);
    }
    let secret = Secret::new(&SystemRandom);
    if let Some(kept) = kept {
        let listen_secret = Some(secret.expose());
        credentials::keep(environment, &credentials::Kept { listen_secret, ..kept })?;
    }
    Ok(secret)
}

/// How long to wait after so many failures in a row: 1, 2, 4 … 30 seconds.
pub(super) fn pause(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.saturating_sub(1).min(5)).min(Duration::from_secs(30))
}
