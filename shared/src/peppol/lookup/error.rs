//! Why a lookup ends without an endpoint.

use super::{ask::AskError, naptr::NaptrFault};
use crate::peppol::{
    pki::TrustError,
    smp::{AddressError, Defect, NotCapable, SignatureFault, SmpError},
};

/// Why a lookup ends without an endpoint. Each outcome needs another reaction of the sender:
///
/// | outcome | reaction |
/// |---|---|
/// | `NotRegistered` | use another channel |
/// | `NotCapable` | send another document |
/// | `Failed` | retry |
/// | `Defective` | inform the recipient |
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The participant is not registered.
    #[error("the recipient is not registered: {0}")]
    NotRegistered(#[from] NotRegistered),
    /// The participant is registered, but not for this document.
    #[error("the recipient cannot receive this: {0}")]
    NotCapable(#[from] NotCapable),
    /// The lookup failed; a retry may succeed.
    #[error("the lookup failed: {0}")]
    Failed(#[from] Failure),
    /// The registration is wrong; its owner must correct it.
    #[error("the recipient's registration is defective: {0}")]
    Defective(#[from] Defective),
}

/// The source that does not know the participant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRegistered {
    /// DNS.
    #[error("DNS has nothing under {0}")]
    Dns(String),
    /// The SMP from the DNS record.
    #[error("its SMP has nothing under {0}")]
    Publisher(String),
}

/// Why the lookup failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// DNS gave no answer.
    #[error("DNS did not answer for {name}: {cause}")]
    Dns {
        /// The name in the query.
        name: String,
        /// The error.
        cause: AskError,
    },
    /// The SMP did not answer.
    #[error("{url} did not answer: {cause}")]
    Unreachable {
        /// The requested address.
        url: String,
        /// The error.
        cause: AskError,
    },
    /// The SMP answered neither with a document nor with "not found".
    #[error("{url} answered with status {status}")]
    Status {
        /// The requested address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The body is not an SMP document.
    #[error("{url} answered what is {error}")]
    Garbage {
        /// The requested address.
        url: String,
        /// The error.
        error: SmpError,
    },
    /// The revocation status of a certificate is unknown.
    #[error("{0}")]
    Revocation(TrustError),
}

/// Why a registration is defective.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defective {
    /// Its DNS records are wrong.
    #[error("{0}")]
    Dns(#[from] NaptrFault),
    /// The document of its SMP is wrong.
    #[error("{url}: {error}")]
    Document {
        /// The requested address.
        url: String,
        /// The error.
        error: SmpError,
    },
    /// The signature of its SMP is wrong.
    #[error("{url}: {error}")]
    Signature {
        /// The requested address.
        url: String,
        /// The error.
        error: SignatureFault,
    },
    /// The certificate of its SMP is not trusted.
    #[error("{url} is signed with a certificate that is not trusted: {error}")]
    Publisher {
        /// The requested address.
        url: String,
        /// The error.
        error: TrustError,
    },
    /// Its SMP answered about another participant or document type.
    #[error("{url} answers about {answered}, asked about {asked}")]
    OtherAnswer {
        /// The requested address.
        url: String,
        /// The requested identifier.
        asked: String,
        /// The identifier in the answer.
        answered: String,
    },
    /// Its SMP lists a document that it does not have.
    #[error("the SMP lists {url}, and has nothing there")]
    Unlisted {
        /// The requested address.
        url: String,
    },
    /// Its SMP redirects to an address that is not allowed.
    #[error("{url} redirects: {error}")]
    RedirectAddress {
        /// The requested address.
        url: String,
        /// The error.
        error: AddressError,
    },
    /// Its SMP redirects to an SMP with another certificate than it announced.
    #[error("{url} is signed by {signer}; the SMP that redirects there expects {expected}")]
    RedirectSigner {
        /// The requested address.
        url: String,
        /// The subject of the certificate found there.
        signer: String,
        /// The subject that was announced.
        expected: String,
    },
    /// The target of a redirect redirects again (Peppol SMP 1.4 allows one redirect).
    #[error("{url} redirects for a second time")]
    RedirectTwice {
        /// The requested address.
        url: String,
    },
    /// The address or certificate of its access point is invalid.
    #[error("{0}")]
    Endpoint(#[from] Defect),
    /// The certificate of its access point is not trusted.
    #[error("its access point: {0}")]
    AccessPoint(TrustError),
}

impl LookupError {
    /// The outcome in snake case.
    pub fn code(&self) -> &'static str {
        match self {
            LookupError::NotRegistered(_) => "recipient_not_registered",
            LookupError::NotCapable(_) => "recipient_not_capable",
            LookupError::Failed(_) => "lookup_failed",
            LookupError::Defective(_) => "recipient_defective",
        }
    }

    /// Whether a retry may give another result soon.
    pub fn is_retryable(&self) -> bool {
        matches!(self, LookupError::Failed(_))
    }

    /// The error for an unreadable document. A body that is no SMP document may be temporary; a wrong document is
    /// not.
    pub(super) fn of_document(url: &str, error: SmpError) -> Self {
        let url = url.to_owned();
        if error.is_retryable() {
            return Failure::Garbage { url, error }.into();
        }
        Defective::Document { url, error }.into()
    }

    /// The error for an access point's untrusted certificate.
    pub(super) fn of_access_point(error: TrustError) -> Self {
        if error.is_retryable() {
            return Failure::Revocation(error).into();
        }
        Defective::AccessPoint(error).into()
    }

    /// The error for an SMP's untrusted certificate.
    pub(super) fn of_publisher(url: &str, error: TrustError) -> Self {
        if error.is_retryable() {
            return Failure::Revocation(error).into();
        }
        Defective::Publisher { url: url.to_owned(), error }.into()
    }
}

impl From<crate::peppol::smp::ChoiceError> for LookupError {
    fn from(error: crate::peppol::smp::ChoiceError) -> Self {
        match error {
            crate::peppol::smp::ChoiceError::NotCapable(reason) => reason.into(),
            crate::peppol::smp::ChoiceError::Defect(defect) => Defective::Endpoint(defect).into(),
        }
    }
}
