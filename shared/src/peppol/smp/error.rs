//! Why a document of an SMP cannot be used.

use crate::peppol::pki::{BadSignature, CertificateError};

/// Why a document of an SMP cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SmpError {
    /// Not XML, or not that document at all: an error page, a broken proxy. It may be well the next time.
    #[error("not a {expected}: {reason}")]
    Garbage {
        /// What it should be.
        expected: &'static str,
        /// What it is.
        reason: String,
    },
    /// An element or attribute stands less or more often than once.
    #[error("{within} has {count} of {name}, not 1")]
    Count {
        /// The element around it.
        within: String,
        /// The element or attribute.
        name: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A value is not of its kind.
    #[error("{name} {text:?} cannot be read: {reason}")]
    Value {
        /// The element or attribute.
        name: &'static str,
        /// What stands there, or how it begins.
        text: String,
        /// Why it cannot be.
        reason: String,
    },
    /// The signature is not one that proves the document.
    #[error("the signature does not hold: {0}")]
    Signature(#[from] SignatureFault),
}

impl SmpError {
    /// Whether the same address may give a usable document at another try.
    pub fn is_retryable(&self) -> bool {
        matches!(self, SmpError::Garbage { .. })
    }
}

/// Why a signature does not prove a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// None, or several.
    #[error("there are {0} signatures, not 1")]
    Signatures(usize),
    /// Something else than what an SMP signs with.
    #[error("the {what} {uri:?} is not allowed")]
    Algorithm {
        /// What it is for.
        what: &'static str,
        /// What was used.
        uri: String,
    },
    /// Not the whole document is signed.
    #[error("it covers {0:?}, not the whole document")]
    Coverage(String),
    /// Two elements have one id.
    #[error("the id {0:?} stands twice")]
    DuplicateId(String),
    /// The document is another one than was signed.
    #[error("the document was changed after it was signed")]
    Digest,
    /// The certificate of the signer cannot be read.
    #[error("the signer's certificate: {0}")]
    Certificate(CertificateError),
    /// The certificate that is trusted is another one, or trusted for something else.
    #[error("it was made by {0}, which is not the trusted SMP")]
    Signer(String),
    /// The signature's own value is wrong.
    #[error("{0}")]
    Value(#[from] BadSignature),
    /// The signature could not be brought into the form that was signed.
    #[error("canonicalization failed: {0}")]
    Canonicalization(String),
}
