//! Private keys, behind two traits. A key is in this process ([`LocalKey`]) or in a service that never exports it.

use std::fmt;
use std::pin::Pin;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, PrivateDecryptingKey};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use der::SecretDocument;

use super::{certificate::Certificate, key_error::KeyError};

/// The label of a PKCS #8 key in PEM (RFC 7468, section 10).
const PEM_LABEL: &str = "PRIVATE KEY";

/// The future result of a key operation.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, KeyError>> + Send + 'a>>;

/// A key that signs: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2).
pub trait Signer: Send + Sync {
    /// The certificate that belongs to the key.
    fn certificate(&self) -> &Certificate;
    /// Signs the message itself, not its digest.
    fn sign<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>>;
}

/// A key that decrypts: RSAES-OAEP with SHA-256 and MGF1 with SHA-256 (RFC 8017, section 7.1).
pub trait Decrypter: Send + Sync {
    /// The certificate that belongs to the key.
    fn certificate(&self) -> &Certificate;
    /// Decrypts the output of [`Certificate::encrypt`].
    fn decrypt<'a>(&'a self, wrapped: &'a [u8]) -> Pending<'a, Vec<u8>>;
}

/// A key pair in this process.
pub struct LocalKey {
    certificate: Certificate,
    signing: RsaKeyPair,
    decrypting: OaepPrivateDecryptingKey,
}

impl LocalKey {
    /// Reads a private key in PEM (PKCS #8) that belongs to `certificate`.
    pub fn from_pem(pem: &str, certificate: Certificate) -> Result<Self, KeyError> {
        let (label, key) = SecretDocument::from_pem(pem).map_err(|_| KeyError::NotPkcs8)?;
        if label != PEM_LABEL {
            return Err(KeyError::NotPkcs8);
        }
        let signing = RsaKeyPair::from_pkcs8(key.as_bytes()).map_err(|_| KeyError::NotPkcs8)?;
        if signing.public_key().as_ref() != certificate.rsa_public_key() {
            return Err(KeyError::Mismatch(certificate.subject()));
        }
        let decrypting = PrivateDecryptingKey::from_pkcs8(key.as_bytes())
            .map_err(|_| KeyError::NotPkcs8)
            .and_then(|key| OaepPrivateDecryptingKey::new(key).map_err(|_| KeyError::NotPkcs8))?;
        Ok(LocalKey { certificate, signing, decrypting })
    }

    fn sign_now(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut signature = vec![0; self.signing.public_modulus_len()];
        // This padding is deterministic and uses no random bytes.
        self.signing
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature)
            .map_err(|_| KeyError::Sign)?;
        Ok(signature)
    }

    fn decrypt_now(&self, wrapped: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut opened = vec![0; self.decrypting.min_output_size()];
        let length = self
            .decrypting
            .decrypt(&OAEP_SHA256_MGF1SHA256, wrapped, &mut opened, None)
            .map_err(|_| KeyError::Decrypt)?
            .len();
        opened.truncate(length);
        Ok(opened)
    }
}

impl Signer for LocalKey {
    fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    fn sign<'a>(&'a self, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async { self.sign_now(message) })
    }
}

impl Decrypter for LocalKey {
    fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    fn decrypt<'a>(&'a self, wrapped: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async { self.decrypt_now(wrapped) })
    }
}

impl fmt::Debug for LocalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::pki::{
        BadSignature,
        testing::{PKI, ready},
    };

    #[test]
    fn a_signature_is_verified_by_its_own_certificate_alone() {
        let (mine, other) = (PKI.seat("PAE000001"), PKI.seat("PAE000002"));
        let signature = ready(mine.key().sign(b"message")).unwrap();
        assert_eq!(signature.len(), 256);
        assert_eq!(mine.certificate.verify(b"message", &signature), Ok(()));
        assert_eq!(mine.certificate.verify(b"messagf", &signature), Err(BadSignature));
        assert_eq!(mine.certificate.verify(b"message", &signature[1..]), Err(BadSignature));
        assert_eq!(other.certificate.verify(b"message", &signature), Err(BadSignature));
    }

    #[test]
    fn a_wrapped_key_opens_with_its_own_key_alone() {
        let (mine, other) = (PKI.seat("PAE000001"), PKI.seat("PAE000002"));
        let wrapped = mine.certificate.encrypt(&[7; 16]).unwrap();
        assert_eq!(ready(mine.key().decrypt(&wrapped)).unwrap(), [7; 16]);
        assert_ne!(mine.certificate.encrypt(&[7; 16]).unwrap(), wrapped);
        assert_eq!(ready(other.key().decrypt(&wrapped)), Err(KeyError::Decrypt));
        for damaged in [&wrapped[1..], &[0; 256], &[0xff; 256], b""] {
            assert_eq!(ready(mine.key().decrypt(damaged)), Err(KeyError::Decrypt));
        }
        // RFC 8017, section 7.1.1: no more than k - 2 hLen - 2 bytes.
        assert!(mine.certificate.encrypt(&[0; 190]).is_ok());
        assert_eq!(mine.certificate.encrypt(&[0; 191]), Err(KeyError::Encrypt));
    }

    #[test]
    fn key_and_certificate_belong_together() {
        let (mine, other) = (PKI.seat("PAE000001"), PKI.seat("PAE000002"));
        let error = LocalKey::from_pem(mine.pem(), other.certificate.clone()).unwrap_err();
        assert_eq!(error, KeyError::Mismatch(other.certificate.subject()));
    }

    #[test]
    fn what_is_no_private_key_is_refused() {
        let seat = PKI.seat("PAE000001");
        let as_pkcs1 = seat.pem().replace("PRIVATE KEY", "RSA PRIVATE KEY");
        let cut: String = seat.pem().lines().take(5).collect();
        for text in ["", "-----BEGIN PRIVATE KEY-----", &as_pkcs1, &cut] {
            let error = LocalKey::from_pem(text, seat.certificate.clone()).unwrap_err();
            assert_eq!(error, KeyError::NotPkcs8, "{text}");
        }
    }

    #[test]
    fn no_key_is_shown() {
        let shown = format!("{:?}", PKI.seat("PAE000001").key());
        assert!(shown.contains("PAE000001") && shown.len() < 300, "{shown}");
    }
}
