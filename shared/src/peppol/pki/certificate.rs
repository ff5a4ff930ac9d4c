//! An X.509 certificate (RFC 5280) with an RSA key, parsed once.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use aws_lc_rs::signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256};
use der::asn1::UintRef;
use der::{Decode, Document, Encode, Sequence};
use jiff::Timestamp;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::ext::pkix::name::DirectoryString;
use x509_cert::name::Name;
use x509_cert::time::Time;

use super::key_error::KeyError;
use super::remembered;

/// Longest accepted certificate. Peppol's certificates are about a tenth of it.
pub const MAX_CERTIFICATE_BYTES: usize = 16 * 1024;
/// Accepted sizes of RSA keys (Peppol PKI: seats 2048, CAs 4096).
pub const RSA_BITS: RangeInclusive<usize> = 2048..=4096;

/// The label of a certificate in PEM (RFC 7468, section 5).
pub(super) const PEM_LABEL: &str = "CERTIFICATE";
/// `rsaEncryption` (RFC 8017, appendix C).
const RSA_ENCRYPTION: der::asn1::ObjectIdentifier =
    der::asn1::ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
/// `id-at-commonName` (RFC 5280, appendix A.1).
const COMMON_NAME: der::asn1::ObjectIdentifier = der::asn1::ObjectIdentifier::new_unwrap("2.5.4.3");
/// The only accepted public exponent: 65537.
const EXPONENT: [u8; 3] = [1, 0, 1];

/// A parsed certificate; clones share it. It is not verified: see [`Trust`](super::Trust).
#[derive(Clone)]
pub struct Certificate(Arc<Read>);

struct Read {
    der: Vec<u8>,
    parsed: x509_cert::Certificate,
    common_name: String,
    not_before: Timestamp,
    not_after: Timestamp,
    verifying: ParsedPublicKey,
    encrypting: PublicEncryptingKey,
}

/// Why bytes are not a usable certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// Longer than [`MAX_CERTIFICATE_BYTES`].
    #[error("the certificate has {0} bytes, more than {MAX_CERTIFICATE_BYTES}")]
    TooLong(usize),
    /// Not PEM, or PEM with another label.
    #[error("the text is not a certificate in PEM: {0}")]
    Pem(String),
    /// Not a certificate in DER.
    #[error("the bytes are not a certificate in DER: {0}")]
    Der(String),
    /// The common name is missing, repeated, or not text.
    #[error("the certificate's subject \"{0}\" does not have exactly one common name")]
    CommonName(String),
    /// The validity does not fit a timestamp.
    #[error("the certificate's validity is out of range")]
    Validity,
    /// The key is not RSA.
    #[error("the certificate's key is of algorithm {0}, not RSA")]
    NotRsa(String),
    /// The size of the RSA key is not accepted.
    #[error("the certificate's RSA key has {0} bits, not {min} to {max}", min = RSA_BITS.start(), max = RSA_BITS.end())]
    KeySize(usize),
    /// The exponent of the RSA key is not accepted.
    #[error("the certificate's RSA key has another exponent than 65537")]
    Exponent,
    /// The RSA key is invalid.
    #[error("the certificate's RSA key cannot be used")]
    Key,
}

/// The signature does not match the bytes and the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the signature does not belong to these bytes and this certificate")]
pub struct BadSignature;

/// RFC 8017, appendix A.1.1.
#[derive(Sequence)]
struct RsaPublicKey<'a> {
    modulus: UintRef<'a>,
    public_exponent: UintRef<'a>,
}

impl Certificate {
    /// Reads DER.
    pub fn from_der(der: Vec<u8>) -> Result<Self, CertificateError> {
        if der.len() > MAX_CERTIFICATE_BYTES {
            return Err(CertificateError::TooLong(der.len()));
        }
        if let Some(known) = remembered::certificate(&der) {
            return Ok(known);
        }
        let parsed = x509_cert::Certificate::from_der(&der)
            .map_err(|error| CertificateError::Der(error.to_string()))?;
        let tbs = parsed.tbs_certificate();
        let common_name = only_common_name(tbs.subject())
            .ok_or_else(|| CertificateError::CommonName(tbs.subject().to_string()))?;
        let (verifying, encrypting) = public_key(&parsed)?;
        let read = Read {
            common_name,
            not_before: instant(tbs.validity().not_before)?,
            not_after: instant(tbs.validity().not_after)?,
            verifying,
            encrypting,
            der,
            parsed,
        };
        Ok(Certificate(Arc::new(read)))
    }

