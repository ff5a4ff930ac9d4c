//! TLS in front of a plain server. It can require client certificates, as the registers of the network do.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use rustls::{
    RootCertStore, ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime},
    server::WebPkiClientVerifier,
    time_provider::TimeProvider,
    version::TLS13,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::{egress::testing::Internet, peppol::pki::testing::now};

/// The TLS server: its address, and its clients.
pub(crate) struct TlsFront {
    /// `https://…`, without a path.
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    /// Its own root, in DER.
    pub(crate) certificate: Vec<u8>,
    /// Its own root, in PEM.
    pub(crate) pem: String,
    shown: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl TlsFront {
    /// A server in a separate thread that admits every client.
    pub(crate) async fn apart(upstream: SocketAddr) -> Self {
        super::apart(move || Self::open("127.0.0.1", upstream, None)).await
    }

    /// A server before `upstream` with a public name. It admits clients whose certificate `authority` issued, or every
    /// client.
    pub(crate) async fn public(
        internet: &Internet,
        name: &str,
        upstream: SocketAddr,
        authority: Option<&[u8]>,
    ) -> Self {
        let front = Self::open(name, upstream, authority).await;
        internet.trusts(&front.certificate);
        internet.serves(name, front.address);
        TlsFront { url: format!("https://{name}"), ..front }
    }

    async fn open(name: &str, upstream: SocketAddr, authority: Option<&[u8]>) -> Self {
        let server = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let certificate = server.cert.der().clone();
        let key = PrivatePkcs8KeyDer::from(server.signing_key.serialize_der());
        let acceptor = TlsAcceptor::from(Arc::new(config(authority, certificate.clone(), key)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let url = format!("https://{address}");
        let shown = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(accept(listener, acceptor, upstream, shown.clone()));
        let (certificate, pem) = (certificate.to_vec(), server.cert.pem());
        TlsFront { url, address, certificate, pem, shown }
    }

    /// The certificates of admitted clients, in DER.
    pub(crate) fn shown(&self) -> Vec<Vec<u8>> {
        self.shown.lock().unwrap().clone()
    }
}

fn config(
    authority: Option<&[u8]>,
    certificate: CertificateDer<'static>,
    key: PrivatePkcs8KeyDer<'static>,
) -> ServerConfig {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let clients = match authority {
        None => WebPkiClientVerifier::no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from(authority.to_vec())).unwrap();
            let roots = Arc::new(roots);
            WebPkiClientVerifier::builder_with_provider(roots, provider.clone()).build().unwrap()
        }
    };
    ServerConfig::builder_with_details(provider, Arc::new(AtThatTime))
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_client_cert_verifier(clients)
        .with_single_cert(vec![certificate], key.into())
        .unwrap()
}

/// A verifier with a fixed time, at which the test PKI's certificates are valid.
#[derive(Debug)]
struct AtThatTime;

impl TimeProvider for AtThatTime {
    fn current_time(&self) -> Option<UnixTime> {
        let seconds = u64::try_from(now().as_second()).unwrap();
        Some(UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds)))
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    upstream: SocketAddr,
    shown: Arc<Mutex<Vec<Vec<u8>>>>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, shown) = (acceptor.clone(), shown.clone());
        tokio::spawn(async move {
            let Ok(mut client) = acceptor.accept(stream).await else { return };
            let certificates = client.get_ref().1.peer_certificates().unwrap_or_default();
            shown.lock().unwrap().extend(certificates.first().map(|one| one.to_vec()));
            let mut server = TcpStream::connect(upstream).await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
        });
    }
}
