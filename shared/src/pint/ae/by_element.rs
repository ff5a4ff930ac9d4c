//! Facts about single elements, for rules about their descendants. Without them, a rule that walks around its parent
//! for each of many siblings would take quadratic time.

use crate::xml::Node;

/// Facts in document order.
#[derive(Debug)]
pub(super) struct ByElement<T>(Vec<(u32, T)>);

impl<T> Default for ByElement<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByElement<T> {
    /// Adds a fact about an element that follows all previous ones.
    pub(super) fn push(&mut self, element: Node<'_>, fact: T) {
        self.0.push((element.index(), fact));
    }

    /// The fact about an element, if there is one.
    pub(super) fn get(&self, element: Node<'_>) -> Option<&T> {
        let at = self.0.binary_search_by_key(&element.index(), |(index, _)| *index).ok()?;
        self.0.get(at).map(|(_, fact)| fact)
    }
}