    /// Reads PEM (RFC 7468): one certificate.
    pub fn from_pem(pem: &str) -> Result<Self, CertificateError> {
        // PEM is less than 1.5 times as long as DER.
        if pem.len() > MAX_CERTIFICATE_BYTES * 2 {
            return Err(CertificateError::TooLong(pem.len()));
        }
        match Document::from_pem(pem) {
            Ok((PEM_LABEL, document)) => Self::from_der(document.into_vec()),
            Ok((label, _)) => Err(CertificateError::Pem(format!("it holds a {label}"))),
            Err(error) => Err(CertificateError::Pem(error.to_string())),
        }
    }

    /// The bytes of the certificate.
    pub fn der(&self) -> &[u8] {
        &self.0.der
    }

    /// The one common name; for Peppol seats, the seat id.
    pub fn common_name(&self) -> &str {
        &self.0.common_name
    }

    /// The subject as text (RFC 4514).
    pub fn subject(&self) -> String {
        self.tbs().subject().to_string()
    }

    /// The issuer as text (RFC 4514).
    pub fn issuer(&self) -> String {
        self.tbs().issuer().to_string()
    }

    /// The first instant of its validity.
    pub fn not_before(&self) -> Timestamp {
        self.0.not_before
    }

    /// The last instant of its validity.
    pub fn not_after(&self) -> Timestamp {
        self.0.not_after
    }

    /// Checks a signature: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2).
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), BadSignature> {
        self.0.verifying.verify_sig(message, signature).map_err(|_| BadSignature)
    }

    /// Encrypts a short key for the holder: RSAES-OAEP with SHA-256 and MGF1 with SHA-256 (RFC 8017, section 7.1).
    pub fn encrypt(&self, key: &[u8]) -> Result<Vec<u8>, KeyError> {
        let encrypting = OaepPublicEncryptingKey::new(self.0.encrypting.clone())
            .map_err(|_| KeyError::Encrypt)?;
        let mut wrapped = vec![0; encrypting.ciphertext_size()];
        let length = encrypting
            .encrypt(&OAEP_SHA256_MGF1SHA256, key, &mut wrapped, None)
            .map_err(|_| KeyError::Encrypt)?
            .len();
        wrapped.truncate(length);
        Ok(wrapped)
    }

    pub(super) fn parsed(&self) -> &x509_cert::Certificate {
        &self.0.parsed
    }

    pub(super) fn tbs(&self) -> &x509_cert::TbsCertificate {
        self.0.parsed.tbs_certificate()
    }

    /// The RSAPublicKey of RFC 8017, appendix A.1.1.
    pub(super) fn rsa_public_key(&self) -> &[u8] {
        self.tbs().subject_public_key_info().subject_public_key.raw_bytes()
    }
}

/// Certificates are equal when their bytes are.
impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.der() == other.der()
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Certificate({} by {})", self.subject(), self.issuer())
    }
}

pub(super) fn instant(time: Time) -> Result<Timestamp, CertificateError> {
    let seconds =
        i64::try_from(time.to_unix_duration().as_secs()).map_err(|_| CertificateError::Validity)?;
    Timestamp::from_second(seconds).map_err(|_| CertificateError::Validity)
}

/// The certificate profile of Peppol PKI allows one common name. With two, the holder would be ambiguous.
fn only_common_name(subject: &Name) -> Option<String> {
    let mut names = subject.iter().filter(|attribute| attribute.oid == COMMON_NAME);
    match (names.next(), names.next()) {
        (Some(name), None) => text(name),
        _ => None,
    }
}

fn text(attribute: &AttributeTypeAndValue) -> Option<String> {
    let text: DirectoryString = attribute.value.decode_as().ok()?;
    Some(text.value().to_string())
}

fn public_key(
    certificate: &x509_cert::Certificate,
) -> Result<(ParsedPublicKey, PublicEncryptingKey), CertificateError> {
    let info = certificate.tbs_certificate().subject_public_key_info();
    if info.algorithm.oid != RSA_ENCRYPTION {
        return Err(CertificateError::NotRsa(info.algorithm.oid.to_string()));
    }
    let key = RsaPublicKey::from_der(info.subject_public_key.raw_bytes())
        .map_err(|_| CertificateError::Key)?;
    let bits = bit_length(key.modulus.as_bytes());
    if !RSA_BITS.contains(&bits) {
        return Err(CertificateError::KeySize(bits));
    }
    // Other exponents are either weak or make every verification slow.
    if key.public_exponent.as_bytes() != EXPONENT {
        return Err(CertificateError::Exponent);
    }
    let info = info.to_der().map_err(|_| CertificateError::Key)?;
    let verifying = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &info)
        .map_err(|_| CertificateError::Key)?;
    let encrypting = PublicEncryptingKey::from_der(&info).map_err(|_| CertificateError::Key)?;
    Ok((verifying, encrypting))
}

