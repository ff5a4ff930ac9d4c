//! The values of a document that no reader took.

use std::collections::HashSet;

use crate::xml::{Name, Node, Places, Tree};

/// Maximum number of bytes of listed paths and values. Then the list is cut.
pub const MAX_UNMAPPED_BYTES: usize = 256 * 1024;

/// Maximum number of characters of a listed value. A longer value is cut.
pub const MAX_UNMAPPED_VALUE: usize = 500;

/// A value for which a body has no field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmappedValue {
    /// The XPath of the element or attribute.
    pub path: String,
    /// The value, up to [`MAX_UNMAPPED_VALUE`] characters.
    pub value: String,
}

/// The values for which a body has no field, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmapped {
    /// The values.
    pub values: Vec<UnmappedValue>,
    /// Whether the list is incomplete: a value was cut, or [`MAX_UNMAPPED_BYTES`] was reached.
    pub is_cut: bool,
}

/// Lists the elements and attributes that were not taken.
pub(super) fn list(document: &Tree<'_>, taken: &HashSet<(u32, Option<Name>)>) -> Unmapped {
    let mut unmapped = Unmapped::default();
    let mut places = Places::default();
    let mut room = MAX_UNMAPPED_BYTES;
    for node in document.nodes() {
        let is_taken = |name| taken.contains(&(node.index(), name));
        let own = if is_taken(None) { None } else { own_text(node) };
        let own = own.map(|text| (String::new(), text));
        let attributes = node.written_attributes().filter(|of| !is_taken(Some(of.name())));
        let attributes =
            attributes.map(|of| (format!("/@{}", of.qualified_name()), of.value().to_owned()));
        for (step, value) in own.into_iter().chain(attributes) {
            let path = places.xpath(node).to_owned() + &step;
            let kept: String = value.chars().take(MAX_UNMAPPED_VALUE).collect();
            unmapped.is_cut |= kept.len() < value.len();
            let Some(left) = room.checked_sub(path.len() + kept.len()) else {
                unmapped.is_cut = true;
                return unmapped;
            };
            room = left;
            unmapped.values.push(UnmappedValue { path, value: kept });
        }
    }
    unmapped
}

/// The text of an element itself. Without child elements it is the full text, which may be empty. With child elements
/// it is the text between them.
fn own_text(node: Node<'_>) -> Option<String> {
    if node.children().next().is_none() {
        return Some(node.text().into_owned());
    }
    let text: String = node.own_texts().collect();
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}
