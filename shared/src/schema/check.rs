//! Checks a document against the tables.

use std::borrow::Cow;
use std::collections::HashSet;

use super::datatype::{Datatype, is_blank};
use super::family::Family;
use super::instance::{self, is_meta};
use super::message;
use super::model::{Found, Place};
use super::tables::{Attribute, Content, Contents, Type, xs};
use super::{Kind, MOST, SchemaError};
use crate::xml::{self, Name, Node, Tree, names};

pub(super) fn check(document: &Tree) -> Vec<SchemaError> {
    let root = document.root();
    let known = Family::of(root).and_then(|family| Some((family, family.declared(root.name())?)));
    let Some((family, of_type)) = known else {
        return vec![error(root, Kind::Root, message::root(root))];
    };
    let mut checker = Checker { family, errors: Vec::new(), identifiers: None };
    checker.declared(root, of_type);
    checker.errors
}

fn error(node: Node<'_>, kind: Kind, message: String) -> SchemaError {
    SchemaError { node: node.index(), line: node.line(), xpath: node.xpath(), message, kind }
}

struct Checker<'d> {
    family: Family,
    errors: Vec<SchemaError>,
    /// The identifiers so far; `None` until the first attribute of type `xs:ID`.
    identifiers: Option<HashSet<&'d str>>,
}

impl<'d> Checker<'d> {
    fn report(&mut self, node: Node<'_>, kind: Kind, message: String) {
        self.errors.push(error(node, kind, message));
    }

    /// Checks an element whose declaration names this type.
    fn declared(&mut self, node: Node<'d>, of_type: &'static Type) {
        // Fast path: few elements have `xsi:` attributes, and most have no attributes at all.
        if std::ptr::eq(of_type, &xs::ABSTRACT) || !node.attributes().any(|(name, _)| is_meta(name))
        {
            return self.typed(node, of_type);
        }
        if node.attribute(names::xsi::NIL).is_some() {
            self.report(node, Kind::Instance, message::nil(node));
        }
        let mut actual = of_type;
        if let Some(value) = node.attribute(names::xsi::TYPE) {
            match instance::named(self.family, node, value) {
                Ok(chosen) if chosen.replaces(of_type, node) => actual = chosen.of_type,
                Ok(_) => {
                    let fault = "is not derived from the type of the element";
                    self.report(node, Kind::Instance, message::instance(node, value, fault));
                }
                Err(fault) => {
                    self.report(node, Kind::Instance, message::instance(node, value, fault));
                }
            }
        }
        self.typed(node, actual);
    }

    /// Checks an element that matches a wildcard.
    fn wild(&mut self, node: Node<'d>, contents: Contents) {
        match self.family.declared(node.name()) {
            Some(of_type) => self.declared(node, of_type),
            None if contents == Contents::Strict => {
                self.report(node, Kind::Undeclared, message::undeclared(node));
            }
            None => self.undeclared(node, 2),
        }
    }

    /// Checks an element without a declaration. Its type is that of `xsi:type`, or `xs:anyType`. libxml2 reports a
    /// wrong type name twice directly below a wildcard, and once at greater depth.
    fn undeclared(&mut self, node: Node<'d>, times: usize) {
        let Some(value) = node.attribute(names::xsi::TYPE) else {
            return self.typed(node, &xs::ANY_TYPE);
        };
        match instance::named(self.family, node, value) {
            Ok(chosen) => self.typed(node, chosen.of_type),
            Err(fault) => {
                for _ in 0..times {
                    self.report(node, Kind::Instance, message::instance(node, value, fault));
                }
            }
        }
    }

    /// Checks an element whose type is known.
    fn typed(&mut self, node: Node<'d>, of_type: &'static Type) {
        if self.errors.len() >= MOST {
            return;
        }
        if matches!(of_type.content, Content::Abstract) {
            return self.report(node, Kind::Abstract, message::only_represents_others(node));
        }
        self.attributes(node, of_type);
        match of_type.content {
            Content::Any => self.anything(node),
            Content::Empty => self.nothing(node),
            Content::Value(datatype) => self.text(node, datatype),
            Content::Sequence(_) => self.elements(node, &of_type.content, false),
            Content::Model { mixed, .. } => self.elements(node, &of_type.content, mixed),
            Content::Abstract => {}
        }
    }

