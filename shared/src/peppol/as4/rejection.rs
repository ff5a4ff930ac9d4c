//! Error signals of the other access point, and the reaction to them.

use serde::{Deserialize, Serialize};

use super::{
    ids::MessageId,
    names::ns,
    receipt::{BadSignal, Sent, check_signal},
    refusal::shown,
    signature::Signed,
};
use crate::peppol::{
    dom::El,
    pki::{Certificate, Trusted},
};

/// One `eb:Error`; its texts are cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerError {
    /// The error code, such as `EBMS:0004`.
    pub code: String,
    /// `failure` or `warning`; Oxalis also sends `error`.
    pub severity: String,
    /// The short description.
    pub short_description: String,
    /// The cause, in the text of the other access point.
    pub detail: String,
}

/// A response that rejects the message.
#[derive(Debug)]
pub struct Rejection {
    errors: Vec<PeerError>,
    ref_to: Option<MessageId>,
    signed: Option<Signed>,
}

/// Whether the origin of a rejection is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authenticity {
    /// The receiver signed it: [`Rejection::verify`] succeeded.
    Proven,
    /// Anybody may have sent it. It ends the attempt, but proves nothing.
    Unproven,
}

/// The reaction to a response that is not a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Retry under a new id: some access points store an id before the delivery fails.
    Retry,
    /// A retry does not help.
    Final,
    /// The receiver has the message, if an earlier attempt got no response.
    Duplicate,
    /// Treated as no response: retry under the same id, because the receiver may have the message.
    Unproven,
}

/// Errors after which a retry can succeed: ebMS 3.0 core, 6.7; AS4 profile 1.0, 3.2.
const PASSING: [&str; 4] = ["EBMS:0005", "EBMS:0202", "EBMS:0301", "EBMS:0302"];
/// The code of phase4 for a duplicate message id.
const DUPLICATE: &str = "EBMS:4001";
/// The code that phase4 before 4.5 and others use for a duplicate, with the reason in the text.
const OTHER: &str = "EBMS:0004";

impl PeerError {
    pub(super) fn read(error: El<'_, '_>) -> Self {
        let attribute = |name| shown(error.attribute(name).unwrap_or_default());
        let text =
            |name| error.single(ns::EB, name).ok().and_then(El::text_alone).unwrap_or_default();
        let (description, detail) = (text("Description"), text("ErrorDetail"));
        let detail = match (description.as_str(), detail.as_str()) {
            ("", said) | (said, "") => said.to_owned(),
            (description, detail) => format!("{detail} ({description})"),
        };
        PeerError {
            code: attribute("errorCode"),
            severity: attribute("severity"),
            short_description: attribute("shortDescription"),
            detail: shown(&detail),
        }
    }

    fn is_duplicate(&self) -> bool {
        let said = || self.detail.to_ascii_lowercase().contains("duplicate");
        self.code == DUPLICATE || (self.code == OTHER && said())
    }
}

impl Rejection {
    pub(super) fn new(
        errors: Vec<PeerError>,
        ref_to: Option<MessageId>,
        signed: Option<Signed>,
    ) -> Self {
        Rejection { errors, ref_to, signed }
    }

    /// The errors; at least one.
    pub fn errors(&self) -> &[PeerError] {
        &self.errors
    }

    /// The claimed signer, if the rejection is signed.
    pub fn signer(&self) -> Option<&Certificate> {
        self.signed.as_ref().map(|signed| &signed.certificate)
    }

    /// Checks that the receiver of `sent` signed this rejection, and that it is about `sent`.
    pub fn verify(&self, signer: &Trusted, sent: &Sent) -> Result<(), BadSignal> {
        let signed = self.signed.as_ref().ok_or(BadSignal::Unsigned)?;
        check_signal(signed, self.ref_to.as_ref(), signer, sent)
    }

    /// The reaction to the rejection, depending on its authenticity.
    pub fn verdict(&self, authenticity: Authenticity) -> Verdict {
        let duplicate = self.errors.iter().any(PeerError::is_duplicate);
        let passing = self.errors.iter().all(|error| PASSING.contains(&error.code.as_str()));
        match authenticity {
            Authenticity::Unproven => Verdict::Unproven,
            Authenticity::Proven if duplicate => Verdict::Duplicate,
            Authenticity::Proven if passing => Verdict::Retry,
            Authenticity::Proven => Verdict::Final,
        }
    }
}
