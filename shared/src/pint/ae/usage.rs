//! The VAT categories that the document uses, and their breakdowns.

use super::category::Category;
use super::header::{Flag, TypeCode};
use crate::pint::Facts;
use crate::rules::xpath::Evaluated;
use crate::rules::{Expected, Group, Rule};
use crate::xml::Name;
use crate::xml::names::cac;

const BREAKDOWN: &[Name] = &[cac::TAX_TOTAL];

/// The count that a rule about the number of breakdowns expects.
pub(super) fn expected<'d>(id: &str, facts: &Facts) -> Option<Expected<'d>> {
    let category = match id {
        "aligned-ibrp-z-01" => Category::Zero,
        "aligned-ibrp-e-01" => Category::Exempt,
        "aligned-ibrp-o-01" => Category::OutOfScope,
        "ibr-105-ae" => return Some(Expected::count(facts.ae.margin_subtotals, 1)),
        _ => return None,
    };
    Some(Expected::count(facts.ae.breakdowns.ok()?[category as usize], 1))
}

/// `/ubl:Invoice | /cn:CreditNote`
pub(super) const USAGE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-s-01",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category S is used on lines, allowances or charges, or in the VAT breakdown, but \
                  not in both.",
        fix: "Give one breakdown for each rate of category S that is used, and none otherwise.",
        holds: |_, facts| {
            let has = |count: Evaluated<u32>| count.map(|count| count > 0);
            let used = has(facts.ae.standard_uses);
            used.is_ok() && used == has(facts.ae.standard_breakdowns)
        },
    },
    Rule {
        id: "aligned-ibrp-z-01",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category Z is used, but does not have exactly one VAT breakdown.",
        fix: "Give one breakdown for category Z.",
        holds: |_, facts| has_breakdowns(facts, Category::Zero, |count| count == 1),
    },
    Rule {
        id: "aligned-ibrp-e-01",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category E is used, but does not have exactly one VAT breakdown.",
        fix: "Give one breakdown for category E.",
        holds: |_, facts| has_breakdowns(facts, Category::Exempt, |count| count == 1),
    },
    Rule {
        id: "aligned-ibrp-o-01",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category O is used, but does not have exactly one VAT breakdown.",
        fix: "Give one breakdown for category O.",
        holds: |_, facts| has_breakdowns(facts, Category::OutOfScope, |count| count == 1),
    },
    Rule {
        id: "aligned-ibrp-ae-01-ae",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category AE is used, but has no VAT breakdown.",
        fix: "Give a breakdown for category AE.",
        holds: |_, facts| has_breakdowns(facts, Category::ReverseCharge, |count| count >= 1),
    },
    Rule {
        id: "ibr-105-ae",
        term: "IBG-23",
        about: BREAKDOWN,
        message: "Category N does not have exactly one VAT breakdown.",
        fix: "Give one breakdown for category N.",
        holds: |_, facts| match facts.ae.header_categories[Category::Margin as usize] {
            Ok(used) => !used || facts.ae.margin_subtotals == 1,
            Err(_) => false,
        },
    },
    Rule {
        id: "ibr-122-ae",
        term: "IBT-151",
        about: &[],
        message: "The document is out of scope of VAT, but uses another category than E, O and Z.",
        fix: "Use E, O or Z everywhere, or another type code.",
        holds: |_, facts| !facts.ae.header.is_out_of_scope() || !facts.ae.beyond_out_of_scope,
    },
    Rule {
        id: "ibr-116-ae",
        term: "IBT-151",
        about: &[],
        message: "The document is under the margin scheme, but uses another category than N.",
        fix: "Use N everywhere, or unset flag 3.",
        holds: |_, facts| {
            facts.ae.header.flag(Flag::Margin) == Ok(false) || !facts.ae.beyond_margin
        },
    },
    Rule {
        id: "ibr-151-ae",
        term: "IBT-151",
        about: &[],
        message: "Every line of the tax document is exempt (E) or not subject to VAT (O).",
        fix: "Use type 480 or 81 for a document out of scope of VAT.",
        holds: |_, facts| {
            let header = &facts.ae.header;
            !(header.is(TypeCode::Invoice) || header.is(TypeCode::CreditNote))
                || facts.ae.taxable_line == Ok(true)
        },
    },
    Rule {
        id: "ibr-190-ae",
        term: "IBT-119",
        about: BREAKDOWN,
        message: "A VAT rate of category S differs from 5.",
        fix: "Write 5 as the rate of category S.",
        holds: |_, facts| !facts.ae.standard_rate_differs,
    },
];

/// Whether a used category has enough breakdowns. An unused category passes.
fn has_breakdowns(facts: &Facts, category: Category, is_enough: fn(u32) -> bool) -> bool {
    let at = category as usize;
    let uses = [facts.ae.header_categories[at], facts.ae.line_categories[at]];
    if uses.contains(&Ok(true)) {
        return facts.ae.breakdowns.is_ok_and(|counts| is_enough(counts[at]));
    }
    uses == [Ok(false); 2]
}
