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

use crate::xml::{Document, Name, Node};

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
    fn fired<'d>(&self, context: Node<'d>) -> Fired<'d> {
        let Self { id, term, about, message, fix, .. } = *self;
        Fired { id, term, message, fix, context, about }
    }
}

/// The rules of one context.
pub type Group<F> = &'static [Rule<F>];

/// The group that a pattern has for a node: that of the first context that matches.
pub type Pattern<F> = fn(Node<'_>) -> Option<Group<F>>;

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
    pub gather: fn(&Document) -> F,
}

/// A rule that a node does not obey.
#[derive(Debug, Clone, Copy)]
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
}

/// After so many rules that fired no further element is looked at: a document of nothing but errors
/// must not take many times its own memory.
const MOST: usize = 10_000;

impl<F> RuleSet<F> {
    /// Every rule that fires, in document order, as often as it fires; of a document with 10,000 of
    /// them the first.
    pub fn check<'d>(&self, document: &'d Document) -> Vec<Fired<'d>> {
        let facts = (self.gather)(document);
        let mut fired = Vec::new();
        for context in document.nodes() {
            if fired.len() >= MOST {
                break;
            }
            for group in self.patterns.iter().filter_map(|pattern| pattern(context)) {
                for rule in group {
                    if !(rule.holds)(context, &facts) {
                        fired.push(rule.fired(context));
                    }
                }
            }
        }
        fired
    }
}
