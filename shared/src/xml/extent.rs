//! The byte range of an element in the text.

use std::ops::Range;

use memchr::memmem;

use super::{Node, Tree};

impl Node<'_> {
    /// The byte range of the element, from its start tag to its end tag; see [`Tree::text_of`].
    pub fn extent(self) -> Range<usize> {
        let begin = self.start();
        // The elements that are still open behind the start tag of the last descendant, including that descendant.
        let last = self.descendants().last().unwrap_or(self);
        let inside = |node: &Node<'_>| node.index >= self.index;
        let open = std::iter::once(last).chain(last.ancestors()).take_while(inside).count();
        let tag = last.tag();
        let closed = usize::from(tag.ends_with(b"/>"));
        begin..self.tree.closing(last.start() + tag.len(), open - closed)
    }
}

impl Tree<'_> {
    /// The text of an [extent](Node::extent), in UTF-8 and with normalised line ends.
    pub fn text_of(&self, extent: Range<usize>) -> &str {
        self.source.get(extent).unwrap_or_default()
    }

    /// The offset behind the next `tags` end tags. No start tag occurs between them.
    fn closing(&self, from: usize, tags: usize) -> usize {
        let bytes = self.source.as_bytes();
        let (mut at, mut open) = (from, tags);
        while open > 0 {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(markup) = memchr::memchr(b'<', rest) else { return bytes.len() };
            let rest = rest.get(markup..).unwrap_or_default();
            let end: &[u8] = match rest {
                [b'<', b'!', b'-', ..] => b"-->",
                [b'<', b'!', ..] => b"]]>",
                [b'<', b'?', ..] => b"?>",
                _ => {
                    open -= 1;
                    b">"
                }
            };
            let Some(length) = memmem::find(rest, end) else { return bytes.len() };
            at += markup + length + end.len();
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use crate::xml::parse;

    #[test]
    fn an_element_reaches_from_its_start_tag_to_its_end_tag() {
        let text = "<?xml version='1.0'?><!-- > --><a x='>'>1<b/><!-- </a> --><c><d y=\"/>\"\n>\
                    <![CDATA[</c>]]></d ><?p </c>?></c>\n<e></e>&gt;</a ><!-- </a> -->";
        let tree = parse(text.as_bytes()).unwrap();
        let extents: Vec<_> = tree.nodes().map(|node| tree.text_of(node.extent())).collect();
        let start = text.find("<a").unwrap();
        assert_eq!(
            extents,
            [
                &text[start..text.rfind("<!--").unwrap()],
                "<b/>",
                "<c><d y=\"/>\"\n><![CDATA[</c>]]></d ><?p </c>?></c>",
                "<d y=\"/>\"\n><![CDATA[</c>]]></d >",
                "<e></e>",
            ]
        );
    }

    #[test]
    fn extents_are_those_of_the_text_as_it_is_read() {
        let text = "\u{feff}<a>\r\n<b>é</b></a>";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes(), &utf16] {
            let tree = parse(bytes).unwrap();
            assert_eq!(tree.text_of(tree.root().extent()), "<a>\n<b>é</b></a>");
            assert_eq!(tree.text_of(tree.node(1).extent()), "<b>é</b>");
        }
    }
}
