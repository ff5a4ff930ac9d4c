//! A public key infrastructure like Peppol's (G3) for tests. The keys are new in each process, the dates are fixed.

use std::sync::LazyLock;

use jiff::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CrlDistributionPoint,
    DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose,
    PKCS_RSA_SHA256, RevocationReason, RevokedCertParams, RsaKeySize, SerialNumber, date_time_ymd,
};

use super::{Anchors, Certificate, LocalKey, RevocationList, Revocations, Role, Trust, Trusted};

/// An instant at which unflawed certificates are valid.
pub(crate) fn now() -> Timestamp {
    "2026-06-15T12:00:00Z".parse().unwrap()
}

/// The CRL address in the certificates of access points, as in the samples of real ones.
pub(crate) const AP_CRL: &str = "http://crl.one.nl.digicert.com/PEPPOLACCESSPOINTTESTCA-G3.crl";
/// The CRL address in the certificates of SMPs.
pub(crate) const SMP_CRL: &str =
    "http://crl.one.nl.digicert.com/PEPPOLSERVICEMETADATAPUBLISHERCA-G3.crl";

/// The result of a future that is ready at once, such as that of a [`LocalKey`].
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(result) => result,
        std::task::Poll::Pending => panic!("nothing here waits"),
    }
}

/// The one infrastructure of a test process.
pub(crate) static PKI: LazyLock<Pki> = LazyLock::new(Pki::new);

/// The flaw of a test certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    Revoked,
    Expired,
    NotYetValid,
    /// The key may sign, but others may not encrypt keys for it.
    NoEncipherment,
    /// The usage is TLS server.
    ServerAuth,
    /// The certificate has no CRL address.
    NoCrl,
    /// The usage is OCSP responder.
    Responder,
}

/// An authority with its key.
pub(crate) struct Authority {
    pub(crate) certificate: Certificate,
    params: CertificateParams,
    key: KeyPair,
    crl: &'static str,
}

/// Authorities, and two keys that all their certificates share.
pub(crate) struct Pki {
    pub(crate) root: Certificate,
    pub(crate) ap: Authority,
    pub(crate) smp: Authority,
    /// An authority with the name of `ap` and another key.
    pub(crate) foreign: Authority,
    leaves: [KeyPair; 2],
}

/// A seat's certificate and its private key.
pub(crate) struct Leaf {
    pub(crate) certificate: Certificate,
    pem: String,
}

impl Leaf {
    pub(crate) fn key(&self) -> LocalKey {
        LocalKey::from_pem(&self.pem, self.certificate.clone()).unwrap()
    }

    pub(crate) fn pem(&self) -> &str {
        &self.pem
    }

    /// The certificate in PEM.
    #[cfg(feature = "service")]
    pub(crate) fn certificate_pem(&self) -> String {
        use base64::{Engine as _, engine::general_purpose::STANDARD};

        let body = STANDARD.encode(self.certificate.der());
        let lines: Vec<_> = body.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
        let text = lines.join("\n");
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    }
}

fn rsa() -> KeyPair {
    KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048).unwrap()
}

fn params(names: &[(DnType, &str)]) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name = rcgen::DistinguishedName::new();
    for (kind, text) in names {
        params.distinguished_name.push(kind.clone(), *text);
    }
    params.not_before = date_time_ymd(2025, 1, 14);
    params.not_after = date_time_ymd(2035, 1, 13);
    params.use_authority_key_identifier_extension = true;
    params
}

fn authority_params(name: &str) -> CertificateParams {
    let mut params = params(&[
        (DnType::CountryName, "BE"),
        (DnType::OrganizationName, "OpenPEPPOL AISBL"),
        (DnType::OrganizationalUnitName, "FOR TEST ONLY"),
        (DnType::CommonName, name),
    ]);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(1));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn read(certificate: &rcgen::Certificate) -> Certificate {
    Certificate::from_der(certificate.der().to_vec()).unwrap()
}

impl Authority {
    fn new(name: &str, crl: &'static str, root: &Issuer<'_, &KeyPair>) -> Self {
        let (params, key) = (authority_params(name), rsa());
        let certificate = read(&params.signed_by(&key, root).unwrap());
        Authority { certificate, params, key, crl }
    }

    pub(crate) fn issuer(&self) -> Issuer<'_, &KeyPair> {
        Issuer::from_params(&self.params, &self.key)
    }

    /// A revocation list of the given serial numbers, valid in June 2026.
    pub(crate) fn list(&self, revoked: &[u64]) -> Vec<u8> {
        let entry = |serial: &u64| RevokedCertParams {
            serial_number: SerialNumber::from(*serial),
            revocation_time: date_time_ymd(2026, 5, 1),
            reason_code: Some(RevocationReason::KeyCompromise),
            invalidity_date: None,
        };
        let params = CertificateRevocationListParams {
            this_update: date_time_ymd(2026, 6, 1),
            next_update: date_time_ymd(2026, 7, 1),
            crl_number: SerialNumber::from(7_u64),
            issuing_distribution_point: None,
            revoked_certs: revoked.iter().map(entry).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer()).unwrap().der().to_vec()
    }

    /// The current list: it has the certificates with [`Flaw::Revoked`].
    pub(crate) fn crl(&self) -> Vec<u8> {
        self.list(&[serial(Flaw::Revoked)])
    }

    /// The authority's key, for data that a test signs itself.
    pub(crate) fn local_key(&self) -> LocalKey {
        LocalKey::from_pem(&self.key.serialize_pem(), self.certificate.clone()).unwrap()
    }
}

/// Certificates with the same flaw have the same serial number.
pub(crate) fn serial(flaw: Flaw) -> u64 {
    // The highest bit is set: DER puts a zero byte before it.
    0xf000_0000_0000_0000 + flaw as u64
}

