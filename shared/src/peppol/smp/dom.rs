//! A document as a tree that is read and canonicalized: one tree for both, so that what is proven is what is read.

use std::collections::HashSet;

use base64::{Engine, engine::general_purpose::STANDARD};
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeId, NodeKind, NodeSet};

use super::error::{SignatureFault, SmpError};
use crate::{peppol::identifiers::quoted, xml};

/// No document is longer: a ServiceGroup of 3,000 registrations is not.
pub const MAX_BYTES: usize = 1024 * 1024;

/// What a document may have. The tree below compares attributes with each other; the linear reader of [`crate::xml`]
/// goes before it and keeps floods away.
const LIMITS: xml::Limits = xml::Limits {
    bytes: MAX_BYTES,
    depth: 32,
    attributes: 48,
    declarations: 64,
    elements: 20_000,
    name: 200,
};

/// A parsed document.
pub(in crate::peppol) struct Dom<'s> {
    document: Document<'s>,
}

impl<'s> Dom<'s> {
    /// Parses UTF-8 that holds to the limits, without DOCTYPE, and whose root has that name.
    pub(in crate::peppol) fn parse(
        bytes: &'s [u8],
        namespace: &str,
        expected: &'static str,
    ) -> Result<Self, SmpError> {
        let garbage = |reason: String| SmpError::Garbage { expected, reason };
        if bytes.len() > MAX_BYTES {
            return Err(garbage(format!("{} bytes, more than {MAX_BYTES}", bytes.len())));
        }
        let text = str::from_utf8(bytes).map_err(|error| garbage(error.to_string()))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        xml::parse_with(text.as_bytes(), &LIMITS).map_err(|error| garbage(error.to_string()))?;
        let parser = bergshamra_xml::uppsala::Parser::new()
            .with_max_depth(u32::try_from(LIMITS.depth).unwrap_or(u32::MAX))
            .with_forbid_dtd(true);
        let document = parser.parse(text).map_err(|error| garbage(error.to_string()))?;
        let dom = Dom { document };
        let root = dom.root();
        if !root.is(namespace, expected) {
            return Err(garbage(format!("the root element is {:?}", quoted(root.name()))));
        }
        Ok(dom)
    }

    /// The root element: a parsed document has one.
    pub(in crate::peppol) fn root(&self) -> El<'_, 's> {
        let id = self.document.document_element().unwrap_or(self.document.root());
        El { dom: self, id }
    }

    /// Every element, in document order.
    pub(in crate::peppol) fn elements(&self) -> impl Iterator<Item = El<'_, 's>> {
        let all = self.document.descendants(self.document.root()).into_iter();
        all.filter(|id| self.document.element(*id).is_some()).map(|id| El { dom: self, id })
    }

    /// An id names one element (XML 1.0, section 3.3.1), whatever its attribute is called.
    pub(in crate::peppol) fn check_ids(&self) -> Result<(), SignatureFault> {
        let mut seen = HashSet::new();
        for element in self.elements() {
            let Some(data) = self.document.element(element.id) else { continue };
            let named = data.attributes.iter();
            let ids = named.filter(|one| one.name.local_name.eq_ignore_ascii_case("id"));
            for id in ids {
                if !seen.insert(id.value.as_ref()) {
                    return Err(SignatureFault::DuplicateId(quoted(&id.value)));
                }
            }
        }
        Ok(())
    }

    /// Takes an element out of the document.
    pub(in crate::peppol) fn remove(&mut self, element: NodeId) {
        self.document.detach(element);
    }

    /// The canonical form of the whole document, without comments.
    pub(in crate::peppol) fn canonical(
        &self,
        method: &Canonicalization,
    ) -> Result<Vec<u8>, SignatureFault> {
        canonicalize_doc(&self.document, method.mode, None, &method.prefixes)
            .map_err(|error| SignatureFault::Canonicalization(error.to_string()))
    }
}

/// How a document becomes the bytes that are signed.
#[derive(Debug, Clone)]
pub(in crate::peppol) struct Canonicalization {
    mode: C14nMode,
    prefixes: Vec<String>,
}

impl Canonicalization {
    /// Canonical XML 1.0: also what turns a document into bytes when nothing is said (XML Signature, section 4.4.3.2).
    pub(in crate::peppol) const INCLUSIVE: Self =
        Canonicalization { mode: C14nMode::Inclusive, prefixes: Vec::new() };

