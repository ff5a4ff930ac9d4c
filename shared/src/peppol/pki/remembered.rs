//! What costs and cannot change: a signature that held once holds always, and a certificate reads the same each time.
//! Most messages come from few senders. Only what an authority of the network signed is remembered, so that a stranger
//! fills nothing; whether a certificate is valid now, revoked, and made for its use is judged anew each time.

use std::{
    borrow::Borrow,
    cmp::Ordering,
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use aws_lc_rs::digest::{Context, SHA256, SHA256_OUTPUT_LEN};
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

use super::Certificate;

/// Signatures of one authority that are remembered: of every access point of Peppol, and of lists.
const MOST_SIGNATURES: usize = 2_048;
/// Certificates that are remembered, of some 10 kB each with what was read of them.
const MOST_CERTIFICATES: usize = 512;

/// The certificates that were trusted last, in this process.
static CERTIFICATES: Remembered<Certificate> = Remembered::new(MOST_CERTIFICATES);

impl PartialOrd for Certificate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of their bytes, by which they are found.
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

/// The certificate with these bytes, if it is one of those that were trusted last.
pub(super) fn certificate(der: &[u8]) -> Option<Certificate> {
    CERTIFICATES.get(der)
}

/// Remembers a certificate that is trusted.
pub(super) fn trusted(certificate: &Certificate) {
    CERTIFICATES.keep(certificate);
}

/// At most so many: the oldest makes room.
#[derive(Debug)]
struct Remembered<T> {
    most: usize,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    all: BTreeSet<T>,
    /// The oldest first.
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

/// What a signature is known by: the algorithm, the key, what was signed, and the signature.
type Fingerprint = [u8; SHA256_OUTPUT_LEN];

/// Signatures of one authority that held.
#[derive(Debug)]
pub(super) struct Signatures(Remembered<Fingerprint>);

impl Default for Signatures {
    fn default() -> Self {
        Signatures(Remembered::new(MOST_SIGNATURES))
    }
}

impl Signatures {
    /// The algorithm, for signatures that are not remembered.
    pub(super) fn before(
        &self,
        algorithm: &'static dyn SignatureVerificationAlgorithm,
    ) -> Remembering<'_> {
        Remembering { algorithm, signatures: self }
    }
}

/// An algorithm that verifies each signature once.
#[derive(Debug)]
pub(super) struct Remembering<'s> {
    algorithm: &'static dyn SignatureVerificationAlgorithm,
    signatures: &'s Signatures,
}

impl Remembering<'_> {
    fn fingerprint(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Fingerprint {
        let mut context = Context::new(&SHA256);
        let identifier = self.algorithm.signature_alg_id();
        // Each with its length before it: what is one part must not pass for another.
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
