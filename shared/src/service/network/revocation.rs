//! Revocation information about certificates. Lists come from the bucket, which shares them between functions, or from
//! the addresses in certificates. Without a list, the authority's OCSP responder is asked.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use crate::{
    egress::{AuthorityClient, ListUrl, ResponderUrl},
    peppol::pki::{Certificate, CrlUrl, OcspUrl, RevocationList, Revocations, Role, Trust, ocsp},
    service::{Context, later},
    store::Bucket,
};

/// Maximum bytes of a list. Peppol's largest list has some hundred kilobytes.
const LIST_BYTES: usize = 8 * 1024 * 1024;
/// How long a list is used before a newer one is fetched, even if it is valid for longer.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// How long a process waits after a failed fetch. Otherwise an authority that hangs would delay every message for
/// seconds, while the older list is still valid.
const AGAIN: SignedDuration = SignedDuration::from_mins(1);

impl ListUrl for CrlUrl {
    const MOST_BYTES: usize = LIST_BYTES;
}

impl ResponderUrl for OcspUrl {
    const QUESTION: &'static str = ocsp::REQUEST_TYPE;
    const MOST_BYTES: usize = ocsp::MAX_ANSWER_BYTES;
}

/// Fetched lists with their times. Clones share the lists that this process has read.
#[derive(Clone)]
pub(super) struct Sources {
    bucket: Bucket,
    client: AuthorityClient,
    read: Arc<Mutex<BTreeMap<String, Read>>>,
}

/// What this process knows about an address.
#[derive(Debug, Clone)]
struct Read {
    /// The list; `None` where none could be fetched.
    list: Option<Arc<RevocationList>>,
    /// When to fetch a newer list.
    again_at: Timestamp,
}

impl Sources {
    pub(super) fn new(bucket: Bucket, client: AuthorityClient) -> Self {
        Sources { bucket, client, read: Arc::default() }
    }

    /// The revocation information about a certificate. Parts that cannot be fetched are missing: the trust check
    /// decides what that means.
    pub(super) async fn about(
        &self,
        ctx: &Context,
        trust: &Trust,
        role: Role,
        certificate: &Certificate,
    ) -> Revocations {
        let mut known = Revocations::default();
        // The certificate may be a stranger's with arbitrary addresses. Then nothing is fetched and nothing is stored.
        let Ok(authority) = trust.check_issued(certificate, role, ctx.now()) else { return known };
        let mut listed = false;
        for url in certificate.crl_urls() {
            if let Some(list) = self.list(ctx, &url).await {
                known = known.with_list(url.as_str(), list);
                listed = true;
            }
        }
        if !listed && let Some(answer) = self.ask(authority, certificate).await {
            known = known.with_answer(answer);
        }
        known
    }

    /// The list at an address: from this process, from the bucket, or from the address.
    async fn list(&self, ctx: &Context, at: &CrlUrl) -> Option<Arc<RevocationList>> {
        let (now, url) = (ctx.now(), at.as_str());
        // An expired list is replaced at once.
        let holds_still = |read: &Read| read.list.as_ref().is_none_or(|it| now < it.next_update());
        let known = self.known(url).filter(holds_still);
        if let Some(read) = &known
            && now < read.again_at
        {
            return read.list.clone();
        }
        let stored = self.bucket.get_revocation_list(url).await.unwrap_or_else(|error| {
            tracing::warn!(url, %error, "a revocation list could not be read from the bucket");
            None
        });
        let kept = stored.and_then(|(at, bytes)| Some((at, holds(&bytes, now)?)));
        let older = match kept {
            Some((at, list)) if now < later(at, FRESH) => {
                self.keep(url, Some(list.clone()), later(at, FRESH));
                return Some(list);
            }
            kept => kept.map(|(_, list)| list).or(known.and_then(|read| read.list)),
        };
        let newer = self.refresh(ctx, at).await;
        if newer.is_some() {
            return newer;
        }
        // An older list that is still valid is better than none.
        self.keep(url, older.clone(), later(now, AGAIN));
        older
    }

