//! What the modules under test use of the product's vocabulary.

#[path = "../../../shared/src/types/hex.rs"]
mod hex;

pub(crate) use hex::sha256_hex;
