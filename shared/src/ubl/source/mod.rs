//! The way back: from an element of the UBL that [`write`](super::write) made to the JSON field
//! that it came from, so that a finding about UBL names what the caller can change.

mod places;

use std::fmt::Write as _;

use self::places::{CREDITED_INVOICE, LISTED_INVOICE, Place, To, top};
use crate::{
    document::{Document, Operation},
    xml::{Name, Node, names::cac},
};

/// What is known of the body.
#[derive(Clone, Copy)]
enum Body<'a> {
    /// All that was read from it.
    Read(&'a Document),
    /// What made a document of it.
    Sent(Operation),
}

impl Body<'_> {
    fn operation(self) -> Operation {
        match self {
            Body::Read(document) => document.operation,
            Body::Sent(operation) => operation,
        }
    }
}

/// The RFC 6901 pointer into the body for an element, or for one that is missing there: `missing`
/// is the way to it from `node`. Empty when no field says anything about it.
pub fn pointer(document: &Document, node: Node<'_>, missing: &[Name]) -> String {
    walk(Body::Read(document), node, missing)
}

/// The same for an element of a document that was sent, of whose body no more is known than the operation:
/// where the body may have said a thing in more than one way, what all of them have in common.
pub fn pointer_of_sent(operation: Operation, node: Node<'_>) -> String {
    walk(Body::Sent(operation), node, &[])
}

fn walk(body: Body<'_>, node: Node<'_>, missing: &[Name]) -> String {
    let mut way: Vec<Node<'_>> = node.ancestors().collect();
    way.reverse();
    way.push(node);
    let mut walk = Walk { pointer: String::new(), inside: top(body.operation()) };
    for step in way.into_iter().skip(1) {
        if !walk.step(step.name(), Some(step), body) {
            return walk.pointer;
        }
    }
    for name in missing {
        if !walk.step(*name, None, body) {
            break;
        }
    }
    walk.pointer
}

struct Walk {
    pointer: String,
    inside: [&'static [Place]; 2],
}

impl Walk {
    /// One element down; false when the tables know nothing about it.
    fn step(&mut self, name: Name, node: Option<Node<'_>>, body: Body<'_>) -> bool {
        let mut places = self.inside.into_iter().flatten();
        let found = places.find(|place| place.element == name && node.is_none_or(place.when));
        let Some(place) = found else { return false };
        match place.to {
            To::Same => {}
            To::Member(member) => _ = write!(self.pointer, "/{member}"),
            To::Beside(member) => {
                let end = self.pointer.rfind('/').unwrap_or_default();
                self.pointer.truncate(end);
                _ = write!(self.pointer, "/{member}");
            }
            To::Top(member) => self.pointer = format!("/{member}"),
            To::Item(list) => {
                _ = write!(self.pointer, "/{list}");
                match (list, body, node) {
                    ("payment_means", Body::Read(document), _) if document.single_payment_means => {
                    }
                    // One alone may have been given as an object or as a list of one.
                    ("payment_means", Body::Sent(_), Some(node)) if is_alone(node) => return false,
                    (_, _, Some(node)) => {
                        _ = write!(self.pointer, "/{}", ordinal(node, place.when));
                    }
                    (_, _, None) => {}
                }
            }
        }
        if name == cac::BILLING_REFERENCE
            && let Some(node) = node
        {
            let Body::Read(document) = body else {
                // It may be a field of its own, an entry of the list, or another document's.
                self.pointer.clear();
                return false;
            };
            (self.pointer, self.inside) = preceding(document, node);
            return true;
        }
        self.inside = [place.inside, &[]];
        true
    }
}

fn is_alone(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.all(node.name()).count() == 1)
}

/// How many siblings before the node stand in the same list.
pub(super) fn ordinal(node: Node<'_>, when: fn(Node<'_>) -> bool) -> usize {
    let siblings = node.parent().into_iter().flat_map(|parent| parent.all(node.name()));
    siblings.take_while(|sibling| *sibling != node).filter(|sibling| when(*sibling)).count()
}

/// IBG-03: the credited invoice comes first and has fields of its own, the others are a list.
fn preceding(document: &Document, node: Node<'_>) -> (String, [&'static [Place]; 2]) {
    let body = &document.body;
    let written = document.preceding_invoices.get(ordinal(node, |_| true));
    let listed = written.and_then(|written| {
        body.preceding_invoice_references.iter().position(|given| given.id == written.id)
    });
    match listed {
        Some(index) => (format!("/preceding_invoice_references/{index}"), [LISTED_INVOICE, &[]]),
        // Number and date are those of the document that the identifier names.
        None if body.previous_document_id.is_some() => {
            ("/previous_document_id".to_owned(), [&[], &[]])
        }
        None => (String::new(), [CREDITED_INVOICE, &[]]),
    }
}
