//! The content of a view in reading order, with the words of its languages. HTML and PDF share it.

use std::borrow::Cow;

use serde::Serialize;

use super::{Block, Languages, Row, UnplacedValue, Value, View, codes, name};
use crate::{
    error::{Finding, Severity},
    i18n::{self, Language, figures},
};

/// A view with all its words.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sheet<'a> {
    /// The main language; with two languages, the first one.
    #[serde(serialize_with = "tag")]
    pub(super) language: Language,
    /// The kind of document.
    pub(super) title: Label<'a>,
    /// BT-1.
    pub(super) number: Cow<'a, str>,
    /// The amount due.
    pub(super) due: Option<Fact<'a>>,
    pub(super) findings: Option<Findings<'a>>,
    pub(super) sections: Vec<Section<'a>>,
    /// The note on the legal effect of the sheet.
    pub(super) legal: Label<'a>,
}

/// A text in each language of the sheet.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Label<'a>(pub(super) Vec<Text<'a>>);

/// A text in one language.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Text<'a> {
    #[serde(serialize_with = "tag")]
    pub(super) language: Language,
    pub(super) text: Cow<'a, str>,
}

/// A value with its label.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Fact<'a> {
    pub(super) term: &'static str,
    pub(super) label: Label<'a>,
    /// The formatted value. Its digits are the same in both languages.
    pub(super) value: Cow<'a, str>,
    /// The unit of a quantity.
    pub(super) unit: Label<'a>,
    /// The meaning of a code.
    pub(super) meaning: Label<'a>,
    /// The qualifiers of the value. A qualifier without a label exists only in UBL.
    pub(super) qualifiers: Vec<(&'a str, Label<'a>)>,
}

/// Facts that belong together, with nested parts.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Part<'a> {
    /// Empty for a part without a name.
    pub(super) title: Label<'a>,
    pub(super) facts: Vec<Fact<'a>>,
    pub(super) parts: Vec<Part<'a>>,
}

/// A column of a table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Column<'a> {
    pub(super) term: &'static str,
    pub(super) label: Label<'a>,
    /// Whether all values of the column are numbers.
    pub(super) is_number: bool,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Line<'a> {
    /// One cell for each column.
    pub(super) cells: Vec<Option<Fact<'a>>>,
    /// The facts that belong to no column.
    pub(super) rest: Option<Part<'a>>,
}

/// The content under a heading.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum Section<'a> {
    /// Two parts side by side.
    Pair {
        parts: [Part<'a>; 2],
    },
    Facts {
        part: Part<'a>,
    },
    Table {
        title: Label<'a>,
        columns: Vec<Column<'a>>,
        lines: Vec<Line<'a>>,
    },
    /// Several parts of the same kind.
    Parts {
        title: Label<'a>,
        parts: Vec<Part<'a>>,
    },
    /// Amounts. The last one is the result of the others.
    Totals {
        part: Part<'a>,
    },
    /// Values that belong to no business term.
    Unplaced {
        title: Label<'a>,
        text: Label<'a>,
        values: &'a [UnplacedValue],
    },
}

/// The findings about the document. Their messages are in English.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Findings<'a> {
    pub(super) title: Label<'a>,
    pub(super) found: Vec<Found<'a>>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Found<'a> {
    pub(super) rule: &'a str,
    pub(super) message: &'a str,
    pub(super) location: Option<&'a str>,
    pub(super) is_error: bool,
}

/// The columns of the tables of lines and of the VAT breakdown.
const LINE_COLUMNS: &[&str] =
    &["IBT-126", "IBT-153", "IBT-129", "IBT-146", "IBT-151", "IBT-152", "IBT-131", "BTAE-10"];
const BREAKDOWN_COLUMNS: &[&str] = &["IBT-118", "IBT-119", "IBT-116", "IBT-117"];

