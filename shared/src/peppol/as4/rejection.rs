//! Errors that the other side answers with, and what is to be done about them.

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

/// One `eb:Error`, each text cut short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerError {
    /// Such as `EBMS:0004`.
    pub code: String,
    /// `failure` or `warning`; Oxalis says `error`, too.
    pub severity: String,
    /// The short description.
    pub short_description: String,
    /// What the error is about, in the other operator's words.
    pub detail: String,
}

/// An answer that says that the message was not taken.
#[derive(Debug)]
pub struct Rejection {
    errors: Vec<PeerError>,
    ref_to: Option<MessageId>,
    signed: Option<Signed>,
}

/// Who says that a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authenticity {
    /// The receiver: [`Rejection::verify`] succeeded.
    Proven,
    /// Anybody. It ends an attempt, and proves nothing.
    Unproven,
}

/// What is to be done about an answer that is no receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Try again, under a new id: some book an id before they fail to deliver.
    Retry,
    /// Trying again does not help.
    Final,
    /// The other side has the message, if an earlier try ended in silence.
    Duplicate,
    /// As if nothing had come back: try again under the same id, which may have been taken.
    Unproven,
}

/// Errors after which another try can succeed: ebMS 3.0 core, 6.7, AS4 profile 1.0, 3.2.
const PASSING: [&str; 4] = ["EBMS:0005", "EBMS:0202", "EBMS:0301", "EBMS:0302"];
/// phase4's own code for a message id that it has seen.
const DUPLICATE: &str = "EBMS:4001";
/// The code under which phase4 before 4.5 and others say so in words.
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

    /// What is said to be wrong; at least one error.
    pub fn errors(&self) -> &[PeerError] {
        &self.errors
    }

    /// The certificate that is said to have signed, if one did.
    pub fn signer(&self) -> Option<&Certificate> {
        self.signed.as_ref().map(|signed| &signed.certificate)
    }

    /// Checks that the receiver says this, and about this message.
    pub fn verify(&self, signer: &Trusted, sent: &Sent) -> Result<(), BadSignal> {
        let signed = self.signed.as_ref().ok_or(BadSignal::Unsigned)?;
        check_signal(signed, self.ref_to.as_ref(), signer, sent)
    }

    /// What is to be done about it, by who says it.
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
