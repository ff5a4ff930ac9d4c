//! Checks a certificate: chain, validity, usage, seat and revocation (RFC 5280, section 6; Peppol AS4 profile 2.0.3,
//! Peppol PKI G3).

use std::ops::Deref;

use jiff::Timestamp;

use super::{
    Anchors, Certificate, Role,
    anchors::Anchor,
    chain::{USAGE, verify},
    remembered,
    revocation::Revocations,
    revocation_status::{Status, Unknown},
};
use crate::peppol::identifiers::SeatId;

/// A certificate that passed [`Trust::check`], the only way to construct this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trusted {
    certificate: Certificate,
    role: Role,
}

impl Trusted {
    /// The role it was checked for.
    pub fn role(&self) -> Role {
        self.role
    }
}

impl Deref for Trusted {
    type Target = Certificate;

    fn deref(&self) -> &Certificate {
        &self.certificate
    }
}

/// The treatment of a certificate with unknown revocation status. A revoked certificate is always refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RevocationPolicy {
    /// The certificate is refused until the status is known.
    #[default]
    HardFail,
    /// The certificate is accepted.
    SoftFail,
}

/// The authorities of a network, and its revocation policy.
#[derive(Debug, Clone)]
pub struct Trust {
    anchors: Anchors,
    revocation: RevocationPolicy,
}

/// Why a certificate is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// The validity has not started.
    #[error("the certificate of {name} is not valid before {until}")]
    NotYetValid {
        /// The holder.
        name: String,
        /// The start of its validity.
        until: Timestamp,
    },
    /// The validity has ended.
    #[error("the certificate of {name} expired at {since}")]
    Expired {
        /// The holder.
        name: String,
        /// The end of its validity.
        since: Timestamp,
    },
    /// The issuer is of another network or another role, or unknown.
    #[error("the certificate of {name} was issued by {issuer}, not by {expected}")]
    ForeignIssuer {
        /// The holder.
        name: String,
        /// The issuer named in the certificate.
        issuer: String,
        /// The expected issuers.
        expected: String,
    },
    /// The named issuer is right, but its signature is not.
    #[error(
        "the certificate of {name} names {issuer} as its issuer, whose signature it does not bear"
    )]
    Forged {
        /// The holder.
        name: String,
        /// The named issuer.
        issuer: String,
    },
    /// The authority itself is not valid now.
    #[error("the authority {issuer} is valid from {from} to {to} only")]
    Authority {
        /// The authority.
        issuer: String,
        /// The start of its validity.
        from: Timestamp,
        /// The end of its validity.
        to: Timestamp,
    },
    /// The certificate lacks a required key usage.
    #[error("the certificate of {name} lacks the usage {usage}")]
    Usage {
        /// The holder.
        name: String,
        /// The missing usage, as RFC 5280 names it.
        usage: &'static str,
    },
    /// Its common name is not a seat.
    #[error("the certificate of an access point is issued to a seat: {0}")]
    Seat(String),
    /// Another error of RFC 5280.
    #[error("the certificate of {name} cannot be used: {reason}")]
    Unusable {
        /// The holder.
        name: String,
        /// The error message of the verifier.
        reason: String,
    },
    /// The issuer revoked the certificate.
    #[error("the certificate of {name} was revoked at {at} ({reason})")]
    Revoked {
        /// The holder.
        name: String,
        /// The time of revocation.
        at: Timestamp,
        /// The reason, as RFC 5280 names it.
        reason: &'static str,
    },
    /// The revocation status is unknown; a retry may succeed.
    #[error("whether the certificate of {name} was revoked is not known: {unknown}")]
    RevocationUnknown {
        /// The holder.
        name: String,
        /// The reason.
        unknown: Unknown,
    },
}

impl TrustError {
    /// Whether a retry with fresh revocation information may succeed.
    pub fn is_retryable(&self) -> bool {
        matches!(self, TrustError::RevocationUnknown { .. })
    }
}

impl Trust {
    /// Trusts the authorities of one network. The default policy refuses certificates of unknown revocation status.
    pub fn new(anchors: Anchors) -> Self {
        Trust { anchors, revocation: RevocationPolicy::default() }
    }

    /// The same authorities with another revocation policy.
    pub fn with_revocation(self, revocation: RevocationPolicy) -> Self {
        Trust { revocation, ..self }
    }

    #[cfg(test)]
    pub(super) fn anchor(&self, role: Role) -> &Anchor {
        &self.anchors.of(role)[0]
    }

    /// Checks everything but revocation, before anything is fetched from an address in the certificate. Returns the
    /// issuing authority: it signs revocation lists, and OCSP requests name it.
    pub fn check_issued(
        &self,
        certificate: &Certificate,
        role: Role,
        now: Timestamp,
    ) -> Result<&Certificate, TrustError> {
        self.issued_by(certificate, role, now).map(|anchor| &anchor.certificate)
    }