    /// Fetches the list at an address for this process and all others. `None`, with a log entry, when it cannot be
    /// fetched or read.
    pub(super) async fn refresh(&self, ctx: &Context, at: &CrlUrl) -> Option<Arc<RevocationList>> {
        let url = at.as_str();
        let (list, bytes) = match self.fetch(at).await {
            Ok(fetched) => fetched,
            Err(cause) => {
                tracing::warn!(url, error.cause = cause, "a revocation list could not be fetched");
                return None;
            }
        };
        if let Err(error) = self.bucket.put_revocation_list(url, bytes).await {
            tracing::warn!(url, %error, "a revocation list could not be stored");
        }
        let list = Arc::new(list);
        self.keep(url, Some(list.clone()), later(ctx.now(), FRESH));
        Some(list)
    }

    fn known(&self, url: &str) -> Option<Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned()
    }

    fn keep(&self, url: &str, list: Option<Arc<RevocationList>>, again_at: Timestamp) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(url.to_owned(), Read { list, again_at });
    }

    async fn fetch(&self, url: &CrlUrl) -> Result<(RevocationList, Vec<u8>), String> {
        let fetched = self.client.revocation_list(url).await.map_err(|error| error.to_string())?;
        let list = RevocationList::from_der(&fetched).map_err(|error| error.to_string())?;
        Ok((list, fetched))
    }

    /// Asks the authority's responder (RFC 6960, appendix A).
    async fn ask(&self, authority: &Certificate, certificate: &Certificate) -> Option<Vec<u8>> {
        let question = ocsp::request(certificate, authority)?;
        for url in certificate.ocsp_urls() {
            match self.client.ocsp(&url, question.clone()).await {
                Ok(answer) => return Some(answer),
                Err(error) => tracing::warn!(url = url.as_str(), %error, "OCSP failed"),
            }
        }
        None
    }
}

