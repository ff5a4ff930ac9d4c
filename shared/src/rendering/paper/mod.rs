//! The content of a document as an invoice for people, with all its words. HTML and PDF share it.
//!
//! The body takes rows out of the view, and the annex shows the rows that are left. So every value of a document stands
//! in one of the two. A code that the body shows by its name stays, and the annex shows the code itself.

mod annex;
mod foot;
mod head;
mod legal;
mod lines;
mod parties;
mod payment;
mod sums;
mod take;
mod text;
mod writer;

use serde::Serialize;

pub use self::head::title;

#[cfg(feature = "pdf")]
pub(super) use self::foot::Qr;
use self::{
    annex::Annex,
    foot::Foot,
    head::Brand,
    lines::{Line, Lines},
    parties::Party,
    payment::{Aside, BESIDE},
    sums::{Tax, TaxRow, Total},
    text::{Item, Label, Written, tag},
    writer::Writer,
};
use super::{Rendering, View};
use crate::{
    error::{Finding, Severity},
    i18n::Language,
};

/// A document as an invoice for people.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Paper<'a> {
    /// The main language; with two languages, the first one.
    #[serde(serialize_with = "tag")]
    pub(super) language: Language,
    /// Title and number, as the name of the file in readers.
    pub(super) name: String,
    pub(super) findings: Option<Findings<'a>>,
    pub(super) title: Label,
    pub(super) brand: Brand,
    /// The facts of the band: number, dates and references.
    pub(super) facts: Vec<Item>,
    /// Seller and buyer, then the other parties and the delivery.
    pub(super) parties: Vec<Party>,
    pub(super) lines: Lines,
    pub(super) tax: Option<Tax>,
    pub(super) totals: Vec<Total>,
    /// What stands beside the totals: payment, words and notes.
    pub(super) asides: Vec<Aside>,
    /// Long texts, below the totals.
    pub(super) notes: Vec<Aside>,
    /// What the law requires to be said.
    pub(super) statements: Vec<Label>,
    pub(super) foot: Foot,
    pub(super) annex: Option<Annex>,
    /// Whether the last line, the totals and what stands beside them surely fit one page.
    pub(super) keeps_together: bool,
    /// Whether the seller's logo is there.
    pub(super) has_logo: bool,
    /// The number of the document, for the foot of each page.
    pub(super) footer: Written,
}

/// Rows of the totals and of the VAT that fit a page with the rest.
const ROWS: usize = 24;
/// Statements that do.
const STATEMENTS: usize = 8;
/// Characters beside the totals that do.
const CHARACTERS: usize = 1_500;

/// The findings about the document. Their messages are in English.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Findings<'a> {
    pub(super) title: Label,
    pub(super) found: Vec<Found<'a>>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Found<'a> {
    pub(super) rule: &'a str,
    pub(super) message: &'a str,
    pub(super) location: Option<&'a str>,
    pub(super) is_error: bool,
}

impl<'a> Paper<'a> {
    pub(super) fn of(view: &View, rendering: &Rendering<'a>) -> Self {
        let writer = Writer::of(rendering.languages);
        let mut view = view.clone().split();
        // These only look: the parts after them take.
        let title = writer.title(&view);
        let brand = writer.brand(&view);
        let statements = writer.statements(&view);
        let qr = foot::qr(&view, rendering.verify);
        let words = writer.words_of_total(&view);
        let foot = writer.foot(&mut view, rendering.standing, qr);
        let facts = writer.facts(&mut view);
        let parties = writer.parties(&mut view);
        let lines = writer.lines(&mut view);
        let totals = writer.totals(&mut view);
        let tax = writer.tax(&mut view);
        let (asides, notes) = writer.asides(&mut view, words);
        let number = facts.first().map(Item::text).unwrap_or_default();
        let keeps_together = totals.len() + tax.as_ref().map_or(0, |tax| tax.rows.len()) <= ROWS
            && statements.len() <= STATEMENTS
            && asides.iter().map(Aside::length).sum::<usize>() <= CHARACTERS
            && tax.as_ref().is_none_or(|tax| tax.rows.iter().all(TaxRow::is_short))
            && totals.iter().all(|total| total.length() <= BESIDE)
            && lines.lines.last().is_some_and(|line| !line.is_long);
        let numbers: Vec<_> = lines.lines.iter().map(Line::number).collect();
        Paper {
            language: writer.main,
            name: format!("{} {number}", title.first()).trim().to_owned(),
            findings: writer.findings(rendering.findings),
            title,
            brand,
            facts,
            parties,
            lines,
            tax,
            totals,
            asides,
            notes,
            statements,
            foot,
            keeps_together,
            has_logo: rendering.logo.is_some(),
            footer: Written::whole(number),
            annex: rendering.annex.then(|| writer.annex(&view, &numbers)),
        }
    }
}

impl Writer {
    fn findings<'a>(&self, findings: &'a [Finding]) -> Option<Findings<'a>> {
        let found = findings.iter().map(|finding| Found {
            rule: &finding.rule,
            message: &finding.message,
            location: finding.location.as_deref(),
            is_error: finding.severity == Severity::Error,
        });
        let found: Vec<_> = found.collect();
        (!found.is_empty()).then(|| Findings { title: self.words("paper-findings"), found })
    }
}
