//! A SOAP envelope as a tree that is read and canonicalized: one tree for both, so that what is verified is what is
//! read.

use std::collections::HashSet;
use std::fmt::Write as _;

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeId, NodeKind, NodeSet};

use super::{names::ns, refusal::Refusal, rule::Rule};
use crate::xml;

/// Bytes of a SOAP part: those of the field have 8 to 12 KiB.
const MOST_SOAP_BYTES: usize = 256 * 1024;

/// What an envelope may have. The tree below compares attributes with each other, and canonicalization sorts them:
/// the linear reader of [`crate::xml`] keeps floods from both.
const LIMITS: xml::Limits = xml::Limits {
    bytes: MOST_SOAP_BYTES,
    depth: 32,
    attributes: 48,
    declarations: 64,
    elements: 2_000,
    name: 200,
};

/// A parsed envelope.
pub(super) struct Dom<'s> {
    document: Document<'s>,
}

impl<'s> Dom<'s> {
    /// Parses an envelope that holds to the limits, and has neither DOCTYPE nor processing instructions.
    pub(super) fn parse(soap: &'s [u8]) -> Result<Self, Refusal> {
        if soap.len() > MOST_SOAP_BYTES {
            return Err(Refusal::new(Rule::SoapSize, format!("{} bytes", soap.len())));
        }
        let malformed = |error: String| Refusal::new(Rule::WellFormed, error);
        let text = str::from_utf8(soap).map_err(|error| malformed(error.to_string()))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        xml::parse_with(text.as_bytes(), &LIMITS).map_err(|error| malformed(error.to_string()))?;
        let parser = bergshamra_xml::uppsala::Parser::new()
            .with_max_depth(u32::try_from(LIMITS.depth).unwrap_or(u32::MAX))
            .with_forbid_dtd(true);
        let document = parser.parse(text).map_err(|error| malformed(error.to_string()))?;
        let dom = Dom { document };
        dom.check_instructions()?;
        dom.check_ids()?;
        Ok(dom)
    }

    /// The root element.
    pub(super) fn root(&self) -> Result<El<'_, 's>, Refusal> {
        let id = self.document.document_element();
        id.map(|id| El { dom: self, id })
            .ok_or_else(|| Refusal::new(Rule::WellFormed, "no root element"))
    }

    /// Every element, in document order.
    pub(super) fn elements(&self) -> impl Iterator<Item = El<'_, 's>> {
        let all = self.document.descendants(self.document.root()).into_iter();
        all.filter(|id| self.document.element(*id).is_some()).map(|id| El { dom: self, id })
    }

    /// SOAP 1.2, part 1, 5: a message must not have processing instructions.
    fn check_instructions(&self) -> Result<(), Refusal> {
        let mut all = self.document.descendants(self.document.root()).into_iter();
        let found = all.find_map(|id| match self.document.node_kind(id) {
            Some(NodeKind::ProcessingInstruction(instruction)) => Some(&instruction.target),
            _ => None,
        });
        found.map_or(Ok(()), |target| Err(Refusal::new(Rule::ProcessingInstruction, target)))
    }

    /// WS-Security 1.1, 4: an id names one element, whichever attribute carries it.
    fn check_ids(&self) -> Result<(), Refusal> {
        let mut seen = HashSet::new();
        for element in self.elements() {
            let Some(data) = self.document.element(element.id) else { continue };
            let ids = data
                .attributes
                .iter()
                .filter(|attribute| attribute.name.local_name.eq_ignore_ascii_case("id"));
            for id in ids {
                if !seen.insert(id.value.as_ref()) {
                    return Err(Refusal::new(
                        Rule::UniqueIds,
                        format!("the id {} twice", id.value),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// An element of an envelope.
#[derive(Clone, Copy)]
pub(super) struct El<'d, 's> {
    dom: &'d Dom<'s>,
    id: NodeId,
}

impl<'d, 's> El<'d, 's> {
    /// Whether it has that name.
    pub(super) fn is(self, namespace: &str, name: &str) -> bool {
        let element = self.dom.document.element(self.id);
        element.is_some_and(|element| element.matches_name_ns(namespace, name))
    }

    /// Whether it is the very same element.
    pub(super) fn same(self, other: El<'_, '_>) -> bool {
        self.id == other.id && std::ptr::addr_eq(self.dom, other.dom)
    }

    /// The local name.
    pub(super) fn name(self) -> &'d str {
        self.dom.document.element(self.id).map_or("", |element| &element.name.local_name)
    }

    /// The child elements.
    pub(super) fn children(self) -> impl Iterator<Item = El<'d, 's>> {
        let dom = self.dom;
        let children = dom.document.children_iter(self.id);
        children.filter(|id| dom.document.element(*id).is_some()).map(move |id| El { dom, id })
    }

    /// The child elements of that name.
    pub(super) fn all(self, namespace: &str, name: &str) -> impl Iterator<Item = El<'d, 's>> {
        self.children().filter(move |child| child.is(namespace, name))
    }

    /// The one child element of that name, or how many there are instead.
    pub(super) fn only(self, namespace: &str, name: &str) -> Result<El<'d, 's>, usize> {
        let mut found = self.all(namespace, name);
        match (found.next(), found.count()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(0),
            (Some(_), more) => Err(more + 1),
        }
    }

    /// The one child element of that name, or a refusal that says how many there are.
    pub(super) fn require(
        self,
        namespace: &str,
        name: &str,
        rule: Rule,
    ) -> Result<El<'d, 's>, Refusal> {
        self.only(namespace, name).map_err(|count| {
            Refusal::new(rule, format!("{count} elements {name} in {}", self.name()))
        })
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

    /// The id that WS-Security gives it: `wsu:Id`, or `Id` of the elements that have their own.
    pub(super) fn wsu_id(self) -> Option<&'d str> {
        self.attribute_ns(ns::WSU, "Id").or_else(|| self.attribute("Id"))
    }

    /// The text without white space around it, whole even where comments stand within it; nothing when there are
    /// child elements, whose text is not this element's.
    pub(super) fn text(self) -> Option<String> {
        let mut text = String::new();
        for id in self.dom.document.children_iter(self.id) {
            match self.dom.document.node_kind(id) {
                Some(NodeKind::Element(_)) => return None,
                _ => text.push_str(self.dom.document.text_content(id).unwrap_or_default()),
            }
        }
        Some(text.trim_ascii().to_owned())
    }

    /// The path of local names down to it, for refusals.
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

    /// Exclusive XML Canonicalization 1.0, without comments.
    pub(super) fn canonical(self, inclusive: &[String]) -> Result<Vec<u8>, Refusal> {
        let set = NodeSet::tree_without_comments(self.id, &self.dom.document);
        canonicalize_doc(&self.dom.document, C14nMode::Exclusive, Some(&set), inclusive)
            .map_err(|error| Refusal::new(Rule::WellFormed, error.to_string()))
    }
}
