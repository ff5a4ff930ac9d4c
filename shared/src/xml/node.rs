//! An element for its readers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::PoisonError;

use super::characters::is_space;
use super::names::Name;
use super::tree::{AttributeEntry, Element, Positions, Span, index};
use super::{Places, Tree};

/// An element of a document; a small value that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    pub(super) tree: &'d Tree<'d>,
    pub(super) index: u32,
}

/// An attribute of an element. Namespace declarations are not attributes.
#[derive(Clone, Copy)]
pub struct Attribute<'d> {
    owner: Node<'d>,
    entry: &'d AttributeEntry,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.xpath())
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}={:?}", self.qualified_name(), self.value())
    }
}

impl<'d> Node<'d> {
    fn entry(self) -> &'d Element {
        &self.tree.elements[self.index as usize]
    }

    /// The position of the element in document order, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The tree of the element.
    pub fn tree(self) -> &'d Tree<'d> {
        self.tree
    }

    /// The interned name.
    pub fn name(self) -> Name {
        self.entry().name
    }

    /// The name as written, with the prefix: XPath `name()`.
    pub fn qualified_name(self) -> &'d str {
        let Element { start, written, .. } = *self.entry();
        let from = start as usize + 1;
        self.tree.source.get(from..from + usize::from(written)).unwrap_or_default()
    }

    /// The name without the prefix: XPath `local-name()`.
    pub fn local_name(self) -> &'d str {
        match self.name() {
            Name::OTHER => local(self.qualified_name()),
            name => name.local(),
        }
    }

    /// The namespace: XPath `namespace-uri()`; empty if there is none.
    pub fn namespace(self) -> &'d str {
        match self.name() {
            Name::OTHER => self.bound(prefix(self.qualified_name())),
            name => name.namespace(),
        }
    }

    /// The namespace of a prefix at this element; empty if there is none. The empty prefix gives the default namespace.
    pub fn bound(self, prefix: &str) -> &'d str {
        let declarations = &self.tree.declarations;
        if prefix == "xml" {
            return super::names::xml::LANG.namespace();
        }
        for node in std::iter::once(self).chain(self.ancestors()) {
            let first = declarations.partition_point(|d| d.element < node.index);
            let own = declarations[first..].iter().take_while(|d| d.element == node.index);
            for declaration in own {
                if self.tree.text(declaration.prefix) == prefix {
                    return self.tree.text(declaration.uri);
                }
            }
        }
        ""
    }

    /// The parent element.
    pub fn parent(self) -> Option<Node<'d>> {
        let parent = self.entry().parent;
        (parent != self.index).then_some(Node { index: parent, ..self })
    }

    /// The ancestors, starting with the parent.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'d>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Whether the ancestors have these names, starting with the parent.
    pub fn is_in(self, names: &[Name]) -> bool {
        let mut around = self.ancestors().map(Node::name);
        names.iter().all(|name| around.next() == Some(*name))
    }

    /// The child elements.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> + Clone {
        self.below()
    }

    fn below(self) -> Children<'d> {
        Children { tree: self.tree, next: self.index + 1, end: self.entry().end }
    }

    /// The first child with this name.
    pub fn child(self, name: Name) -> Option<Node<'d>> {
        self.children().find(|child| child.name() == name)
    }

    /// All children with this name.
    pub fn all(self, name: Name) -> impl Iterator<Item = Node<'d>> + Clone {
        self.children().filter(move |child| child.name() == name)
    }

    /// The elements at this path of names, in document order. An empty path gives the element itself.
    pub fn select(self, path: &'static [Name]) -> impl Iterator<Item = Node<'d>> + Clone {
        Select { path, depth: 0, parent: self.index, children: self.below() }
            .chain(path.is_empty().then_some(self))
    }

    /// The first of [`Node::select`].
    pub fn find(self, path: &'static [Name]) -> Option<Node<'d>> {
        self.select(path).next()
    }

    /// All descendants, without the element itself, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Node<'d>> + Clone {
        (self.index + 1..self.entry().end).map(move |index| Node { index, ..self })
    }

    /// All text inside the element and its descendants: the XPath string value.
    pub fn text(self) -> Cow<'d, str> {
        match self.spans() {
            [] => Cow::Borrowed(""),
            [only] => Cow::Borrowed(self.tree.text(*only)),
            _ => Cow::Owned(self.pieces().collect()),
        }
    }

    fn pieces(self) -> impl Iterator<Item = &'d str> + Clone {
        self.spans().iter().map(move |span| self.tree.text(*span))
    }

    fn spans(self) -> &'d [Span] {
        let Element { first_text, end_text, .. } = *self.entry();
        &self.tree.texts[first_text as usize..end_text as usize]
    }

    /// The number of text nodes among the children. Comments, processing instructions and elements separate text nodes.
    pub fn text_nodes(self) -> usize {
        let inside = |node: Node<'_>| (node.entry().end_text - node.entry().first_text) as usize;
        inside(self) - self.children().map(inside).sum::<usize>()
    }

    /// The text nodes among the children: XPath `text()`.
    pub fn own_texts(self) -> impl Iterator<Item = &'d str> {
        let Element { first_text, end_text, .. } = *self.entry();
        let inside =
            self.children().map(|child| (child.entry().first_text, child.entry().end_text));
        let after = std::iter::once((end_text, end_text));
        let own = inside
            .chain(after)
            .scan(first_text, |from, (start, end)| Some(std::mem::replace(from, end)..start));
        own.flat_map(move |range| {
            let spans = &self.tree.texts[range.start as usize..range.end as usize];
            spans.iter().map(move |span| self.tree.text(*span))
        })
    }

    /// `normalize-space(.)`: the text without white space at its ends, with one space for each inner run of white
    /// space.
    pub fn normalized(self) -> Cow<'d, str> {
        match self.text() {
            Cow::Borrowed(text) => normalize_space(text),
            Cow::Owned(text) => Cow::Owned(normalize_space(&text).into_owned()),
        }
    }

    /// Whether `normalize-space(.)` is not empty.
    pub fn has_text(self) -> bool {
        self.pieces().any(|piece| piece.bytes().any(|byte| !is_space(byte)))
    }

    /// The value of the attribute with this name.
    pub fn attribute(self, name: Name) -> Option<&'d str> {
        let entry = self.entries().iter().find(|entry| entry.name == name)?;
        Some(self.tree.text(entry.value))
    }

    /// The names and values of the attributes, without namespace declarations.
    pub fn attributes(self) -> impl Iterator<Item = (Name, &'d str)> + Clone {
        self.entries().iter().map(move |entry| (entry.name, self.tree.text(entry.value)))
    }

    /// The attributes with their written names and all other details.
    pub fn written_attributes(self) -> impl Iterator<Item = Attribute<'d>> + Clone {
        self.entries().iter().map(move |entry| Attribute { owner: self, entry })
    }

    fn entries(self) -> &'d [AttributeEntry] {
        let Tree { elements, attributes, .. } = self.tree;
        let next = elements.get(self.index as usize + 1);
        let end = next.map_or(attributes.len(), |next| next.first_attribute as usize);
        &attributes[self.entry().first_attribute as usize..end]
    }

    /// The offset of its `<`.
    pub(super) fn start(self) -> usize {
        self.entry().start as usize
    }

    /// The start tag.
    pub(super) fn tag(self) -> &'d [u8] {
        let tag = self.tree.source.as_bytes().get(self.start()..).unwrap_or_default();
        // A `>` inside an attribute value does not end the tag.
        let mut quote = None;
        let end = memchr::memchr3_iter(b'"', b'\'', b'>', tag).find(|at| match (quote, tag[*at]) {
            (None, b'>') => true,
            (None, open) => {
                quote = Some(open);
                false
            }
            (Some(open), byte) => {
                quote = Some(open).filter(|open| *open != byte);
                false
            }
        });
        tag.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
    }

    /// The line in which the start tag ends, from 1.
    pub fn line(self) -> u32 {
        self.tree.line(self.start() + self.tag().len().saturating_sub(1))
    }

    /// The XPath of the element, such as `/ubl:Invoice/cac:InvoiceLine[2]/cbc:ID`. Known names have the usual prefix,
    /// other names the written one. A position follows where siblings share the name.
    pub fn xpath(self) -> String {
        Places::default().xpath(self).to_owned()
    }

    /// The position, from 1, among the siblings with the same name; `None` if it is the only one.
    pub(super) fn position(self) -> Option<u32> {
        let parent = self.parent()?;
        if parent.children().nth(MANY_CHILDREN).is_some() {
            return self.tree.positions.of(self, parent);
        }
        let (own, mut place, mut count) = (self.called(), 0, 0);
        for sibling in parent.children().filter(|sibling| sibling.called() == own) {
            count += 1;
            place += u32::from(sibling.index <= self.index);
        }
        (count > 1).then_some(place)
    }

    /// Whether `sibling` comes later and has the same name.
    pub(super) fn is_called_like_later(self, sibling: Node<'_>) -> bool {
        self.index < sibling.index && self.called() == sibling.called()
    }

    /// The number of siblings with the same name after `earlier`, up to and including this element.
    pub(super) fn called_alike_since(self, earlier: Node<'d>) -> u32 {
        let own = self.called();
        let since = Children { tree: self.tree, next: earlier.entry().end, end: self.index + 1 };
        index(since.filter(|sibling| sibling.called() == own).count())
    }

    /// The key that compares names of siblings: the interned name, or the written name for unknown names.
    fn called(self) -> (Name, &'d str) {
        let name = self.name();
        (name, if name == Name::OTHER { self.qualified_name() } else { "" })
    }
}

