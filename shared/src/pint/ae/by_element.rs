//! Facts about single elements, for rules of the elements below them: a rule that looked around
//! its parent for each of many siblings would take time in the square of them.

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
    /// Notes a fact about an element that comes after all before.
    pub(super) fn push(&mut self, element: Node<'_>, fact: T) {
        self.0.push((element.index(), fact));
    }

    /// The fact about an element, if one was noted.
    pub(super) fn get(&self, element: Node<'_>) -> Option<&T> {
        let at = self.0.binary_search_by_key(&element.index(), |(index, _)| *index).ok()?;
        self.0.get(at).map(|(_, fact)| fact)
    }
}
