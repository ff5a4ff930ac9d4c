use std::{borrow::Cow, ops::Range};

use memchr::memmem;

use super::{
    WRAPPER_NAMESPACE, WRAPPERS,
    cursor::{Cursor, Element, Limit},
    error::SbdhError,
    header::DocumentIdentification,
};
use crate::peppol::identifiers::{Syntax, quoted};

/// Elements of a document within each other that are passed over. What a document may have is for
/// its own rules to say; this bounds the memory of the walk.
pub(super) const MOST_DEPTH: usize = 1_000;

/// Namespaces that an envelope declares around its document. Each costs one search through it.
pub(super) const MOST_DECLARATIONS: usize = 32;

/// The document in an envelope: a slice of the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload<'a> {
    element: &'a [u8],
    range: Range<usize>,
    /// Offset in the element of the end of its name.
    named: usize,
    namespace: String,
    local_name: String,
    inherited: Vec<Declaration>,
}

/// A namespace that the envelope declares and the document needs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declaration {
    /// Empty for the default namespace.
    prefix: String,
    /// As it was written, with references and all.
    namespace: String,
}

impl<'a> Payload<'a> {
    /// The root element with all that is in it, as it stands in the message. By itself it may lack
    /// namespaces: see [`Payload::document`].
    pub fn element(&self) -> &'a [u8] {
        self.element
    }

    /// Where that is in the message.
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

    /// The document by itself: the very bytes of the message, or, when it leans on namespaces that
    /// the envelope declares, the same with these declarations in its root element (Namespaces in
    /// XML 1.0, section 6.1). Nothing else is changed.
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
            // It may have stood between the other quotation marks.
            let namespace = namespace.replace('"', "&quot;");
            document.extend_from_slice(format!(" xmlns{colon}{prefix}=\"{namespace}\"").as_bytes());
        }
        document.extend_from_slice(rest);
        document.into()
    }
}

/// Walks over the document that follows the header, and holds its root to what the header says.
/// `offset` is what precedes `text` in the message.
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
    /// Whether a document may need it: names of elements and attributes have the prefix, and so do
    /// qualified names in values. One too many does no harm.
    fn is_used(&self, element: &[u8], unprefixed: bool) -> bool {
        if self.prefix.is_empty() {
            return unprefixed;
        }
        let name = format!("{}:", self.prefix);
        let mut found = memmem::find_iter(element, name.as_bytes());
        // At the beginning of a name, not within a longer one.
        found.any(|at| {
            let before = at.checked_sub(1).and_then(|before| element.get(before));
            !before.is_some_and(|byte| continues_name(*byte))
        })
    }
}

/// Whether a byte is one of a name's (XML 1.0, production 4a; beyond ASCII nearly everything is).
fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

/// Whether the root element is what the header says.
fn agrees(root: &Element<'_>, document: &DocumentIdentification) -> Result<(), SbdhError> {
    let (namespace, names): (&str, &[&str]) = match document.document_type().syntax() {
        Syntax::Xml { namespace, local_name } => (namespace, &[local_name]),
        // Business Message Envelope 2.0.1: what is no XML travels in a wrapper.
        Syntax::Other(_) => (WRAPPER_NAMESPACE, &WRAPPERS),
    };
    if root.namespace == namespace && names.contains(&root.local_name.as_str()) {
        return Ok(());
    }
    let expected = quoted(&format!("{{{namespace}}}{}", names.join(" or ")));
    Err(SbdhError::Payload { found: root.expanded(), expected })
}
