//! AS4 messages: Peppol AS4 profile 2.0.3 over ebMS 3.0 and WS-Security 1.1. The implementation is our own and
//! narrow: one algorithm for each purpose, templates for writing, and one tree for reading and verifying.
//!
//! Sending:
//!
//! 1. [`build`] a message and send it.
//! 2. [`read_answer`] reads the response.
//! 3. A [`SignedReceipt`] becomes [`Confirmed`] when its signer is trusted and its digests match those of the
//!    message.
//!
//! Receiving:
//!
//! 1. [`open`] a request.
//! 2. Check the trust of its [signer](Opened::signer).
//! 3. [Verify](Opened::verify) it and store the [`Received`] message.
//! 4. Answer with a [`receipt`](signal::receipt), or with an [`error`] that names the broken [`Rule`].

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
