//! AS4 messages: Peppol AS4 profile 2.0.3 over ebMS 3.0 and WS-Security 1.1. Own and narrow: one algorithm for each
//! purpose, templates for what is sent, one tree for what is read and verified.
//!
//! Out: [`build`] a message, send it, [`read_answer`] whatever came back. A [`SignedReceipt`] becomes [`Confirmed`]
//! once its signer is trusted and every digest is the one that was sent.
//!
//! In: [`open`] a request, check its [signer](Opened::signer), [verify](Opened::verify) it, keep what was
//! [`Received`], and answer it with a [`receipt`](signal::receipt); or with an [`error`] that says
//! which [`Rule`] was broken.

mod answer;
mod code;
mod dom;
mod envelope;
mod ids;
mod incoming;
mod mime;
mod names;
mod outgoing;
mod payload;
mod receipt;
mod refusal;
mod rejection;
mod rule;
mod security;
mod signal;
mod signature;
#[cfg(test)]
mod tests;
mod user_message;
mod write;

pub use answer::{Answer, MOST_ANSWER_BYTES, Silence, read_answer};
pub use code::Code;
pub use ids::{Digest, DigestError, MessageId, MessageIdError, Reference, References};
pub use incoming::{Opened, Received, open};
pub use names::SIGNAL_CONTENT_TYPE;
pub use outgoing::{BuildError, Built, Freight, Outgoing, build};
pub use payload::SealError;
pub use receipt::{BadSignal, Confirmed, Sent, SignedReceipt};
pub use refusal::Refusal;
pub use rejection::{Authenticity, PeerError, Rejection, Verdict};
pub use rule::Rule;
pub use signal::{error, receipt};
pub use user_message::{Participants, Purpose, UserMessage};
