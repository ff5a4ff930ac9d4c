//! The engine under every rule set: what a rule is, and how a set is run over a document.
//!
//! A set is a list of patterns, as in Schematron (ISO/IEC 19757-3 section 6.5). A pattern hands
//! each node to the first group of rules whose context matches it and to no other; patterns do not
//! know of each other.

pub mod official;
pub mod shapes;
pub mod terms;
#[cfg(test)]
pub(crate) mod testing;
pub mod xpath;

use crate::xml::{Name, Node, Tree};

/// One official rule.
///
/// `F` is what a set knows of a document as a whole, gathered once before the first rule.
#[derive(Debug)]
pub struct Rule<F: 'static = ()> {
    /// The official id, such as `ibr-021`.
    pub id: &'static str,
    /// The business term concerned, such as `IBT-126`; empty when there is none.
    pub term: &'static str,
    /// The way from the context to the element that the rule is about; empty for the context.
    pub about: &'static [Name],
    /// What is wrong when the rule fires, in plain words.
    pub message: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// Whether the context node obeys. An official expression that would fail is not obeyed.
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

/// The group that a pattern has for a node: that of the first context that matches.
pub type Pattern<F> = fn(Node<'_>) -> Option<Group<F>>;

/// What a value should be, where a rule says so to the letter: a sum, a product, a rounding, a count or a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<'d> {
    /// The element that should hold it; none when that is what the rule is about.
    pub at: Option<Node<'d>>,
    /// What is there in its place, where that is no text of one element: how many there are, or an attribute.
    pub found: Option<String>,
    /// What it should be.
    pub value: String,
}

impl<'d> Expected<'d> {
    /// An amount of that element, when it is there.
    pub fn amount(at: Option<Node<'d>>, value: impl ToString) -> Self {
        Self { at, found: None, value: value.to_string() }
    }

    /// A count, beside how many there are.
    pub fn count(found: impl ToString, value: u32) -> Self {
        Self { at: None, found: Some(found.to_string()), value: value.to_string() }
    }
}

/// What a rule of that id expects of its context; nothing when no single value decides.
pub type Expectation<F> = for<'d> fn(&str, Node<'d>, &F) -> Option<Expected<'d>>;

/// The expectation of sets whose rules compute nothing.
pub fn nothing_expected<'d, F>(_: &str, _: Node<'d>, _: &F) -> Option<Expected<'d>> {
    None
}

/// Rules that are run together.
#[derive(Debug)]
pub struct RuleSet<F: 'static = ()> {
    /// What the set is called in reports, such as `pint-billing`.
    pub name: &'static str,
    /// The official release that it implements.
    pub version: &'static str,
    /// Its patterns, in any order: none sees another.
    pub patterns: &'static [Pattern<F>],
    /// What the rules know of the whole document.
    pub gather: fn(&Tree<'_>) -> F,
    /// What they expect where they fire.
    pub expected: Expectation<F>,
}

/// A rule that a node does not obey.
#[derive(Debug, Clone)]
pub struct Fired<'d> {
    /// The official id.
    pub id: &'static str,
    /// The business term concerned; empty when there is none.
    pub term: &'static str,
    /// What is wrong, in plain words.
    pub message: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// The context node.
    pub context: Node<'d>,
    /// The way from there to the element that the rule is about.
    pub about: &'static [Name],
    /// What should stand there.
    pub expected: Option<Expected<'d>>,
}

/// After so many rules that fired no further element is looked at: a document of nothing but errors
/// must not take many times its own memory.
pub const MOST: usize = 10_000;

impl<F> RuleSet<F> {
    /// Every rule that fires, in document order, as often as it fires; of a document with [`MOST`] or
    /// more of them the first.
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
