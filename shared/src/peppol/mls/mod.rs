//! Message Level Status documents: Peppol MLS 1.0, a UBL 2.1 ApplicationResponse by which the provider of the
//! receiver (C3) tells that of the sender (C2) what became of a message.
//!
//! A [`Status`] cannot break the official rules; [`read()`] takes from others whatever these rules allow.

mod error;
mod findings;
mod read;
mod status;
#[cfg(test)]
mod tests;
mod write;

pub use error::{MlsError, NoFailure};
pub use findings::{MOST_ISSUES, accept, reject};
pub use read::read;
pub use status::{Acceptance, Issue, Line, Reason, Rejection, Status, Text, Verdict, Warning};
pub use write::write;

/// What a status is (SCH-MLS-01).
const CUSTOMIZATION: &str = "urn:peppol:edec:mls:1.0";

/// The process that it is sent in (SCH-MLS-02).
const PROFILE: &str = "urn:peppol:edec:mls";
