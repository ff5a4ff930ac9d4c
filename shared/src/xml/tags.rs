//! Start tags and end tags: names, attributes and namespaces.

use std::borrow::Cow;

use super::attributes::{self, Written, skip_space};
use super::characters::is_name;
use super::error::{Fault, shown};
use super::names::{NO_SPACE, Name, xml};
use super::namespaces::{OTHER_SPACE, Split, split, split_at};
use super::parser::{Builder, Limits};
use super::scan::{name_end, same};
use super::tree::{AttributeEntry, Element, NamespaceDeclaration, Span, index};

impl<'s> Builder<'s> {
    /// Reads a start tag at its `<`; returns its end.
    pub(super) fn start(&mut self, begin: usize) -> Result<usize, Fault> {
        let number = self.tree.elements.len();
        self.check_room(begin, number)?;
        let number = index(number);
        let bytes = self.source.as_bytes();
        let (name_end, colon) = name_end(bytes, begin + 1);
        let first_attribute = index(self.tree.attributes.len());
        let (end, empty) = match bytes.get(name_end) {
            Some(b'>') => (name_end + 1, false),
            _ => self.attributes(number, name_end)?,
        };
        let written = self.slice(begin + 1, name_end);
        let parts = match colon {
            Some((word, colon)) => split_at(written, word, colon),
            None => split(written),
        };
        let parts = self.checked(begin + 1, written, parts)?;
        let Some(space) = self.bindings.space(parts) else {
            return Err(undeclared(begin + 1, parts));
        };
        let name = known(begin + 1, space, parts)?;
        let first_text = index(self.tree.texts.len());
        self.tree.elements.push(Element {
            start: index(begin),
            parent: self.open.unwrap_or(number),
            end: number + 1,
            first_text,
            end_text: first_text,
            first_attribute,
            name,
            written: u16::try_from(written.len()).unwrap_or(u16::MAX),
        });
        self.in_text = false;
        if empty {
            self.leave_scope(number);
        } else {
            self.open = Some(number);
            self.depth += 1;
        }
        Ok(end)
    }

    /// Checks that one more element may begin here.
    fn check_room(&self, begin: usize, number: usize) -> Result<(), Fault> {
        let Limits { depth, elements, .. } = *self.limits;
        if self.open.is_none() && number > 0 {
            return Err(Fault::new(begin, "there is a second root element"));
        }
        if self.depth == depth {
            return Err(Fault::new(begin, format!("more than {depth} elements within each other")));
        }
        if number == elements {
            return Err(Fault::new(begin, format!("more than {elements} elements")));
        }
        Ok(())
    }

