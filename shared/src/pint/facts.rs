//! What the PINT rules know of a document as a whole.

use crate::xml::Document;

/// The facts of both sets of rules.
#[derive(Debug)]
pub struct Facts {
    /// For the rules that all of PINT shares.
    pub(super) shared: super::shared::facts::Facts,
    /// For the rules of the UAE.
    pub(super) ae: super::ae::facts::Facts,
}

impl Facts {
    /// Walks over the document once for each set.
    pub fn gather(document: &Document) -> Self {
        Self {
            shared: super::shared::facts::Facts::gather(document),
            ae: super::ae::facts::Facts::gather(document),
        }
    }
}
