//! The arena: flat vectors in document order, and the text that they are ranges of.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::Node;
use super::names::Name;
use super::node::Positions;

/// A piece of the text, in bytes: of [`Tree::source`], or beyond its end of
/// [`Tree::decoded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// One element. What is below an element follows it, up to `end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    /// Where its `<` stands.
    pub(super) start: u32,
    /// The parent's index; of the root its own.
    pub(super) parent: u32,
    /// The index of the first element after it that is not below it.
    pub(super) end: u32,
    /// The first text node inside it, at whatever depth.
    pub(super) first_text: u32,
    /// The first text node after it.
    pub(super) end_text: u32,
    /// The first of its attributes; they reach up to those of the next element.
    pub(super) first_attribute: u32,
    pub(super) name: Name,
    /// The length of the name as written, with the prefix.
    pub(super) written: u16,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct AttributeEntry {
    /// Where the name stands.
    pub(super) start: u32,
    pub(super) value: Span,
    pub(super) name: Name,
    /// The length of the name as written, with the prefix.
    pub(super) written: u16,
}

/// A namespace declaration, for the few names that are looked up again.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamespaceDeclaration {
    pub(super) element: u32,
    /// Empty for the default namespace.
    pub(super) prefix: Span,
    pub(super) uri: Span,
}

/// A parsed document: its elements, and the text that they are ranges of.
#[derive(Debug, Default)]
pub struct Tree<'s> {
    /// The whole document in UTF-8, with line ends normalised.
    pub(super) source: Cow<'s, str>,
    /// Text nodes and attribute values that do not stand in the source as they read.
    pub(super) decoded: String,
    pub(super) elements: Vec<Element>,
    pub(super) attributes: Vec<AttributeEntry>,
    pub(super) texts: Vec<Span>,
    /// In document order.
    pub(super) declarations: Vec<NamespaceDeclaration>,
    /// Where a line end of the source was a lone carriage return, in order.
    pub(super) returns: Vec<u32>,
    /// Line ends before each block of [`BLOCK`] bytes, counted when a line is first asked for.
    pub(super) lines: OnceLock<Vec<u32>>,
    /// See [`Node::xpath`].
    pub(super) positions: Positions,
}

/// How many bytes are searched for line ends to number one line.
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

    /// The element with that [`Node::index`]; the root when there is none.
    pub fn node(&self, index: u32) -> Node<'_> {
        let known = (index as usize) < self.elements.len();
        Node { tree: self, index: if known { index } else { 0 } }
    }

    /// How many elements there are, at least one.
    #[allow(clippy::len_without_is_empty)] // a document has a root
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// How many bytes the document has in UTF-8.
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

    /// The line of an offset into the source, from 1.
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

/// A length as an index. The parser accepts no document where it would not fit.
pub(super) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
