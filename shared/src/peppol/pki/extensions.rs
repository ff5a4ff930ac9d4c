//! The extensions of a certificate (RFC 5280, section 4.2), and the check of its issuer's signature.

use der::{Document, Encode, asn1::ObjectIdentifier, pem::LineEnding};
use jiff::{SignedDuration, Timestamp};
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, BasicConstraints, CrlDistributionPoints, KeyUsage,
    name::{DistributionPointName, GeneralName},
};

use super::{Certificate, certificate::PEM_LABEL};

/// `sha256WithRSAEncryption` (RFC 8017, appendix C).
pub(super) const SHA256_WITH_RSA: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
/// `id-ad-ocsp` (RFC 5280, section 4.2.2.1).
const OCSP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1");

/// Days before the expiry of one of our certificates at which an alarm is raised.
pub const EXPIRY_ALARM_DAYS: [i64; 3] = [60, 30, 7];

/// The address of the issuer's revocation list in a certificate. Only [`Certificate::crl_urls`] constructs it, so the
/// fetcher accepts no other address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrlUrl(String);

impl CrlUrl {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a list that a test serves.
    #[cfg(all(test, feature = "service"))]
    pub(crate) fn of_test(url: &str) -> Self {
        CrlUrl(url.to_owned())
    }
}

impl AsRef<str> for CrlUrl {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// The address of the issuer's OCSP responder in a certificate. Only [`Certificate::ocsp_urls`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OcspUrl(String);

impl OcspUrl {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a responder that a test serves.
    #[cfg(all(test, feature = "service"))]
    pub(crate) fn of_test(url: &str) -> Self {
        OcspUrl(url.to_owned())
    }
}

impl AsRef<str> for OcspUrl {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Certificate {
    /// Whether the certificate is valid at `now` (RFC 5280, section 4.1.2.5).
    pub fn is_valid_at(&self, now: Timestamp) -> bool {
        (self.not_before()..=self.not_after()).contains(&now)
    }

    /// The certificate to encrypt for: the newest one that is valid now.
    pub fn newest_valid(certificates: &[Certificate], now: Timestamp) -> Option<&Certificate> {
        let valid = certificates.iter().filter(|certificate| certificate.is_valid_at(now));
        valid.max_by_key(|certificate| certificate.not_before())
    }

    /// The remaining validity; negative after expiry.
    pub fn expires_in(&self, now: Timestamp) -> SignedDuration {
        self.not_after().duration_since(now)
    }

    /// The smallest of [`EXPIRY_ALARM_DAYS`] that has been reached.
    pub fn expiry_alarm(&self, now: Timestamp) -> Option<i64> {
        let left = self.expires_in(now);
        EXPIRY_ALARM_DAYS
            .into_iter()
            .rev()
            .find(|days| left <= SignedDuration::from_hours(days.saturating_mul(24)))
    }

    /// The addresses of the issuer's revocation list (RFC 5280, section 4.2.1.13).
    pub fn crl_urls(&self) -> Vec<CrlUrl> {
        let points = self.tbs().get_extension::<CrlDistributionPoints>().ok().flatten();
        let points = points.map(|(_, points)| points.0).unwrap_or_default();
        let names = points.into_iter().filter_map(|point| match point.distribution_point? {
            DistributionPointName::FullName(names) => Some(names),
            DistributionPointName::NameRelativeToCRLIssuer(_) => None,
        });
        names.flatten().filter_map(|name| http_url(&name)).map(CrlUrl).collect()
    }

    /// The addresses of the issuer's OCSP responder (RFC 5280, section 4.2.2.1).
    pub fn ocsp_urls(&self) -> Vec<OcspUrl> {
        let access = self.tbs().get_extension::<AuthorityInfoAccessSyntax>().ok().flatten();
        let access = access.map(|(_, access)| access.0).unwrap_or_default();
        let responders = access.iter().filter(|one| one.access_method == OCSP);
        responders.filter_map(|one| http_url(&one.access_location)).map(OcspUrl).collect()
    }

    /// The SubjectPublicKeyInfo in DER (RFC 5280, section 4.1.2.7), the common format of a public key.
    pub fn public_key_info(&self) -> Vec<u8> {
        // Parsed DER can be encoded again, so this cannot fail.
        self.tbs().subject_public_key_info().to_der().unwrap_or_default()
    }

