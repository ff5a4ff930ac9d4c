//! Builds the arena in one pass over the text. The module `tags` handles the tags.
//!
//! The parser searches for markup itself, because the events of quick-xml take most of the time budget of parsing,
//! schema and rules. Its verdicts were compared with libxml2.

use std::borrow::Cow;
use std::collections::HashSet;

use super::attributes::Written;
use super::characters::{illegal, is_name, is_space, reference};
use super::encoding::{self, Decoded};
use super::error::{Fault, ParseError, shown};
use super::namespaces::Bindings;
use super::scan::text_end;
use super::tree::{Span, Tree, index};

/// Maximum values for a document. A document that exceeds one is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the document. They are checked first and never exceed 1 GiB.
    pub bytes: usize,
    /// Depth of nested elements.
    pub depth: usize,
    /// Attributes of one element, including namespace declarations.
    pub attributes: usize,
    /// Namespace declarations in scope at one element.
    pub declarations: usize,
    /// Elements in the document.
    pub elements: usize,
    /// Bytes of a name.
    pub name: usize,
}

impl Limits {
    /// The limits of [`parse`]. Business documents stay far below them.
    pub const DEFAULT: Limits = Limits {
        bytes: 50_000_000,
        depth: 100,
        attributes: 128,
        declarations: 128,
        elements: 2_000_000,
        name: 1_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Parses a document with [`Limits::DEFAULT`].
///
/// # Errors
/// If the bytes are not well-formed XML, contain a document type declaration or exceed a limit.
pub fn parse(bytes: &[u8]) -> Result<Tree<'_>, ParseError> {
    parse_with(bytes, &Limits::DEFAULT)
}

/// Parses a document with the given limits. The tree borrows text that is UTF-8 without carriage returns, and owns text
/// that needed decoding.
///
/// # Errors
/// As [`parse`].
pub fn parse_with<'b>(
    bytes: impl Into<Cow<'b, [u8]>>,
    limits: &Limits,
) -> Result<Tree<'b>, ParseError> {
    let bytes = bytes.into();
    // This limit ensures that every offset and length fits into 32 bits, also after conversion from UTF-16.
    let most = limits.bytes.min(1 << 30);
    if bytes.len() > most {
        let message = format!("the document has more than {most} bytes");
        return Err(Fault::new(0, message).locate(b""));
    }
    let Decoded { text: source, returns } = encoding::decode(bytes)?;
    match Builder::new(&source, limits).build() {
        Ok(tree) => Ok(Tree { source, returns, ..tree }),
        Err(fault) => Err(fault.locate(source.as_bytes())),
    }
}

