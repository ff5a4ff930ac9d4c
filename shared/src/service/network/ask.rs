//! The requests of a lookup over DNS and HTTP.

use std::{net::SocketAddr, time::Duration};

use hickory_resolver::{
    TokioResolver,
    config::{NameServerConfig, ResolverConfig, ResolverOpts},
    net::runtime::TokioRuntimeProvider,
    proto::rr::{RData, RecordType},
};
use http::{HeaderMap, Method};

use super::Network;
use crate::{
    egress::Limits,
    peppol::{
        lookup::{Answer, Ask, AskError, Naptr},
        pki::{Certificate, Revocations, Role},
        smp::MAX_BYTES,
    },
    service::Context,
};

/// The time limit for an SMP.
const SMP: Duration = Duration::from_secs(6);
/// The time limit for a name server. It is asked twice.
const NAME_SERVER: Duration = Duration::from_secs(2);

/// Resolves the DNS names of participants.
#[derive(Clone)]
pub struct Dns(TokioResolver);

/// Why names cannot be resolved.
#[derive(Debug, thiserror::Error)]
#[error("the resolver cannot be set up: {0}")]
pub struct DnsError(#[from] hickory_resolver::net::NetError);

impl Dns {
    /// Uses the system's name servers, or the given one.
    pub fn new(server: Option<SocketAddr>) -> Result<Self, DnsError> {
        let provider = TokioRuntimeProvider::default();
        let mut builder = match server {
            None => TokioResolver::builder(provider)?,
            Some(server) => {
                let mut named = NameServerConfig::udp_and_tcp(server.ip());
                for connection in &mut named.connections {
                    connection.port = server.port();
                }
                let config = ResolverConfig::from_parts(None, Vec::new(), vec![named]);
                TokioResolver::builder_with_config(config, provider)
            }
        };
        let options: &mut ResolverOpts = builder.options_mut();
        options.timeout = NAME_SERVER;
        options.attempts = 2;
        // The table caches the results for all functions.
        options.cache_size = 0;
        Ok(Dns(builder.build()?))
    }

    /// The NAPTR records of an absolute name; empty when there are none.
    pub(in crate::service) async fn naptr(&self, name: &str) -> Result<Vec<Naptr>, AskError> {
        // The name ends with a dot, so that no search domain is tried.
        let found = match self.0.lookup(name, RecordType::NAPTR).await {
            Ok(found) => found,
            Err(error) if error.is_no_records_found() => return Ok(Vec::new()),
            Err(error) => return Err(AskError(error.to_string())),
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let records = found.answers().iter().filter_map(|record| match &record.data {
            RData::NAPTR(naptr) => Some(Naptr {
                order: naptr.order,
                preference: naptr.preference,
                flags: text(&naptr.flags),
                services: text(&naptr.services),
                regexp: text(&naptr.regexp),
            }),
            _ => None,
        });
        Ok(records.collect())
    }
}

/// Makes the requests of a lookup for a network.
pub(super) struct Asking<'a> {
    pub(super) network: &'a Network,
    pub(super) ctx: &'a Context,
}

impl Ask for Asking<'_> {
    async fn naptr(&self, name: &str) -> Result<Vec<Naptr>, AskError> {
        self.network.dns.naptr(name).await
    }

    async fn get(&self, url: &str) -> Result<Answer, AskError> {
        let limits = Limits { deadline: SMP, answer_bytes: MAX_BYTES + 1 };
        let client = &self.network.client;
        let answer = client.request(Method::GET, url, HeaderMap::new(), Vec::new(), limits).await;
        let answer = answer.map_err(|error| AskError(error.to_string()))?;
        // An answer that was cut because it is too large is refused for its size later.
        if !answer.complete && answer.body.len() <= MAX_BYTES {
            return Err(AskError("the answer broke off".to_owned()));
        }
        Ok(Answer { status: answer.status.as_u16(), body: answer.body })
    }

    async fn revocations(&self, certificate: &Certificate, role: Role) -> Revocations {
        self.network.sources.about(self.ctx, &self.network.trust, role, certificate).await
    }
}