    fn checked(
        &self,
        at: usize,
        written: &str,
        parts: Option<Split<'s>>,
    ) -> Result<Split<'s>, Fault> {
        if written.len() > self.limits.name.min(usize::from(u16::MAX)) {
            return Err(Fault::new(at, format!("a name has more than {} bytes", self.limits.name)));
        }
        parts.ok_or_else(|| not_a_name(at, written))
    }

    /// Reads the attributes from `at` on and adds the declarations to the scope. Returns the end of the tag, and
    /// whether the element is empty.
    fn attributes(&mut self, element: u32, at: usize) -> Result<(usize, bool), Fault> {
        let mut written = std::mem::take(&mut self.written);
        let end = attributes::read(self.source, at, self.limits.attributes, &mut written)?;
        let before = self.bindings.len();
        for attribute in &written {
            if let Some(prefix) = declared_prefix(attribute.name) {
                self.declare(element, prefix, attribute)?;
            }
        }
        if self.bindings.len() > before {
            self.scopes.push((element, before));
        }
        let first = self.tree.attributes.len();
        for attribute in &written {
            if declared_prefix(attribute.name).is_none() {
                self.attribute(first, attribute)?;
            }
        }
        self.written = written;
        Ok(end)
    }

    fn declare(
        &mut self,
        element: u32,
        prefix: &'s str,
        attribute: &Written<'s>,
    ) -> Result<(), Fault> {
        let own = self.tree.declarations.iter().rev().take_while(|d| d.element == element);
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
        self.tree.declarations.push(NamespaceDeclaration { element, prefix, uri: value });
        Ok(())
    }

    fn span_text(&self, span: Span) -> &str {
        let (start, length) = (span.start as usize, span.length as usize);
        match start.checked_sub(self.source.len()) {
            None => self.slice(start, start + length),
            Some(start) => self.tree.decoded.get(start..start + length).unwrap_or_default(),
        }
    }

    /// Adds an attribute. The attributes of the same element begin at `first`.
    fn attribute(&mut self, first: usize, attribute: &Written<'s>) -> Result<(), Fault> {
        let parts = self.checked(attribute.start, attribute.name, split(attribute.name))?;
        // An attribute without a prefix has no namespace; the default namespace does not apply.
        let space = match parts.prefix {
            "" => Some(NO_SPACE),
            _ => self.bindings.space(parts),
        };
        let Some(space) = space else { return Err(undeclared(attribute.start, parts)) };
        let name = known(attribute.start, space, parts)?;
        let others = self.tree.attributes.get(first..).unwrap_or_default();
        if others.iter().any(|other| other.name == name && self.same(other, name, parts)) {
            return Err(twice(attribute.start, attribute.name));
        }
        let value = self.value(attribute)?;
        if name == xml::ID {
            self.identify(attribute.start, value)?;
        }
        let attributes = &mut self.tree.attributes;
        if attributes.len() == attributes.capacity() {
            // Growth by doubling would leave most of the memory of a document unused.
            attributes.reserve_exact(attributes.len() / 4 + 16);
        }
        attributes.push(AttributeEntry {
            start: index(attribute.start),
            value,
            name,
            written: u16::try_from(attribute.name.len()).unwrap_or(u16::MAX),
        });
        Ok(())
    }

    /// Checks that the value of an `xml:id` is a name and unique (xml:id Version 1.0, section 4).
    fn identify(&mut self, at: usize, value: Span) -> Result<(), Fault> {
        let id = self.span_text(value).to_owned();
        if !is_name(id.trim_matches(' ')) {
            return Err(Fault::new(at, "the value of xml:id is not a name"));
        }
        if !self.ids.insert(id) {
            return Err(Fault::new(at, "an element before has the same xml:id"));
        }
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
        let decoded = &mut self.tree.decoded;
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

    /// Reads an end tag at its `<`; returns its end.
    pub(super) fn end(&mut self, begin: usize) -> Result<usize, Fault> {
        let following = index(self.tree.elements.len());
        let place = self.open.map(|open| open as usize);
        let Some(element) = place.and_then(|open| self.tree.elements.get_mut(open)) else {
            return Err(Fault::new(begin, "an end tag closes nothing"));
        };
        let bytes = self.source.as_bytes();
        let (start, length) = (element.start as usize + 1, usize::from(element.written));
        let (name, tag) =
            (bytes.get(start..start + length), bytes.get(begin + 2..begin + 2 + length));
        let mut end = begin + 2 + length;
        if bytes.get(end) != Some(&b'>') {
            end = skip_space(bytes, end);
        }
        let is_same = name.zip(tag).is_some_and(|(name, tag)| same(name, tag));
        if !is_same || bytes.get(end) != Some(&b'>') {
            let name = shown(self.slice(start, start + length));
            let message = format!("the element {name} is not closed by this end tag");
            return Err(Fault::new(begin, message));
        }
        element.end = following;
        element.end_text = index(self.tree.texts.len());
        let parent = element.parent;
        if let Some(open) = self.open {
            self.leave_scope(open);
            self.open = (parent != open).then_some(parent);
        }
        self.depth -= 1;
        self.in_text = false;
        Ok(end + 1)
    }
}

/// The prefix that an attribute declares; empty for the default namespace.
fn declared_prefix(attribute: &str) -> Option<&str> {
    match attribute.strip_prefix("xmlns")? {
        "" => Some(""),
        // `xmlns:` declares nothing. It is refused later as a name.
        rest => rest.strip_prefix(':').filter(|prefix| !prefix.is_empty()),
    }
}

/// Returns the interned name. A name of no schema is checked character by character.
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
    Fault::new(at, format!("`{}` is not a name", shown(written)))
}

#[cold]
fn undeclared(at: usize, parts: Split<'_>) -> Fault {
    Fault::new(at, format!("the prefix {} is not declared", shown(parts.prefix)))
}

#[cold]
fn twice(at: usize, written: &str) -> Fault {
    Fault::new(at, format!("the attribute {} occurs twice", shown(written)))
}
