//! Our keys. During a change of certificate there are two: the newer one signs, both decrypt.

use std::{fmt, sync::Arc};

use jiff::Timestamp;

use super::{Certificate, Decrypter, Signer};

/// A key that signs and decrypts.
pub trait Key: Signer + Decrypter {}

impl<K: Signer + Decrypter> Key for K {}

/// All our keys whose certificates are in use.
#[derive(Clone)]
pub struct OurKeys {
    /// The newest certificate first.
    keys: Vec<Arc<dyn Key>>,
}

impl OurKeys {
    /// Sorts the keys, given in any order.
    pub fn new(mut keys: Vec<Arc<dyn Key>>) -> Self {
        keys.sort_by_key(|key| std::cmp::Reverse(certificate(key).not_before()));
        OurKeys { keys }
    }

    /// The signing key: the newest one whose certificate is valid now.
    pub fn signer(&self, now: Timestamp) -> Option<&dyn Signer> {
        let valid = |key: &&Arc<dyn Key>| certificate(key).is_valid_at(now);
        self.keys.iter().find(valid).map(|key| key.as_ref() as &dyn Signer)
    }

    /// The key that decrypts messages for the certificate with these bytes. An expired certificate is accepted: a
    /// message sent in time may arrive late, and checking its validity is the sender's task.
    pub fn decrypter(&self, der: &[u8]) -> Option<&dyn Decrypter> {
        let key = self.keys.iter().find(|key| certificate(key).der() == der);
        key.map(|key| key.as_ref() as &dyn Decrypter)
    }

    /// All decrypting keys, the newest certificate first.
    pub fn decrypters(&self) -> impl Iterator<Item = &dyn Decrypter> {
        self.keys.iter().map(|key| key.as_ref() as &dyn Decrypter)
    }

    /// Every certificate, the newest first.
    pub fn certificates(&self) -> impl Iterator<Item = &Certificate> {
        self.keys.iter().map(certificate)
    }
}

/// The certificate that represents us: the newest one; of several with the same start, the first.
pub fn newest<'c>(
    certificates: impl IntoIterator<Item = &'c Certificate>,
) -> Option<&'c Certificate> {
    let newer = |one: &'c Certificate, other: &'c Certificate| {
        if other.not_before() > one.not_before() { other } else { one }
    };
    certificates.into_iter().reduce(newer)
}

fn certificate(key: &Arc<dyn Key>) -> &Certificate {
    Signer::certificate(key.as_ref())
}

impl fmt::Debug for OurKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.certificates()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::pki::testing::{Flaw, PKI, now};

    #[test]
    fn the_newest_valid_certificate_signs_and_every_one_decrypts() {
        let leaf = |name, flaw| PKI.issue(&PKI.ap, name, flaw);
        let (old, new) = (leaf("PAE000001", Flaw::None), leaf("PAE000002", Flaw::NotYetValid));
        let expired = leaf("PAE000003", Flaw::Expired);
        let keys: Vec<Arc<dyn Key>> =
            vec![Arc::new(old.key()), Arc::new(new.key()), Arc::new(expired.key())];
        let ours = OurKeys::new(keys);

        let signer = |at| ours.signer(at).map(|signer| signer.certificate().common_name());
        assert_eq!(signer("2025-12-31T00:00:00Z".parse().unwrap()), Some("PAE000003"));
        assert_eq!(signer(now()), Some("PAE000001"));
        assert_eq!(signer("2026-09-01T00:00:00Z".parse().unwrap()), Some("PAE000002"));
        assert!(signer("2029-01-01T00:00:00Z".parse().unwrap()).is_none());

        for one in [&old, &new, &expired] {
            let decrypter = ours.decrypter(one.certificate.der()).unwrap();
            assert_eq!(decrypter.certificate(), &one.certificate);
        }
        let other = leaf("PAE000004", Flaw::None).certificate;
        assert!(ours.decrypter(other.der()).is_none());
        let names: Vec<_> = ours.certificates().map(Certificate::common_name).collect();
        assert_eq!(names, ["PAE000002", "PAE000001", "PAE000003"]);
        let certificates = [&old, &expired, &new, &leaf("PAE000005", Flaw::NotYetValid)];
        let newest = newest(certificates.map(|leaf| &leaf.certificate)).unwrap();
        assert_eq!(newest.common_name(), "PAE000002");
    }
}
