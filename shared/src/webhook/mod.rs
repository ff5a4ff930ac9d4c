//! Webhooks: how an event is signed, and what others signed is verified, how signing secrets are kept and when a delivery
//! is tried again.
//!
//! Nothing here knows the store: [`crate::service::deliver`] puts the parts together.

#[cfg(test)]
pub(crate) mod receiver;
pub mod schedule;
pub mod seal;
pub mod sign;
pub mod verify;

pub use seal::{SealError, SealingKeys};
pub use sign::{Secret, SecretError, signature};
pub use verify::{Headers, Unverified, verify};
