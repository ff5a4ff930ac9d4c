//! What the PINT rules know of a document as a whole.

use crate::xml::Tree;

/// The facts of both sets of rules.
#[derive(Debug)]
pub struct Facts {
    /// For the rules that all of PINT shares.
    pub(super) shared: super::shared::facts::Facts,
    /// For the rules of the UAE.
    pub(super) ae: super::ae::facts::Facts,
}

impl Facts {
    /// Walks over the document once.
    pub fn gather(document: &Tree) -> Self {
        let root = document.root();
        let mut shared = super::shared::facts::Facts::new(root);
        let mut ae = super::ae::facts::Facts::new(root);
        for node in document.nodes() {
            shared.take(node);
            ae.take(node);
        }
        Self { shared, ae }
    }
}