    /// What an element with an `Algorithm` asks for. Comments are never signed: nobody reads them.
    pub(in crate::peppol) fn of(element: El<'_, '_>) -> Result<Self, SignatureFault> {
        let uri = element.attribute("Algorithm").unwrap_or_default();
        match C14nMode::from_uri(uri) {
            Some(C14nMode::Inclusive) => Ok(Self::INCLUSIVE),
            Some(mode @ C14nMode::Exclusive) => {
                let list = element.all(super::names::EC, "InclusiveNamespaces").next();
                let list = list.and_then(|list| list.attribute("PrefixList")).unwrap_or_default();
                let prefixes = list.split_ascii_whitespace().map(str::to_owned).collect();
                Ok(Canonicalization { mode, prefixes })
            }
            _ => Err(SignatureFault::Algorithm { what: "canonicalization", uri: quoted(uri) }),
        }
    }
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(in crate::peppol) struct El<'d, 's> {
    dom: &'d Dom<'s>,
    pub(in crate::peppol) id: NodeId,
}

impl<'d, 's> El<'d, 's> {
    /// Whether it has that name.
    pub(in crate::peppol) fn is(self, namespace: &str, name: &str) -> bool {
        let element = self.dom.document.element(self.id);
        element.is_some_and(|element| element.matches_name_ns(namespace, name))
    }

    /// The local name.
    pub(in crate::peppol) fn name(self) -> &'d str {
        self.dom.document.element(self.id).map_or("", |element| &element.name.local_name)
    }

    /// The child elements.
    pub(in crate::peppol) fn children(self) -> impl Iterator<Item = El<'d, 's>> {
        let dom = self.dom;
        let children = dom.document.children_iter(self.id);
        children.filter(|id| dom.document.element(*id).is_some()).map(move |id| El { dom, id })
    }

    /// The child elements of that name.
    pub(in crate::peppol) fn all(
        self,
        namespace: &str,
        name: &str,
    ) -> impl Iterator<Item = El<'d, 's>> {
        self.children().filter(move |child| child.is(namespace, name))
    }

    /// The child element of that name, if there is one; never several.
    pub(in crate::peppol) fn optional(
        self,
        namespace: &str,
        name: &'static str,
    ) -> Result<Option<El<'d, 's>>, SmpError> {
        let mut found = self.all(namespace, name);
        match (found.next(), found.count()) {
            (first, 0) => Ok(first),
            (_, more) => Err(self.count(name, more + 1)),
        }
    }

    /// The one child element of that name.
    pub(in crate::peppol) fn only(
        self,
        namespace: &str,
        name: &'static str,
    ) -> Result<El<'d, 's>, SmpError> {
        self.optional(namespace, name)?.ok_or_else(|| self.count(name, 0))
    }

    fn count(self, name: &'static str, count: usize) -> SmpError {
        SmpError::Count { within: quoted(self.name()), name, count }
    }

    /// An attribute without namespace.
    pub(in crate::peppol) fn attribute(self, name: &str) -> Option<&'d str> {
        let attributes = &self.dom.document.element(self.id)?.attributes;
        let found = attributes
            .iter()
            .find(|one| one.name.namespace_uri.is_none() && one.name.local_name == name);
        found.map(|attribute| attribute.value.as_ref())
    }

    /// An attribute without namespace that must be there.
    pub(in crate::peppol) fn required(self, name: &'static str) -> Result<&'d str, SmpError> {
        self.attribute(name).ok_or_else(|| self.count(name, 0))
    }

    /// The text without white space around it, whole even where comments stand within it: they are not signed. The
    /// text of child elements is not this element's.
    pub(in crate::peppol) fn text(self) -> String {
        let document = &self.dom.document;
        let texts = document.children_iter(self.id).filter_map(|id| match document.node_kind(id) {
            Some(NodeKind::Text(text) | NodeKind::CData(text)) => Some(text.as_ref()),
            _ => None,
        });
        texts.collect::<String>().trim_ascii().to_owned()
    }

    /// The bytes that the text stands for in base64, which may be broken into lines.
    pub(in crate::peppol) fn base64(self, name: &'static str) -> Result<Vec<u8>, SmpError> {
        let text = self.text();
        unwrap_base64(&text).ok_or_else(|| SmpError::Value {
            name,
            text: quoted(&text),
            reason: "not base64".to_owned(),
        })
    }

    /// The canonical form of the element in its document, without comments.
    pub(in crate::peppol) fn canonical(
        self,
        method: &Canonicalization,
    ) -> Result<Vec<u8>, SignatureFault> {
        let set = NodeSet::tree_without_comments(self.id, &self.dom.document);
        canonicalize_doc(&self.dom.document, method.mode, Some(&set), &method.prefixes)
            .map_err(|error| SignatureFault::Canonicalization(error.to_string()))
    }
}

/// Base64 with white space anywhere in it.
pub(in crate::peppol) fn unwrap_base64(text: &str) -> Option<Vec<u8>> {
    let dense: String = text.split_ascii_whitespace().collect();
    STANDARD.decode(dense).ok()
}
