//! The JSON documents: what a body may say, its checks, its totals, and the way from a JSON place
//! to a business term.
//!
//! [`read`] turns bytes into a [`Submission`] and reports what is wrong with single fields;
//! [`complete`] fills in what was left out, computes and checks across fields, which gives a
//! [`Document`] that has every value the UBL needs.

mod codes;
mod complete;
mod decimal;
mod findings;
mod json;
mod limits;
mod model;
mod operation;
mod place;
mod read;

pub use complete::{Context, Original, complete};
pub use decimal::{MAX_DECIMALS, MAX_INTEGER_DIGITS};
pub use findings::MAX_FINDINGS;
pub use json::{Field, MAX_TEXT};
pub use model::*;
pub use read::{MAX_BODY_BYTES, ReadError, Submission, read};
