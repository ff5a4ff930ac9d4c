//! The official rules of Peppol's own reports: what a service provider tells OpenPeppol every month about the messages
//! that it exchanged (Transaction Statistics Report) and about whom it exchanged them for (End User Statistics Report).

mod check;
mod combinations;
pub mod end_users;
pub mod transactions;

use crate::rules::Rule;
use crate::xml::{Name, Node};

/// A rule of these sets, which know no business terms.
const fn rule(
    id: &'static str,
    about: &'static [Name],
    message: &'static str,
    fix: &'static str,
    holds: fn(Node<'_>, &()) -> bool,
) -> Rule {
    Rule { id, term: "", about, message, fix, holds }
}

/// Whether these names, the parent's first, lead up to the root: every context is an absolute path.
fn is_at(node: Node<'_>, above: &[Name]) -> bool {
    node.ancestors().map(Node::name).eq(above.iter().copied())
}
