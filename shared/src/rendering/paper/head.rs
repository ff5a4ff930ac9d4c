//! The head of the paper: who issues it, what it is, and the facts of the band.

use serde::Serialize;

use super::{
    super::{View, codes},
    text::{Field, Item, Label},
    writer::Writer,
};
use crate::i18n::{self, Language};

/// What people call the kinds of IBT-003.
const TITLES: &[(&str, &str, &str)] = &[
    ("261", "Self-billed Tax Credit Note", "إشعار دائن ضريبي بالفوترة الذاتية"),
    ("380", "Tax Invoice", "فاتورة ضريبية"),
    ("381", "Tax Credit Note", "إشعار دائن ضريبي"),
    ("389", "Self-billed Tax Invoice", "فاتورة ضريبية بالفوترة الذاتية"),
    ("480", "Commercial Invoice", "فاتورة تجارية"),
    ("81", "Credit Note", "إشعار دائن"),
];

/// What people call a kind of document in English, by the code of IBT-003; `None` for an unknown code.
pub fn title(code: &str) -> Option<&'static str> {
    let found = TITLES.iter().find(|(named, ..)| *named == code);
    found.map(|(_, english, _)| *english)
}

/// The seller's name and mark.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Brand {
    /// The first letter of the name, in place of a logo.
    pub(in crate::rendering) initial: String,
    pub(in crate::rendering) name: Option<Field>,
    /// The name in the other script.
    pub(in crate::rendering) other: Option<Field>,
}

impl Writer {
    pub(super) fn title(&self, view: &View) -> Label {
        let code = view.document.text("IBT-003").unwrap_or_default();
        let title = TITLES.iter().find(|(named, ..)| *named == code);
        let own = if view.is_credit_note { "paper-credit-note" } else { "paper-invoice" };
        self.label(|language| {
            Some(match (title, language) {
                (Some((_, english, _)), Language::English) => (*english).to_owned(),
                (Some((.., arabic)), Language::Arabic) => (*arabic).to_owned(),
                (None, _) => codes::meaning(language, "IBT-003", code)
                    .unwrap_or_else(|| i18n::text(language, own, &[])),
            })
        })
    }

    pub(super) fn brand(&self, view: &View) -> Brand {
        let name = view.seller.row("IBT-027").or_else(|| view.seller.row("IBT-028"));
        let other = view.seller.row("IBT-028").filter(|other| {
            let scripts = [name.and_then(|name| name.text()), other.text()].map(is_arabic);
            scripts[0] != scripts[1]
        });
        let letters = name.and_then(|name| name.text()).unwrap_or_default();
        let initial = letters.chars().find(|it| it.is_alphanumeric());
        Brand {
            initial: initial.into_iter().flat_map(char::to_uppercase).collect(),
            name: name.map(|name| self.field(name)),
            other: other.map(|other| self.field(other)),
        }
    }

    /// The facts that exist, in the order of their importance.
    pub(super) fn facts(&self, view: &mut View) -> Vec<Item> {
        let number = if view.is_credit_note { "paper-number-credit" } else { "paper-number" };
        let View { document, references, others, payment, .. } = view;
        let mut facts = vec![
            self.item(document, "IBT-001", number),
            self.item(document, "IBT-002", "paper-issued"),
            self.item(document, "IBT-009", "paper-due"),
        ];
        if facts.last().is_some_and(Option::is_none) {
            // A credit note has its due date among the payment instructions.
            let due = |block| self.item(block, "IBT-009", "paper-due");
            facts.push(payment.groups("IBG-16").find_map(due));
        }
        facts.push(self.item(document, "IBT-007", "paper-supplied"));
        let delivered = |block| self.item(block, "IBT-072", "paper-delivered");
        facts.push(others.groups("IBG-13").find_map(delivered));
        let period = ["IBT-073", "IBT-074"].into_iter().filter_map(|term| document.take(term));
        let period: Vec<_> = period.map(|row| self.field(&row)).collect();
        facts.push(Item::several(self.words("paper-period"), period, " – "));
        facts.push(self.item(references, "IBT-013", "paper-order"));
        facts.push(self.item(document, "IBT-010", "paper-buyer-reference"));
        facts.push(self.item(references, "IBT-012", "paper-contract"));
        facts.extend(references.groups("IBG-03").map(|block| {
            let rows = ["IBT-025", "IBT-026"].into_iter().filter_map(|term| block.take(term));
            let fields: Vec<_> = rows.map(|row| self.field(&row)).collect();
            Item::several(self.words("paper-preceding"), fields, " · ")
        }));
        let reason = document.row("BTAE-03").map(|row| self.named(row));
        facts.push(Item::several(self.words("paper-reason"), reason, ""));
        facts.push(self.item(others, "BTAE-01", "paper-beneficiary"));
        facts.push(self.item(others, "BTAE-14", "paper-principal"));
        facts.into_iter().flatten().collect()
    }
}

fn is_arabic(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.chars().any(|it| matches!(it, '\u{600}'..='\u{6ff}')))
}
