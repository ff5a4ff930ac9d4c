//! Builds the arena from the events of quick-xml, which finds where markup begins and ends; what
//! XML demands beyond that is checked here.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::attributes::{self, Written};
use super::characters::{illegal, is_name, is_space, reference};
use super::document::{AttributeEntry, Declaration, Document, Element, Span, index};
use super::encoding;
use super::error::{Fault, ParseError, shown};
use super::names::{NO_SPACE, Name};
use super::namespaces::{Bindings, OTHER_SPACE, Split, split};

/// What a document may have at most. One that has more is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the document, checked before anything else; never more than 1 GiB.
    pub bytes: usize,
    /// Elements within each other.
    pub depth: usize,
    /// Attributes of one element, namespace declarations among them.
    pub attributes: usize,
    /// Namespace declarations in scope at one place.
    pub declarations: usize,
    /// Elements in all.
    pub elements: usize,
    /// Bytes of one name.
    pub name: usize,
}

impl Limits {
    /// The limits of [`parse`]: far beyond every business document.
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
/// When the bytes are no well-formed XML, have a document type declaration or exceed a limit.
pub fn parse(bytes: &[u8]) -> Result<Document, ParseError> {
    parse_with(bytes, &Limits::DEFAULT)
}

/// Parses a document with limits of the caller.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    // With this, every offset and length fits into 32 bits, also after UTF-16 became UTF-8.
    let most = limits.bytes.min(1 << 30);
    if bytes.len() > most {
        let message = format!("the document has more than {most} bytes");
        return Err(Fault::new(0, message).locate(b""));
    }
    let source = encoding::decode(bytes)?;
    match Builder::new(&source, limits).build() {
        Ok(document) => Ok(Document { source, ..document }),
        Err(fault) => Err(fault.locate(source.as_bytes())),
    }
}

