//! A received document as a tree. Reading and canonicalization use the same tree, so the signed content is the
//! content that is read. Each kind of document checks its own rules and reports its own errors in its own module.

use std::{collections::HashSet, fmt::Write as _};

use base64::{Engine, engine::general_purpose::STANDARD};
use bergshamra_xml::{Document, NodeId, NodeKind, uppsala::Parser};

use crate::xml;

/// Why a text is not a document.
#[derive(Debug, thiserror::Error)]
pub(super) enum ParseError {
    /// The document has more bytes than its kind may have.
    #[error("{bytes} bytes, more than {limit}")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The document is not XML in UTF-8, exceeds a limit, or has a DOCTYPE.
    #[error("{0}")]
    Malformed(String),
}

/// A parsed document.
pub(super) struct Dom<'s> {
    pub(super) document: Document<'s>,
    /// Every node, in document order.
    pub(super) nodes: Vec<NodeId>,
}

impl<'s> Dom<'s> {
    /// Parses UTF-8 within the limits, without DOCTYPE. The tree compares attributes with each other, and
    /// canonicalization sorts them. The linear reader of [`crate::xml`] runs first and rejects floods of attributes.
    pub(super) fn parse(bytes: &'s [u8], limits: &xml::Limits) -> Result<Self, ParseError> {
        if bytes.len() > limits.bytes {
            return Err(ParseError::TooLong { bytes: bytes.len(), limit: limits.bytes });
        }
        let text = str::from_utf8(bytes).map_err(malformed)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        xml::parse_with(text.as_bytes(), limits).map_err(malformed)?;
        let parser = Parser::new()
            .with_max_depth(u32::try_from(limits.depth).unwrap_or(u32::MAX))
            .with_forbid_dtd(true);
        let document = parser.parse(text).map_err(malformed)?;
        let nodes = document.descendants(document.root());
        Ok(Dom { document, nodes })
    }

    /// The root element: a parsed document has one.
    pub(super) fn root(&self) -> El<'_, 's> {
        let id = self.document.document_element().unwrap_or(self.document.root());
        El { dom: self, id }
    }

    /// Every element, in document order.
    pub(super) fn elements(&self) -> impl Iterator<Item = El<'_, 's>> {
        let elements = self.nodes.iter().filter(|id| self.document.element(**id).is_some());
        elements.map(|id| El { dom: self, id: *id })
    }

    /// An id that occurs twice, in whichever attributes.
    pub(super) fn repeated_id(&self) -> Option<&str> {
        let mut seen = HashSet::new();
        let elements = self.nodes.iter().filter_map(|id| self.document.element(*id));
        elements
            .flat_map(|element| &element.attributes)
            .filter(|attribute| attribute.name.local_name.eq_ignore_ascii_case("id"))
            .map(|attribute| attribute.value.as_ref())
            .find(|id| !seen.insert(*id))
    }

    /// Removes an element from the document.
    pub(super) fn remove(&mut self, element: NodeId) {
        self.document.detach(element);
        self.nodes = self.document.descendants(self.document.root());
    }
}

fn malformed(error: impl std::fmt::Display) -> ParseError {
    ParseError::Malformed(error.to_string())
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(super) struct El<'d, 's> {
    pub(super) dom: &'d Dom<'s>,
    pub(super) id: NodeId,
}

impl<'d, 's> El<'d, 's> {
    /// Whether the element has that name.
    pub(super) fn is(self, namespace: &str, name: &str) -> bool {
        let element = self.dom.document.element(self.id);
        element.is_some_and(|element| element.matches_name_ns(namespace, name))
    }

    /// Whether both are the same element of the same document.
    pub(super) fn same(self, other: El<'_, '_>) -> bool {
        self.id == other.id && std::ptr::addr_eq(self.dom, other.dom)
    }

    /// The local name.
    pub(super) fn name(self) -> &'d str {
        self.dom.document.element(self.id).map_or("", |element| &element.name.local_name)
    }

    /// The path of local names down to the element, for error messages.
    pub(super) fn path(self) -> String {
        let mut names: Vec<&str> = vec![self.name()];
        let ancestors = self.dom.document.ancestors(self.id);
        names.extend(
            ancestors
                .into_iter()
                .filter_map(|id| Some(self.dom.document.element(id)?.name.local_name.as_ref())),
        );
        names.iter().rev().fold(String::new(), |mut path, name| {
            let _ = write!(path, "/{name}");
            path
        })
    }

    pub(super) fn children(self) -> impl Iterator<Item = El<'d, 's>> {
        let dom = self.dom;
        let children = dom.document.children_iter(self.id);
        children.filter(|id| dom.document.element(*id).is_some()).map(move |id| El { dom, id })
    }

    /// The child elements of that name.
    pub(super) fn all(self, namespace: &str, name: &str) -> impl Iterator<Item = El<'d, 's>> {
        self.children().filter(move |child| child.is(namespace, name))
    }

    /// The one child element of that name; otherwise the number of such children.
    pub(super) fn single(self, namespace: &str, name: &str) -> Result<El<'d, 's>, usize> {
        let mut found = self.all(namespace, name);
        match (found.next(), found.count()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(0),
            (Some(_), more) => Err(more + 1),
        }
    }

    /// An attribute without namespace.
    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let attributes = &self.dom.document.element(self.id)?.attributes;
        let found = attributes.iter().find(|attribute| {
            attribute.name.namespace_uri.is_none() && attribute.name.local_name == name
        });
        found.map(|attribute| attribute.value.as_ref())
    }

    /// An attribute of a namespace.
    pub(super) fn attribute_ns(self, namespace: &str, name: &str) -> Option<&'d str> {
        self.dom.document.element(self.id)?.get_attribute_ns(namespace, name)
    }

    /// The text without white space around it. Comments within the text are skipped, because they are not signed. The
    /// text of child elements is not included.
    pub(super) fn text(self) -> String {
        let document = &self.dom.document;
        let children = document.children_iter(self.id);
        let text: String = children.filter_map(|id| document.text_content(id)).collect();
        text.trim_ascii().to_owned()
    }

    /// The text of an element without child elements; `None` for an element with children.
    pub(super) fn text_alone(self) -> Option<String> {
        let document = &self.dom.document;
        let mut children = document.children_iter(self.id);
        let mixed = children.any(|id| matches!(document.node_kind(id), Some(NodeKind::Element(_))));
        (!mixed).then(|| self.text())
    }
}

/// The bytes of base64 that may be broken into lines (XML Schema 1.1, 3.3.16).
pub(super) fn unwrap_base64(text: &str) -> Option<Vec<u8>> {
    // Most documents write base64 on one line: that case needs no copy.
    if let Ok(bytes) = STANDARD.decode(text) {
        return Some(bytes);
    }
    let mut packed: Vec<u8> = Vec::with_capacity(text.len());
    packed.extend(text.bytes().filter(|byte| !byte.is_ascii_whitespace()));
    STANDARD.decode(packed).ok()
}
