//! The revocation check on data fetched earlier. It uses lists of the authority (RFC 5280, section 5) first, and
//! responses of its OCSP responder (RFC 6960) where no list is usable.

use std::{collections::BTreeMap, sync::Arc};

use der::Decode;
use jiff::{SignedDuration, Timestamp};
use webpki::{
    CertRevocationList, OwnedCertRevocationList, RevocationCheckDepth, RevocationOptionsBuilder,
    RevocationReason,
};
use x509_cert::crl::CertificateList;

use super::{
    Certificate,
    anchors::Anchor,
    certificate::instant,
    chain::{USAGE, verify},
    ocsp::{self, OcspError},
};

/// Longest accepted list. An entry has about 40 bytes.
pub const MAX_LIST_BYTES: usize = 10 * 1024 * 1024;

/// Maximum clock difference between an authority and us.
pub const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// A published revocation list. Its signature is checked when a certificate is looked up in it.
#[derive(Debug)]
pub struct RevocationList {
    list: CertRevocationList<'static>,
    this_update: Timestamp,
    next_update: Timestamp,
}

/// Why bytes are not a usable list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RevocationListError {
    /// Longer than [`MAX_LIST_BYTES`].
    #[error("the revocation list has {0} bytes, more than {MAX_LIST_BYTES}")]
    TooLong(usize),
    /// Not a list in DER, or of an unsupported kind (delta, indirect).
    #[error("the bytes are not a complete revocation list: {0}")]
    Der(String),
    /// RFC 5280, section 5.1.2.5: a list has a date of the next update.
    #[error("the revocation list does not say until when it holds")]
    NoNextUpdate,
}

impl RevocationList {
    /// Reads DER.
    pub fn from_der(der: &[u8]) -> Result<Self, RevocationListError> {
        if der.len() > MAX_LIST_BYTES {
            return Err(RevocationListError::TooLong(der.len()));
        }
        let list = OwnedCertRevocationList::from_der(der)
            .map_err(|error| RevocationListError::Der(error.to_string()))?;
        let dates = CertificateList::<x509_cert::certificate::Rfc5280>::from_der(der)
            .map_err(|error| RevocationListError::Der(error.to_string()))?
            .tbs_cert_list;
        let next_update = dates.next_update.ok_or(RevocationListError::NoNextUpdate)?;
        let read =
            |time| instant(time).map_err(|error| RevocationListError::Der(error.to_string()));
        Ok(RevocationList {
            list: list.into(),
            this_update: read(dates.this_update)?,
            next_update: read(next_update)?,
        })
    }

    /// The date of the next update.
    pub fn next_update(&self) -> Timestamp {
        self.next_update
    }

    fn status(
        &self,
        certificate: &Certificate,
        anchor: &Anchor,
        now: Timestamp,
    ) -> Result<Status, Unknown> {
        // A revoked certificate stays revoked, so an outdated list counts too: the dates are checked last.
        if self.is_revoked(certificate, anchor, now)? {
            return self.revoked(certificate);
        }
        check_dates(self.this_update, self.next_update, now)?;
        Ok(Status::Good)
    }

    /// Checks the issuer and signature of the list, and looks up the certificate.
    fn is_revoked(
        &self,
        certificate: &Certificate,
        anchor: &Anchor,
        now: Timestamp,
    ) -> Result<bool, Unknown> {
        let lists = [&self.list];
        let options = RevocationOptionsBuilder::new(&lists)
            .map_err(|_| Unknown::NoInformation)?
            .with_depth(RevocationCheckDepth::EndEntity)
            .build();
        match verify(certificate, anchor, now, USAGE, Some(options)) {
            Ok(()) => Ok(false),
            Err(webpki::Error::CertRevoked) => Ok(true),
            Err(webpki::Error::UnknownRevocationStatus) => Err(Unknown::OtherIssuer),
            Err(error) => Err(Unknown::Unusable(error.to_string())),
        }
    }

    fn revoked(&self, certificate: &Certificate) -> Result<Status, Unknown> {
        let unusable = |error: webpki::Error| Unknown::Unusable(error.to_string());
        let entry = self
            .list
            .find_serial(certificate.tbs().serial_number().as_bytes())
            .map_err(unusable)?;
        let entry = entry.ok_or(Unknown::NoInformation)?;
        let seconds = i64::try_from(entry.revocation_date.as_secs()).unwrap_or(i64::MAX);
        let at = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
        let reason = entry.reason_code.unwrap_or(RevocationReason::Unspecified);
        Ok(Status::Revoked { at, reason: reason_name(reason as u32) })
    }
}

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

/// Fetched data: lists by their address in certificates, and responses of responders.
#[derive(Debug, Default)]
pub struct Revocations {
    lists: BTreeMap<String, Arc<RevocationList>>,
    answers: Vec<Vec<u8>>,
}