    /// The certificate in PEM (RFC 7468).
    pub fn to_pem(&self) -> String {
        // Parsed DER can be encoded again, so this cannot fail.
        let document = Document::try_from(self.der())
            .and_then(|document| document.to_pem(PEM_LABEL, LineEnding::LF));
        document.unwrap_or_default()
    }

    /// Whether the key may sign, and whether others may encrypt keys for it. Without the extension, both are `false`:
    /// RFC 5280, section 4.2.1.3, requires issuers of such certificates to include it.
    pub(super) fn key_usage(&self) -> (bool, bool) {
        let usage = self.tbs().get_extension::<KeyUsage>().ok().flatten();
        usage.map_or((false, false), |(_, usage)| {
            (usage.digital_signature(), usage.key_encipherment())
        })
    }

    /// Whether the certificate may issue others (RFC 5280, section 4.2.1.9).
    pub(super) fn is_authority(&self) -> bool {
        let constraints = self.tbs().get_extension::<BasicConstraints>().ok().flatten();
        constraints.is_some_and(|(_, constraints)| constraints.ca)
    }

    /// Whether the certificate names `issuer` and has its signature.
    pub(super) fn is_issued_by(&self, issuer: &Certificate) -> bool {
        let parsed = self.parsed();
        let signed = parsed.tbs_certificate().to_der();
        parsed.signature_algorithm().oid == SHA256_WITH_RSA
            && self.tbs().issuer() == issuer.tbs().subject()
            && signed
                .is_ok_and(|signed| issuer.verify(&signed, parsed.signature().raw_bytes()).is_ok())
    }
}

fn http_url(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::UniformResourceIdentifier(url) => {
            let url = url.as_str();
            (url.starts_with("http://") || url.starts_with("https://")).then(|| url.to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::pki::testing::{AP_CRL, Flaw, PKI};

    fn sample(der: &[u8]) -> Certificate {
        Certificate::from_der(der.to_vec()).unwrap()
    }

    #[test]
    fn real_certificates_say_where_their_revocation_is_known() {
        let seat = sample(include_bytes!("samples/access-point-test.der"));
        let crl = "http://crl.one.nl.digicert.com/PEPPOLACCESSPOINTTESTCA-G3.crl";
        assert_eq!(seat.crl_urls(), [CrlUrl(crl.to_owned())]);
        assert_eq!(seat.ocsp_urls(), [OcspUrl("http://ocsp.one.nl.digicert.com".to_owned())]);
        let publisher = sample(include_bytes!("samples/publisher-production.der"));
        let crl = "http://crl.one.nl.digicert.com/PEPPOLSERVICEMETADATAPUBLISHERCA-G3.crl";
        assert_eq!(publisher.crl_urls(), [CrlUrl(crl.to_owned())]);
        assert_eq!(publisher.subject(), "CN=PNO000020,OU=PEPPOL PRODUCTION SMP,O=Logiq AS,C=NO");
    }

    #[test]
    fn a_certificate_may_name_no_list_and_no_responder() {
        let named = PKI.seat("PAE000001").certificate.crl_urls();
        assert_eq!(named, [CrlUrl(AP_CRL.to_owned())]);
        let none = PKI.issue(&PKI.ap, "PAE000001", Flaw::NoCrl).certificate;
        assert!(none.crl_urls().is_empty() && none.ocsp_urls().is_empty());
    }

    #[test]
    fn the_alarm_is_raised_at_60_30_and_7_days() {
        let seat = PKI.seat("PAE000001").certificate;
        let day = SignedDuration::from_hours(24);
        for (days, alarm) in [
            (61, None),
            (60, Some(60)),
            (31, Some(60)),
            (30, Some(30)),
            (8, Some(30)),
            (7, Some(7)),
            (0, Some(7)),
            (-1, Some(7)),
        ] {
            let now = seat.not_after() - day * days;
            assert_eq!(seat.expires_in(now), day * days);
            assert_eq!(seat.expiry_alarm(now), alarm, "{days}");
        }
    }

    #[test]
    fn an_issuer_is_known_by_its_signature() {
        let seat = PKI.seat("PAE000001").certificate;
        assert!(seat.is_issued_by(&PKI.ap.certificate));
        assert!(!seat.is_issued_by(&PKI.foreign.certificate));
        assert!(!seat.is_issued_by(&PKI.smp.certificate));
        assert!(PKI.root.is_issued_by(&PKI.root));
        assert!(PKI.root.is_authority() && !seat.is_authority());
    }
}