impl<'a> Sheet<'a> {
    pub(super) fn of(view: &'a View, languages: Languages, findings: &'a [Finding]) -> Self {
        let spoken: &[Language] = match languages {
            Languages::One(Language::English) => &[Language::English],
            Languages::One(Language::Arabic) => &[Language::Arabic],
            Languages::Both => &Language::ALL,
        };
        let writer = Writer { spoken, main: spoken.first().copied().unwrap_or_default() };
        Sheet {
            language: writer.main,
            title: writer.title(view),
            number: view.document.row("IBT-001").map_or_else(Cow::default, |row| writer.value(row)),
            due: view.totals.row("IBT-115").map(|row| writer.fact(row)),
            findings: (!findings.is_empty()).then(|| writer.findings(findings)),
            sections: writer.sections(view),
            legal: writer.words("view-legal"),
        }
    }
}

/// Puts the content of a view into words.
struct Writer<'w> {
    spoken: &'w [Language],
    main: Language,
}

impl Writer<'_> {
    fn sections<'a>(&self, view: &'a View) -> Vec<Section<'a>> {
        let facts = |title, block| Section::Facts { part: self.part(title, block) };
        let parts = [&view.seller, &view.buyer].map(|block| self.block(block));
        let mut sections = vec![Section::Pair { parts }];
        sections.push(facts(self.words("view-document"), &view.document));
        if !view.references.is_empty() {
            sections.push(facts(self.words("view-references"), &view.references));
        }
        if !view.others.is_empty() {
            sections.push(facts(self.words("view-others"), &view.others));
        }
        sections.push(self.table(self.words("view-lines"), LINE_COLUMNS, &view.lines));
        if !view.allowances.is_empty() {
            let parts = view.allowances.iter().map(|block| self.block(block)).collect();
            sections.push(Section::Parts { title: self.words("view-allowances"), parts });
        }
        if !view.breakdown.is_empty() {
            sections.push(self.table(self.term("IBG-23"), BREAKDOWN_COLUMNS, &view.breakdown));
        }
        sections.push(Section::Totals { part: self.block(&view.totals) });
        if !view.payment.is_empty() {
            sections.push(facts(self.words("view-payment"), &view.payment));
        }
        if !view.attachments.is_empty() {
            let parts = view.attachments.iter().map(|it| self.part(Label::default(), it)).collect();
            sections.push(Section::Parts { title: self.term("IBG-24"), parts });
        }
        if !view.unplaced.is_empty() {
            let (title, text) = (self.words("view-unplaced"), self.words("view-unplaced-text"));
            sections.push(Section::Unplaced { title, text, values: &view.unplaced });
        }
        sections
    }

    fn label<'a, T: Into<Cow<'a, str>>>(&self, text: impl Fn(Language) -> Option<T>) -> Label<'a> {
        let spoken = self.spoken.iter();
        let texts = spoken.filter_map(|language| {
            Some(Text { language: *language, text: text(*language)?.into() })
        });
        Label(texts.collect())
    }

    /// The label of a term or a group.
    fn term(&self, term: &'static str) -> Label<'static> {
        self.label(|language| Some(name(language, term)))
    }

    /// The label for a message of the sheet itself.
    fn words(&self, message: &str) -> Label<'static> {
        self.label(|language| Some(i18n::text(language, message, &[])))
    }

    fn title(&self, view: &View) -> Label<'static> {
        let own = if view.is_credit_note { "view-credit-note" } else { "view-invoice" };
        let code = view.document.row("IBT-003").map(|row| self.value(row));
        self.label(|language| {
            let meaning = codes::meaning(language, "IBT-003", code.as_deref().unwrap_or_default());
            Some(meaning.unwrap_or_else(|| i18n::text(language, own, &[])))
        })
    }

    fn value<'a>(&self, row: &'a Row) -> Cow<'a, str> {
        match &row.value {
            Value::Text(text) | Value::Code(text) => text.into(),
            Value::Date(day) => figures::date(self.main, *day).into(),
            Value::Amount { currency, amount } => figures::amount(currency, *amount).into(),
            Value::Number(number) => figures::number(*number).into(),
            Value::Percent(rate) => format!("{rate}%").into(),
            Value::File(bytes) => figures::number((*bytes).into()).into(),
        }
    }

    fn fact<'a>(&self, row: &'a Row) -> Fact<'a> {
        Fact { label: self.term(row.term), ..self.cell(row) }
    }

    /// A fact for a table cell; its column shows its name.
    fn cell<'a>(&self, row: &'a Row) -> Fact<'a> {
        let is_file = matches!(row.value, Value::File(_));
        let meaning = match &row.value {
            Value::Code(code) => self.label(|language| codes::meaning(language, row.term, code)),
            _ => Label::default(),
        };
        let qualifier = |(term, value): &'a (&'static str, String)| {
            let label = if term.is_empty() { Label::default() } else { self.term(term) };
            (value.as_str(), label)
        };
        Fact {
            term: row.term,
            label: Label::default(),
            value: self.value(row),
            unit: if is_file { self.words("view-bytes") } else { Label::default() },
            meaning,
            qualifiers: row.qualifiers.iter().map(qualifier).collect(),
        }
    }

    /// A block with the name of its group as the title.
    fn block<'a>(&self, block: &'a Block) -> Part<'a> {
        self.part(self.term(block.group), block)
    }

    fn part<'a>(&self, title: Label<'a>, block: &'a Block) -> Part<'a> {
        self.part_of(title, block.rows.iter(), &block.blocks)
    }

    fn part_of<'a>(
        &self,
        title: Label<'a>,
        rows: impl Iterator<Item = &'a Row>,
        blocks: &'a [Block],
    ) -> Part<'a> {
        let facts = rows.map(|row| self.fact(row)).collect();
        Part { title, facts, parts: blocks.iter().map(|block| self.block(block)).collect() }
    }

    fn table<'a>(
        &self,
        title: Label<'a>,
        columns: &[&'static str],
        blocks: &'a [Block],
    ) -> Section<'a> {
        let lines = blocks.iter().map(|block| {
            // Further values of a column's term, and terms without a column.
            let in_column = |row: &&Row| {
                let first = columns.contains(&row.term).then(|| block.row(row.term)).flatten();
                first.is_some_and(|first| std::ptr::eq(first, *row))
            };
            let rest: Vec<_> = block.rows.iter().filter(|row| !in_column(row)).collect();
            let is_rest = !rest.is_empty() || !block.blocks.is_empty();
            let cell = |column: &&'static str| block.row(column).map(|row| self.cell(row));
            Line {
                cells: columns.iter().map(cell).collect(),
                rest: is_rest
                    .then(|| self.part_of(Label::default(), rest.into_iter(), &block.blocks)),
            }
        });
        let is_number =
            |row: &Row| !matches!(row.value, Value::Text(_) | Value::Code(_) | Value::Date(_));
        let column = |term: &&'static str| {
            let mut values = blocks.iter().filter_map(|block| block.row(term)).peekable();
            // A single text in the column may be long, and must be allowed to wrap.
            let is_number = values.peek().is_some() && values.all(is_number);
            Column { term, label: self.term(term), is_number }
        };
        Section::Table {
            title,
            columns: columns.iter().map(column).collect(),
            lines: lines.collect(),
        }
    }

    fn findings<'a>(&self, findings: &'a [Finding]) -> Findings<'a> {
        let found = findings.iter().map(|finding| Found {
            rule: &finding.rule,
            message: &finding.message,
            location: finding.location.as_deref(),
            is_error: finding.severity == Severity::Error,
        });
        Findings { title: self.words("view-findings"), found: found.collect() }
    }
}

fn tag<S: serde::Serializer>(language: &Language, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(language.tag())
}
