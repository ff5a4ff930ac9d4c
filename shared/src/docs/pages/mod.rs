//! The pages and their frame.

pub(super) mod errors;
pub(super) mod frame;
pub(super) mod guides;
pub(super) mod reference;
pub(super) mod rules;
pub(super) mod search;
