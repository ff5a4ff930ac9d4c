use std::{borrow::Cow, ops::Range};

use memchr::memmem;

use super::{
    WRAPPER_NAMESPACE, WRAPPERS,
    cursor::{Cursor, Element},
    error::SbdhError,
    header::DocumentIdentification,
    limits::{Limit, MOST_DECLARATIONS, MOST_DEPTH},
};
use crate::peppol::identifiers::{Syntax, quoted};

/// The document in an envelope: a slice of the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload<'a> {
    element: &'a [u8],
    range: Range<usize>,
    /// The offset of the end of its name, from the start of the element.
    named: usize,
    namespace: String,
    local_name: String,
    inherited: Vec<Declaration>,
}

/// A namespace that the envelope declares and the document uses.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declaration {
    /// Empty for the default namespace.
    prefix: String,
    /// The name as written, with its references.
    namespace: String,
}

impl<'a> Payload<'a> {
    /// The root element as it is in the message. Its namespace declarations may be outside: see
    /// [`Payload::document`].
    pub fn element(&self) -> &'a [u8] {
        self.element
    }

    /// The range of the element in the message.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The namespace of the root element.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The local name of the root element.
    pub fn local_name(&self) -> &str {
        &self.local_name
    }

    /// The stand-alone document: the bytes of the message. If it uses namespaces that the envelope declares, the root
    /// element gets these declarations (Namespaces in XML 1.0, section 6.1). Nothing else changes.
    pub fn document(&self) -> Cow<'a, [u8]> {
        let (Some(begin), Some(rest)) =
            (self.element.get(..self.named), self.element.get(self.named..))
        else {
            return self.element.into();
        };
        if self.inherited.is_empty() {
            return self.element.into();
        }
        let mut document = begin.to_vec();
        for Declaration { prefix, namespace } in &self.inherited {
            let colon = if prefix.is_empty() { "" } else { ":" };
            // The original may use the other quotation marks.
            let namespace = namespace.replace('"', "&quot;");
            document.extend_from_slice(format!(" xmlns{colon}{prefix}=\"{namespace}\"").as_bytes());
        }
        document.extend_from_slice(rest);
        document.into()
    }
}

/// Walks over the document after the header, and checks its root against the header. `offset` is the length of the
/// message before `text`.
pub(super) fn payload<'a>(
    cursor: &mut Cursor<'a>,
    text: &'a str,
    offset: usize,
    document: &DocumentIdentification,
) -> Result<Payload<'a>, SbdhError> {
    let around = declarations(cursor)?;
    let root = cursor.child()?.ok_or(SbdhError::NoPayload)?;
    agrees(&root, document)?;
    let mut unprefixed = !root.is_prefixed();
    cursor.pass(MOST_DEPTH, Limit::PayloadDepth, |start| {
        unprefixed |= start.name().prefix().is_none();
    })?;
    let (begin, end) = (root.at, cursor.position());
    let element = text.get(begin..end).unwrap_or_default().as_bytes();
    let needed = |declaration: &Declaration| {
        !root.declares(&declaration.prefix) && declaration.is_used(element, unprefixed)
    };
    let inherited = around.into_iter().filter(needed).collect();
    let (range, named) = (begin + offset..end + offset, root.end_of_name());
    let Element { namespace, local_name, .. } = root;
    Ok(Payload { element, range, named, namespace, local_name, inherited })
}

/// The namespaces that the envelope declares around the document.
fn declarations(cursor: &Cursor<'_>) -> Result<Vec<Declaration>, SbdhError> {
    let declared = cursor.declarations().map(|(prefix, namespace)| Declaration {
        prefix: prefix.to_owned(),
        namespace: namespace.to_owned(),
    });
    let declared: Vec<_> = declared.take(MOST_DECLARATIONS + 1).collect();
    if declared.len() > MOST_DECLARATIONS {
        return Err(Limit::Declarations.into());
    }
    Ok(declared)
}

impl Declaration {
    /// Whether the document may use the declaration: in names of elements and attributes, or in qualified names in
    /// values. A false positive does no harm.
    fn is_used(&self, element: &[u8], unprefixed: bool) -> bool {
        if self.prefix.is_empty() {
            return unprefixed;
        }
        let name = format!("{}:", self.prefix);
        let mut found = memmem::find_iter(element, name.as_bytes());
        // The match must start a name, not continue a longer one.
        found.any(|at| {
            let before = at.checked_sub(1).and_then(|before| element.get(before));
            !before.is_some_and(|byte| continues_name(*byte))
        })
    }
}

/// Whether a byte continues a name (XML 1.0, production 4a). Almost every character outside ASCII does.
fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

/// Checks that the root element matches the header.
fn agrees(root: &Element<'_>, document: &DocumentIdentification) -> Result<(), SbdhError> {
    let (namespace, names): (&str, &[&str]) = match document.document_type().syntax() {
        Syntax::Xml { namespace, local_name } => (namespace, &[local_name]),
        // Business Message Envelope 2.0.1: a document that is not XML is inside a wrapper.
        Syntax::Other(_) => (WRAPPER_NAMESPACE, &WRAPPERS),
    };
    if root.namespace == namespace && names.contains(&root.local_name.as_str()) {
        return Ok(());
    }
    let expected = quoted(&format!("{{{namespace}}}{}", names.join(" or ")));
    Err(SbdhError::Payload { found: root.expanded(), expected })
}
