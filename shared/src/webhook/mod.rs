//! Webhooks: signing events, verifying signatures of others, storing signing secrets, and the retry schedule.
//!
//! This module does not use the store. [`crate::service::deliver`] combines its parts.

#[cfg(test)]
pub(crate) mod receiver;
#[cfg(feature = "service")]
pub mod schedule;
#[cfg(feature = "service")]
pub mod seal;
pub mod sign;
pub mod verify;

#[cfg(feature = "service")]
pub use seal::{SealError, SealingKeys};
pub use sign::{Secret, SecretError, headers, signature};
pub use verify::{Headers, Unverified, verify};
