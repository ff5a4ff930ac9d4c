//! The network for use cases: finding access points, checking certificates, and our own keys.

mod ask;
mod cache;
pub(in crate::service) mod receivers;
mod revocation;

use std::{collections::BTreeSet, error::Error, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{
    sync::OnceCell,
    time::{Instant, timeout, timeout_at},
};

use self::{ask::Asking, cache::Turn, receivers::Receivers, revocation::Sources};
use super::Context;
use crate::{
    config::reach,
    egress::{AuthorityClient, Client, Egress},
    peppol::{
        identifiers::SeatId,
        lookup::{self, AskError, Failure, Found, LookupError, Query, Terms},
        pki::{Certificate, OurKeys, Role, Trust, TrustError, Trusted, newest},
        smp::Reach,
    },
    store::{Bucket, StoreError},
    tasks::Boxed,
    types::Mode,
};

pub use ask::Dns;

/// The time limit of a whole lookup.
const LOOKUP: Duration = Duration::from_secs(9);

/// What Live documents need of the network. A function builds it once, at its cold start.
pub struct Network {
    /// The trusted authorities.
    trust: Trust,
    /// Our certificates with their keys.
    pub(super) keys: OurKeys,
    /// Our SMP's certificate, if there is one.
    pub(super) smp: Option<Certificate>,
    /// The DNS zone of the participants.
    zone: String,
    dns: Dns,
    /// The HTTP client.
    pub(super) client: Client,
    /// The access points that this process sends to.
    pub(super) receivers: Receivers,
    /// Whether addresses on this machine are allowed.
    reach: Reach,
    sources: Sources,
}

/// A network that is built when the first Live document needs it. Most requests need none, and a cold start should not
/// wait for it.
pub struct Connection {
    make: Box<dyn Fn() -> Boxed<'static, Result<Network, BoxError>> + Send + Sync>,
    made: OnceCell<Network>,
}

type BoxError = Box<dyn Error + Send + Sync>;

impl Connection {
    /// A connection whose network `make` builds.
    pub fn new(
        make: impl Fn() -> Boxed<'static, Result<Network, BoxError>> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Connection { make: Box::new(make), made: OnceCell::new() })
    }

    /// The network. An error if it cannot be built at the moment.
    pub(super) async fn network(&self) -> Result<&Network, StoreError> {
        self.made.get_or_try_init(|| (self.make)()).await.map_err(StoreError::Unavailable)
    }
}

/// The network of a deployment. An error where it is not connected.
pub(super) async fn connected(connection: Option<&Connection>) -> Result<&Network, StoreError> {
    connection.ok_or_else(not_connected)?.network().await
}

/// Why nothing can be sent without a network.
pub(super) fn not_connected() -> StoreError {
    StoreError::Unavailable("this deployment is not connected to the network".into())
}

/// A recipient's access point.
pub(super) struct Located {
    pub(super) found: Found,
    /// Whether it is an old result, since the network does not answer now.
    pub(super) stale: bool,
    /// Whether it is a cached result, without a lookup now.
    pub(super) remembered: bool,
}

/// Why a recipient's access point was not found, as it is shown and cached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LookupFailure {
    pub(super) why: Why,
    /// The text for the sender.
    pub(super) message: String,
}

/// The four ways in which a lookup ends without an access point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Why {
    NotRegistered,
    NotCapable,
    Defective,
    Failed,
}

impl LookupFailure {
    /// The failure of a query. The text names the participant first, then the network's error.
    pub(super) fn of(query: &Query, error: &LookupError) -> Self {
        let why = match error {
            LookupError::NotRegistered(_) => Why::NotRegistered,
            LookupError::NotCapable(_) => Why::NotCapable,
            LookupError::Defective(_) => Why::Defective,
            LookupError::Failed(_) => Why::Failed,
        };
        LookupFailure { why, message: format!("{}: {error}", query.participant) }
    }
}

/// The parts of a network.
pub struct Parts {
    /// The network's authorities.
    pub trust: Trust,
    /// Our certificates with their keys.
    pub keys: OurKeys,
    /// Our SMP's certificate, if there is one.
    pub smp: Option<Certificate>,
    /// The DNS zone of the participants.
    pub zone: String,
    /// Resolves DNS names.
    pub dns: Dns,
    /// The HTTP client.
    pub client: Client,
    /// The client for revocation lists and OCSP.
    pub authority_client: AuthorityClient,
    /// The allowed addresses of requests.
    pub egress: Egress,
    /// Where revocation lists are stored.
    pub bucket: Bucket,
}

impl Network {
    /// Builds a network from its parts.
    pub fn new(parts: Parts) -> Self {
        let Parts { trust, keys, smp, zone, dns, client, authority_client, egress, bucket } = parts;
        let reach = reach(egress);
        let sources = Sources::new(bucket, authority_client);
        let receivers = Receivers::default();
        Network { trust, keys, smp, zone, dns, client, receivers, reach, sources }
    }

    /// A new eb:MessageId. Its right side is our seat (RFC 2822, section 3.6.4, as ebMS 3.0 core, 5.2.2.1 requires).
    pub(super) fn new_message_id(&self, ctx: &Context) -> String {
        let seat = newest(self.keys.certificates()).map(Certificate::common_name);
        let seat = seat.unwrap_or("access-point").to_ascii_lowercase();
        format!("{}@{seat}.peppol", ctx.new_uuid())
    }