/// Above this number of children, the positions of all children are computed once and cached.
const MANY_CHILDREN: usize = 64;

impl Positions {
    fn of(&self, child: Node<'_>, parent: Node<'_>) -> Option<u32> {
        // A panic while the lock was held can at most leave out an entry.
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places = counted.entry(parent.index).or_insert_with(|| places(parent));
        let at = places.binary_search_by_key(&child.index, |(index, _)| *index).ok()?;
        places.get(at).map(|(_, place)| *place).filter(|place| *place > 0)
    }
}

/// The position of each child among the children with the same name, by index; 0 if it is the only one.
fn places(parent: Node<'_>) -> Vec<(u32, u32)> {
    // For each name: the index of its first child, and the count so far.
    let mut seen: HashMap<(Name, &str), (usize, u32)> = HashMap::new();
    let mut places: Vec<(u32, u32)> = Vec::new();
    for child in parent.children() {
        let (first, count) = seen.entry(child.called()).or_insert((places.len(), 0));
        *count += 1;
        if let (2, Some((_, place))) = (*count, places.get_mut(*first)) {
            *place = 1;
        }
        places.push((child.index, if *count > 1 { *count } else { 0 }));
    }
    places
}

impl<'d> Attribute<'d> {
    /// The interned name.
    pub fn name(self) -> Name {
        self.entry.name
    }