    fn attributes(&mut self, node: Node<'d>, of_type: &'static Type) {
        let declared = of_type.attributes;
        let mut required = declared.iter().filter(|known| known.required).count();
        for attribute in node.written_attributes() {
            let name = attribute.name();
            match declared.iter().find(|known| known.name == name) {
                Some(known) => {
                    required = required.saturating_sub(usize::from(known.required));
                    self.attribute(node, name, known.datatype, attribute.value());
                }
                None if is_meta(name) || matches!(of_type.content, Content::Any) => {}
                None => {
                    let name = attribute.qualified_name();
                    let message = message::unknown_attribute(node, name, declared);
                    self.report(node, Kind::AttributeUnknown, message);
                }
            }
        }
        if required > 0 {
            let missing =
                |known: &&Attribute| known.required && node.attribute(known.name).is_none();
            for known in declared.iter().filter(missing) {
                let message = message::missing_attribute(node, known.name);
                self.report(node, Kind::AttributeMissing, message);
            }
        }
    }

    fn attribute(&mut self, node: Node<'d>, name: Name, datatype: Datatype, value: &'d str) {
        if faults(node, datatype, value) > 0 {
            let message = message::attribute_value(node, name, value, datatype);
            self.report(node, Kind::Value, message);
        } else if datatype == Datatype::Id && !self.is_new(node, value) {
            let message = message::duplicate(node, name, value);
            self.report(node, Kind::Duplicate, message);
        }
    }

    /// Records an identifier; `false` if it is not new. `xml:id` counts on every element (xml:id 1.0 section 4).
    fn is_new(&mut self, node: Node<'d>, value: &'d str) -> bool {
        let identifiers = self.identifiers.get_or_insert_with(|| {
            let nodes = node.tree().nodes();
            nodes.filter_map(|node| node.attribute(names::xml::ID)).collect()
        });
        identifiers.insert(value.trim_matches([' ', '\t', '\n', '\r']))
    }

    /// Allows any content, but checks the elements that have a declaration.
    fn anything(&mut self, node: Node<'d>) {
        for child in node.children() {
            match self.family.declared(child.name()) {
                Some(of_type) => self.declared(child, of_type),
                None => self.undeclared(child, 1),
            }
        }
    }

    fn nothing(&mut self, node: Node<'d>) {
        for item in node.content() {
            match item {
                xml::Content::Text(_) => {
                    self.report(node, Kind::Text, message::must_be_empty(node))
                }
                xml::Content::Element(_) => {
                    return self.report(node, Kind::Elements, message::must_be_empty(node));
                }
            }
        }
    }

    /// Checks simple content. The value is the text before the first child element, if there is one.
    fn text(&mut self, node: Node<'d>, datatype: Datatype) {
        let mut value = Cow::Borrowed("");
        for item in node.content() {
            match item {
                xml::Content::Text(text) if value.is_empty() => value = Cow::Borrowed(text),
                xml::Content::Text(text) => value.to_mut().push_str(text),
                xml::Content::Element(child) => {
                    self.report(node, Kind::Elements, message::only_text(node, child));
                    break;
                }
            }
        }
        for _ in 0..faults(node, datatype, &value) {
            self.report(node, Kind::Value, message::value(node, &value, datatype));
        }
    }

    fn elements(&mut self, node: Node<'d>, content: &Content, mixed: bool) {
        let mut place = Place::default();
        for item in node.content() {
            match item {
                xml::Content::Element(child) => {
                    let before = place;
                    match place.step(content, child) {
                        Some(Found::Declaration(of_type)) => self.declared(child, of_type),
                        Some(Found::Wildcard(contents)) => self.wild(child, contents),
                        None => {
                            let message = message::unexpected(child, before, content);
                            return self.report(child, Kind::Unexpected, message);
                        }
                    }
                }
                xml::Content::Text(text) => {
                    if !mixed && !text.bytes().all(is_blank) {
                        self.report(node, Kind::Text, message::no_text(node, text));
                    }
                }
            }
        }
        if !place.ends(content) {
            let message = message::incomplete(node, place, content);
            self.report(node, Kind::Incomplete, message);
        }
    }
}

/// The number of errors that libxml2 reports for a value: 0 if the value is valid, otherwise 1. It is 2 for a list (one
/// for the item, one for the list) and for a qualified name whose prefix is not declared.
fn faults(node: Node<'_>, datatype: Datatype, value: &str) -> usize {
    use Datatype::{NcNames, NmTokens, NoItems, QName};
    match (datatype, datatype.accepts(value)) {
        (QName, true) => match value.split_once(':') {
            Some((prefix, _)) if node.bound(prefix).is_empty() => 2,
            _ => 0,
        },
        (_, true) => 0,
        (NcNames | NmTokens | NoItems, false) => 2,
        (_, false) => 1,
    }
}
