//! A receipt as evidence of delivery: AS4 profile 1.0, 5.1.8 and 5.1.9.

use serde::{Deserialize, Serialize};

use super::{
    ids::{MessageId, References},
    refusal::{Refusal, shown},
    signature::{Signed, Target},
};
use crate::peppol::{
    identifiers::SeatId,
    pki::{Certificate, Role, Trusted},
};

/// The facts about a sent message that are needed to check its response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Its id.
    pub message_id: MessageId,
    /// The access point that it was sent to.
    pub receiver: SeatId,
    /// The signed references.
    pub references: References,
}

/// Why a signal proves nothing about a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSignal {
    /// The signal is unsigned.
    #[error("the signal is not signed")]
    Unsigned,
    /// The checked certificate differs from the signer's.
    #[error("the signal is signed by {0}, whose certificate was not checked")]
    Unchecked(String),
    /// Another access point signed.
    #[error("the signal is signed by {found}, the message went to {expected}")]
    Signer {
        /// The signer.
        found: String,
        /// The expected signer.
        expected: SeatId,
    },
    /// The signature is invalid.
    #[error("the signal's signature does not hold: {0}")]
    Signature(Refusal),
    /// The signature does not cover eb:Messaging.
    #[error("the signal's signature does not cover eb:Messaging")]
    Coverage,
    /// The signal is about another message.
    #[error("the signal is about {found}, not about {expected}")]
    RefersTo {
        /// The message in the signal.
        found: String,
        /// The sent message.
        expected: MessageId,
    },
    /// The receipt repeats other digests than those of the message.
    #[error("the receipt repeats {found}, where {expected} was sent")]
    References {
        /// The digests in the receipt.
        found: String,
        /// The digests of the message.
        expected: String,
    },
}

/// A signed receipt; not verified yet.
#[derive(Debug)]
pub struct SignedReceipt {
    signed: Signed,
    ref_to: Option<MessageId>,
    references: References,
}

/// Proof that the receiver has the message. Only [`SignedReceipt::verify`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confirmed {
    /// The message.
    pub message_id: MessageId,
    /// The access point that confirmed it.
    pub by: SeatId,
}

impl SignedReceipt {
    pub(super) fn new(signed: Signed, ref_to: Option<MessageId>, references: References) -> Self {
        SignedReceipt { signed, ref_to, references }
    }

    /// The claimed signer. The caller must check it against the network's trust.
    pub fn signer(&self) -> &Certificate {
        &self.signed.certificate
    }

    /// Checks that the receiver of the message signed the receipt, and that all its digests match the message.
    pub fn verify(&self, signer: &Trusted, sent: &Sent) -> Result<Confirmed, BadSignal> {
        check_signal(&self.signed, self.ref_to.as_ref(), signer, sent)?;
        if !sent.references.same_as(&self.references) {
            let listed = |references: &References| {
                let each = references.0.iter().map(|one| format!("{} {}", one.uri, one.digest));
                shown(&each.collect::<Vec<_>>().join(", "))
            };
            let (found, expected) = (listed(&self.references), listed(&sent.references));
            return Err(BadSignal::References { found, expected });
        }
        Ok(Confirmed { message_id: sent.message_id.clone(), by: sent.receiver.clone() })
    }
}

/// Checks that the receiver of `sent` signed the signal, and that the signal is about `sent`.
pub(super) fn check_signal(
    signed: &Signed,
    ref_to: Option<&MessageId>,
    signer: &Trusted,
    sent: &Sent,
) -> Result<(), BadSignal> {
    let found = signed.certificate.common_name();
    if signer.role() != Role::AccessPoint || **signer != signed.certificate {
        return Err(BadSignal::Unchecked(shown(found)));
    }
    if found != sent.receiver.as_str() {
        return Err(BadSignal::Signer { found: shown(found), expected: sent.receiver.clone() });
    }
    if !signed.covers(&Target::Messaging) {
        return Err(BadSignal::Coverage);
    }
    signed.verify().map_err(BadSignal::Signature)?;
    if ref_to != Some(&sent.message_id) {
        let found = ref_to.map_or("no message".to_owned(), |id| shown(id.as_str()));
        return Err(BadSignal::RefersTo { found, expected: sent.message_id.clone() });
    }
    Ok(())
}