    /// As [`Trust::check_issued`], but returns the whole anchor.
    fn issued_by(
        &self,
        certificate: &Certificate,
        role: Role,
        now: Timestamp,
    ) -> Result<&Anchor, TrustError> {
        check_validity(certificate, now)?;
        let anchor = self.issuer(certificate, role, now)?;
        check_usage(certificate, role)?;
        if role == Role::AccessPoint {
            // Peppol AS4 profile 2.0.3: the common name of its certificate identifies a party.
            let seat = certificate.common_name().parse::<SeatId>();
            seat.map_err(|error| TrustError::Seat(error.to_string()))?;
        }
        Ok(anchor)
    }

    /// The role's authority that the certificate names and that signed it. An authority may have several keys under
    /// one name.
    fn issuer(
        &self,
        certificate: &Certificate,
        role: Role,
        now: Timestamp,
    ) -> Result<&Anchor, TrustError> {
        let anchors = self.anchors.of(role);
        let names =
            |anchor: &&Anchor| anchor.certificate.tbs().subject() == certificate.tbs().issuer();
        let mut refused = None;
        for anchor in anchors.iter().filter(names) {
            let checked = check_authority(&anchor.certificate, now)
                .and_then(|()| check_chain(certificate, anchor, now));
            match checked {
                Ok(()) => return Ok(anchor),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let expected = || anchors.iter().map(|anchor| anchor.certificate.subject());
        Err(refused.unwrap_or_else(|| TrustError::ForeignIssuer {
            name: certificate.common_name().to_owned(),
            issuer: certificate.issuer(),
            expected: expected().collect::<Vec<_>>().join(" or "),
        }))
    }

    /// Checks a certificate for a role at an instant.
    pub fn check(
        &self,
        certificate: &Certificate,
        role: Role,
        now: Timestamp,
        revocations: &Revocations,
    ) -> Result<Trusted, TrustError> {
        let anchor = self.issued_by(certificate, role, now)?;
        let name = || certificate.common_name().to_owned();
        match (revocations.status(certificate, anchor, now), self.revocation) {
            (Ok(Status::Good), _) | (Err(_), RevocationPolicy::SoftFail) => {}
            (Ok(Status::Revoked { at, reason }), _) => {
                return Err(TrustError::Revoked { name: name(), at, reason });
            }
            (Err(unknown), RevocationPolicy::HardFail) => {
                return Err(TrustError::RevocationUnknown { name: name(), unknown });
            }
        }
        remembered::trusted(certificate);
        Ok(Trusted { certificate: certificate.clone(), role })
    }
}

/// RFC 5280, section 6.1.3 (a) (2); both bounds are inclusive.
fn check_validity(certificate: &Certificate, now: Timestamp) -> Result<(), TrustError> {
    let name = || certificate.common_name().to_owned();
    if now < certificate.not_before() {
        return Err(TrustError::NotYetValid { name: name(), until: certificate.not_before() });
    }
    if now > certificate.not_after() {
        return Err(TrustError::Expired { name: name(), since: certificate.not_after() });
    }
    Ok(())
}

/// Checks the validity of the issuing authority.
fn check_authority(authority: &Certificate, now: Timestamp) -> Result<(), TrustError> {
    if !(authority.not_before()..=authority.not_after()).contains(&now) {
        return Err(TrustError::Authority {
            issuer: authority.common_name().to_owned(),
            from: authority.not_before(),
            to: authority.not_after(),
        });
    }
    Ok(())
}

fn check_chain(
    certificate: &Certificate,
    anchor: &Anchor,
    now: Timestamp,
) -> Result<(), TrustError> {
    verify(certificate, anchor, now, USAGE, None).map_err(|error| {
        let name = certificate.common_name().to_owned();
        let issuer = anchor.certificate.subject();
        match error {
            webpki::Error::InvalidSignatureForPublicKey => TrustError::Forged { name, issuer },
            webpki::Error::RequiredEkuNotFoundContext(_) => {
                TrustError::Usage { name, usage: "clientAuth" }
            }
            other => TrustError::Unusable { name, reason: other.to_string() },
        }
    })
}

/// RFC 5280, section 4.2.1.3: AS4 signs with the key, and others encrypt keys for it.
fn check_usage(certificate: &Certificate, role: Role) -> Result<(), TrustError> {
    let (sign, encrypt) = certificate.key_usage();
    let missing = match role {
        _ if !sign => "digitalSignature",
        Role::AccessPoint if !encrypt => "keyEncipherment",
        _ => return Ok(()),
    };
    Err(TrustError::Usage { name: certificate.common_name().to_owned(), usage: missing })
}

#[cfg(test)]
mod tests;
