//! What stands beside the totals: how to pay, the amount in words, and the notes.

use serde::Serialize;

use super::{
    super::{Block, Value, View, words},
    text::{Field, Item, Label, Written},
    writer::Writer,
};

/// A heading with texts.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Aside {
    pub(in crate::rendering) title: Label,
    pub(in crate::rendering) items: Vec<Item>,
    /// Texts of the paper itself, such as the amount in words.
    pub(in crate::rendering) texts: Label,
}

/// Characters of texts that fit beside the totals.
pub(super) const BESIDE: usize = 420;

impl Aside {
    /// How many characters it shows.
    pub(super) fn length(&self) -> usize {
        self.items.iter().map(Item::length).sum()
    }
}

impl Writer {
    /// The amount due in words. Two languages are two texts.
    pub(super) fn words_of_total(&self, view: &View) -> Option<Aside> {
        let Value::Amount { currency, amount } = &view.totals.row("IBT-115")?.value else {
            return None;
        };
        let texts = self.label(|language| words::amount(language, currency, *amount));
        let title = self.words("paper-words");
        (!texts.is_empty()).then_some(Aside { title, items: Vec::new(), texts })
    }

    /// What stands beside the totals, and what is too long for that.
    pub(super) fn asides(&self, view: &mut View, words: Option<Aside>) -> (Vec<Aside>, Vec<Aside>) {
        let View { document, payment, .. } = view;
        let mut all = Vec::new();
        let means = payment.groups("IBG-16").flat_map(|block| self.means(block)).collect();
        all.extend(self.aside("paper-payment", means));
        let terms = payment.groups("IBG-33").filter_map(|block| self.terms(block)).collect();
        all.extend(self.aside("paper-terms", terms));
        all.extend(words);
        let notes = document.take_all("IBT-022");
        let notes = notes.iter().map(|row| Item::one(Label::default(), self.field(row))).collect();
        all.extend(self.aside("paper-notes", notes));
        let is_short = |aside: &Aside| aside.length() <= BESIDE;
        all.into_iter().partition(is_short)
    }

    fn aside(&self, title: &str, items: Vec<Item>) -> Option<Aside> {
        let title = self.words(title);
        (!items.is_empty()).then_some(Aside { title, items, texts: Label::default() })
    }

    /// A means of payment: its kind, then the account and how to refer to the document.
    fn means(&self, block: &mut Block) -> Vec<Item> {
        let kind = block.row("IBT-081").map(|row| self.named(row));
        let text = block.take("IBT-082").map(|row| self.field(&row));
        let is_same = kind.as_ref().map(|it| it.value.text().to_lowercase())
            == text.as_ref().map(|it| it.value.text().to_lowercase());
        let kind = if is_same { None } else { kind };
        let mut items = Vec::new();
        items.extend(Item::several(Label::default(), [kind, text].into_iter().flatten(), " · "));
        items.extend(self.account(block));
        for (term, message) in [
            ("IBT-086", "paper-bic"),
            ("IBT-085", "paper-account-name"),
            ("IBT-083", "paper-remittance"),
            ("IBT-087", "paper-card"),
            ("IBT-088", "paper-card-holder"),
            ("IBT-089", "paper-mandate"),
            ("IBT-091", "paper-debited-account"),
        ] {
            let rows = block.take_all(term);
            let fields = rows.iter().map(|row| self.field(row));
            items.extend(Item::several(self.words(message), fields, self.comma()));
        }
        items
    }

    /// The account: an IBAN in groups of four, as on a bank statement.
    fn account(&self, block: &mut Block) -> Option<Item> {
        let row = block.take("IBT-084")?;
        let text = self.text(&row);
        let is_iban = block.text("IBT-084-1").is_some_and(|scheme| scheme == "IBAN")
            || (text.len() > 14
                && text.as_bytes().iter().take(2).all(u8::is_ascii_uppercase)
                && text.bytes().all(|it| it.is_ascii_alphanumeric()));
        let value = if is_iban { Written::grouped(&text, &[4]) } else { Written::whole(text) };
        let label = self.words(if is_iban { "paper-iban" } else { "paper-account" });
        Some(Item::one(label, Field { term: row.term, value }))
    }

    /// A term of payment: its text, then the part that is due.
    fn terms(&self, block: &mut Block) -> Option<Item> {
        let terms = ["IBT-020", "IBT-176", "IBT-177"];
        let fields = terms.into_iter().filter_map(|term| block.take(term));
        let fields: Vec<_> = fields.map(|row| self.field(&row)).collect();
        Item::several(Label::default(), fields, " · ")
    }
}
