//! The trust anchors of a network: for each role, the CAs that issue its certificates. The CAs of Peppol PKI's third
//! generation are built in. Others can be added, because generations overlap during a migration of the network.

use std::{fmt, str::FromStr, sync::Arc};

use rustls_pki_types::{CertificateDer, TrustAnchor};

use super::{Certificate, CertificateError, remembered::Signatures};

/// The network that certificates belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// Peppol.
    Production,
    /// Peppol's test network.
    Test,
    /// A local network with its own authorities.
    Local,
}

/// The use of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Access point: signs messages, and others encrypt keys for it.
    AccessPoint,
    /// SMP: signs its metadata.
    Publisher,
}

/// The issuing authorities of one network.
#[derive(Debug, Clone)]
pub struct Anchors {
    network: Network,
    access_points: Vec<Anchor>,
    publishers: Vec<Anchor>,
}

/// An authority that issues the certificates of one role.
#[derive(Debug, Clone)]
pub(super) struct Anchor {
    pub(super) certificate: Certificate,
    pub(super) anchor: TrustAnchor<'static>,
    /// Its verified signatures; clones share them.
    pub(super) signatures: Arc<Signatures>,
}

/// Why the trust anchors are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// The role has no authority.
    #[error("the authority of the {0} has no certificate")]
    Missing(Role),
    /// The certificate cannot be parsed.
    #[error("the authority of the {0}: {1}")]
    Certificate(Role, CertificateError),
    /// The certificate is not a CA certificate.
    #[error("the authority of the {0}: {1} may not issue certificates")]
    NoAuthority(Role, String),
    /// Each certificate of a chain must be issued by the next one, up to the root.
    #[error("the authority of the {0}: {1} was not issued by {2}, which follows it")]
    NotIssuedBy(Role, String, String),
    /// A public network needs a separate authority for each role.
    #[error("{0} is named as the authority of access points and of SMPs")]
    BothRoles(String),
}

/// The authorities of a public network: the issuing ones, then their root.
macro_rules! published {
    ($name:literal) => {
        [
            include_bytes!(concat!($name, "-access-point.der")).as_slice(),
            include_bytes!(concat!($name, "-publisher.der")).as_slice(),
            include_bytes!(concat!($name, "-root.der")).as_slice(),
        ]
    };
}

const PRODUCTION: [&[u8]; 3] = published!("production");
const TEST: [&[u8]; 3] = published!("test");

impl Anchors {
    /// The anchors of a network: the built-in ones and additional ones, each with the role that it issues for. An
    /// additional one is DER or PEM. A PEM text may contain its issuers too, up to the root.
    pub fn new<'a>(
        network: Network,
        others: impl IntoIterator<Item = (Role, &'a [u8])>,
    ) -> Result<Self, AnchorError> {
        let mut anchors = Anchors { network, access_points: Vec::new(), publishers: Vec::new() };
        if let Some([access_point, publisher, root]) = network.published() {
            anchors.add(Role::AccessPoint, [access_point, root].map(one).into_iter().collect())?;
            anchors.add(Role::Publisher, [publisher, root].map(one).into_iter().collect())?;
        }
        for (role, bytes) in others {
            anchors.add(role, read_chain(bytes))?;
        }
        for role in [Role::AccessPoint, Role::Publisher] {
            if anchors.of(role).is_empty() {
                return Err(AnchorError::Missing(role));
            }
        }
        anchors.check_apart()?;
        Ok(anchors)
    }

    /// The anchors of Peppol.
    pub fn production() -> Result<Self, AnchorError> {
        Self::new(Network::Production, [])
    }

    /// The anchors of Peppol's test network.
    pub fn test() -> Result<Self, AnchorError> {
        Self::new(Network::Test, [])
    }

    /// The anchors of a local network, one for each role.
    pub fn local(access_point: &[u8], publisher: &[u8]) -> Result<Self, AnchorError> {
        Self::new(Network::Local, [(Role::AccessPoint, access_point), (Role::Publisher, publisher)])
    }

