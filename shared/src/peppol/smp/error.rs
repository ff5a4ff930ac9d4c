//! Why a document of an SMP cannot be used.

use crate::peppol::pki::{BadSignature, CertificateError};

/// Why a document of an SMP cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SmpError {
    /// Not XML, or another document, such as an error page or the page of a broken proxy. A retry may succeed.
    #[error("not a {expected}: {reason}")]
    Garbage {
        /// The expected document.
        expected: &'static str,
        /// The reason.
        reason: String,
    },
    /// An element or attribute does not occur exactly once.
    #[error("{within} has {count} of {name}, not 1")]
    Count {
        /// The parent element.
        within: String,
        /// The element or attribute.
        name: &'static str,
        /// How often it occurs.
        count: usize,
    },
    /// A value has the wrong form.
    #[error("{name} {text:?} cannot be read: {reason}")]
    Value {
        /// The element or attribute.
        name: &'static str,
        /// The value, possibly cut.
        text: String,
        /// The reason.
        reason: String,
    },
    /// The signature does not prove the document.
    #[error("the signature does not hold: {0}")]
    Signature(#[from] SignatureFault),
}

impl SmpError {
    /// Whether a retry at the same address may give a usable document.
    pub fn is_retryable(&self) -> bool {
        matches!(self, SmpError::Garbage { .. })
    }
}

/// Why a signature does not prove a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// The document does not have exactly one signature.
    #[error("there are {0} signatures, not 1")]
    Signatures(usize),
    /// An algorithm that SMPs do not use.
    #[error("the {what} {uri:?} is not allowed")]
    Algorithm {
        /// Its purpose.
        what: &'static str,
        /// Its URI.
        uri: String,
    },
    /// The signature does not cover the whole document.
    #[error("it covers {0:?}, not the whole document")]
    Coverage(String),
    /// Two elements have the same id.
    #[error("the id {0:?} occurs twice")]
    DuplicateId(String),
    /// The document differs from the signed one.
    #[error("the document was changed after it was signed")]
    Digest,
    /// The certificate of the signer cannot be read.
    #[error("the signer's certificate: {0}")]
    Certificate(CertificateError),
    /// The trusted certificate differs from the signer's, or is trusted for another role.
    #[error("it was signed by {0}, which is not the trusted SMP")]
    Signer(String),
    /// The signature value is wrong.
    #[error("{0}")]
    Value(#[from] BadSignature),
    /// The signed form of the document could not be computed.
    #[error("canonicalization failed: {0}")]
    Canonicalization(String),
}