/// The document as far as it is read.
struct Builder<'s> {
    source: &'s str,
    limits: &'s Limits,
    document: Document,
    /// The innermost element that is not closed.
    open: Option<u32>,
    depth: usize,
    /// Whether `]]>` stands anywhere, so that texts must be searched for it.
    has_section_end: bool,
    /// Whether the last text node may still grow.
    in_text: bool,
    bindings: Bindings<'s>,
    /// Elements with declarations, and how many declarations were in scope before.
    scopes: Vec<(u32, usize)>,
    /// The attributes of the current tag.
    written: Vec<Written<'s>>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s str, limits: &'s Limits) -> Self {
        // An element has two tags, most often.
        let tags = memchr::memchr_iter(b'<', source.as_bytes()).count();
        let elements = (tags / 2 + 1).min(limits.elements);
        let document = Document {
            elements: Vec::with_capacity(elements),
            texts: Vec::with_capacity(tags.min(2 * elements)),
            attributes: Vec::with_capacity(elements / 4),
            ..Document::default()
        };
        Self {
            source,
            limits,
            document,
            open: None,
            depth: 0,
            has_section_end: memchr::memmem::find(source.as_bytes(), b"]]>").is_some(),
            in_text: false,
            bindings: Bindings::default(),
            scopes: Vec::new(),
            written: Vec::new(),
        }
    }

    fn build(mut self) -> Result<Document, Fault> {
        if let Some(at) = illegal(self.source) {
            return Err(Fault::new(at, "here is a character that XML forbids"));
        }
        if self.source.starts_with('\u{FEFF}') {
            return Err(Fault::new(0, "text stands outside the root element"));
        }
        let mut reader = Reader::from_str(self.source);
        let config = reader.config_mut();
        config.check_end_names = false; // against the source, below
        config.trim_markup_names_in_closing_tags = false;
        config.allow_unmatched_ends = true;
        let mut begin = 0;
        loop {
            // Matched by reference: an event is large, and moving it costs more than reading it.
            let event = &reader.read_event();
            let end = offset(reader.buffer_position());
            match event {
                Ok(Event::Start(tag)) => self.start(begin, end - 1, tag.name().as_ref().len(), false)?,
                Ok(Event::Empty(tag)) => self.start(begin, end - 2, tag.name().as_ref().len(), true)?,
                Ok(Event::End(_)) => self.end(begin, end)?,
                Ok(Event::Text(_)) => self.text(begin, end)?,
                Ok(Event::CData(_)) => self.cdata(begin, end)?,
                Ok(Event::GeneralRef(_)) => self.reference(begin, end)?,
                Ok(Event::Comment(_)) => self.comment(begin, end)?,
                Ok(Event::PI(_)) => self.instruction(begin, end)?,
                Ok(Event::Decl(_)) if begin == 0 => {} // checked by `encoding`
                Ok(Event::Decl(_)) => {
                    let message = "the XML declaration does not stand at the very beginning";
                    return Err(Fault::new(begin, message));
                }
                Ok(Event::DocType(_)) => {
                    return Err(Fault::new(begin, "a document type declaration is not accepted"));
                }
                Ok(Event::Eof) => return self.finish(begin),
                Err(error) => return Err(Fault::new(offset(reader.error_position()), plain(error))),
            }
            begin = end;
        }
    }

    fn finish(self, at: usize) -> Result<Document, Fault> {
        match self.open {
            Some(open) => {
                let name = shown(self.name_of(open));
                Err(Fault::new(at, format!("the element {name} is not closed")))
            }
            None if self.document.elements.is_empty() => {
                Err(Fault::new(at, "there is no root element"))
            }
            None => Ok(self.document),
        }
    }

    fn slice(&self, begin: usize, end: usize) -> &'s str {
        self.source.get(begin..end).unwrap_or_default()
    }

    fn name_of(&self, element: u32) -> &'s str {
        self.document.elements.get(element as usize).map_or("", |element| {
            let start = element.start as usize + 1;
            self.slice(start, start + usize::from(element.written))
        })
    }

    /// A start tag, whose content ends at `end`.
    fn start(&mut self, begin: usize, end: usize, length: usize, empty: bool) -> Result<(), Fault> {
        let number = self.document.elements.len();
        if self.open.is_none() && number > 0 {
            return Err(Fault::new(begin, "there is a second root element"));
        }
        if self.depth == self.limits.depth {
            let message = format!("more than {} elements within each other", self.limits.depth);
            return Err(Fault::new(begin, message));
        }
        if number == self.limits.elements {
            let message = format!("more than {} elements", self.limits.elements);
            return Err(Fault::new(begin, message));
        }
        let number = index(number);
        let first_attribute = index(self.document.attributes.len());
        let name_end = begin + 1 + length;
        if name_end < end {
            self.attributes(number, name_end, end)?;
        }
        let name = self.element_name(begin + 1, name_end)?;
        let first_text = index(self.document.texts.len());
        self.document.elements.push(Element {
            start: index(begin),
            parent: self.open.unwrap_or(number),
            end: number + 1,
            first_text,
            end_text: first_text,
            first_attribute,
            name,
            written: u16::try_from(length).unwrap_or(u16::MAX),
        });
        self.in_text = false;
        if empty {
            self.leave_scope(number);
        } else {
            self.open = Some(number);
            self.depth += 1;
        }
        Ok(())
    }

    fn element_name(&self, begin: usize, end: usize) -> Result<Name, Fault> {
        let written = self.slice(begin, end);
        let parts = self.parts(begin, written)?;
        let Some(space) = self.bindings.space(parts) else { return Err(undeclared(begin, parts)) };
        known(begin, space, parts)
    }

    fn parts(&self, at: usize, written: &'s str) -> Result<Split<'s>, Fault> {
        if written.len() > self.limits.name.min(usize::from(u16::MAX)) {
            return Err(Fault::new(at, format!("a name has more than {} bytes", self.limits.name)));
        }
        split(written).ok_or_else(|| not_a_name(at, written))
    }

    /// The attributes that stand between `begin` and `end`; declarations come into scope.
    fn attributes(&mut self, element: u32, begin: usize, end: usize) -> Result<(), Fault> {
        let mut written = std::mem::take(&mut self.written);
        attributes::read(self.slice(begin, end), begin, self.limits.attributes, &mut written)?;
        let before = self.bindings.len();
        for attribute in &written {
            if let Some(prefix) = declared_prefix(attribute.name) {
                self.declare(element, prefix, attribute)?;
            }
        }
        if self.bindings.len() > before {
            self.scopes.push((element, before));
        }
        let first = self.document.attributes.len();
        for attribute in &written {
            if declared_prefix(attribute.name).is_none() {
                self.attribute(first, attribute)?;
            }
        }
        self.written = written;
        Ok(())
    }

    fn declare(
        &mut self,
        element: u32,
        prefix: &'s str,
        attribute: &Written<'s>,
    ) -> Result<(), Fault> {
        let own = self.document.declarations.iter().rev().take_while(|d| d.element == element);
        let prefix_start = attribute.start + attribute.name.len() - prefix.len();
        if own.clone().any(|d| self.span_text(d.prefix) == prefix) {
            return Err(twice(attribute.start, attribute.name));
        }
        if self.bindings.len() == self.limits.declarations {
            let message = format!("more than {} namespace declarations", self.limits.declarations);
            return Err(Fault::new(attribute.start, message));
        }
        let value = self.value(attribute)?;
        let uri = if attribute.plain {
            Cow::Borrowed(attribute.value)
        } else {
            Cow::Owned(self.span_text(value).to_owned())
        };
        let declared = self.bindings.declare(prefix, uri);
        declared.map_err(|message| Fault::new(attribute.start, message))?;
        let prefix = Span { start: index(prefix_start), length: index(prefix.len()) };
        self.document.declarations.push(Declaration { element, prefix, uri: value });
        Ok(())
    }

    fn span_text(&self, span: Span) -> &str {
        let (start, length) = (span.start as usize, span.length as usize);
        match start.checked_sub(self.source.len()) {
            None => self.slice(start, start + length),
            Some(start) => self.document.decoded.get(start..start + length).unwrap_or_default(),
        }
    }

    /// Adds an attribute; those of the same element begin at `first`.
    fn attribute(&mut self, first: usize, attribute: &Written<'s>) -> Result<(), Fault> {
        let parts = self.parts(attribute.start, attribute.name)?;
        // Without a prefix an attribute has no namespace, whatever the default is.
        let space = match parts.prefix {
            "" => Some(NO_SPACE),
            _ => self.bindings.space(parts),
        };
        let Some(space) = space else { return Err(undeclared(attribute.start, parts)) };
        let name = known(attribute.start, space, parts)?;
        let others = self.document.attributes.get(first..).unwrap_or_default();
        if others.iter().any(|other| other.name == name && self.same(other, name, parts)) {
            return Err(twice(attribute.start, attribute.name));
        }
        let value = self.value(attribute)?;
        self.document.attributes.push(AttributeEntry {
            start: index(attribute.start),
            value,
            name,
            written: u16::try_from(attribute.name.len()).unwrap_or(u16::MAX),
        });
        Ok(())
    }

    /// Whether two attributes with the same interned name have the same expanded name.
    fn same(&self, other: &AttributeEntry, name: Name, parts: Split<'_>) -> bool {
        if name != Name::OTHER {
            return true;
        }
        let start = other.start as usize;
        let Some(other) = split(self.slice(start, start + usize::from(other.written))) else {
            return false;
        };
        let uri = |parts: Split<'_>| match parts.prefix {
            "" => "",
            _ => self.bindings.uri(parts),
        };
        other.local == parts.local && (other.prefix == parts.prefix || uri(other) == uri(parts))
    }

    fn value(&mut self, attribute: &Written<'s>) -> Result<Span, Fault> {
        if attribute.plain {
            let length = index(attribute.value.len());
            return Ok(Span { start: index(attribute.value_start), length });
        }
        let decoded = &mut self.document.decoded;
        let before = decoded.len();
        attribute.decode(decoded)?;
        let length = index(decoded.len() - before);
        Ok(Span { start: index(self.source.len() + before), length })
    }

    fn leave_scope(&mut self, element: u32) {
        if let Some((_, before)) = self.scopes.pop_if(|(owner, _)| *owner == element) {
            self.bindings.truncate(before);
        }
    }

    /// An end tag, from `</` to its `>`.
    fn end(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        let tag = self.slice(begin + 2, end - 1);
        let Some(open) = self.open else {
            return Err(Fault::new(begin, "an end tag closes nothing"));
        };
        let name = self.name_of(open);
        if !tag.strip_prefix(name).is_some_and(|rest| rest.bytes().all(is_space)) {
            let message = format!("the element {} is closed by {}", shown(name), shown(tag));
            return Err(Fault::new(begin, message));
        }
        self.leave_scope(open);
        let following = index(self.document.elements.len());
        let end_text = index(self.document.texts.len());
        if let Some(element) = self.document.elements.get_mut(open as usize) {
            element.end = following;
            element.end_text = end_text;
            self.open = (element.parent != open).then_some(element.parent);
        }
        self.depth -= 1;
        self.in_text = false;
        Ok(())
    }

    fn text(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        let text = self.slice(begin, end);
        if self.open.is_none() {
            return match text.bytes().position(|byte| !is_space(byte)) {
                None => Ok(()),
                Some(at) => Err(Fault::new(begin + at, "text stands outside the root element")),
            };
        }
        if self.has_section_end
            && let Some(at) = text.find("]]>")
        {
            return Err(Fault::new(begin + at, "`]]>` stands in text"));
        }
        self.append(begin, end);
        Ok(())
    }

    fn cdata(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        if self.open.is_none() {
            return Err(Fault::new(begin, "text stands outside the root element"));
        }
        self.append(begin + "<![CDATA[".len(), end - "]]>".len());
        Ok(())
    }

    /// Appends a stretch of the source to the current text node.
    fn append(&mut self, begin: usize, end: usize) {
        if begin >= end {
            return;
        }
        if self.in_text {
            let more = self.slice(begin, end);
            self.grow(more);
        } else {
            self.document.texts.push(Span { start: index(begin), length: index(end - begin) });
            self.in_text = true;
        }
    }

    /// Appends to the last text node, which must stand in the decoded text for that.
    fn grow(&mut self, more: &str) {
        let Some(last) = self.document.texts.last_mut() else { return };
        let decoded = &mut self.document.decoded;
        let (start, length) = (last.start as usize, last.length as usize);
        if start < self.source.len() {
            last.start = index(self.source.len() + decoded.len());
            decoded.push_str(self.source.get(start..start + length).unwrap_or_default());
        }
        decoded.push_str(more);
        last.length += index(more.len());
    }

    fn reference(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        if self.open.is_none() {
            return Err(Fault::new(begin, "text stands outside the root element"));
        }
        let content = self.slice(begin + 1, end - 1);
        let c = reference(content).map_err(|message| Fault::new(begin, message))?;
        if !self.in_text {
            // An empty node, which begins where the decoded text ends.
            let start = index(self.source.len() + self.document.decoded.len());
            self.document.texts.push(Span { start, length: 0 });
            self.in_text = true;
        }
        self.grow(c.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn comment(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        let content = self.slice(begin + 4, end - 3);
        if content.contains("--") || content.ends_with('-') {
            return Err(Fault::new(begin, "`--` stands in a comment"));
        }
        self.in_text = false;
        Ok(())
    }

    fn instruction(&mut self, begin: usize, end: usize) -> Result<(), Fault> {
        let content = self.slice(begin + 2, end - 2);
        let target = content.split([' ', '\t', '\n', '\r']).next().unwrap_or_default();
        if !is_name(target) || target.eq_ignore_ascii_case("xml") {
            return Err(Fault::new(begin, "a processing instruction has no proper target"));
        }
        self.in_text = false;
        Ok(())
    }
}

/// The prefix that an attribute declares, empty for the default namespace.
fn declared_prefix(attribute: &str) -> Option<&str> {
    match attribute.strip_prefix("xmlns")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// The interned name; a name of no schema is checked letter by letter.
fn known(at: usize, space: u8, parts: Split<'_>) -> Result<Name, Fault> {
    let name = match space {
        OTHER_SPACE => Name::OTHER,
        space => Name::find(space, parts.local),
    };
    if name == Name::OTHER && !is_name(parts.local) {
        return Err(not_a_name(at, parts.local));
    }
    Ok(name)
}

#[cold]
fn not_a_name(at: usize, written: &str) -> Fault {
    Fault::new(at, format!("`{}` is no name", shown(written)))
}

#[cold]
fn undeclared(at: usize, parts: Split<'_>) -> Fault {
    Fault::new(at, format!("the prefix {} is not declared", shown(parts.prefix)))
}

#[cold]
fn twice(at: usize, written: &str) -> Fault {
    Fault::new(at, format!("the attribute {} stands twice", shown(written)))
}

/// quick-xml counts in 64 bits; the text is shorter than 32 bits can count.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// What quick-xml says, in plain words.
#[cold]
fn plain(error: &quick_xml::Error) -> String {
    match error {
        quick_xml::Error::Syntax(error) => format!("markup is not closed or not known: {error}"),
        quick_xml::Error::IllFormed(_) => "`&` does not begin a reference".to_owned(),
        other => other.to_string(),
    }
}
