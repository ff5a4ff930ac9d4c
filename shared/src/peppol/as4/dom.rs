//! A SOAP envelope as a tree that is read and canonicalized: one tree for both, so that what is verified is what is
//! read.

use std::collections::HashSet;
use std::fmt::Write as _;

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeId, NodeKind};

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
    /// Every element, in document order.
    elements: Vec<NodeId>,
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
        let mut elements = document.descendants(document.root());
        for id in &elements {
            // SOAP 1.2, part 1, 5: a message must not have processing instructions.
            if let Some(NodeKind::ProcessingInstruction(found)) = document.node_kind(*id) {
                return Err(Refusal::new(Rule::ProcessingInstruction, &found.target));
            }
        }
        elements.retain(|id| document.element(*id).is_some());
        let dom = Dom { document, elements };
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
        self.elements.iter().map(|id| El { dom: self, id: *id })
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

    /// Exclusive XML Canonicalization 1.0, without comments: of a copy of the element, which has the bindings of
    /// the ancestors' namespaces, since the canonicalizer walks the whole of a document for any part of it.
    pub(super) fn canonical(self, inclusive: &[String]) -> Result<Vec<u8>, Refusal> {
        let failed = |error: String| Refusal::new(Rule::WellFormed, error);
        let mut alone = Document::new();
        let copy = alone.import_subtree(&self.dom.document, self.id);
        let copy = copy.ok_or_else(|| failed("no element".to_owned()))?;
        alone.append_child(alone.root(), copy);
        for (prefix, uri) in self.inherited() {
            alone.declare_namespace(copy, Some(prefix), uri.to_owned());
        }
        canonicalize_doc(&alone, C14nMode::Exclusive, None, inclusive)
            .map_err(|error| failed(error.to_string()))
    }

    /// The namespaces that are in scope and not declared by the element itself.
    fn inherited(self) -> Vec<(&'d str, &'d str)> {
        let document = &self.dom.document;
        let declared = |id| document.element(id).map(|element| &element.namespace_declarations);
        let mut known: Vec<&str> =
            declared(self.id).into_iter().flatten().map(|(prefix, _)| prefix.as_ref()).collect();
        let mut inherited = Vec::new();
        for (prefix, uri) in document.ancestors(self.id).into_iter().filter_map(declared).flatten()
        {
            if !known.contains(&prefix.as_ref()) {
                known.push(prefix);
                // An empty one takes the default namespace away.
                inherited.extend((!uri.is_empty()).then_some((prefix.as_ref(), uri.as_ref())));
            }
        }
        inherited
    }
}

#[cfg(test)]
mod tests {
    use bergshamra_xml::NodeSet;

    use super::*;

    /// The same by the canonicalizer's own selection of a part.
    fn selected(element: El<'_, '_>, inclusive: &[String]) -> Vec<u8> {
        let document = &element.dom.document;
        let set = NodeSet::tree_without_comments(element.id, document);
        canonicalize_doc(document, C14nMode::Exclusive, Some(&set), inclusive).unwrap()
    }

    #[test]
    fn a_copy_has_the_canonical_form_of_the_original() {
        let made = r#"<a xmlns="urn:a" xmlns:p="urn:p" xmlns:q="urn:q"><p:b xmlns=""><!-- x --><c p:d="1" e="&#13;&amp;"/></p:b><f xmlns:p="urn:other" xmlns:q="urn:q"><p:g/><q:h xml:lang="en">&lt;]]&gt;</q:h><i xmlns="urn:i"><![CDATA[<]]></i></f></a>"#;
        let captured = include_bytes!("samples/phase4-message.as4out");
        let start = memchr::memmem::find(captured, b"<?xml").unwrap();
        let end = memchr::memmem::find(captured, b"</S12:Envelope>").unwrap() + 15;
        let lists = [vec![], vec!["S12", "p"], vec!["#default", "q", "wsu", "ns6", "nothing"]];
        let mut compared = 0;
        for soap in [made.as_bytes(), &captured[start..end]] {
            let dom = Dom::parse(soap).unwrap();
            for (element, list) in
                dom.elements().flat_map(|one| lists.iter().map(move |l| (one, l)))
            {
                let list: Vec<String> = list.iter().map(|prefix| (*prefix).to_owned()).collect();
                let (own, other) = (element.canonical(&list).unwrap(), selected(element, &list));
                assert_eq!(own, other, "{} {list:?}", element.path());
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
