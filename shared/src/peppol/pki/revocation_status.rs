//! The revocation status of a certificate, or why it is unknown. Lists and responders give the same.

use jiff::{SignedDuration, Timestamp};

/// Longest accepted response of a responder. A response about one certificate is far shorter.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Maximum clock difference between an authority and us.
pub const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// The revocation status of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Status {
    /// Not revoked.
    Good,
    /// Revoked.
    Revoked { at: Timestamp, reason: &'static str },
}

/// Why the revocation status is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// There is neither a list nor a response.
    #[error(
        "there is neither a list from the address in the certificate nor an answer of its responder"
    )]
    NoInformation,
    /// The list is of another issuer.
    #[error("the list is another issuer's")]
    OtherIssuer,
    /// The list is unusable.
    #[error("the list cannot be used: {0}")]
    Unusable(String),
    /// The response is unusable.
    #[error("the responder's answer cannot be used: {0}")]
    Ocsp(OcspError),
    /// The data is outdated.
    #[error("the information held until {0}")]
    Outdated(Timestamp),
    /// The data is not valid yet.
    #[error("the information holds only from {0}")]
    Early(Timestamp),
}

/// Why a response is unusable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OcspError {
    /// Longer than 64 KiB.
    #[error("it has {0} bytes, more than {MAX_ANSWER_BYTES}")]
    TooLong(usize),
    /// Not an OCSP response in DER.
    #[error("it is not one: {0}")]
    Der(String),
    /// The responder refused the request.
    #[error("the responder says {0}")]
    Refused(&'static str),
    /// The signature algorithm is not RSA with SHA-256.
    #[error("it is signed with {0}")]
    Algorithm(String),
    /// The signer is neither the authority nor a responder that it delegated.
    #[error("no authorized responder signed it")]
    Signature,
    /// The responder does not know the certificate.
    #[error("the responder does not know the certificate")]
    UnknownCertificate,
    /// The response has no end of validity.
    #[error("it does not say until when it holds")]
    NoNextUpdate,
}

/// Checks whether data with these dates is valid now.
pub(super) fn check_dates(
    this_update: Timestamp,
    next_update: Timestamp,
    now: Timestamp,
) -> Result<(), Unknown> {
    if now.saturating_add(CLOCK_SKEW).unwrap_or(Timestamp::MAX) < this_update {
        return Err(Unknown::Early(this_update));
    }
    if now >= next_update {
        return Err(Unknown::Outdated(next_update));
    }
    Ok(())
}

/// CRLReason (RFC 5280, section 5.3.1).
pub(super) fn reason_name(code: u32) -> &'static str {
    match code {
        1 => "keyCompromise",
        2 => "cACompromise",
        3 => "affiliationChanged",
        4 => "superseded",
        5 => "cessationOfOperation",
        6 => "certificateHold",
        8 => "removeFromCRL",
        9 => "privilegeWithdrawn",
        10 => "aACompromise",
        _ => "unspecified",
    }
}
