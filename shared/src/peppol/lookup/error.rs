//! How a lookup ends without an endpoint.

use super::{ask::AskError, naptr::NaptrFault};
use crate::peppol::{
    pki::TrustError,
    smp::{AddressError, Defect, NotCapable, SignatureFault, SmpError},
};

/// How a lookup ends without an endpoint. Each is another thing to tell a sender: send otherwise, send something else,
/// try again, tell the recipient.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Nobody receives for this participant.
    #[error("the recipient is not registered: {0}")]
    NotRegistered(#[from] NotRegistered),
    /// The recipient receives, but not this.
    #[error("the recipient cannot take this: {0}")]
    NotCapable(#[from] NotCapable),
    /// It could not be found out; it may be, later.
    #[error("the lookup failed: {0}")]
    Failed(#[from] Failure),
    /// The registration is wrong, which its owner has to mend.
    #[error("the recipient's registration is defective: {0}")]
    Defective(#[from] Defective),
}

/// Who says that there is no such participant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRegistered {
    /// DNS.
    #[error("DNS has nothing under {0}")]
    Dns(String),
    /// The SMP that DNS names.
    #[error("its SMP has nothing under {0}")]
    Publisher(String),
}

/// Why it could not be found out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// DNS does not say.
    #[error("DNS did not answer for {name}: {cause}")]
    Dns {
        /// The name asked for.
        name: String,
        /// What happened.
        cause: AskError,
    },
    /// The SMP does not answer.
    #[error("{url} did not answer: {cause}")]
    Unreachable {
        /// The address asked.
        url: String,
        /// What happened.
        cause: AskError,
    },
    /// The SMP answers something else than a document or that it has none.
    #[error("{url} answered with status {status}")]
    Status {
        /// The address asked.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// What the SMP answers is no document of an SMP.
    #[error("{url} answered what is {error}")]
    Garbage {
        /// The address asked.
        url: String,
        /// What it is.
        error: SmpError,
    },
    /// Whether a certificate is revoked is not known.
    #[error("{0}")]
    Revocation(TrustError),
}

/// What is wrong with a registration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defective {
    /// Its records in DNS.
    #[error("{0}")]
    Dns(#[from] NaptrFault),
    /// What its SMP publishes.
    #[error("{url}: {error}")]
    Document {
        /// The address asked.
        url: String,
        /// What is wrong.
        error: SmpError,
    },
    /// The signature of its SMP.
    #[error("{url}: {error}")]
    Signature {
        /// The address asked.
        url: String,
        /// What is wrong.
        error: SignatureFault,
    },
    /// The certificate of its SMP.
    #[error("{url} is signed with a certificate that is not trusted: {error}")]
    Publisher {
        /// The address asked.
        url: String,
        /// What is wrong.
        error: TrustError,
    },
    /// Its SMP answers about something else.
    #[error("{url} answers about {answered}, asked about {asked}")]
    OtherAnswer {
        /// The address asked.
        url: String,
        /// What was asked for.
        asked: String,
        /// What came.
        answered: String,
    },
    /// Its SMP lists what it does not have.
    #[error("the SMP lists {url}, and has nothing there")]
    Unlisted {
        /// The address asked.
        url: String,
    },
    /// Its SMP sends on to an address that is not gone to.
    #[error("{url} redirects: {error}")]
    RedirectAddress {
        /// The address asked.
        url: String,
        /// What is wrong.
        error: AddressError,
    },
    /// Its SMP sends on to one that is somebody else.
    #[error("{url} is signed by {signer}; the SMP that redirects there expects {expected}")]
    RedirectSigner {
        /// The address asked.
        url: String,
        /// The subject of the certificate there.
        signer: String,
        /// The subject that was announced.
        expected: String,
    },
    /// Its SMP sends on to one that sends on (Peppol SMP 1.4: once).
    #[error("{url} redirects for a second time")]
    RedirectTwice {
        /// The address asked.
        url: String,
    },
    /// Its access point.
    #[error("{0}")]
    Endpoint(#[from] Defect),
    /// The certificate of its access point.
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

    /// Whether the same question may be answered otherwise soon.
    pub fn is_retryable(&self) -> bool {
        matches!(self, LookupError::Failed(_))
    }

    /// A document that cannot be read: garbage may pass, what is wrong in a document stays.
    pub(super) fn of_document(url: &str, error: SmpError) -> Self {
        let url = url.to_owned();
        if error.is_retryable() {
            return Failure::Garbage { url, error }.into();
        }
        Defective::Document { url, error }.into()
    }

    /// The certificate of an access point that is not trusted.
    pub(super) fn of_access_point(error: TrustError) -> Self {
        if error.is_retryable() {
            return Failure::Revocation(error).into();
        }
        Defective::AccessPoint(error).into()
    }

    /// The certificate of an SMP that is not trusted.
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
