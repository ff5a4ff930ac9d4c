//! Facts about the whole document for the PINT rules.

use crate::xml::Tree;

/// The facts for both groups of rules.
#[derive(Debug)]
pub struct Facts {
    /// The facts for the rules that PINT-AE shares with PINT.
    pub(super) shared: super::shared::facts::Facts,
    /// The facts for the rules of the UAE.
    pub(super) ae: super::ae::facts::Facts,
}

impl Facts {
    /// Gathers the facts in one pass over the document.
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
