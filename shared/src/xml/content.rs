//! The direct content of an element, in document order.

use super::{Node, Tree};

/// A child element or a text node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'d> {
    /// A child element.
    Element(Node<'d>),
    /// Text up to the next element, comment, processing instruction or end tag.
    Text(&'d str),
}

impl<'d> Node<'d> {
    /// The child elements and text nodes, in document order.
    pub fn content(self) -> impl Iterator<Item = Content<'d>> + Clone {
        let element = &self.tree.elements[self.index as usize];
        Contents {
            tree: self.tree,
            child: self.index + 1,
            end: element.end,
            text: element.first_text,
            end_text: element.end_text,
        }
    }
}

#[derive(Clone)]
struct Contents<'d> {
    tree: &'d Tree<'d>,
    /// The next child, if it precedes the end.
    child: u32,
    end: u32,
    /// The next text node, if it precedes the next child and the end.
    text: u32,
    end_text: u32,
}

impl<'d> Iterator for Contents<'d> {
    type Item = Content<'d>;

    fn next(&mut self) -> Option<Content<'d>> {
        let index = self.child;
        let child = self.tree.elements.get(index as usize).filter(|_| index < self.end);
        if self.text < child.map_or(self.end_text, |child| child.first_text) {
            let span = *self.tree.texts.get(self.text as usize)?;
            self.text += 1;
            return Some(Content::Text(self.tree.text(span)));
        }
        let child = child?;
        self.child = child.end;
        self.text = child.end_text;
        Some(Content::Element(Node { tree: self.tree, index }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_what_is_directly_inside_in_order() {
        let document = crate::xml::parse(b"<a>1<b>2<c/>3</b><!-- -->4<?x?><d/></a>").unwrap();
        let contents = |node: Node<'_>| -> Vec<String> {
            let describe = |content| match content {
                Content::Element(node) => node.local_name().to_owned(),
                Content::Text(text) => text.to_owned(),
            };
            node.content().map(describe).collect()
        };
        assert_eq!(contents(document.root()), ["1", "b", "4", "d"]);
        assert_eq!(contents(document.node(1)), ["2", "c", "3"]);
        assert!(contents(document.node(2)).is_empty());
    }
}
