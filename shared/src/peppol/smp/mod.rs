//! What an SMP publishes: Peppol SMP 1.4 over BUSDOX service metadata 1.0, and business cards.
//!
//! What others publish is read in three steps, so that nothing unproven can be used: [`SignedMetadata::read`] parses,
//! [`SignedMetadata::signer`] says who has to be trusted, [`SignedMetadata::verify`] gives the contents to who is.

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
pub(super) mod write;

pub use address::{AddressError, Reach, check_address};
pub use card::{BusinessCard, BusinessEntity, Contact, EntityIdentifier, EntityName};
pub use choose::{ChoiceError, Defect, Endpoint, NotCapable, choose};
pub use dom::MAX_BYTES;
pub use error::{SignatureFault, SmpError};
pub use group::ServiceGroup;
pub(super) use group::{group_path, metadata_path};
pub use metadata::{
    Redirect, ServiceEndpoint, ServiceInformation, ServiceMetadata, ServiceProcess,
};
pub use sign::SignError;
pub use signature::SignedMetadata;