impl Pki {
    fn new() -> Self {
        let (root_params, root_key) = (authority_params("PEPPOL Root TEST CA - G3"), rsa());
        let root = root_params.self_signed(&root_key).unwrap();
        let issuer = Issuer::from_params(&root_params, &root_key);
        let ap = "PEPPOL ACCESS POINT TEST CA - G3";
        let smp = "PEPPOL SERVICE METADATA PUBLISHER TEST CA - G3";
        Pki {
            root: read(&root),
            ap: Authority::new(ap, AP_CRL, &issuer),
            smp: Authority::new(smp, SMP_CRL, &issuer),
            foreign: Authority::new(ap, AP_CRL, &issuer),
            leaves: [rsa(), rsa()],
        }
    }

    /// The authorities of a future generation, under their own root.
    pub(crate) fn next_generation() -> [Authority; 2] {
        let (root_params, root_key) = (authority_params("PEPPOL Root TEST CA - G4"), rsa());
        let issuer = Issuer::from_params(&root_params, &root_key);
        [("PEPPOL AP TEST CA - G4", AP_CRL), ("PEPPOL SMP TEST CA - G4", SMP_CRL)]
            .map(|(name, crl)| Authority::new(name, crl, &issuer))
    }

    pub(crate) fn trust(&self) -> Trust {
        let [ap, smp] = [&self.ap, &self.smp].map(|one| one.certificate.der());
        Trust::new(Anchors::local(ap, smp).unwrap())
    }

    /// The lists of both authorities.
    pub(crate) fn revocations(&self) -> Revocations {
        let list = |by: &Authority| RevocationList::from_der(&by.crl()).unwrap();
        Revocations::default().with_list(AP_CRL, list(&self.ap)).with_list(SMP_CRL, list(&self.smp))
    }

    /// The trusted form of a certificate without flaws.
    pub(crate) fn trusted(&self, certificate: &Certificate, role: Role) -> Trusted {
        self.trust().check(certificate, role, now(), &self.revocations()).unwrap()
    }

    /// A seat of an access point, without flaws.
    pub(crate) fn seat(&self, name: &str) -> Leaf {
        self.issue(&self.ap, name, Flaw::None)
    }

    /// An SMP, without flaws.
    pub(crate) fn publisher(&self) -> Leaf {
        self.issue(&self.smp, "PAE000901", Flaw::None)
    }

    /// A seat whose certificate has no CRL address, but a responder.
    #[cfg(feature = "service")]
    pub(crate) fn answered_at(&self, name: &str, url: &str) -> Leaf {
        let mut params = leaf_params(&self.ap, name, Flaw::NoCrl);
        params.custom_extensions.push(responder_at(url));
        self.leaf(&self.ap, name, params)
    }

    /// Issues a certificate. The last digit of the name selects one of the two keys.
    pub(crate) fn issue(&self, by: &Authority, name: &str, flaw: Flaw) -> Leaf {
        self.leaf(by, name, leaf_params(by, name, flaw))
    }

    fn leaf(&self, by: &Authority, name: &str, params: CertificateParams) -> Leaf {
        let key = &self.leaves[usize::from(name.ends_with(['0', '2', '4', '6', '8']))];
        let certificate = read(&params.signed_by(key, &by.issuer()).unwrap());
        Leaf { certificate, pem: key.serialize_pem() }
    }
}

/// The certificate extension with the address of a responder (RFC 5280, section 4.2.2.1).
#[cfg(feature = "service")]
fn responder_at(url: &str) -> rcgen::CustomExtension {
    let sized = |tag: u8, content: &[u8]| {
        let length = u8::try_from(content.len()).unwrap();
        assert!(length < 0x80, "written in one byte");
        [&[tag, length], content].concat()
    };
    // The DER of id-ad-ocsp, before a uniformResourceIdentifier.
    let method = [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01];
    let access = sized(0x30, &[&method[..], &sized(0x86, url.as_bytes())].concat());
    rcgen::CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 1], sized(0x30, &access))
}

fn leaf_params(by: &Authority, name: &str, flaw: Flaw) -> CertificateParams {
    let unit = if by.crl == AP_CRL { "PEPPOL TEST AP" } else { "PEPPOL TEST SMP" };
    let mut params = params(&[
        (DnType::CountryName, "AE"),
        (DnType::OrganizationName, "Example, LLC"),
        (DnType::OrganizationalUnitName, unit),
        (DnType::CommonName, name),
    ]);
    let (from, to) = match flaw {
        Flaw::Expired => ((2024, 1, 1), (2026, 1, 1)),
        Flaw::NotYetValid => ((2026, 9, 1), (2028, 9, 1)),
        _ => ((2026, 1, 1), (2028, 1, 1)),
    };
    params.not_before = date_time_ymd(from.0, from.1, from.2);
    params.not_after = date_time_ymd(to.0, to.1, to.2);
    params.is_ca = IsCa::ExplicitNoCa;
    params.serial_number = Some(SerialNumber::from(serial(flaw)));
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    if flaw != Flaw::NoEncipherment {
        params.key_usages.push(KeyUsagePurpose::KeyEncipherment);
        params.key_usages.push(KeyUsagePurpose::DataEncipherment);
    }
    params.extended_key_usages = vec![match flaw {
        Flaw::ServerAuth => ExtendedKeyUsagePurpose::ServerAuth,
        Flaw::Responder => ExtendedKeyUsagePurpose::OcspSigning,
        _ => ExtendedKeyUsagePurpose::ClientAuth,
    }];
    if flaw != Flaw::NoCrl {
        params.crl_distribution_points =
            vec![CrlDistributionPoint { uris: vec![by.crl.to_owned()] }];
    }
    params
}
