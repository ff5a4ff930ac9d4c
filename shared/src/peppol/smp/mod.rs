//! The documents of an SMP: Peppol SMP 1.4 over BUSDOX service metadata 1.0, and business cards.
//!
//! Documents of other SMPs are read in three steps, so that unverified content is never used:
//!
//! 1. [`SignedMetadata::read`] parses.
//! 2. [`SignedMetadata::signer`] returns the signer, whose certificate must be trusted.
//! 3. [`SignedMetadata::verify`] checks the signature and returns the content.

mod address;
mod card;
mod choose;
pub(super) mod dom;
mod error;
mod group;
mod metadata;
mod names;
mod sign;
mod signature;
#[cfg(test)]
mod tests;
mod write;

pub use address::{AddressError, Reach, check_address};
pub use card::{BusinessCard, BusinessEntity, Contact, EntityIdentifier, EntityName};
pub use choose::{ChoiceError, Defect, Endpoint, NotCapable, choose};
pub use dom::MAX_BYTES;
pub use error::{SignatureFault, SmpError};
pub use group::ServiceGroup;
pub(super) use group::{group_path, metadata_path, write_participant};
pub use metadata::{
    Redirect, ServiceEndpoint, ServiceInformation, ServiceMetadata, ServiceProcess,
};
pub use sign::SignError;
pub use signature::SignedMetadata;
