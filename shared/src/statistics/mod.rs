//! The official rules of the OpenPeppol reports, which a service provider sends every month:
//! - the Transaction Statistics Report counts the messages that it exchanged;
//! - the End User Statistics Report counts the end users for which it exchanged them.

mod check;
mod combinations;
pub mod end_users;
pub mod transactions;

use crate::rules::Rule;
use crate::xml::{Name, Node};

/// Creates a rule of these sets, which have no business terms.
const fn rule(
    id: &'static str,
    about: &'static [Name],
    message: &'static str,
    fix: &'static str,
    holds: fn(Node<'_>, &()) -> bool,
) -> Rule {
    Rule { id, term: "", about, message, fix, holds }
}

/// Whether the ancestors have exactly these names, from the parent up to the root. Every context is an absolute path.
fn is_at(node: Node<'_>, above: &[Name]) -> bool {
    node.ancestors().map(Node::name).eq(above.iter().copied())
}
