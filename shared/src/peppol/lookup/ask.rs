//! The questions of a lookup.

use super::naptr::Naptr;
use crate::peppol::pki::{Certificate, Revocations, Role};

/// Who can be asked: DNS, SMPs by HTTP, and the authorities about what they revoked.
pub trait Ask: Sync {
    /// The NAPTR records of an absolute name: none when the name does not exist or has none (NXDOMAIN, NODATA); an
    /// error when nobody can say (SERVFAIL, no answer).
    fn naptr(&self, name: &str) -> impl Future<Output = Result<Vec<Naptr>, AskError>> + Send;

    /// What an address answers to GET, redirects not followed, of the body no more than [`MAX_BYTES`] and one byte.
    ///
    /// [`MAX_BYTES`]: crate::peppol::smp::MAX_BYTES
    fn get(&self, url: &str) -> impl Future<Output = Result<Answer, AskError>> + Send;

    /// What is known about the revocation of a certificate, as far as it can be found out: the trust decides what it
    /// means when that is nothing.
    fn revocations(
        &self,
        certificate: &Certificate,
        role: Role,
    ) -> impl Future<Output = Revocations> + Send;
}

/// What came back, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Nothing came back: what happened, in the words of the layer that saw it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AskError(pub String);
