//! The arena: flat vectors in document order that refer to ranges of the text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use super::Node;
use super::names::Name;

/// The positions of the children of elements with many children. They are computed on first use.
#[derive(Debug, Default)]
pub(super) struct Positions(pub(super) Mutex<HashMap<u32, Vec<(u32, u32)>>>);

/// A range of bytes. It refers to [`Tree::source`], or beyond its end to [`Tree::decoded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// One element. Its descendants follow it, up to `end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    /// The offset of its `<`.
    pub(super) start: u32,
    /// The index of the parent; the root has its own index.
    pub(super) parent: u32,
    /// The index of the first following element that is not a descendant.
    pub(super) end: u32,
    /// The first text node inside it, at any depth.
    pub(super) first_text: u32,
    /// The first text node after it.
    pub(super) end_text: u32,
    /// The first attribute. The attributes of the next element end the range.
    pub(super) first_attribute: u32,
    pub(super) name: Name,
    /// The length of the name as written, with the prefix.
    pub(super) written: u16,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct AttributeEntry {
    /// The offset of the name.
    pub(super) start: u32,
    pub(super) value: Span,
    pub(super) name: Name,
    /// The length of the name as written, with the prefix.
    pub(super) written: u16,
}

/// A namespace declaration, for the few names that are resolved again later.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamespaceDeclaration {
    pub(super) element: u32,
    /// Empty for the default namespace.
    pub(super) prefix: Span,
    pub(super) uri: Span,
}

/// A parsed document: its elements and its text.
#[derive(Debug, Default)]
pub struct Tree<'s> {
    /// The whole document in UTF-8, with line ends normalised.
    pub(super) source: Cow<'s, str>,
    /// Text nodes and attribute values that differ from the source after decoding.
    pub(super) decoded: String,
    pub(super) elements: Vec<Element>,
    pub(super) attributes: Vec<AttributeEntry>,
    pub(super) texts: Vec<Span>,
    /// In document order.
    pub(super) declarations: Vec<NamespaceDeclaration>,
    /// The offsets of line ends that were a lone carriage return, in order.
    pub(super) returns: Vec<u32>,
    /// The number of line ends before each block of [`BLOCK`] bytes. It is computed on first use.
    pub(super) lines: OnceLock<Vec<u32>>,
    /// See [`Node::xpath`].
    pub(super) positions: Positions,
}

/// The number of bytes that are searched to compute one line number.
const BLOCK: usize = 512;

impl Tree<'_> {
    /// The root element.
    pub fn root(&self) -> Node<'_> {
        self.node(0)
    }

    /// All elements in document order.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        (0..index(self.elements.len())).map(|at| self.node(at))
    }

    /// The element with this [`Node::index`]; the root if there is none.
    pub fn node(&self, index: u32) -> Node<'_> {
        let known = (index as usize) < self.elements.len();
        Node { tree: self, index: if known { index } else { 0 } }
    }

    /// The number of elements, at least one.
    #[allow(clippy::len_without_is_empty)] // a document has a root
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// The size of the document in UTF-8 bytes.
    pub fn size(&self) -> usize {
        self.source.len()
    }

    pub(super) fn text(&self, span: Span) -> &str {
        let (start, length) = (span.start as usize, span.length as usize);
        let (text, start) = match start.checked_sub(self.source.len()) {
            Some(start) => (&*self.decoded, start),
            None => (&*self.source, start),
        };
        text.get(start..start + length).unwrap_or_default()
    }

    /// The line of an offset in the source, from 1.
    pub(super) fn line(&self, offset: usize) -> u32 {
        let bytes = self.source.as_bytes();
        let counts = self.lines.get_or_init(|| {
            let blocks = bytes.chunks(BLOCK);
            let sums = blocks.scan(0, |count, block| {
                let before = *count;
                *count += line_ends(block);
                Some(before)
            });
            sums.collect()
        });
        let block = offset / BLOCK;
        let rest = bytes.get(block * BLOCK..offset).unwrap_or_default();
        let ends = counts.get(block).copied().unwrap_or_default() + line_ends(rest);
        let offset = index(offset);
        ends - index(self.returns.partition_point(|at| *at < offset)) + 1
    }
}

fn line_ends(bytes: &[u8]) -> u32 {
    index(memchr::memchr_iter(b'\n', bytes).count())
}

/// Converts a length to an index. The parser refuses documents whose lengths do not fit.
pub(super) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
