//! The engine of every rule set: what a rule is, and how a set is applied to a document.
//!
//! A set is a list of patterns, as in Schematron (ISO/IEC 19757-3 section 6.5). In a pattern, a node belongs to the
//! first group of rules whose context matches the node, and to no other group. Patterns are independent of each other.

pub mod official;
pub mod shapes;
pub mod terms;
#[cfg(test)]
pub(crate) mod testing;
pub mod xpath;

use crate::xml::{Name, Node, Tree};

/// One official rule.
///
/// `F` holds facts about the whole document. They are gathered once, before the first rule runs.
#[derive(Debug)]
pub struct Rule<F: 'static = ()> {
    /// The official id, such as `ibr-021`.
    pub id: &'static str,
    /// The business term concerned, such as `IBT-126`; empty if there is none.
    pub term: &'static str,
    /// The path from the context to the element that the rule is about; empty for the context itself.
    pub about: &'static [Name],
    /// What is wrong when the rule fires, in plain words.
    pub message: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// Whether the context node obeys the rule. An official expression that would raise an error is not obeyed.
    pub holds: fn(Node<'_>, &F) -> bool,
}

impl<F> Rule<F> {
    fn fired<'d>(&self, context: Node<'d>, expected: Option<Expected<'d>>) -> Fired<'d> {
        let Self { id, term, about, message, fix, .. } = *self;
        Fired { id, term, message, fix, context, about, expected }
    }
}

/// The rules of one context.
pub type Group<F> = &'static [Rule<F>];

/// Returns the group of a pattern for a node: the group of the first context that matches.
pub type Pattern<F> = fn(Node<'_>) -> Option<Group<F>>;

/// The exact value that a rule demands: a sum, a product, a rounding, a count or a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<'d> {
    /// The element that should hold the value; `None` if it is the element that the rule is about.
    pub at: Option<Node<'d>>,
    /// The current value, if it is not the text of one element: a count, or an attribute.
    pub found: Option<String>,
    /// The demanded value.
    pub value: String,
}

impl<'d> Expected<'d> {
    /// The demanded amount of an element, if that element exists.
    pub fn amount(at: Option<Node<'d>>, value: impl ToString) -> Self {
        Self { at, found: None, value: value.to_string() }
    }

    /// The demanded count, with the current count.
    pub fn count(found: impl ToString, value: u32) -> Self {
        Self { at: None, found: Some(found.to_string()), value: value.to_string() }
    }
}

/// Returns the value that the rule with this id demands of its context; `None` if no single value decides.
pub type Expectation<F> = for<'d> fn(&str, Node<'d>, &F) -> Option<Expected<'d>>;

/// The expectation of sets whose rules compute nothing.
pub fn nothing_expected<'d, F>(_: &str, _: Node<'d>, _: &F) -> Option<Expected<'d>> {
    None
}

/// Rules that run together.
#[derive(Debug)]
pub struct RuleSet<F: 'static = ()> {
    /// The name of the set in reports, such as `pint-billing`.
    pub name: &'static str,
    /// The official release that it implements.
    pub version: &'static str,
    /// The patterns of the set. Their order does not matter.
    pub patterns: &'static [Pattern<F>],
    /// Gathers the facts about the whole document.
    pub gather: fn(&Tree<'_>) -> F,
    /// Computes the values that fired rules demand.
    pub expected: Expectation<F>,
}

/// A rule that a node breaks.
#[derive(Debug, Clone)]
pub struct Fired<'d> {
    /// The official id.
    pub id: &'static str,
    /// The business term concerned; empty if there is none.
    pub term: &'static str,
    /// What is wrong, in plain words.
    pub message: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// The context node.
    pub context: Node<'d>,
    /// The path from the context node to the element that the rule is about.
    pub about: &'static [Name],
    /// The value that the rule demands.
    pub expected: Option<Expected<'d>>,
}

/// Maximum number of fired rules before the engine stops at the next element. It bounds the memory that a document full
/// of errors can cost.
pub const MOST: usize = 10_000;

impl<F> RuleSet<F> {
    /// Returns all fired rules in document order, each as often as it fires. After [`MOST`] or more the engine stops.
    pub fn check<'d>(&self, document: &'d Tree<'_>) -> Vec<Fired<'d>> {
        let facts = (self.gather)(document);
        let mut fired = Vec::new();
        for context in document.nodes() {
            if fired.len() >= MOST {
                break;
            }
            for group in self.patterns.iter().filter_map(|pattern| pattern(context)) {
                for rule in group {
                    if !(rule.holds)(context, &facts) {
                        let expected = (self.expected)(rule.id, context, &facts);
                        fired.push(rule.fired(context, expected));
                    }
                }
            }
        }
        fired
    }
}