/// The bits of a number in big-endian bytes without leading zeros.
fn bit_length(bytes: &[u8]) -> usize {
    let leading = bytes.first().map_or(0, |first| first.leading_zeros());
    (bytes.len() * 8).saturating_sub(usize::try_from(leading).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use rcgen::{DnType, KeyPair};

    use super::*;
    use crate::peppol::pki::testing::PKI;

    fn self_signed(key: &KeyPair, names: &[&str]) -> Vec<u8> {
        let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        for (at, name) in names.iter().enumerate() {
            let kind = match at {
                0 => DnType::CommonName,
                // The library keeps one attribute of each kind, so the second one is given by its number.
                _ => DnType::CustomDnType(vec![2, 5, 4, 3]),
            };
            params.distinguished_name.push(kind, *name);
        }
        params.self_signed(key).unwrap().der().to_vec()
    }

    #[test]
    fn a_certificate_says_whose_it_is_and_when() {
        let seat = PKI.seat("PAE000001").certificate;
        assert_eq!(seat.common_name(), "PAE000001");
        assert_eq!(seat.subject(), "CN=PAE000001,OU=PEPPOL TEST AP,O=Example\\, LLC,C=AE");
        assert_eq!(
            seat.issuer(),
            "CN=PEPPOL ACCESS POINT TEST CA - G3,OU=FOR TEST ONLY,O=OpenPEPPOL AISBL,C=BE"
        );
        assert_eq!(seat.not_before().to_string(), "2026-01-01T00:00:00Z");
        assert_eq!(seat.not_after().to_string(), "2028-01-01T00:00:00Z");
        assert_eq!(Certificate::from_der(seat.der().to_vec()).unwrap(), seat);
    }

    #[test]
    fn pem_and_der_say_the_same() {
        let seat = PKI.seat("PAE000001").certificate;
        let document = Document::try_from(seat.der()).unwrap();
        for line_end in [der::pem::LineEnding::LF, der::pem::LineEnding::CRLF] {
            let pem = document.to_pem(PEM_LABEL, line_end).unwrap();
            assert_eq!(Certificate::from_pem(&pem).unwrap(), seat);
        }
        let pem = document.to_pem("X509 CRL", der::pem::LineEnding::LF).unwrap();
        let error = Certificate::from_pem(&pem).unwrap_err();
        assert_eq!(error, CertificateError::Pem("it holds a X509 CRL".to_owned()));
        assert!(matches!(Certificate::from_pem("MIIB"), Err(CertificateError::Pem(_))));
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let whole = PKI.seat("PAE000001").certificate.der().to_vec();
        let longer = [&whole[..], &[0]].concat();
        for bytes in [vec![], whole[..whole.len() - 1].to_vec(), longer, vec![0x30; 900]] {
            assert!(matches!(Certificate::from_der(bytes), Err(CertificateError::Der(_))));
        }
        let error = Certificate::from_der(vec![0x30; MAX_CERTIFICATE_BYTES + 1]).unwrap_err();
        assert_eq!(error, CertificateError::TooLong(MAX_CERTIFICATE_BYTES + 1));
        let error = Certificate::from_pem(&"-".repeat(MAX_CERTIFICATE_BYTES * 3)).unwrap_err();
        assert_eq!(error, CertificateError::TooLong(MAX_CERTIFICATE_BYTES * 3));
    }

    #[test]
    fn a_certificate_with_no_or_two_common_names_is_refused() {
        let key = KeyPair::generate().unwrap();
        for names in [&[][..], &["PAE000001", "PAE000002"]] {
            let error = Certificate::from_der(self_signed(&key, names)).unwrap_err();
            assert!(matches!(error, CertificateError::CommonName(_)), "{names:?} {error}");
        }
    }

    #[test]
    fn another_key_than_rsa_is_refused() {
        let der = self_signed(&KeyPair::generate().unwrap(), &["PAE000001"]);
        let error = Certificate::from_der(der).unwrap_err();
        assert_eq!(error, CertificateError::NotRsa("1.2.840.10045.2.1".to_owned()));
    }

    #[test]
    fn rsa_keys_of_another_size_or_exponent_are_refused() {
        let mut good = PKI.seat("PAE000001").certificate.der().to_vec();
        let exponent = good.windows(5).position(|part| part == [2, 3, 1, 0, 1]).unwrap();
        good[exponent + 4] = 3;
        assert_eq!(Certificate::from_der(good).unwrap_err(), CertificateError::Exponent);
        let short = Certificate::from_pem(include_str!("samples/rsa-1024.pem"));
        assert_eq!(short.unwrap_err(), CertificateError::KeySize(1024));
        assert_eq!(bit_length(&[0x80; 256]), 2048);
        assert_eq!(bit_length(&[0x7f; 256]), 2047);
        assert_eq!(bit_length(&[]), 0);
    }
}
