//! Writes the XPaths of many elements one after the other.

use std::fmt::Write as _;

use super::Name;
use super::node::Node;

/// Writes XPaths as [`Node::xpath`] does. It reuses the common part of the previous path and the sibling counts of the
/// previous element. The result is correct in any order, and fast in document order.
#[derive(Debug, Default)]
pub struct Places<'d> {
    steps: Vec<Ancestor<'d>>,
    path: String,
    chain: Vec<Node<'d>>,
}

/// An element on the path from the root.
#[derive(Debug)]
struct Ancestor<'d> {
    node: Node<'d>,
    /// The position among the siblings with the same name.
    position: Option<u32>,
    /// The length of the path up to this element.
    end: usize,
}

impl<'d> Places<'d> {
    /// The XPath of an element. All calls must use the same document.
    pub fn xpath(&mut self, node: Node<'d>) -> &str {
        self.chain.clear();
        self.chain.push(node);
        self.chain.extend(node.ancestors());
        let shared = self.steps.iter().zip(self.chain.iter().rev());
        let shared = shared.take_while(|(step, node)| step.node == **node).count();
        let before = self.steps.drain(shared..).next();
        self.path.truncate(self.steps.last().map_or(0, |step| step.end));
        for depth in shared..self.chain.len() {
            let Some(node) = self.chain.iter().rev().nth(depth).copied() else { break };
            let known = before.as_ref().filter(|_| depth == shared);
            let position = match known.and_then(|step| Some((step.node, step.position?))) {
                // Both paths are equal up to here, so the two elements have the same parent.
                Some((sibling, place)) if sibling.is_called_like_later(node) => {
                    Some(place + node.called_alike_since(sibling))
                }
                _ => node.position(),
            };
            self.path.push('/');
            match node.name() {
                Name::OTHER => self.path.push_str(node.qualified_name()),
                name => name.write_prefixed(&mut self.path),
            }
            if let Some(position) = position {
                let _ = write!(self.path, "[{position}]"); // a String takes all
            }
            self.steps.push(Ancestor { node, position, end: self.path.len() });
        }
        &self.path
    }
}
