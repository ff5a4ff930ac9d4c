//! Webhooks: how an event is signed, how signing secrets are kept, when a delivery is tried again
//! and the only way by which HTTP leaves the service.
//!
//! Nothing here knows the store: [`crate::service::deliver`] puts the parts together.

pub mod egress;
#[cfg(test)]
pub(crate) mod receiver;
pub mod schedule;
pub mod seal;
pub mod sign;

pub use egress::{Answer, Client, Egress, EgressError, ErrorKind};
pub use seal::{SealError, SealingKey};
pub use sign::{Secret, SecretError, signature};
