//! An internet for tests: its names lead to public addresses, as they do in production, and what is there is served on
//! loopback. The guard sees the public addresses alone, so that a test loosens nothing of it.

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

/// Where nobody listens: what is not served never leaves the machine.
const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9);

#[derive(Default)]
struct Books {
    names: BTreeMap<String, IpAddr>,
    servers: BTreeMap<IpAddr, SocketAddr>,
    /// In DER.
    roots: Vec<Vec<u8>>,
}

/// Names, addresses, and the roots that its servers' certificates chain to.
#[derive(Clone, Default)]
pub(crate) struct Internet(Arc<Mutex<Books>>);

/// Where what is at public addresses is served; without an internet everything is where it is.
#[derive(Clone, Default)]
pub(super) struct Served(Option<Internet>);

impl Served {
    pub(super) fn at(&self, address: SocketAddr) -> SocketAddr {
        let Some(Internet(books)) = &self.0 else { return address };
        books.lock().unwrap().servers.get(&address.ip()).copied().unwrap_or(NOWHERE)
    }
}

impl Internet {
    /// Has a name lead to an address.
    pub(crate) fn leads(&self, name: &str, address: &str) {
        self.0.lock().unwrap().names.insert(name.to_owned(), address.parse().unwrap());
    }

    /// Gives a name a public address of its own, where this server is.
    pub(crate) fn serves(&self, name: &str, server: SocketAddr) {
        let mut books = self.0.lock().unwrap();
        let last = u8::try_from(books.servers.len() + 1).unwrap();
        let address = IpAddr::from([93, 184, 215, last]);
        books.names.insert(name.to_owned(), address);
        books.servers.insert(address, server);
    }

    /// Trusts a root beside those that are there.
    pub(crate) fn trusts(&self, root: &[u8]) {
        self.0.lock().unwrap().roots.push(root.to_vec());
    }

    /// A client of it.
    pub(crate) fn client(&self, egress: Egress) -> Result<Client, EgressError> {
        Client::build(self.settings(egress)?)
    }

    /// A client of it that shows a certificate where it is asked for one; certificate and key are PEM.
    pub(crate) fn client_with_identity(
        &self,
        egress: Egress,
        certificate: &str,
        private_key: &str,
    ) -> Result<Client, EgressError> {
        let identity = Some(identity(certificate, private_key)?);
        Client::build(Settings { identity, ..self.settings(egress)? })
    }

    /// A client of its authorities.
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