    /// The name as written, with the prefix.
    pub fn qualified_name(self) -> &'d str {
        let from = self.entry.start as usize;
        let source = &self.owner.tree.source;
        source.get(from..from + usize::from(self.entry.written)).unwrap_or_default()
    }

    /// The name without the prefix.
    pub fn local_name(self) -> &'d str {
        local(self.qualified_name())
    }

    /// The namespace; empty for an attribute without a prefix.
    pub fn namespace(self) -> &'d str {
        match (self.entry.name, prefix(self.qualified_name())) {
            (Name::OTHER, "") => "",
            (Name::OTHER, prefix) => self.owner.bound(prefix),
            (name, _) => name.namespace(),
        }
    }

    /// The value, normalised as XML defines for an attribute without a declared type.
    pub fn value(self) -> &'d str {
        self.owner.tree.text(self.entry.value)
    }
}

fn local(qualified: &str) -> &str {
    qualified.split_once(':').map_or(qualified, |(_, local)| local)
}

fn prefix(qualified: &str) -> &str {
    qualified.split_once(':').map_or("", |(prefix, _)| prefix)
}

/// `normalize-space` of XPath.
pub fn normalize_space(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(is_space) {
        return Cow::Borrowed(text);
    }
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    let bytes = trimmed.as_bytes();
    let mut spaces = bytes.iter().enumerate().filter(|(_, byte)| is_space(**byte));
    let normal = spaces.all(|(at, byte)| *byte == b' ' && bytes.get(at + 1) != Some(&b' '));
    if normal {
        return Cow::Borrowed(trimmed);
    }
    let words = trimmed.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// The iterator of [`Node::children`].
#[derive(Clone)]
struct Children<'d> {
    tree: &'d Tree<'d>,
    next: u32,
    end: u32,
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Node<'d>> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next = self.tree.elements.get(index as usize)?.end;
        Some(Node { tree: self.tree, index })
    }
}

/// The iterator of [`Node::select`]. It moves up by `parent` and skips by `end`, so it needs no stack.
#[derive(Clone)]
struct Select<'d> {
    path: &'static [Name],
    /// The number of names of the path that are matched above.
    depth: usize,
    parent: u32,
    /// The children of the parent that are still to be visited.
    children: Children<'d>,
}

impl<'d> Iterator for Select<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let tree = self.children.tree;
        loop {
            let wanted = *self.path.get(self.depth)?;
            match self.children.find(|child| child.name() == wanted) {
                Some(found) if self.depth + 1 == self.path.len() => return Some(found),
                Some(found) => {
                    self.depth += 1;
                    self.parent = found.index;
                    self.children = found.below();
                }
                None => {
                    self.depth = self.depth.checked_sub(1)?;
                    self.parent = tree.elements.get(self.parent as usize)?.parent;
                    let end = tree.elements.get(self.parent as usize)?.end;
                    self.children = Children { tree, next: self.children.end, end };
                }
            }
        }
    }
}
