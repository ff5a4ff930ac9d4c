//! The two questions of a lookup.

use super::naptr::Naptr;

/// Who can be asked: DNS, and SMPs by HTTP.
pub trait Ask: Sync {
    /// The NAPTR records of an absolute name: none when the name does not exist or has none (NXDOMAIN, NODATA); an
    /// error when nobody can say (SERVFAIL, no answer).
    fn naptr(&self, name: &str) -> impl Future<Output = Result<Vec<Naptr>, AskError>> + Send;

    /// What an address answers to GET, redirects not followed, of the body no more than [`MAX_BYTES`] and one byte.
    ///
    /// [`MAX_BYTES`]: crate::peppol::smp::MAX_BYTES
    fn get(&self, url: &str) -> impl Future<Output = Result<Answer, AskError>> + Send;
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
