//! A cache for two costly results that never change: a valid signature, and a parsed certificate. Most messages come
//! from few senders. Only items signed by an authority of the network are cached, so strangers cannot fill the cache.
//! Validity, revocation and usage are checked every time.

use std::{
    borrow::Borrow,
    cmp::Ordering,
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use aws_lc_rs::digest::{Context, SHA256, SHA256_OUTPUT_LEN};
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

use super::Certificate;

/// Maximum number of cached signatures for one authority: every access point of Peppol, and revocation lists.
const MOST_SIGNATURES: usize = 2_048;
/// Maximum number of cached certificates. Each takes about 10 kB in parsed form.
const MOST_CERTIFICATES: usize = 512;

/// The last trusted certificates of this process.
static CERTIFICATES: Remembered<Certificate> = Remembered::new(MOST_CERTIFICATES);

impl PartialOrd for Certificate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Ordered by their bytes, the key of the cache.
impl Ord for Certificate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.der().cmp(other.der())
    }
}

impl Borrow<[u8]> for Certificate {
    fn borrow(&self) -> &[u8] {
        self.der()
    }
}

/// The cached certificate with these bytes.
pub(super) fn certificate(der: &[u8]) -> Option<Certificate> {
    CERTIFICATES.get(der)
}

/// Adds a trusted certificate to the cache.
pub(super) fn trusted(certificate: &Certificate) {
    CERTIFICATES.keep(certificate);
}

/// A bounded cache that evicts the oldest item.
#[derive(Debug)]
struct Remembered<T> {
    most: usize,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    all: BTreeSet<T>,
    /// The oldest item first.
    order: VecDeque<T>,
}

impl<T: Clone + Ord> Remembered<T> {
    const fn new(most: usize) -> Self {
        let kept = Kept { all: BTreeSet::new(), order: VecDeque::new() };
        Remembered { most, kept: Mutex::new(kept) }
    }

    fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        self.kept().all.get(key).cloned()
    }

    fn keep(&self, one: &T) {
        let mut kept = self.kept();
        if kept.all.contains(one) {
            return;
        }
        if kept.order.len() >= self.most
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.all.remove(&oldest);
        }
        kept.all.insert(one.clone());
        kept.order.push_back(one.clone());
    }

    fn kept(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cache key of a signature: a hash of algorithm, key, message and signature.
type Fingerprint = [u8; SHA256_OUTPUT_LEN];

/// Valid signatures of one authority.
#[derive(Debug)]
pub(super) struct Signatures(Remembered<Fingerprint>);

impl Default for Signatures {
    fn default() -> Self {
        Signatures(Remembered::new(MOST_SIGNATURES))
    }
}

impl Signatures {
    /// Wraps the algorithm with this cache.
    pub(super) fn before(
        &self,
        algorithm: &'static dyn SignatureVerificationAlgorithm,
    ) -> Remembering<'_> {
        Remembering { algorithm, signatures: self }
    }
}

/// An algorithm that verifies each signature only once.
#[derive(Debug)]
pub(super) struct Remembering<'s> {
    algorithm: &'static dyn SignatureVerificationAlgorithm,
    signatures: &'s Signatures,
}

impl Remembering<'_> {
    fn fingerprint(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Fingerprint {
        let mut context = Context::new(&SHA256);
        let identifier = self.algorithm.signature_alg_id();
        // Each part follows its length, so that no other split of the bytes gives the same hash.
        for part in [identifier.as_ref(), public_key, message, signature] {
            context.update(&part.len().to_be_bytes());
            context.update(part);
        }
        let mut fingerprint = Fingerprint::default();
        fingerprint.copy_from_slice(context.finish().as_ref());
        fingerprint
    }
}

impl SignatureVerificationAlgorithm for Remembering<'_> {
    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.algorithm.public_key_alg_id()
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.algorithm.signature_alg_id()
    }

    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let this = self.fingerprint(public_key, message, signature);
        if self.signatures.0.get(&this).is_some() {
            return Ok(());
        }
        self.algorithm.verify_signature(public_key, message, signature)?;
        self.signatures.0.keep(&this);
        Ok(())
    }

    fn fips(&self) -> bool {
        self.algorithm.fips()
    }
}

#[cfg(test)]
mod tests;
