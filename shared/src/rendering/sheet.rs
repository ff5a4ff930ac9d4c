//! What a view shows, in the order in which it is read, with the words of its languages: what a page of HTML and a PDF
//! have in common.

use std::borrow::Cow;

use serde::Serialize;

use super::{Block, Languages, Row, UnplacedValue, Value, View, codes, name};
use crate::{
    error::{Finding, Severity},
    i18n::{self, Language, figures},
};

/// A view in words.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Sheet<'a> {
    /// The language of the whole: with two it is the first.
    #[serde(serialize_with = "tag")]
    pub(super) language: Language,
    /// What the document is.
    pub(super) title: Label<'a>,
    /// BT-1.
    pub(super) number: Cow<'a, str>,
    /// What is to be paid.
    pub(super) due: Option<Fact<'a>>,
    pub(super) findings: Option<Findings<'a>>,
    pub(super) sections: Vec<Section<'a>>,
    /// What the sheet is worth.
    pub(super) legal: Label<'a>,
}

/// A text in each language of the sheet.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Label<'a>(pub(super) Vec<Text<'a>>);

/// A text in a language.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Text<'a> {
    #[serde(serialize_with = "tag")]
    pub(super) language: Language,
    pub(super) text: Cow<'a, str>,
}

/// A value and what it is.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Fact<'a> {
    pub(super) term: &'static str,
    pub(super) label: Label<'a>,
    /// As people read it. Its digits are the same in both languages.
    pub(super) value: Cow<'a, str>,
    /// What it counts.
    pub(super) unit: Label<'a>,
    /// What it means, if it is a code.
    pub(super) meaning: Label<'a>,
    /// What tells more of it; one without a label is what UBL alone wants.
    pub(super) qualifiers: Vec<(&'a str, Label<'a>)>,
}

/// Facts that stand together, and those within them.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Part<'a> {
    /// Empty for one without a name.
    pub(super) title: Label<'a>,
    pub(super) facts: Vec<Fact<'a>>,
    pub(super) parts: Vec<Part<'a>>,
}

/// A column of a table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Column<'a> {
    pub(super) term: &'static str,
    pub(super) label: Label<'a>,
    /// Whether what stands in it, one below the other, is numbers.
    pub(super) is_number: bool,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Line<'a> {
    /// One for each column.
    pub(super) cells: Vec<Option<Fact<'a>>>,
    /// What stands in no column.
    pub(super) rest: Option<Part<'a>>,
}

/// What stands under a heading.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum Section<'a> {
    /// Two beside each other.
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
    /// Several of a kind.
    Parts {
        title: Label<'a>,
        parts: Vec<Part<'a>>,
    },
    /// Amounts, the last of which is what the others come to.
    Totals {
        part: Part<'a>,
    },
    /// What is no business term.
    Unplaced {
        title: Label<'a>,
        text: Label<'a>,
        values: &'a [UnplacedValue],
    },
}

/// What was found in the document, which is said in English.
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

/// The columns of the lines, and of the VAT breakdown.
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

/// Says what a view shows.
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

    /// What a term or a group is called.
    fn term(&self, term: &'static str) -> Label<'static> {
        self.label(|language| Some(name(language, term)))
    }

    /// Words of the sheet's own.
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

    /// A fact under the name of its column.
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

    /// A block under the name of its group.
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
            // Further values of a column's term, and terms of none.
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
            // One text among them may be long, and is not to stand in one line.
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
