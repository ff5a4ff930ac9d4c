//! The network as a use case sees it: who is where, whom to believe, and our own keys.

mod ask;
mod cache;
mod revocation;

use std::{collections::BTreeSet, error::Error, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{
    sync::OnceCell,
    time::{Instant, timeout, timeout_at},
};

use self::{ask::Asking, cache::Turn, revocation::Sources};
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

pub use ask::{Dns, DnsError};

/// How long the network may be asked in all.
const LOOKUP: Duration = Duration::from_secs(9);

/// What Live documents need of the network. Built once, at a function's cold start.
pub struct Network {
    /// Whom to believe.
    trust: Trust,
    /// Our certificates with their keys.
    pub(super) keys: OurKeys,
    /// Our SMP's certificate, if there is one.
    pub(super) smp: Option<Certificate>,
    /// The zone of the participants.
    zone: String,
    dns: Dns,
    /// The way out.
    pub(super) client: Client,
    /// Whether addresses on this machine are taken.
    reach: Reach,
    sources: Sources,
}

/// The way to a network that is made when the first Live document needs it: most requests need none, and
/// a cold start should not wait for it.
pub struct Connection {
    make: Box<dyn Fn() -> Boxed<'static, Result<Network, BoxError>> + Send + Sync>,
    made: OnceCell<Network>,
}

type BoxError = Box<dyn Error + Send + Sync>;

impl Connection {
    /// A network that `make` makes.
    pub fn new(
        make: impl Fn() -> Boxed<'static, Result<Network, BoxError>> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Connection { make: Box::new(make), made: OnceCell::new() })
    }

    /// The network; an error when it cannot be made at the moment.
    pub(super) async fn network(&self) -> Result<&Network, StoreError> {
        self.made.get_or_try_init(|| (self.make)()).await.map_err(StoreError::Unavailable)
    }
}

/// A recipient's access point.
pub(super) struct Located {
    pub(super) found: Found,
    /// Whether it was found earlier, and the network does not answer now.
    pub(super) stale: bool,
    /// Whether it was found earlier, and the network was not asked now.
    pub(super) remembered: bool,
}

/// Why a recipient's access point was not found, as it is told and kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LookupFailure {
    pub(super) why: Why,
    /// In words, for the sender.
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
    /// `error` says what was asked, in the network's words; who was looked for is said before it.
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

/// What a network is made of.
pub struct Parts {
    /// The network's authorities.
    pub trust: Trust,
    /// Our certificates with their keys.
    pub keys: OurKeys,
    /// Our SMP's certificate, if there is one.
    pub smp: Option<Certificate>,
    /// The zone of the participants.
    pub zone: String,
    /// Who resolves names.
    pub dns: Dns,
    /// The way out.
    pub client: Client,
    /// The way to what authorities sign.
    pub authority_client: AuthorityClient,
    /// Where requests may go.
    pub egress: Egress,
    /// Where revocation lists are kept.
    pub bucket: Bucket,
}

impl Network {
    /// Puts a network together.
    pub fn new(parts: Parts) -> Self {
        let Parts { trust, keys, smp, zone, dns, client, authority_client, egress, bucket } = parts;
        let reach = reach(egress);
        let sources = Sources::new(bucket, authority_client);
        Network { trust, keys, smp, zone, dns, client, reach, sources }
    }

    /// A new eb:MessageId of ours, whose right side is our seat (RFC 2822, section 3.6.4, as ebMS 3.0 core,
    /// 5.2.2.1 asks).
    pub(super) fn new_message_id(&self, ctx: &Context) -> String {
        let seat = newest(self.keys.certificates()).map(Certificate::common_name);
        let seat = seat.unwrap_or("access-point").to_ascii_lowercase();
        format!("{}@{seat}.peppol", ctx.new_uuid())
    }

    /// Who we are to the network.
    pub(super) fn seat(&self) -> Option<SeatId> {
        newest(self.keys.certificates())?.common_name().parse().ok()
    }

    /// Finds the recipient's access point until then: what was found lately and still holds, or the network's answer.
    /// What was found longer ago serves while the network does not answer.
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
            // Where it holds no more, its certificate expired or revoked, another may have taken its place.
            Some(Ok(found)) => {
                if let Ok(found) = found.recheck(&asking, &terms).await {
                    return Ok(Located { found, stale: false, remembered: true });
                }
            }
            Some(Err(known)) => return Err(known.clone()),
            None => {}
        }
        // While the network did not answer a moment ago, nobody waits for it again who has something to go by.
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
            "the lookup failed: what was found before is used"
        );
        Ok(Located { found, stale: true, remembered: false })
    }

    /// Asks the network whatever was found lately, and keeps what it answers. Nothing where it has no access point or no
    /// answer in time.
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

    /// Trusts a certificate, or says why not.
    pub(super) async fn trusted(
        &self,
        ctx: &Context,
        certificate: &Certificate,
        role: Role,
    ) -> Result<Trusted, TrustError> {
        let known = self.sources.about(ctx, &self.trust, role, certificate).await;
        self.trust.check(certificate, role, ctx.now(), &known)
    }

    /// Fetches anew the revocation lists of those who issued our certificates, who issue those of every
    /// access point and of every SMP. The addresses of lists that could not be had.
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
