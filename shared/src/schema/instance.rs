//! `xsi:type`: a type that the document chooses (XML Schema Part 1 section 3.3.4).

use super::datatype::Datatype;
use super::family::Family;
use super::tables::{Named, Type, all_elements, all_types};
use crate::xml::{Name, Node, names};

const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";

/// The type that `xsi:type` names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    /// The definition of the type.
    pub(super) of_type: &'static Type,
    /// The basic element (`cbc`) to which the type belongs. Types of basic elements add nothing to the UBL datatype
    /// that is their base, so the tables contain only that datatype.
    basic: Option<Name>,
}

/// Returns the type that `xsi:type` names. The error says what is wrong with the name.
pub(super) fn named(family: Family, node: Node<'_>, value: &str) -> Result<Chosen, &'static str> {
    // As in libxml2, white space around the name is accepted here, but counts as part of the name.
    if !Datatype::QName.accepts(value) {
        return Err("is not a qualified name");
    }
    let (prefix, local) = value.split_once(':').unwrap_or(("", value));
    let namespace = node.bound(prefix);
    if namespace.is_empty() && !prefix.is_empty() {
        return Err("has a prefix that is not declared");
    }
    find(family, namespace, local).ok_or("is not a type of the schema")
}

fn find(family: Family, namespace: &str, local: &str) -> Option<Chosen> {
    if namespace != XML_SCHEMA && !family.includes(namespace) {
        return None;
    }
    let called = |of_type: &&'static Type| match of_type.named {
        Named::Text { space, local: own } => own == local && space == namespace,
        Named::Element(_) => false,
    };
    if let Some(of_type) = all_types().find(called) {
        return Some(Chosen { of_type, basic: None });
    }
    let own = local.strip_suffix("Type")?;
    let called = |name: Name| name.local() == own && name.namespace() == namespace;
    let (name, of_type) = all_elements().find(|(name, _)| called(*name))?;
    match of_type.named {
        Named::Element(element) if element == name => Some(Chosen { of_type, basic: None }),
        _ if is_basic(of_type) => Some(Chosen { of_type, basic: Some(name) }),
        _ => None,
    }
}

/// Whether the type is a UBL datatype, which represents the types of basic elements.
fn is_basic(of_type: &Type) -> bool {
    let datatypes = super::tables::udt::TEXT.named;
    match (of_type.named, datatypes) {
        (Named::Text { space, .. }, Named::Text { space: udt, .. }) => space == udt,
        _ => false,
    }
}

impl Chosen {
    /// Whether the type may replace the declared type of a node: it is that type or is derived from it.
    pub(super) fn replaces(self, declared: &'static Type, node: Node<'_>) -> bool {
        if is_basic(declared) {
            return self.basic == Some(node.name());
        }
        let derived = std::iter::successors(Some(self.of_type), |of_type| of_type.base);
        derived.into_iter().any(|of_type| std::ptr::eq(of_type, declared))
    }
}

/// Whether the attribute controls validation and is therefore allowed on every element.
pub(super) fn is_meta(name: Name) -> bool {
    use names::xsi::{NIL, NO_NAMESPACE_SCHEMA_LOCATION, SCHEMA_LOCATION, TYPE};
    matches!(name, NIL | TYPE | SCHEMA_LOCATION | NO_NAMESPACE_SCHEMA_LOCATION)
}
