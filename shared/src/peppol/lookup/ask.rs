//! The queries of a lookup.

use super::naptr::Naptr;
use crate::peppol::pki::{Certificate, Revocations, Role};

/// The sources of a lookup: DNS, SMPs over HTTP, and the certificate authorities for revocation.
pub trait Ask: Sync {
    /// The NAPTR records of an absolute name. The list is empty when the name or its records do not exist (NXDOMAIN,
    /// NODATA). An error means that DNS gave no answer (SERVFAIL, timeout).
    fn naptr(&self, name: &str) -> impl Future<Output = Result<Vec<Naptr>, AskError>> + Send;

    /// The response to a GET. Redirects are not followed. The body is cut after [`MAX_BYTES`] plus one byte.
    ///
    /// [`MAX_BYTES`]: crate::peppol::smp::MAX_BYTES
    fn get(&self, url: &str) -> impl Future<Output = Result<Answer, AskError>> + Send;

    /// The known revocations of a certificate, as far as they can be fetched. The trust store decides what missing
    /// revocation data means.
    fn revocations(
        &self,
        certificate: &Certificate,
        role: Role,
    ) -> impl Future<Output = Revocations> + Send;
}

/// An HTTP response of any status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// No response arrived; the text is the error of the layer that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AskError(pub String);
