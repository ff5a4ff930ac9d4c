//! A reader of the elements of an envelope. It keeps nothing that it has passed.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_xml_entity,
    events::{BytesDecl, BytesRef, BytesStart, Event},
    name::{NamespaceResolver, PrefixDeclaration, ResolveResult},
};

use super::{
    NAMESPACE, SbdhError,
    limits::{Limit, MOST_ATTRIBUTES, MOST_HEADER_BYTES, MOST_HEADER_DEPTH},
};
use crate::{peppol::identifiers::quoted, xml::normalize_space};

/// A position in the envelope.
pub(super) struct Cursor<'a> {
    reader: Reader<&'a [u8]>,
    namespaces: NamespaceResolver,
    /// The position that may not be passed.
    most: usize,
}

/// An element that the cursor has entered.
pub(super) struct Element<'a> {
    /// Offset of its start tag.
    pub(super) at: usize,
    /// The namespace; empty for none.
    pub(super) namespace: String,
    /// Its local name.
    pub(super) local_name: String,
    start: BytesStart<'a>,
}

impl Element<'_> {
    /// The local name, if the element is in the namespace of the envelope; otherwise empty.
    pub(super) fn name(&self) -> &str {
        if self.namespace == NAMESPACE { &self.local_name } else { "" }
    }

    /// `{namespace}name`, for error messages.
    pub(super) fn expanded(&self) -> String {
        quoted(&format!("{{{}}}{}", self.namespace, self.local_name))
    }

    /// The offset of the end of its name, from the start of the element.
    pub(super) fn end_of_name(&self) -> usize {
        "<".len() + self.start.name().0.len()
    }

    /// Whether the name has a prefix.
    pub(super) fn is_prefixed(&self) -> bool {
        self.start.name().prefix().is_some()
    }

    /// Whether the element declares the prefix; the empty prefix is the default namespace.
    pub(super) fn declares(&self, wanted: &str) -> bool {
        self.start.attributes().with_checks(false).flatten().any(|attribute| {
            match attribute.key.as_namespace_binding() {
                Some(PrefixDeclaration::Named(prefix)) => prefix == wanted,
                Some(PrefixDeclaration::Default) => wanted.is_empty(),
                None => false,
            }
        })
    }

    /// The value of an attribute without a namespace.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let attribute = self.start.try_get_attribute(name).ok()??;
        Some(attribute.normalized_value(XmlVersion::Explicit1_0).ok()?.trim().to_owned())
    }
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of a text without byte order mark.
    pub(super) fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        reader.config_mut().check_comments = true;
        Cursor { reader, namespaces: NamespaceResolver::default(), most: MOST_HEADER_BYTES }
    }

    /// The offset of the next event.
    pub(super) fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    /// Removes the limit of the header after its end.
    pub(super) fn behind_header(&mut self) {
        self.most = usize::MAX;
    }

    fn malformed(&self, reason: impl ToString) -> SbdhError {
        let at = self.reader.buffer_position();
        SbdhError::Malformed { at, reason: quoted(&reason.to_string()) }
    }

    /// The next event. Events that an envelope must not contain anywhere are refused.
    fn event(&mut self) -> Result<Event<'a>, SbdhError> {
        let at = self.position();
        let event = self.reader.read_event().map_err(|error| self.malformed(error))?;
        if self.position() > self.most {
            return Err(Limit::HeaderBytes.into());
        }
        match &event {
            Event::DocType(_) => Err(SbdhError::Doctype),
            Event::Decl(declaration) if at == 0 => utf8(declaration).map(|()| event),
            // XML 1.0, production 22: the declaration is allowed only at the start.
            Event::Decl(_) => Err(self.malformed("an XML declaration inside the document")),
            _ => Ok(event),
        }
    }

    /// The root element.
    pub(super) fn root(&mut self) -> Result<Element<'a>, SbdhError> {
        loop {
            let at = self.position();
            match self.event()? {
                Event::Start(start) => return self.enter(start, at),
                Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if is_blank(&text) => {}
                _ => return Err(self.malformed("no XML document begins like that")),
            }
        }
    }

    /// The next child element of the current element; `None` at the end of the current element.
    pub(super) fn child(&mut self) -> Result<Option<Element<'a>>, SbdhError> {
        loop {
            let at = self.position();
            match self.event()? {
                Event::Start(start) => return self.enter(start, at).map(Some),
                Event::End(_) => {
                    self.namespaces.pop();
                    return Ok(None);
                }
                Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if is_blank(&text) => {}
                Event::Text(text) => return Err(SbdhError::Text(quoted(text.trim()))),
                Event::CData(text) => return Err(SbdhError::Text(quoted(&text))),
                Event::GeneralRef(name) => {
                    return Err(SbdhError::Text(format!("&{};", quoted(&name))));
                }
                _ => return Err(self.unfinished()),
            }
        }
    }

    /// Reads the text of the current element to its end, with white space collapsed.
    pub(super) fn text(&mut self) -> Result<String, SbdhError> {
        let mut content = String::new();
        loop {
            match self.event()? {
                Event::Text(text) => content.push_str(&text.xml10_content()),
                Event::CData(text) => content.push_str(&text.xml10_content()),
                Event::GeneralRef(name) => self.refer(&name, &mut content)?,
                Event::Comment(_) | Event::PI(_) => {}
                Event::End(_) => break,
                Event::Start(_) => return Err(self.malformed("an element inside a value")),
                _ => return Err(self.unfinished()),
            }
        }
        self.namespaces.pop();
        if content.contains(is_illegal) {
            return Err(self.malformed("a character that XML does not allow"));
        }
        Ok(normalize_space(&content).into_owned())
    }

    /// Skips the rest of the current header element, and leaves it.
    pub(super) fn skip(&mut self) -> Result<(), SbdhError> {
        self.pass(MOST_HEADER_DEPTH, Limit::HeaderDepth, |_| {})
    }

    /// Skips the rest of the current element, and leaves it. `each` receives the start tags.
    pub(super) fn pass(
        &mut self,
        most: usize,
        limit: Limit,
        mut each: impl FnMut(&BytesStart<'a>),
    ) -> Result<(), SbdhError> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.event()? {
                Event::Start(_) if depth == most => return Err(limit.into()),
                Event::Start(start) => {
                    each(&start);
                    depth += 1;
                }
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(self.unfinished()),
                _ => {}
            }
        }
        self.namespaces.pop();
        Ok(())
    }

    /// Checks that only comments and white space follow the root element.
    pub(super) fn end(&mut self) -> Result<(), SbdhError> {
        loop {
            match self.event()? {
                Event::Eof => return Ok(()),
                Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if is_blank(&text) => {}
                _ => return Err(self.malformed("something follows the root element")),
            }
        }
    }

    /// The namespaces in scope for the next event: prefix (empty for the default) and name as written.
    pub(super) fn declarations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.namespaces.bindings().map(|(prefix, namespace)| match prefix {
            PrefixDeclaration::Default => ("", namespace.into_inner()),
            PrefixDeclaration::Named(prefix) => (prefix, namespace.into_inner()),
        })
    }

    fn unfinished(&self) -> SbdhError {
        self.malformed("the message ends inside an element")
    }

    fn enter(&mut self, start: BytesStart<'a>, at: usize) -> Result<Element<'a>, SbdhError> {
        for (number, attribute) in start.attributes().enumerate() {
            if number == MOST_ATTRIBUTES {
                return Err(Limit::Attributes.into());
            }
            attribute.map_err(|error| self.malformed(error))?;
        }
        self.namespaces.push(&start).map_err(|error| self.malformed(error))?;
        let (namespace, local_name) = self.namespaces.resolve_element(start.name());
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.into_inner().to_owned(),
            ResolveResult::Unbound => String::new(),
            ResolveResult::Unknown(prefix) => {
                return Err(self.malformed(format!("the prefix {prefix:?} is not declared")));
            }
        };
        let local_name = local_name.into_inner().to_owned();
        Ok(Element { at, namespace, local_name, start })
    }

    /// Resolves a reference: a character, or one of XML's own five entities. Without a DTD there are no others.
    fn refer(&self, name: &BytesRef<'_>, content: &mut String) -> Result<(), SbdhError> {
        match name.resolve_char_ref().map_err(|error| self.malformed(error))? {
            Some(character) => content.push(character),
            None => content.push_str(
                resolve_xml_entity(name).ok_or_else(|| self.malformed("an unknown entity"))?,
            ),
        }
        Ok(())
    }
}

/// XML 1.0, production 3.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// XML 1.0, production 2.
fn is_illegal(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn utf8(declaration: &BytesDecl<'_>) -> Result<(), SbdhError> {
    match declaration.encoding() {
        Some(Ok(encoding)) if !encoding.eq_ignore_ascii_case("UTF-8") => {
            Err(SbdhError::Encoding(quoted(&encoding)))
        }
        _ => Ok(()),
    }
}
