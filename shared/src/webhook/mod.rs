//! Webhooks: how an event is signed, and what others signed is verified, how signing secrets are kept and when a delivery
//! is tried again.
//!
//! Nothing here knows the store: [`crate::service::deliver`] puts the parts together.

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
