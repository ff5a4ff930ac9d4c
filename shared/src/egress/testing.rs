//! A fake internet for tests. Its names resolve to public addresses as in production, and local servers answer for
//! them. The checks see only the public addresses, so tests use the production checks.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use reqwest::Certificate;

use super::{
    AuthorityClient, Client, Egress, EgressError, Settings, failed, identity,
    resolver::{CheckedResolver, Lookup},
};

/// An address without a server, for everything that is not served.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9);

#[derive(Default)]
struct Books {
    names: BTreeMap<String, IpAddr>,
    servers: BTreeMap<IpAddr, SocketAddr>,
    /// Certificates in DER.
    roots: Vec<Vec<u8>>,
}

/// Names, addresses, and the root certificates of its servers.
#[derive(Clone, Default)]
pub(crate) struct Internet(Arc<Mutex<Books>>);

/// Maps public addresses to local servers; without an internet it changes nothing.
#[derive(Clone, Default)]
pub(super) struct Served(Option<Internet>);

impl Served {
    pub(super) fn at(&self, address: SocketAddr) -> SocketAddr {
        let Some(Internet(books)) = &self.0 else { return address };
        books.lock().unwrap().servers.get(&address.ip()).copied().unwrap_or(NOWHERE)
    }
}

impl Internet {
    /// Resolves a name to an address.
    pub(crate) fn leads(&self, name: &str, address: &str) {
        self.0.lock().unwrap().names.insert(name.to_owned(), address.parse().unwrap());
    }

    /// Gives a name a public address and serves it from `server`.
    pub(crate) fn serves(&self, name: &str, server: SocketAddr) {
        let mut books = self.0.lock().unwrap();
        let last = u8::try_from(books.servers.len() + 1).unwrap();
        let address = IpAddr::from([93, 184, 215, last]);
        books.names.insert(name.to_owned(), address);
        books.servers.insert(address, server);
    }

    /// Trusts an additional root certificate.
    pub(crate) fn trusts(&self, root: &[u8]) {
        self.0.lock().unwrap().roots.push(root.to_vec());
    }

    /// A client in this internet.
    pub(crate) fn client(&self, egress: Egress) -> Result<Client, EgressError> {
        Client::build(self.settings(egress)?)
    }

    /// A client in this internet with a TLS client certificate; certificate and key are PEM.
    pub(crate) fn client_with_identity(
        &self,
        egress: Egress,
        certificate: &str,
        private_key: &str,
    ) -> Result<Client, EgressError> {
        let identity = Some(identity(certificate, private_key)?);
        Client::build(Settings { identity, ..self.settings(egress)? })
    }

    /// A client for the authorities in this internet.
    pub(crate) fn authority_client(&self, egress: Egress) -> Result<AuthorityClient, EgressError> {
        AuthorityClient::with(self.settings(egress)?)
    }

    fn settings(&self, egress: Egress) -> Result<Settings, EgressError> {
        let roots = self.0.lock().unwrap().roots.clone();
        let roots: Result<_, _> = roots.iter().map(|root| Certificate::from_der(root)).collect();
        let roots = roots.map_err(|error| failed(&error))?;
        let mut resolver = CheckedResolver::new(egress, self.lookup());
        resolver.served = Served(Some(self.clone()));
        Ok(Settings { resolver, ..Settings::of(egress, roots) })
    }

    fn lookup(&self) -> Lookup {
        let Internet(books) = self.clone();
        Arc::new(move |name| {
            let address = books.lock().unwrap().names.get(name.trim_end_matches('.')).copied();
            let unknown = move || io::Error::other(format!("{name} is no name of this internet"));
            Box::pin(async move { Ok(vec![address.ok_or_else(unknown)?]) })
        })
    }
}
