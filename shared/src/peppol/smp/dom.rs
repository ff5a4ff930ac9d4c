//! The tree of SMP and SML documents, with the errors of those documents.

use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;

use super::error::{SignatureFault, SmpError};
use crate::{
    peppol::{
        dom::{Dom, El, unwrap_base64},
        identifiers::quoted,
    },
    xml,
};

/// Longest accepted document. A ServiceGroup of 3,000 registrations fits.
pub const MAX_BYTES: usize = 1024 * 1024;

const LIMITS: xml::Limits = xml::Limits {
    bytes: MAX_BYTES,
    depth: 32,
    attributes: 48,
    declarations: 64,
    elements: 20_000,
    name: 200,
};

/// Parses a document whose root has that name.
pub(in crate::peppol) fn parse<'s>(
    bytes: &'s [u8],
    namespace: &str,
    expected: &'static str,
) -> Result<Dom<'s>, SmpError> {
    let garbage = |reason: String| SmpError::Garbage { expected, reason };
    let dom = Dom::parse(bytes, &LIMITS).map_err(|error| garbage(error.to_string()))?;
    let root = dom.root();
    if !root.is(namespace, expected) {
        return Err(garbage(format!("the root element is {:?}", quoted(root.name()))));
    }
    Ok(dom)
}

impl Dom<'_> {
    /// Checks that every id is unique (XML 1.0, section 3.3.1), in whichever attributes.
    pub(super) fn check_ids(&self) -> Result<(), SignatureFault> {
        match self.repeated_id() {
            Some(id) => Err(SignatureFault::DuplicateId(quoted(id))),
            None => Ok(()),
        }
    }

    /// The canonical form of the whole document, without comments.
    pub(super) fn canonical(&self, method: &Canonicalization) -> Result<Vec<u8>, SignatureFault> {
        canonicalize_doc(&self.document, method.mode, None, &method.prefixes)
            .map_err(|error| SignatureFault::Canonicalization(error.to_string()))
    }
}

/// How a document becomes the signed bytes.
#[derive(Debug, Clone)]
pub(super) struct Canonicalization {
    mode: C14nMode,
    prefixes: Vec<String>,
}

impl Canonicalization {
    /// Canonical XML 1.0. It is also the default when a signature names none (XML Signature, section 4.4.3.2).
    pub(super) const INCLUSIVE: Self =
        Canonicalization { mode: C14nMode::Inclusive, prefixes: Vec::new() };

    /// The algorithm that an element names in `Algorithm`. Algorithms with comments are refused: comments are not
    /// read.
    pub(super) fn of(element: El<'_, '_>) -> Result<Self, SignatureFault> {
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

impl<'d, 's> El<'d, 's> {
    /// The child element of that name, if it exists; several are an error.
    pub(in crate::peppol) fn optional(
        self,
        namespace: &str,
        name: &'static str,
    ) -> Result<Option<El<'d, 's>>, SmpError> {
        match self.single(namespace, name) {
            Ok(only) => Ok(Some(only)),
            Err(0) => Ok(None),
            Err(count) => Err(self.count(name, count)),
        }
    }

    /// The one child element of that name.
    pub(in crate::peppol) fn only(
        self,
        namespace: &str,
        name: &'static str,
    ) -> Result<El<'d, 's>, SmpError> {
        self.single(namespace, name).map_err(|count| self.count(name, count))
    }

    fn count(self, name: &'static str, count: usize) -> SmpError {
        SmpError::Count { within: quoted(self.name()), name, count }
    }

    /// A required attribute without namespace.
    pub(super) fn required(self, name: &'static str) -> Result<&'d str, SmpError> {
        self.attribute(name).ok_or_else(|| self.count(name, 0))
    }

    /// The bytes of the base64 text.
    pub(super) fn base64(self, name: &'static str) -> Result<Vec<u8>, SmpError> {
        let text = self.text();
        unwrap_base64(&text).ok_or_else(|| SmpError::Value {
            name,
            text: quoted(&text),
            reason: "not base64".to_owned(),
        })
    }

    /// The canonical form of the element within its document, without comments.
    pub(super) fn canonical(self, method: &Canonicalization) -> Result<Vec<u8>, SignatureFault> {
        let set = NodeSet::tree_without_comments(self.id, &self.dom.document);
        canonicalize_doc(&self.dom.document, method.mode, Some(&set), &method.prefixes)
            .map_err(|error| SignatureFault::Canonicalization(error.to_string()))
    }
}
