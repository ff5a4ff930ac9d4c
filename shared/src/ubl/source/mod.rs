//! Maps an element of the UBL that [`write`](super::write) wrote back to its JSON field. So a finding about UBL names a
//! field that the caller can change.

mod places;

use std::fmt::Write as _;

use self::places::{CREDITED_INVOICE, LISTED_INVOICE, Place, To, top};
use crate::{
    document::{Document, Operation},
    xml::{Name, Node, names::cac},
};

/// What the mapping knows about the body.
#[derive(Clone, Copy)]
enum Body<'a> {
    /// The completed document that was read from the body.
    Read(&'a Document),
    /// Only the operation.
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

/// Returns the RFC 6901 pointer into the body for an element. `missing` is the path from `node` to a missing element.
/// The pointer is empty if no field corresponds.
pub fn pointer(document: &Document, node: Node<'_>, missing: &[Name]) -> String {
    walk(Body::Read(document), node, missing)
}

/// Returns the pointer for an element of a sent document, of which only the operation is known. If the body could have
/// used several fields, the pointer is their common prefix.
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
    /// Moves down one element; `false` if the tables do not contain it.
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
                    // A single one may come from an object or from a list of one.
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
                // It may come from a separate field, from the list, or from another document.
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

/// The number of preceding siblings that belong to the same list.
pub(super) fn ordinal(node: Node<'_>, when: fn(Node<'_>) -> bool) -> usize {
    let siblings = node.parent().into_iter().flat_map(|parent| parent.all(node.name()));
    siblings.take_while(|sibling| *sibling != node).filter(|sibling| when(*sibling)).count()
}

/// IBG-03: the credited invoice comes first and has its own fields. The others come from a list.
fn preceding(document: &Document, node: Node<'_>) -> (String, [&'static [Place]; 2]) {
    let body = &document.body;
    let written = document.preceding_invoices.get(ordinal(node, |_| true));
    let listed = written.and_then(|written| {
        body.preceding_invoice_references.iter().position(|given| given.id == written.id)
    });
    match listed {
        Some(index) => (format!("/preceding_invoice_references/{index}"), [LISTED_INVOICE, &[]]),
        // `previous_document_id` names the document with this number and date.
        None if body.previous_document_id.is_some() => {
            ("/previous_document_id".to_owned(), [&[], &[]])
        }
        None => (String::new(), [CREDITED_INVOICE, &[]]),
    }
}