    /// The network of the anchors.
    pub fn network(&self) -> Network {
        self.network
    }

    /// The authorities of a role; at least one.
    pub(super) fn of(&self, role: Role) -> &[Anchor] {
        match role {
            Role::AccessPoint => &self.access_points,
            Role::Publisher => &self.publishers,
        }
    }

    fn add(
        &mut self,
        role: Role,
        chain: Result<Vec<Certificate>, CertificateError>,
    ) -> Result<(), AnchorError> {
        let chain = chain.map_err(|error| AnchorError::Certificate(role, error))?;
        let anchor = Anchor::new(role, chain)?;
        match role {
            Role::AccessPoint => self.access_points.push(anchor),
            Role::Publisher => self.publishers.push(anchor),
        }
        Ok(())
    }

    /// Rejects an authority for both roles: with it, an access point could sign SMP metadata. A local network may
    /// have one authority for both.
    fn check_apart(&self) -> Result<(), AnchorError> {
        let key = |anchor: &Anchor| anchor.certificate.rsa_public_key().to_vec();
        let publishers: Vec<_> = self.publishers.iter().map(key).collect();
        let both = self.access_points.iter().find(|one| publishers.contains(&key(one)));
        match both {
            Some(anchor) if self.network != Network::Local => {
                Err(AnchorError::BothRoles(anchor.certificate.subject()))
            }
            _ => Ok(()),
        }
    }
}

impl Anchor {
    /// The first certificate of a chain issues the certificates of the role. Each other one issued the one before it.
    fn new(role: Role, chain: Vec<Certificate>) -> Result<Self, AnchorError> {
        for pair in chain.windows(2) {
            if let [issued, issuer] = pair
                && !issued.is_issued_by(issuer)
            {
                let [issued, issuer] = [issued, issuer].map(|one| one.subject());
                return Err(AnchorError::NotIssuedBy(role, issued, issuer));
            }
        }
        let certificate = chain.into_iter().next().ok_or(AnchorError::Missing(role))?;
        let no_authority = || AnchorError::NoAuthority(role, certificate.subject());
        if !certificate.is_authority() {
            return Err(no_authority());
        }
        let der = CertificateDer::from(certificate.der());
        let anchor = webpki::anchor_from_trusted_cert(&der).map_err(|_| no_authority())?.to_owned();
        Ok(Anchor { certificate, anchor, signatures: Arc::default() })
    }
}

/// Reads a built-in certificate.
fn one(der: &[u8]) -> Result<Certificate, CertificateError> {
    Certificate::from_der(der.to_vec())
}

/// Reads one certificate in DER, or several in PEM.
fn read_chain(bytes: &[u8]) -> Result<Vec<Certificate>, CertificateError> {
    const END: &str = "-----END CERTIFICATE-----";
    let Some(pem) = std::str::from_utf8(bytes).ok().filter(|text| text.contains(END)) else {
        return Ok(vec![one(bytes)?]);
    };
    pem.split_inclusive(END).filter(|part| part.contains(END)).map(Certificate::from_pem).collect()
}

impl Network {
    /// The built-in authorities.
    fn published(self) -> Option<[&'static [u8]; 3]> {
        match self {
            Network::Production => Some(PRODUCTION),
            Network::Test => Some(TEST),
            Network::Local => None,
        }
    }

    /// Its name in configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Network::Production => "production",
            Network::Test => "test",
            Network::Local => "local",
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a network is production, test or local, not {0:?}")]
pub struct NetworkError(String);

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        [Network::Production, Network::Test, Network::Local]
            .into_iter()
            .find(|network| network.as_str() == text)
            .ok_or_else(|| NetworkError(text.to_owned()))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::AccessPoint => "access points",
            Role::Publisher => "SMPs",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{peppol::pki::testing::PKI, types::sha256_hex};

