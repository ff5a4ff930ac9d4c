//! Message Level Status documents: Peppol MLS 1.0, a UBL 2.1 ApplicationResponse. With it, the receiver's provider
//! (C3) notifies the sender's provider (C2) of the outcome of a message.
//!
//! A [`Status`] cannot break the official rules. [`read()`] accepts everything that these rules allow.

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

/// The CustomizationID of a status (SCH-MLS-01).
const CUSTOMIZATION: &str = "urn:peppol:edec:mls:1.0";

/// The process of a status (SCH-MLS-02).
const PROFILE: &str = "urn:peppol:edec:mls";
