//! The JSON documents: what a body may say, its checks, its totals, and the way from a JSON place
//! to a business term.
//!
//! [`read`] turns bytes into a [`Body`]; [`complete`] checks it and computes what was left out,
//! which gives a [`Document`] that has every value the UBL needs.

mod json;
mod model;

pub use model::*;