    /// Our seat in the network. An error where no certificate names one.
    pub(super) fn own_seat(&self) -> Result<SeatId, StoreError> {
        self.seat().ok_or_else(|| StoreError::Unavailable("this deployment has no seat id".into()))
    }

    /// Our seat in the network.
    pub(super) fn seat(&self) -> Option<SeatId> {
        newest(self.keys.certificates())?.common_name().parse().ok()
    }

    /// Finds the recipient's access point by `until`: by a fresh cached result that is still valid, or by a lookup. An
    /// older result is used while the network does not answer.
    pub(super) async fn find(
        &self,
        ctx: &Context,
        mode: Mode,
        query: &Query,
        until: Instant,
    ) -> Result<Located, LookupFailure> {
        // Boxed: the state of a lookup is large.
        let search = Box::pin(self.find_somehow(ctx, mode, query, until));
        timeout_at(until, search).await.unwrap_or_else(|_| {
            let message = format!("{}: it was not found in time", query.participant);
            Err(LookupFailure { why: Why::Failed, message })
        })
    }

    async fn find_somehow(
        &self,
        ctx: &Context,
        mode: Mode,
        query: &Query,
        until: Instant,
    ) -> Result<Located, LookupFailure> {
        let (asking, terms) = (Asking { network: self, ctx }, self.terms(ctx));
        let (known, turn) = cache::read_or_await(ctx, mode, query, until).await;
        match known.as_ref().and_then(|known| known.fresh(ctx.now())) {
            // If the certificate has expired or was revoked, another one may have replaced it.
            Some(Ok(found)) => {
                if let Ok(found) = found.recheck(&asking, &terms).await {
                    return Ok(Located { found, stale: false, remembered: true });
                }
            }
            Some(Err(known)) => return Err(known.clone()),
            None => {}
        }
        // After a lookup without an answer a moment ago, a query with an old result does not wait for the network
        // again.
        if let Some(found) = known.as_ref().and_then(|known| known.while_failing(ctx.now()))
            && let Ok(found) = found.recheck(&asking, &terms).await
        {
            return Ok(Located { found, stale: true, remembered: false });
        }
        let answer = match &turn {
            Turn::Anothers(cause) => Err(cause.clone()),
            Turn::Ours(_) | Turn::Nobodys => {
                let found = self.ask(&asking, query, &terms, cache::longest(until)).await;
                found.map_err(|error| LookupFailure::of(query, &error))
            }
        };
        let cause = match answer {
            Err(cause) if cause.why == Why::Failed => cause,
            answer => {
                cache::write(ctx, mode, query, answer.as_ref()).await;
                return answer.map(|found| Located { found, stale: false, remembered: false });
            }
        };
        let Some(stale) = known.as_ref().and_then(|known| known.stale(ctx.now())) else {
            cache::tell_failure(ctx, mode, query, turn, &cause).await;
            return Err(cause);
        };
        cache::note_failure(ctx, mode, query).await;
        let Ok(found) = stale.recheck(&asking, &terms).await else { return Err(cause) };
        tracing::warn!(
            recipient = %query.participant, error.cause = cause.message,
            "the lookup failed: the cached result is used"
        );
        Ok(Located { found, stale: true, remembered: false })
    }

    /// Does a lookup regardless of the cached result, and caches the new one. `None` where there is no access point, or
    /// no answer in time.
    pub(super) async fn find_anew(
        &self,
        ctx: &Context,
        mode: Mode,
        query: &Query,
        until: Instant,
    ) -> Option<Found> {
        let (asking, terms) = (Asking { network: self, ctx }, self.terms(ctx));
        let asked = Box::pin(self.ask(&asking, query, &terms, cache::longest(until)));
        let found = timeout_at(until, asked).await.ok()?.ok()?;
        cache::write(ctx, mode, query, Ok(&found)).await;
        Some(found)
    }

    async fn ask(
        &self,
        asking: &Asking<'_>,
        query: &Query,
        terms: &Terms<'_>,
        longest: Duration,
    ) -> Result<Found, LookupError> {
        let walk = lookup::find(asking, query, terms);
        timeout(longest, walk).await.unwrap_or_else(|_| {
            let cause = AskError(format!("no answer within {longest:.1?}"));
            let url = lookup::dns_name(&query.participant, &self.zone);
            Err(Failure::Unreachable { url, cause }.into())
        })
    }

    /// Checks whether a certificate is trusted.
    pub(super) async fn trusted(
        &self,
        ctx: &Context,
        certificate: &Certificate,
        role: Role,
    ) -> Result<Trusted, TrustError> {
        let known = self.sources.about(ctx, &self.trust, role, certificate).await;
        self.trust.check(certificate, role, ctx.now(), &known)
    }

    /// Fetches the current revocation lists of the issuers of our certificates. They also issue the certificates of
    /// every access point and of every SMP. Returns the addresses of the lists that could not be fetched.
    pub(super) async fn refresh_revocation(&self, ctx: &Context) -> Vec<String> {
        let ours = self.keys.certificates().chain(&self.smp);
        let urls: BTreeSet<_> = ours.flat_map(Certificate::crl_urls).collect();
        let mut missing = Vec::new();
        for url in urls {
            if self.sources.refresh(ctx, &url).await.is_none() {
                missing.push(url.as_str().to_owned());
            }
        }
        missing
    }

    fn terms(&self, ctx: &Context) -> Terms<'_> {
        Terms { zone: &self.zone, reach: self.reach, trust: &self.trust, now: ctx.now() }
    }
}