/// The state of the document during parsing.
pub(super) struct Builder<'s> {
    pub(super) source: &'s str,
    pub(super) limits: &'s Limits,
    pub(super) tree: Tree<'static>,
    /// The innermost open element.
    pub(super) open: Option<u32>,
    pub(super) depth: usize,
    /// Whether the document contains `]]>`, so that texts must be searched for it.
    has_section_end: bool,
    /// Whether the last text node can still grow.
    pub(super) in_text: bool,
    pub(super) bindings: Bindings<'s>,
    /// Elements with declarations, and the number of declarations in scope before each.
    pub(super) scopes: Vec<(u32, usize)>,
    /// The attributes of the current tag.
    pub(super) written: Vec<Written<'s>>,
    /// The values of `xml:id`.
    pub(super) ids: HashSet<String>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s str, limits: &'s Limits) -> Self {
        // Most elements have two tags.
        let tags = memchr::memchr_iter(b'<', source.as_bytes()).count();
        let elements = (tags / 2 + 1).min(limits.elements);
        let tree = Tree {
            elements: Vec::with_capacity(elements),
            texts: Vec::with_capacity(tags.min(2 * elements)),
            attributes: Vec::with_capacity(elements / 8),
            ..Tree::default()
        };
        Self {
            source,
            limits,
            tree,
            open: None,
            depth: 0,
            has_section_end: memchr::memmem::find(source.as_bytes(), b"]]>").is_some(),
            in_text: false,
            bindings: Bindings::default(),
            scopes: Vec::new(),
            written: Vec::new(),
            ids: HashSet::new(),
        }
    }

    fn build(mut self) -> Result<Tree<'static>, Fault> {
        if let Some(at) = illegal(self.source) {
            return Err(Fault::new(at, "here is a character that XML forbids"));
        }
        let bytes = self.source.as_bytes();
        let mut at = 0;
        loop {
            let markup = text_end(bytes, at);
            if markup > at {
                self.text(at, markup)?;
            }
            at = match (bytes.get(markup), bytes.get(markup + 1)) {
                (None, _) => return self.finish(markup),
                (Some(b'&'), _) => self.reference(markup)?,
                (_, Some(b'/')) => self.end(markup)?,
                (_, Some(b'!')) => self.section(markup)?,
                (_, Some(b'?')) => self.instruction(markup)?,
                _ => self.start(markup)?,
            };
        }
    }

    fn finish(self, at: usize) -> Result<Tree<'static>, Fault> {
        match self.open {
            Some(open) => {
                let name = shown(self.name_of(open));
                Err(Fault::new(at, format!("the element {name} is not closed")))
            }
            None if self.tree.elements.is_empty() => {
                Err(Fault::new(at, "there is no root element"))
            }
            None => Ok(self.tree),
        }
    }

    pub(super) fn slice(&self, begin: usize, end: usize) -> &'s str {
        self.source.get(begin..end).unwrap_or_default()
    }

    pub(super) fn name_of(&self, element: u32) -> &'s str {
        self.tree.elements.get(element as usize).map_or("", |element| {
            let start = element.start as usize + 1;
            self.slice(start, start + usize::from(element.written))
        })
    }

    fn text(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        if self.open.is_some() && !self.has_section_end {
            self.append(begin, end);
            return Ok(());
        }
        let text = self.slice(begin, end);
        if self.open.is_none() {
            return match text.bytes().position(|byte| !is_space(byte)) {
                None => Ok(()),
                Some(at) => Err(Fault::new(begin + at, "there is text outside the root element")),
            };
        }
        if let Some(at) = text.find("]]>") {
            return Err(Fault::new(begin + at, "text contains `]]>`"));
        }
        self.append(begin, end);
        Ok(())
    }

    /// Appends a range of the source to the current text node.
    fn append(&mut self, begin: usize, end: usize) {
        if begin >= end {
            return;
        }
        if self.in_text {
            let more = self.slice(begin, end);
            self.grow(more);
        } else {
            self.tree.texts.push(Span { start: index(begin), length: index(end - begin) });
            self.in_text = true;
        }
    }

    /// Appends to the last text node and moves that node to the decoded text if necessary.
    fn grow(&mut self, more: &str) {
        let Some(last) = self.tree.texts.last_mut() else { return };
        let decoded = &mut self.tree.decoded;
        let (start, length) = (last.start as usize, last.length as usize);
        if start < self.source.len() {
            last.start = index(self.source.len() + decoded.len());
            decoded.push_str(self.source.get(start..start + length).unwrap_or_default());
        }
        decoded.push_str(more);
        last.length += index(more.len());
    }

    /// Reads a reference at its `&`; returns its end.
    fn reference(&mut self, begin: usize) -> Result<usize, Fault> {
        if self.open.is_none() {
            return Err(Fault::new(begin, "there is text outside the root element"));
        }
        let rest = self.source.as_bytes().get(begin + 1..).unwrap_or_default();
        let length = match memchr::memchr3(b';', b'&', b'<', rest) {
            Some(length) if rest.get(length) == Some(&b';') => length,
            _ => return Err(Fault::new(begin, "`&` does not begin a reference")),
        };
        let end = begin + 1 + length;
        let c = reference(self.slice(begin + 1, end));
        let c = c.map_err(|message| Fault::new(begin, message))?;
        if !self.in_text {
            // An empty node at the end of the decoded text.
            let start = index(self.source.len() + self.tree.decoded.len());
            self.tree.texts.push(Span { start, length: 0 });
            self.in_text = true;
        }
        self.grow(c.encode_utf8(&mut [0; 4]));
        Ok(end + 1)
    }

    /// Reads markup that begins with `<!`; returns its end.
    fn section(&mut self, begin: usize) -> Result<usize, Fault> {
        let rest = self.source.get(begin..).unwrap_or_default();
        if let Some(content) = rest.strip_prefix("<!--") {
            let start = begin + "<!--".len();
            return match memchr::memmem::find(content.as_bytes(), b"--") {
                Some(length) if content.as_bytes().get(length + 2) == Some(&b'>') => {
                    self.in_text = false;
                    Ok(start + length + "-->".len())
                }
                Some(length) => Err(Fault::new(start + length, "a comment contains `--`")),
                None => Err(Fault::new(begin, "a comment is not closed")),
            };
        }
        if let Some(content) = rest.strip_prefix("<![CDATA[") {
            if self.open.is_none() {
                return Err(Fault::new(begin, "there is text outside the root element"));
            }
            let start = begin + "<![CDATA[".len();
            let Some(length) = memchr::memmem::find(content.as_bytes(), b"]]>") else {
                return Err(Fault::new(begin, "a CDATA section is not closed"));
            };
            self.append(start, start + length);
            return Ok(start + length + "]]>".len());
        }
        if rest.starts_with("<!DOCTYPE") {
            return Err(Fault::new(begin, "a document type declaration is not accepted"));
        }
        Err(Fault::new(begin, "`<!` begins neither a comment nor a CDATA section"))
    }

    /// Reads a processing instruction at its `<?`; returns its end.
    fn instruction(&mut self, begin: usize) -> Result<usize, Fault> {
        let rest = self.source.get(begin + 2..).unwrap_or_default();
        let Some(length) = memchr::memmem::find(rest.as_bytes(), b"?>") else {
            return Err(Fault::new(begin, "a processing instruction is not closed"));
        };
        let content = rest.get(..length).unwrap_or_default();
        let target = content.split([' ', '\t', '\n', '\r']).next().unwrap_or_default();
        let is_xml = target.eq_ignore_ascii_case("xml");
        // At the start of the document it is the XML declaration, which `encoding` has checked.
        if is_xml && !(begin == 0 && target == "xml") {
            let message = "the XML declaration is not at the very beginning";
            return Err(Fault::new(begin, message));
        }
        if !is_name(target) {
            return Err(Fault::new(begin, "a processing instruction has no proper target"));
        }
        self.in_text = false;
        Ok(begin + 2 + length + "?>".len())
    }
}
