//! Resolves names to addresses and checks each address.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{Egress, is_public};

/// Maximum number of tried addresses of a name. They are tried one after the other, so a name with hundreds of
/// addresses would make us contact hundreds of foreign hosts.
const MOST_ADDRESSES: usize = 16;

/// The future addresses of a name.
type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;
/// A source for the addresses of a name.
pub(super) type Lookup = Arc<dyn Fn(String) -> Found + Send + Sync>;

/// The system's resolver.
pub(super) fn of_system() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    })
}

/// Checks addresses in the same resolution that the connection uses. So a name cannot change its address between
/// check and use (DNS rebinding).
#[derive(Clone)]
pub(super) struct CheckedResolver {
    egress: Egress,
    lookup: Lookup,
    /// Maps public addresses to local test servers; only in test builds.
    #[cfg(test)]
    pub(super) served: super::testing::Served,
}

impl fmt::Debug for CheckedResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckedResolver").field("egress", &self.egress).finish_non_exhaustive()
    }
}

impl CheckedResolver {
    /// A resolver with `lookup` that allows only the addresses of `egress`.
    pub(super) fn new(egress: Egress, lookup: Lookup) -> Self {
        CheckedResolver {
            egress,
            lookup,
            #[cfg(test)]
            served: Default::default(),
        }
    }

    /// The addresses of a name, if requests may go to all of them.
    pub(super) async fn addresses(
        self,
        name: String,
    ) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let addresses = (self.lookup)(name).await?;
        // One private address blocks the name: a mix of public and private is an attack or a mistake.
        if self.egress == Egress::Public && !addresses.iter().all(|address| is_public(*address)) {
            return Err(NotPublic.into());
        }
        // The connection uses the port of the URL.
        let addresses = addresses.into_iter().take(MOST_ADDRESSES);
        let addresses = addresses.map(|address| SocketAddr::new(address, 0));
        #[cfg(test)]
        let addresses = addresses.map(|address| self.served.at(address));
        Ok(addresses.collect())
    }
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses = self.clone().addresses(name.as_str().to_owned());
        Box::pin(async move { Ok(Box::new(addresses.await?.into_iter()) as Addrs) })
    }
}

/// The reason of [`ErrorKind::Blocked`](super::ErrorKind::Blocked).
#[derive(Debug)]
pub(super) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the address leads to an address that is not public")
    }
}

impl Error for NotPublic {}
