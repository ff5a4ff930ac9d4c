//! Renders a document for people. Every value of an invoice or credit note has the name of its business term, in
//! English, Arabic or both. The result is an HTML page, which can also be printed, or a PDF to keep.
//!
//! [`View::of`] reads the XML itself, from any sender, valid or not. It takes the value of each business term and lists
//! all other values beside them, so that nothing of a document is hidden. The XML remains the invoice; a view has no
//! legal effect.

mod arabic;
mod codes;
mod countries;
mod html;
mod paper;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(test)]
#[cfg(feature = "pdf")]
#[expect(clippy::disallowed_types, reason = "a scale of pixels is no money")]
mod pictures;
mod places;
mod read;
mod standing;
#[cfg(test)]
mod tests;
mod units;
mod words;

use rust_decimal::Decimal;
use serde::Serialize;

pub(crate) use codes::choices;
pub use html::{POLICY, POLICY_FRAMED, html, html_of};
pub use paper::title;
#[cfg(feature = "pdf")]
pub use pdf::{NoPdf, pdf, pdf_name};
pub use standing::{Standing, State};

use crate::{error::Finding, i18n::Language, pint::terms::TERMS};

/// Maximum lines of a document in a PDF, since a caller waits for it. API Gateway waits for 30 s
/// (`benches/pdf.rs`).
pub const MAX_PDF_LINES: usize = if cfg!(test) { 20 } else { 1_000 };

/// Maximum bytes of text in a PDF ([`View::text_bytes`]). Text that fills it takes less time than
/// the maximum of lines (`benches/pdf.rs`).
pub const MAX_PDF_TEXT: usize = if cfg!(test) { 400_000 } else { 10_000_000 };

/// The languages of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Languages {
    /// One language.
    One(Language),
    /// English and Arabic, side by side.
    Both,
}

impl Languages {
    /// All choices.
    pub const ALL: [Languages; 3] =
        [Languages::One(Language::English), Languages::One(Language::Arabic), Languages::Both];

    /// The name of the choice: `en`, `ar` or `both`.
    pub fn word(self) -> &'static str {
        match self {
            Languages::One(language) => language.tag(),
            Languages::Both => "both",
        }
    }

    /// The choice with this name.
    pub fn of_word(word: &str) -> Option<Self> {
        Languages::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// How a document is rendered.
#[derive(Debug, Clone, Copy)]
pub struct Rendering<'a> {
    /// The languages of the names.
    pub languages: Languages,
    /// Shown above the document.
    pub findings: &'a [Finding],
    /// Whether an annex shows the business terms that the body does not show. Without it a rendering has not all values.
    pub annex: bool,
    /// The seller's logo, in place of a monogram.
    pub logo: Option<Logo<'a>>,
    /// What became of the document.
    pub standing: Option<&'a Standing>,
    /// A link at which the holder of the paper can verify it.
    pub verify: Option<&'a str>,
}

impl<'a> Rendering<'a> {
    /// A rendering with the annex, and without what the document itself does not say.
    pub fn of(languages: Languages) -> Self {
        Rendering {
            languages,
            findings: &[],
            annex: true,
            logo: None,
            standing: None,
            verify: None,
        }
    }

    /// The rendering with findings above the document.
    pub fn with_findings(self, findings: &'a [Finding]) -> Self {
        Rendering { findings, ..self }
    }
}

/// A seller's logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logo<'a> {
    /// The picture, in the PNG format.
    pub png: &'a [u8],
}

impl View {
    /// The size of the text of a PDF in both languages: its values and their names.
    pub fn text_bytes(&self, findings: &[Finding]) -> usize {
        let rendering = Rendering::of(Languages::Both).with_findings(findings);
        serde_json::to_string(&paper::Paper::of(self, &rendering))
            .map_or(usize::MAX, |text| text.len())
    }
}

/// The name of a business term or a group; the term itself if it is unknown.
fn name(language: Language, term: &'static str) -> &'static str {
    let names = match language {
        Language::English => TERMS,
        Language::Arabic => arabic::ARABIC,
    };
    names.name(term).unwrap_or(term)
}

/// Why a document cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is {name} of the namespace {namespace:?}, neither Invoice nor CreditNote of UBL 2.1")]
pub struct NoView {
    /// The name of the root element.
    pub name: String,
    /// Its namespace; empty if there is none.
    pub namespace: String,
}

/// A document that was read for rendering.
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

/// Terms that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
struct Block {
    /// The group of the terms; empty if it has no name.
    group: &'static str,
    rows: Vec<Row>,
    blocks: Vec<Block>,
}

/// A term with its value.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    term: &'static str,
    value: Value,
    /// The attributes in UBL that qualify the value. A qualifier without a term exists only in UBL.
    qualifiers: Vec<(&'static str, String)>,
}

/// A value, parsed as far as possible.
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
    /// The size of a file in bytes.
    File(usize),
}

/// A value that belongs to no term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct UnplacedValue {
    /// The XPath of an element or an attribute.
    path: String,
    value: String,
}

impl Block {
    /// The first value of a term.
    fn row(&self, term: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.term == term)
    }
}