    #[test]
    fn the_published_authorities_are_those_of_the_third_generation() {
        let fingerprints = |ders: [&[u8]; 3]| ders.map(|der| sha256_hex(der)[..8].to_owned());
        assert_eq!(fingerprints(PRODUCTION), ["b65e375a", "d9e17467", "b6075b9f"]);
        assert_eq!(fingerprints(TEST), ["d2445a0f", "eb78dabb", "8b4e0e5d"]);
        for (anchors, word) in
            [(Anchors::production().unwrap(), ""), (Anchors::test().unwrap(), "TEST ")]
        {
            let name = |role| {
                let [only] = anchors.of(role) else { panic!("one of each role") };
                only.certificate.common_name().to_owned()
            };
            assert_eq!(name(Role::AccessPoint), format!("PEPPOL ACCESS POINT {word}CA - G3"));
            let publisher = format!("PEPPOL SERVICE METADATA PUBLISHER {word}CA - G3");
            assert_eq!(name(Role::Publisher), publisher);
        }
    }

    #[test]
    fn local_authorities_are_read_from_der_and_pem_with_their_root() {
        let [ap, smp, root] = [&PKI.ap.certificate, &PKI.smp.certificate, &PKI.root];
        let bundle = [ap.to_pem(), root.to_pem()].concat();
        let anchors = Anchors::local(bundle.as_bytes(), smp.der()).unwrap();
        assert_eq!(anchors.network(), Network::Local);
        assert_eq!(anchors.of(Role::AccessPoint)[0].certificate, *ap);
        assert_eq!(anchors.of(Role::Publisher)[0].certificate, *smp);
    }

    #[test]
    fn what_is_no_chain_of_authorities_is_refused() {
        let [ap, smp] = [&PKI.ap.certificate, &PKI.smp.certificate];
        let wrong_order = [PKI.root.to_pem(), ap.to_pem()].concat();
        let seat = PKI.seat("PAE000001").certificate;
        for (bytes, part) in [
            (wrong_order.as_bytes(), "was not issued by CN=PEPPOL ACCESS POINT TEST CA - G3"),
            (seat.der(), "CN=PAE000001,OU=PEPPOL TEST AP,O=Example\\, LLC,C=AE may not issue"),
            (b"", "not a certificate in DER"),
        ] {
            for network in [Network::Production, Network::Local] {
                let named = [(Role::AccessPoint, bytes), (Role::Publisher, smp.der())];
                let error = Anchors::new(network, named).unwrap_err().to_string();
                assert!(error.contains(part), "{error}");
            }
        }
        let half = Anchors::new(Network::Local, [(Role::AccessPoint, ap.der())]).unwrap_err();
        assert_eq!(half, AnchorError::Missing(Role::Publisher));
    }

    #[test]
    fn authorities_stand_beside_those_that_are_built_in() {
        let next = &PKI.ap.certificate;
        for network in [Network::Production, Network::Test] {
            let anchors = Anchors::new(network, [(Role::AccessPoint, next.der())]).unwrap();
            let [built_in, added] = anchors.of(Role::AccessPoint) else { panic!("two") };
            assert!(built_in.certificate.common_name().ends_with("CA - G3"));
            assert_eq!(added.certificate, *next);
            assert_eq!(anchors.of(Role::Publisher).len(), 1);
        }
    }

    #[test]
    fn a_published_network_has_no_authority_of_both_roles() {
        let [ap, smp] = [PKI.ap.certificate.der(), PKI.smp.certificate.der()];
        let publisher = PRODUCTION[1];
        for (others, both) in [
            (vec![(Role::AccessPoint, publisher)], true),
            (vec![(Role::AccessPoint, ap), (Role::Publisher, ap)], true),
            (vec![(Role::AccessPoint, ap), (Role::Publisher, smp)], false),
        ] {
            let found = Anchors::new(Network::Production, others);
            assert_eq!(matches!(found, Err(AnchorError::BothRoles(_))), both, "{found:?}");
        }
        assert!(Anchors::local(ap, ap).is_ok(), "a network of our own may");
    }

    #[test]
    fn a_network_reads_back_as_written() {
        for network in [Network::Production, Network::Test, Network::Local] {
            assert_eq!(network.to_string().parse(), Ok(network));
        }
        assert!("Production".parse::<Network>().is_err());
    }
}
