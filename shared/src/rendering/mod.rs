//! A document as people read it: every value of an invoice or credit note with the name of its business term, in English,
//! in Arabic or in both, as a page that is printed as well as looked at, and as PDF to be kept.
//!
//! A view is read from the XML itself, whoever wrote it, valid or not: [`View::of`] takes every value at the place of a
//! business term, and lists all else beside them, so that nothing of a document is out of sight. The XML stays the
//! invoice; a view is of no legal effect.

mod arabic;
mod codes;
mod html;
#[cfg(feature = "pdf")]
mod pdf;
mod places;
mod read;
mod sheet;
#[cfg(test)]
mod tests;

use rust_decimal::Decimal;
use serde::Serialize;

pub use html::{POLICY, html};
#[cfg(feature = "pdf")]
pub use pdf::{NoPdf, pdf};

use crate::{error::Finding, i18n::Language, pint::terms::TERMS};

/// The languages in which a document is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Languages {
    /// One of them.
    One(Language),
    /// English and Arabic, side by side.
    Both,
}

impl Languages {
    /// All that there are.
    pub const ALL: [Languages; 3] =
        [Languages::One(Language::English), Languages::One(Language::Arabic), Languages::Both];

    /// Their word: `en`, `ar` or `both`.
    pub fn word(self) -> &'static str {
        match self {
            Languages::One(language) => language.tag(),
            Languages::Both => "both",
        }
    }

    /// The languages of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Languages::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl View {
    /// How many bytes of text a PDF of it is set from in both languages: its values, and the names of each.
    pub fn text_bytes(&self, findings: &[Finding]) -> usize {
        let sheet = sheet::Sheet::of(self, Languages::Both, findings);
        serde_json::to_string(&sheet).map_or(usize::MAX, |text| text.len())
    }
}

/// What a business term or a group of them is called; the term itself where it is unknown.
fn name(language: Language, term: &'static str) -> &'static str {
    let names = match language {
        Language::English => TERMS,
        Language::Arabic => arabic::ARABIC,
    };
    names.name(term).unwrap_or(term)
}

/// Why a document cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is {name} of the namespace {namespace:?}, neither Invoice nor CreditNote of UBL 2.1")]
pub struct NoView {
    /// What the root element is called.
    pub name: String,
    /// Its namespace; empty when there is none.
    pub namespace: String,
}

/// A document, read to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Whether it is a credit note.
    pub is_credit_note: bool,
    document: Block,
    references: Block,
    seller: Block,
    buyer: Block,
    others: Block,
    lines: Vec<Block>,
    allowances: Vec<Block>,
    breakdown: Vec<Block>,
    totals: Block,
    payment: Block,
    attachments: Vec<Block>,
    unplaced: Vec<UnplacedValue>,
}

/// Terms that stand together.
#[derive(Debug, Clone, Default, PartialEq)]
struct Block {
    /// The group that they are; empty for one without a name.
    group: &'static str,
    rows: Vec<Row>,
    blocks: Vec<Block>,
}

/// A term with its value.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    term: &'static str,
    value: Value,
    /// What tells more of it: terms that are attributes in UBL. One without a term is what UBL alone wants.
    qualifiers: Vec<(&'static str, String)>,
}

/// A value, as far as it could be read as what it should be.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Date(jiff::civil::Date),
    Amount {
        currency: String,
        amount: Decimal,
    },
    Number(Decimal),
    Percent(Decimal),
    Code(String),
    /// How many bytes a file has.
    File(usize),
}

/// A value at the place of no term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct UnplacedValue {
    /// The XPath of an element or an attribute.
    path: String,
    value: String,
}

impl Block {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.blocks.is_empty()
    }

    /// The first value of a term.
    fn row(&self, term: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.term == term)
    }
}
