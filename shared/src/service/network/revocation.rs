//! What is known of revoked certificates: lists from the bucket, which keeps them fresh for all, or from
//! where certificates point to; an authority's responder where there is no list.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use jiff::{SignedDuration, Timestamp};

use crate::{
    egress::{Client, Limits},
    peppol::pki::{Certificate, RevocationList, Revocations, Role, Trust, ocsp},
    service::{Context, later},
    store::Bucket,
};

/// How long a request to an authority may take.
const DEADLINE: Duration = Duration::from_secs(4);
/// The largest list that is taken; the largest of Peppol has some hundred kilobytes.
const LIST_BYTES: usize = 8 * 1024 * 1024;
/// The largest answer of a responder that is taken.
const ANSWER_BYTES: usize = 64 * 1024;
/// How long a list is used before a newer one is looked for, though it would hold longer.
const FRESH: SignedDuration = SignedDuration::from_hours(1);

/// Lists as they were fetched, with when; clones share what this process has read.
#[derive(Clone)]
pub(super) struct Sources {
    pub(super) bucket: Bucket,
    pub(super) client: Client,
    read: Arc<Mutex<BTreeMap<String, (Timestamp, Arc<[u8]>)>>>,
}

impl Sources {
    pub(super) fn new(bucket: Bucket, client: Client) -> Self {
        Sources { bucket, client, read: Arc::default() }
    }

    /// What is known about a certificate. What cannot be fetched is left out: the trust decides what
    /// that means.
    pub(super) async fn about(
        &self,
        ctx: &Context,
        trust: &Trust,
        role: Role,
        certificate: &Certificate,
    ) -> Revocations {
        let mut known = Revocations::default();
        let mut listed = false;
        for url in certificate.crl_urls() {
            if let Some(list) = self.list(ctx, &url).await {
                known = known.with_list(&url, list);
                listed = true;
            }
        }
        if !listed && let Some(answer) = self.ask(trust.authority(role), certificate).await {
            known = known.with_answer(answer);
        }
        known
    }

    /// The list at an address: what this process has, what the bucket has, what is there.
    async fn list(&self, ctx: &Context, url: &str) -> Option<RevocationList> {
        let now = ctx.now();
        let known = self.known(url);
        if let Some((at, bytes)) = &known
            && let Some(list) = holds(bytes, now)
            && now < later(*at, FRESH)
        {
            return Some(list);
        }
        let stored = self.bucket.get_revocation_list(url).await.unwrap_or_else(|error| {
            tracing::warn!(url, %error, "a revocation list could not be read from the bucket");
            None
        });
        let kept = stored.and_then(|(at, bytes)| Some((at, holds(&bytes, now)?, bytes)));
        let older = match kept {
            Some((at, list, bytes)) if now < later(at, FRESH) => {
                self.keep(url, at, bytes);
                return Some(list);
            }
            Some((_, list, _)) => Some(list),
            None => known.and_then(|(_, bytes)| holds(&bytes, now)),
        };
        match self.fetch(url).await {
            Ok(bytes) => {
                let list = RevocationList::from_der(&bytes).ok()?;
                if let Err(error) = self.bucket.put_revocation_list(url, bytes.clone()).await {
                    tracing::warn!(url, %error, "a revocation list could not be kept");
                }
                self.keep(url, now, bytes);
                Some(list)
            }
            // One that still holds is better than none.
            Err(cause) => {
                tracing::warn!(url, error.cause = cause, "a revocation list could not be fetched");
                older
            }
        }
    }

    fn known(&self, url: &str) -> Option<(Timestamp, Arc<[u8]>)> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned()
    }

    fn keep(&self, url: &str, at: Timestamp, bytes: Vec<u8>) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(url.to_owned(), (at, bytes.into()));
    }

    async fn fetch(&self, url: &str) -> Result<Vec<u8>, String> {
        let limits = Limits { deadline: DEADLINE, answer_bytes: LIST_BYTES };
        let answer = self.client.request(Method::GET, url, HeaderMap::new(), Vec::new(), limits);
        let answer = answer.await.map_err(|error| error.to_string())?;
        match (answer.status, answer.complete) {
            (StatusCode::OK, true) => Ok(answer.body),
            (StatusCode::OK, false) => Err("the list broke off, or is too large".to_owned()),
            (status, _) => Err(format!("HTTP {status}")),
        }
    }

    /// Asks the authority's responder (RFC 6960, appendix A).
    async fn ask(&self, authority: &Certificate, certificate: &Certificate) -> Option<Vec<u8>> {
        let request = ocsp::request(certificate, authority)?;
        let content_type = HeaderValue::from_static("application/ocsp-request");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
        let limits = Limits { deadline: DEADLINE, answer_bytes: ANSWER_BYTES };
        for url in certificate.ocsp_urls() {
            let request =
                self.client.request(Method::POST, &url, headers.clone(), request.clone(), limits);
            match request.await {
                Ok(answer) if answer.status == StatusCode::OK && answer.complete => {
                    return Some(answer.body);
                }
                Ok(answer) => tracing::warn!(url, status = %answer.status, "OCSP failed"),
                Err(error) => tracing::warn!(url, %error, "OCSP failed"),
            }
        }
        None
    }
}

/// The list, if it still holds.
fn holds(bytes: &[u8], now: Timestamp) -> Option<RevocationList> {
    RevocationList::from_der(bytes).ok().filter(|list| now < list.next_update())
}