/// The list, if it is still valid.
fn holds(bytes: &[u8], now: Timestamp) -> Option<Arc<RevocationList>> {
    RevocationList::from_der(bytes).ok().filter(|list| now < list.next_update()).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::{
        Router,
        body::Bytes,
        http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
        routing::{get, post},
    };
    use tokio::net::TcpListener;

    use super::*;
    use crate::{
        egress::{Egress, testing::Internet},
        peppol::pki::{
            TrustError,
            ocsp::tests::answer_of_authority,
            testing::{AP_CRL, Flaw, PKI},
        },
        testing::World,
    };

    /// Serves a list and returns its address.
    async fn serve(list: Vec<u8>) -> CrlUrl {
        serve_counted(list).await.0
    }

    /// Like [`serve`], with a count of requests.
    async fn serve_counted(list: Vec<u8>) -> (CrlUrl, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = CrlUrl::of_test(&format!("http://{}/ap.crl", listener.local_addr().unwrap()));
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = asked.clone();
        let answer = async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            list
        };
        let router = Router::new().route("/ap.crl", get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (url, asked)
    }

    fn sources(world: &World) -> Sources {
        Sources::new(world.sending.bucket.clone(), AuthorityClient::new(Egress::Any).unwrap())
    }

    #[tokio::test]
    async fn a_list_that_cannot_be_read_does_not_hide_an_older_one_that_holds() {
        let (world, _) = World::live().await;
        let sources = sources(&world);
        let (url, asked) = serve_counted(b"<html>maintenance</html>".to_vec()).await;
        let older = Arc::new(RevocationList::from_der(&PKI.ap.crl()).unwrap());
        sources.keep(url.as_str(), Some(older.clone()), world.ctx.now());
        // The list is fetched once a minute, not for every message. The stored list stays.
        for (minutes, times) in [(0, 1), (0, 1), (1, 2), (0, 2)] {
            world.clock.advance(SignedDuration::from_mins(minutes));
            let list = sources.list(&world.ctx, &url).await.unwrap();
            assert!(Arc::ptr_eq(&list, &older));
            assert_eq!(asked.load(Ordering::Relaxed), times);
        }
        assert_eq!(world.sending.bucket.get_revocation_list(url.as_str()).await.unwrap(), None);
        // An expired list is not used, and a newer one is fetched at once.
        world.clock.advance(older.next_update().duration_since(world.ctx.now()));
        sources.keep(url.as_str(), Some(older), later(world.ctx.now(), AGAIN));
        for _ in 0..2 {
            assert!(sources.list(&world.ctx, &url).await.is_none());
            assert_eq!(asked.load(Ordering::Relaxed), 3);
        }
    }

    #[tokio::test]
    async fn nothing_is_looked_for_where_a_stranger_points_to() {
        let (world, _) = World::live().await;
        let sources = sources(&world);
        let list = Arc::new(RevocationList::from_der(&PKI.ap.crl()).unwrap());
        sources.keep(AP_CRL, Some(list), later(world.ctx.now(), FRESH));
        let about = async |by, flaw| {
            let leaf = PKI.issue(by, "PAE000001", flaw).certificate;
            let known = sources.about(&world.ctx, &PKI.trust(), Role::AccessPoint, &leaf).await;
            format!("{known:?}").contains(AP_CRL)
        };
        assert!(about(&PKI.ap, Flaw::None).await);
        assert!(!about(&PKI.foreign, Flaw::None).await);
        assert!(!about(&PKI.ap, Flaw::Expired).await);
    }

    /// The result of a check that asks the certificate's responder, which gives this answer. The responder has a public name,
    /// and only public addresses are called, as in production.
    async fn asked(
        world: &World,
        answer: impl FnOnce(&Certificate) -> (StatusCode, Vec<u8>),
    ) -> Result<(), TrustError> {
        const RESPONDER: &str = "ocsp.one.nl.digicert.com";
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let internet = Internet::default();
        internet.serves(RESPONDER, listener.local_addr().unwrap());
        let client = internet.authority_client(Egress::Public).unwrap();
        let sources = Sources::new(world.sending.bucket.clone(), client);
        let url = format!("http://{RESPONDER}/ocsp");
        let leaf = PKI.answered_at("PAE000001", &url).certificate;
        let question = ocsp::request(&leaf, &PKI.ap.certificate).unwrap();
        let answer = answer(&leaf);
        let responder = async move |headers: HeaderMap, body: Bytes| {
            assert_eq!(headers[CONTENT_TYPE], ocsp::REQUEST_TYPE);
            assert_eq!(body, question);
            answer
        };
        let router = Router::new().route("/ocsp", post(responder));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let (trust, now) = (PKI.trust(), world.ctx.now());
        let known = sources.about(&world.ctx, &trust, Role::AccessPoint, &leaf).await;
        trust.check(&leaf, Role::AccessPoint, now, &known).map(|_| ())
    }

    #[tokio::test]
    async fn a_responder_is_asked_where_a_certificate_names_no_list_with_the_settings_of_production()
     {
        let (world, _) = World::live().await;
        let of_authority = |is_revoked| {
            move |leaf: &Certificate| (StatusCode::OK, answer_of_authority(leaf, is_revoked))
        };
        assert_eq!(asked(&world, of_authority(false)).await, Ok(()));
        let error = asked(&world, of_authority(true)).await.unwrap_err();
        assert!(error.to_string().contains("revoked") && !error.is_retryable(), "{error}");
        // A responder without a valid answer is asked again with the next message.
        for silent in [
            (StatusCode::INTERNAL_SERVER_ERROR, Vec::new()),
            (StatusCode::OK, b"<html>maintenance</html>".to_vec()),
            (StatusCode::OK, vec![0x30; ocsp::MAX_ANSWER_BYTES + 1]),
        ] {
            let error = asked(&world, |_| silent).await.unwrap_err();
            assert!(error.is_retryable(), "{error}");
        }
    }

    #[tokio::test]
    async fn a_list_that_is_refreshed_serves_every_process_for_an_hour() {
        let (world, _) = World::live().await;
        let url = serve(PKI.ap.crl()).await;
        assert!(sources(&world).refresh(&world.ctx, &url).await.is_some());
        let gone = CrlUrl::of_test("http://127.0.0.1:9/ap.crl");
        assert!(sources(&world).refresh(&world.ctx, &gone).await.is_none());
        let (_, kept) =
            world.sending.bucket.get_revocation_list(url.as_str()).await.unwrap().unwrap();
        assert_eq!(kept, PKI.ap.crl());
    }
}