impl Revocations {
    /// Adds a list fetched from `url` and replaces an earlier one.
    #[must_use]
    pub fn with_list(mut self, url: &str, list: impl Into<Arc<RevocationList>>) -> Self {
        self.lists.insert(url.to_owned(), list.into());
        self
    }

    /// Adds the response of a responder to an [`ocsp::request`].
    #[must_use]
    pub fn with_answer(mut self, answer: Vec<u8>) -> Self {
        self.answers.push(answer);
        self
    }

    /// Combines all sources. "Revoked" wins, then "good", then the first reason for an unknown status.
    pub(super) fn status(
        &self,
        certificate: &Certificate,
        anchor: &Anchor,
        now: Timestamp,
    ) -> Result<Status, Unknown> {
        let urls = certificate.crl_urls();
        let lists = urls.iter().filter_map(|url| self.lists.get(url.as_str()));
        let lists = lists.map(|list| list.status(certificate, anchor, now));
        let answers = self
            .answers
            .iter()
            .filter_map(|answer| ocsp::status(answer, certificate, anchor, now).transpose());
        let mut best = Err(Unknown::NoInformation);
        for found in lists.chain(answers) {
            match (&best, &found) {
                (_, Ok(Status::Revoked { .. })) => return found,
                (Err(_), Ok(Status::Good)) | (Err(Unknown::NoInformation), Err(_)) => best = found,
                _ => {}
            }
        }
        best
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peppol::pki::{
        Role,
        testing::{AP_CRL, Flaw, PKI, SMP_CRL, now, serial},
    };

    fn status(flaw: Flaw, revocations: &Revocations, at: &str) -> Result<Status, Unknown> {
        let leaf = PKI.issue(&PKI.ap, "PAE000001", flaw);
        let trust = PKI.trust();
        revocations.status(&leaf.certificate, trust.anchor(Role::AccessPoint), at.parse().unwrap())
    }

    fn list(der: &[u8]) -> RevocationList {
        RevocationList::from_der(der).unwrap()
    }

    #[test]
    fn a_list_holds_between_its_dates() {
        let revocations = PKI.revocations();
        assert_eq!(list(&PKI.ap.crl()).next_update().to_string(), "2026-07-01T00:00:00Z");
        for (at, expected) in [
            ("2026-05-31T23:50:00Z", Err(Unknown::Early("2026-06-01T00:00:00Z".parse().unwrap()))),
            ("2026-05-31T23:56:00Z", Ok(Status::Good)),
            ("2026-06-30T23:59:59Z", Ok(Status::Good)),
            (
                "2026-07-01T00:00:00Z",
                Err(Unknown::Outdated("2026-07-01T00:00:00Z".parse().unwrap())),
            ),
        ] {
            assert_eq!(status(Flaw::None, &revocations, at), expected, "{at}");
        }
    }

    #[test]
    fn what_is_revoked_stays_so_in_an_outdated_list() {
        let found = status(Flaw::Revoked, &PKI.revocations(), "2027-01-01T00:00:00Z");
        assert!(matches!(found, Ok(Status::Revoked { .. })), "{found:?}");
    }

    #[test]
    fn a_list_of_somebody_else_says_nothing() {
        let at = now().to_string();
        let under = |url: &str, der: &[u8]| Revocations::default().with_list(url, list(der));
        let of_other_name = under(AP_CRL, &PKI.smp.crl());
        assert_eq!(status(Flaw::None, &of_other_name, &at), Err(Unknown::OtherIssuer));
        let of_other_key = under(AP_CRL, &PKI.foreign.crl());
        let found = status(Flaw::None, &of_other_key, &at);
        assert!(matches!(found, Err(Unknown::Unusable(_))), "{found:?}");
        let elsewhere = under(SMP_CRL, &PKI.ap.crl());
        assert_eq!(status(Flaw::None, &elsewhere, &at), Err(Unknown::NoInformation));
    }

    #[test]
    fn a_changed_list_says_nothing() {
        let mut der = PKI.ap.crl();
        // Replace the revoked serial number by that of another certificate.
        let entry = serial(Flaw::Revoked).to_be_bytes();
        let at = der.windows(8).position(|part| part == entry).unwrap();
        der[at + 7] ^= 0xff;
        let revocations = Revocations::default().with_list(AP_CRL, list(&der));
        let found = status(Flaw::Revoked, &revocations, &now().to_string());
        assert!(matches!(found, Err(Unknown::Unusable(_))), "{found:?}");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let whole = PKI.ap.crl();
        for der in [&whole[1..], &whole[..whole.len() - 1], b"", PKI.root.der()] {
            assert!(matches!(RevocationList::from_der(der), Err(RevocationListError::Der(_))));
        }
        let long = vec![0x30; MAX_LIST_BYTES + 1];
        let error = RevocationList::from_der(&long).unwrap_err();
        assert_eq!(error, RevocationListError::TooLong(MAX_LIST_BYTES + 1));
    }
}
