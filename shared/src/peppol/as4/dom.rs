//! The tree of a SOAP envelope, with refusals for its errors.

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::{Document, NodeKind};

use super::{names::ns, refusal::Refusal, rule::Rule};
use crate::{
    peppol::dom::{Dom, El, ParseError},
    xml,
};

/// The limits of an envelope. Real ones have 8 to 12 KiB.
const LIMITS: xml::Limits = xml::Limits {
    bytes: 256 * 1024,
    depth: 32,
    attributes: 48,
    declarations: 64,
    elements: 2_000,
    name: 200,
};

/// Parses an envelope within the limits, without DOCTYPE and processing instructions.
pub(super) fn parse(soap: &[u8]) -> Result<Dom<'_>, Refusal> {
    let dom = Dom::parse(soap, &LIMITS).map_err(|error| match error {
        ParseError::TooLong { .. } => Refusal::new(Rule::SoapSize, error.to_string()),
        ParseError::Malformed(_) => Refusal::new(Rule::WellFormed, error.to_string()),
    })?;
    // SOAP 1.2, part 1, 5: a message must not have processing instructions.
    if let Some(target) = processing_instruction(&dom) {
        return Err(Refusal::new(Rule::ProcessingInstruction, target));
    }
    // WS-Security 1.1, 4: ids are unique, in whichever attributes.
    match dom.repeated_id() {
        Some(id) => Err(Refusal::new(Rule::UniqueIds, format!("the id {id} twice"))),
        None => Ok(dom),
    }
}

/// The target of a processing instruction, if there is one.
fn processing_instruction<'d>(dom: &'d Dom<'_>) -> Option<&'d str> {
    dom.nodes.iter().find_map(|id| match dom.document.node_kind(*id) {
        Some(NodeKind::ProcessingInstruction(found)) => Some(found.target.as_ref()),
        _ => None,
    })
}

impl<'d, 's> El<'d, 's> {
    /// The one child element of that name; the refusal names the number of such children.
    pub(super) fn require(
        self,
        namespace: &str,
        name: &str,
        rule: Rule,
    ) -> Result<El<'d, 's>, Refusal> {
        self.single(namespace, name).map_err(|count| {
            Refusal::new(rule, format!("{count} elements {name} in {}", self.name()))
        })
    }

    /// The WS-Security id of the element: `wsu:Id`, or `Id` for elements that define their own.
    pub(super) fn wsu_id(self) -> Option<&'d str> {
        self.attribute_ns(ns::WSU, "Id").or_else(|| self.attribute("Id"))
    }

    /// Exclusive XML Canonicalization 1.0, without comments. It works on a copy of the element with the inherited
    /// namespaces, because the canonicalizer walks the whole document for any part of it.
    pub(super) fn exclusive(self, inclusive: &[String]) -> Result<Vec<u8>, Refusal> {
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

    /// The namespaces in scope that the element does not declare itself.
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
                // An empty URI removes the default namespace.
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

    /// The canonical form by the canonicalizer's own selection of a part.
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
            let dom = parse(soap).unwrap();
            for (element, list) in
                dom.elements().flat_map(|one| lists.iter().map(move |l| (one, l)))
            {
                let list: Vec<String> = list.iter().map(|prefix| (*prefix).to_owned()).collect();
                let (own, other) = (element.exclusive(&list).unwrap(), selected(element, &list));
                assert_eq!(own, other, "{} {list:?}", element.path());
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
