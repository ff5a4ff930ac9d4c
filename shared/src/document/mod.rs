//! The JSON documents: the fields of a body, its checks, its totals, and the mapping from a JSON field to a business
//! term.
//!
//! - [`read()`] parses bytes into a [`Submission`] and reports errors of single fields.
//! - [`complete()`] fills in defaults, computes amounts and checks rules across fields. It returns a [`Document`] with
//!   every value that the UBL needs.

mod complete;
mod decimal;
mod facts;
mod field;
mod findings;
mod identifier;
mod identity;
mod issuance;
mod json;
mod limits;
mod lines;
mod model;
mod number;
mod operation;
mod party;
mod place;
mod profile;
mod read;
mod roles;
mod round;
mod rules;
mod suggest;
#[cfg(feature = "service")]
mod supplier;
mod totals;
mod unregistered;

#[cfg(test)]
mod tests;

pub use complete::complete;
pub use decimal::{MAX_DECIMALS, MAX_INTEGER_DIGITS};
pub use findings::MAX_FINDINGS;
#[cfg(feature = "service")]
pub(crate) use identifier::is_predefined;
pub use issuance::{Issuance, Original};
pub use json::{Field, MAX_TEXT, Object};
#[cfg(feature = "service")]
pub(crate) use json::{read_value, unknown_member};
pub use limits::{
    MAX_DOCUMENT_ID, MAX_LINES, MAX_METADATA_BYTES, MAX_METADATA_KEY, MAX_METADATA_KEYS,
    MAX_NUMBER, MAX_PROFILE, MAX_SOURCE_ID, check_metadata,
};
pub use model::*;
pub use profile::Profile;
pub use read::{MAX_BODY_BYTES, ReadError, Submission, read};
pub use round::AMOUNT_LIMIT;
#[cfg(feature = "service")]
pub(crate) use suggest::meant;
#[cfg(feature = "service")]
pub(crate) use supplier::supplier_defects;
pub use unregistered::{Unregistered, complete_unregistered, of_file};
