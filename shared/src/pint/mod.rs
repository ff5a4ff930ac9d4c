//! The rules of PINT-AE 1.0.4: 170 that all of PINT shares and 132 of the UAE.

mod ae;
pub mod own;
mod shared;
pub mod terms;

use crate::rules::{Expected, Group, Rule, RuleSet};
use crate::xml::names::cbc;
use crate::xml::{Node, Tree};

/// The official release of both sets.
const VERSION: &str = "PINT-AE 1.0.4";

/// The facts for both groups of rules.
#[derive(Debug)]
pub struct Facts {
    /// The facts for the rules that PINT-AE shares with PINT.
    shared: shared::facts::Facts,
    /// The facts for the rules of the UAE.
    ae: ae::facts::Facts,
}

impl Facts {
    /// Gathers the facts in one pass over the document.
    pub fn gather(document: &Tree) -> Self {
        let root = document.root();
        let mut shared = shared::facts::Facts::new(root);
        let mut ae = ae::facts::Facts::new(root);
        for node in document.nodes() {
            shared.take(node);
            ae.take(node);
        }
        Self { shared, ae }
    }
}

/// Rules for invoices and credit notes that a seller issues.
pub static BILLING: RuleSet<Facts> = RuleSet {
    name: "pint-billing",
    version: VERSION,
    patterns: &[shared::model, shared::codes_billing, ae::model, ae::codes],
    gather: Facts::gather,
    expected,
};

/// Rules for invoices and credit notes that a buyer issues for its seller.
pub static SELFBILLING: RuleSet<Facts> = RuleSet {
    name: "pint-selfbilling",
    version: VERSION,
    patterns: &[shared::model, shared::codes_selfbilling, ae::model, ae::codes],
    gather: Facts::gather,
    expected,
};

/// All rules that PINT-AE shares with PINT. A rule that several groups contain occurs several times.
pub fn shared_rules() -> impl Iterator<Item = &'static Rule<Facts>> {
    rules_of(&[shared::official::MODEL, shared::official::CODES, shared::official::TYPES])
}

/// All rules of the UAE.
pub fn aligned_rules() -> impl Iterator<Item = &'static Rule<Facts>> {
    rules_of(&[ae::MODEL, ae::CODES])
}

fn rules_of(
    patterns: &[&'static [Group<Facts>]],
) -> impl Iterator<Item = &'static Rule<Facts>> + use<> {
    let groups: Vec<Group<Facts>> = patterns.iter().copied().flatten().copied().collect();
    groups.into_iter().flatten()
}

/// Returns the value that the rule with this id demands of its context.
fn expected<'d>(id: &str, context: Node<'d>, facts: &Facts) -> Option<Expected<'d>> {
    shared::expected(id, context, facts).or_else(|| ae::expected(id, context, facts))
}

/// Returns the rule set of an invoice or credit note, chosen by its first specification identifier (IBT-024).
pub fn set_of(document: &Tree) -> &'static RuleSet<Facts> {
    let customization = document.root().child(cbc::CUSTOMIZATION_ID);
    let id = customization.and_then(|id| id.own_texts().next());
    if id.is_some_and(|id| id.contains("selfbilling")) { &SELFBILLING } else { &BILLING }
}

#[cfg(test)]
mod tests;
