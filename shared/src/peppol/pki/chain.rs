//! Verifies one step of a chain: from a certificate to its issuing authority (RFC 5280, section 6).

use jiff::Timestamp;
use rustls_pki_types::{CertificateDer, SignatureVerificationAlgorithm, UnixTime};
use webpki::{EndEntityCert, KeyUsage, RevocationOptions};

use super::{Certificate, anchors::Anchor};

/// `id-kp-clientAuth` (RFC 5280, section 4.2.1.12), the DER value of the identifier.
const CLIENT_AUTH: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];

/// The extended key usage that Peppol PKI's certificate profile requires of access points and SMPs.
pub(super) const USAGE: KeyUsage = KeyUsage::required(CLIENT_AUTH);

/// The signature algorithms of the network's authorities.
const ALGORITHMS: [&dyn SignatureVerificationAlgorithm; 3] = [
    webpki::aws_lc_rs::RSA_PKCS1_2048_8192_SHA256,
    webpki::aws_lc_rs::RSA_PKCS1_2048_8192_SHA384,
    webpki::aws_lc_rs::RSA_PKCS1_2048_8192_SHA512,
];

/// One step of RFC 5280, section 6: from the certificate to its issuing authority only.
pub(super) fn verify(
    certificate: &Certificate,
    anchor: &Anchor,
    now: Timestamp,
    usage: KeyUsage,
    revocation: Option<RevocationOptions<'_>>,
) -> Result<(), webpki::Error> {
    let der = CertificateDer::from(certificate.der());
    let end_entity = EndEntityCert::try_from(&der)?;
    let algorithms = ALGORITHMS.map(|algorithm| anchor.signatures.before(algorithm));
    let algorithms = algorithms.each_ref().map(|one| one as &dyn SignatureVerificationAlgorithm);
    let anchors = std::slice::from_ref(&anchor.anchor);
    end_entity
        .verify_for_usage(&algorithms, anchors, &[], unix(now), usage, revocation, None)
        .map(|_| ())
}

/// The instant in Unix time. Before 1970 no certificate is valid.
fn unix(now: Timestamp) -> UnixTime {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds))
}
