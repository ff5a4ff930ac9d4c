//! What the modules under test use of the product's vocabulary.

#[path = "../../../shared/src/types/hex.rs"]
mod hex;

pub(crate) use hex::sha256_hex;

/// What reports to the tax authority are written with, as it is in the crate.
pub use access_point::types::{ParticipantId, UAE_OFFSET};
