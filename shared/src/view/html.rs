//! A view as one page of HTML, which needs nothing from elsewhere: its style is in it, and there is no script.

use std::sync::LazyLock;

use askama::Template;
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{Block, Languages, Row, Value, View, codes, name};
use crate::{
    error::{Finding, Severity},
    words::{self, Language, figures},
};

/// As the template has it: without the line break at its end.
const STYLE: &str = include_str!("../../templates/view/document.css").trim_ascii_end();

/// The `Content-Security-Policy` of a view: its own style holds, told by its hash, and nothing else (Content Security Policy
/// Level 3, section 2.3.1).
pub static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
});

/// A view as HTML, with what was found in the document above it.
///
/// # Errors
/// None that a template of ours gives, which writes to memory.
pub fn html(
    view: &View,
    languages: Languages,
    findings: &[Finding],
) -> Result<String, askama::Error> {
    Page { view, languages, findings }.render()
}

#[derive(Template)]
#[template(path = "view/document.html")]
struct Page<'a> {
    view: &'a View,
    languages: Languages,
    findings: &'a [Finding],
}

/// A text in each language of the page.
struct Label(Vec<(Language, String)>);

impl Page<'_> {
    fn spoken(&self) -> &'static [Language] {
        match self.languages {
            Languages::One(Language::English) => &[Language::English],
            Languages::One(Language::Arabic) => &[Language::Arabic],
            Languages::Both => &Language::ALL,
        }
    }

    /// The language that the page is in: with two it is the first.
    fn main(&self) -> Language {
        self.spoken().first().copied().unwrap_or_default()
    }

    fn label(&self, mut text: impl FnMut(Language) -> String) -> Label {
        Label(self.spoken().iter().map(|language| (*language, text(*language))).collect())
    }

    /// What a term or a group is called.
    fn term(&self, term: &'static str) -> Label {
        self.label(|language| name(language, term).to_owned())
    }

    /// Words of the page's own.
    fn words(&self, message: &str) -> Label {
        self.label(|language| words::text(language, message, &[]))
    }

    /// What the document is.
    fn title(&self) -> Label {
        let own = if self.view.is_credit_note { "view-credit-note" } else { "view-invoice" };
        let code = self.view.document.row("IBT-003").map(|row| self.value(row));
        self.label(|language| {
            let meaning = codes::meaning(language, "IBT-003", code.as_deref().unwrap_or_default());
            meaning.unwrap_or_else(|| words::text(language, own, &[]))
        })
    }

    fn number(&self) -> String {
        self.view.document.row("IBT-001").map(|row| self.value(row)).unwrap_or_default()
    }

    /// A value as people read it. Its digits are the same in both languages.
    fn value(&self, row: &Row) -> String {
        match &row.value {
            Value::Text(text) | Value::Code(text) => text.clone(),
            Value::Date(day) => figures::date(self.main(), *day),
            Value::Amount { currency, amount } => figures::amount(currency, *amount),
            Value::Number(number) => figures::number(*number),
            Value::Percent(rate) => format!("{rate}%"),
            Value::File(bytes) => figures::number((*bytes).into()),
        }
    }

    /// Whether a value is a number among others in a column.
    fn is_number(&self, row: &Row) -> bool {
        !matches!(row.value, Value::Text(_) | Value::Code(_) | Value::Date(_))
    }

    /// Whether a value is the size of a file.
    fn is_file(&self, row: &Row) -> bool {
        matches!(row.value, Value::File(_))
    }

    /// What a code means.
    fn meaning(&self, row: &Row) -> Label {
        let Value::Code(code) = &row.value else { return Label(Vec::new()) };
        let meaning = |language| Some((language, codes::meaning(language, row.term, code)?));
        Label(self.spoken().iter().filter_map(|language| meaning(*language)).collect())
    }

    fn is_error(&self, finding: &Finding) -> bool {
        finding.severity == Severity::Error
    }
}

/// The columns of the lines, and of the VAT breakdown.
const LINE_COLUMNS: &[&str] =
    &["IBT-126", "IBT-153", "IBT-129", "IBT-146", "IBT-151", "IBT-152", "IBT-131", "BTAE-10"];
const BREAKDOWN_COLUMNS: &[&str] = &["IBT-118", "IBT-119", "IBT-116", "IBT-117"];

impl Block {
    /// The first value of each column.
    fn cells(&self, columns: &[&'static str]) -> Vec<(&'static str, Option<&Row>)> {
        columns.iter().map(|column| (*column, self.row(column))).collect()
    }

    /// What stands in no column: other terms, and further values of those that do.
    fn rest(&self, columns: &[&str]) -> Vec<&Row> {
        let in_column = |row: &&Row| {
            columns.contains(&row.term)
                && self.row(row.term).is_some_and(|it| std::ptr::eq(it, *row))
        };
        self.rows.iter().filter(|row| !in_column(row)).collect()
    }
}
