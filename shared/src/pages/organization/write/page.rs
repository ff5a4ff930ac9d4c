//! The page of the form.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use super::{
    super::super::{Frame, PageError, PageRequest},
    KIND,
    entered::{Entered, LINES_SHOWN, MAX_LINES},
    fields::{ABOVE, BELOW, Field, Group, Kind, LINE, in_line, of_operation},
    findings::Checked,
    other_party,
};
use crate::{document::Operation, rendering, store::DocumentRecord, types::ImportId};

/// Rows for lines in an empty form.
const ROWS: usize = 5;

/// What a page of the form shows.
pub(super) struct Shown<'a> {
    pub(super) entered: &'a Entered,
    pub(super) form_id: ImportId,
    pub(super) checked: Option<Checked>,
    /// Whether all rows of the shown part are there, for further lines.
    pub(super) all_rows: bool,
    pub(super) buyers: &'a [Buyer],
    /// The message name of a notice, and of a problem.
    pub(super) notice: Option<&'static str>,
    pub(super) problem: Option<&'static str>,
}

/// The other party of an earlier document: its buyer, or in self-billing its seller.
pub(super) struct Buyer {
    pub(super) document_id: String,
    pub(super) name: String,
}

impl Buyer {
    /// The distinct other parties of documents, the latest first.
    pub(super) fn of_all(documents: Vec<DocumentRecord>) -> Vec<Buyer> {
        let mut buyers: Vec<Buyer> = Vec::new();
        for document in documents {
            let name = other_party(&document).name.clone();
            if !name.is_empty() && !buyers.iter().any(|known| known.name == name) {
                buyers.push(Buyer { document_id: document.document_id.to_string(), name });
            }
        }
        buyers
    }
}

#[derive(Template)]
#[template(path = "organization/write.html")]
struct WritePage<'a> {
    frame: Frame<'a>,
    business: &'a str,
    taxpayer_id: &'a str,
    /// The path of the drafts.
    drafts: String,
    operation: Operation,
    title: &'static str,
    /// The other kinds of documents with the paths of their empty forms, as long as nothing is entered.
    kinds: Vec<(String, &'static str)>,
    /// The names of the messages about the entered party: earlier ones, and the look-up.
    party: (&'static str, &'static str),
    /// The document that this one corrects.
    corrects: Option<String>,
    form_id: String,
    rest: String,
    first: usize,
    above: Vec<ShownGroup>,
    below: Vec<ShownGroup>,
    heads: Vec<ShownHead>,
    lines: Vec<ShownLine>,
    parts: Vec<ShownPart>,
    most: usize,
    can_grow: bool,
    hidden: String,
    buyers: &'a [Buyer],
    result: Option<Checked>,
    notice: Option<&'static str>,
    problem: Option<&'static str>,
}

/// The findings and totals alone, for the script.
#[derive(Template)]
#[template(
    source = r#"{% import "parts.html" as parts %}{% call parts::checked(frame, result) %}{% endcall %}"#,
    ext = "html"
)]
struct ResultPart<'a> {
    frame: Frame<'a>,
    result: Option<Checked>,
}

struct ShownGroup {
    title: &'static str,
    fields: Vec<ShownField>,
}

impl ShownGroup {
    /// Whether its fields are those of the entered party.
    fn is_party(&self) -> bool {
        ["write-buyer", "write-seller"].contains(&self.title)
    }
}

/// The head of a column.
struct ShownHead {
    label: &'static str,
    is_number: bool,
}

struct ShownLine {
    /// Its number, from 1.
    number: usize,
    fields: Vec<ShownField>,
}

/// A range of lines that the form can show.
struct ShownPart {
    first: usize,
    /// The numbers of its first and its last line.
    range: String,
    is_current: bool,
}

struct ShownField {
    id: String,
    label: &'static str,
    hint: Option<&'static str>,
    kind: Kind,
    most: usize,
    value: String,
    problems: Vec<String>,
    /// The values of a selection with their names.
    choices: Vec<(&'static str, String)>,
}

impl ShownField {
    fn of(
        frame: &Frame<'_>,
        field: &Field,
        (id, value): (String, String),
        shown: &Shown<'_>,
    ) -> Self {
        let problems = shown.checked.iter().flat_map(|checked| checked.at(&id));
        let choices = match field.kind {
            Kind::Code(term) => {
                let choices = rendering::choices(frame.language(), term).into_iter();
                choices.map(|(code, name)| (code, name.to_owned())).collect()
            }
            Kind::Choice(choices) => {
                choices.iter().map(|(code, name)| (*code, frame.t(name))).collect()
            }
            _ => Vec::new(),
        };
        ShownField {
            problems: problems.map(str::to_owned).collect(),
            label: field.label,
            hint: field.hint,
            kind: field.kind,
            most: field.most,
            id,
            value,
            choices,
        }
    }

    fn is_long(&self) -> bool {
        self.kind == Kind::Long
    }

    fn is_selection(&self) -> bool {
        matches!(self.kind, Kind::Code(_) | Kind::Choice(_))
    }

    fn is_day(&self) -> bool {
        self.kind == Kind::Day
    }

    fn is_number(&self) -> bool {
        self.kind == Kind::Number
    }

    /// Whether the value is none of the choices; then it is offered too, so that nothing is lost.
    fn is_foreign(&self) -> bool {
        !self.value.is_empty() && !self.choices.iter().any(|(code, _)| *code == self.value)
    }

    /// The ids of the texts that describe the field.
    fn described_by(&self) -> Option<String> {
        let hint = self.hint.map(|_| format!("{}-hint", self.id));
        let problem = (!self.problems.is_empty()).then(|| format!("{}-problem", self.id));
        let ids: Vec<_> = hint.into_iter().chain(problem).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }
}

fn groups(frame: &Frame<'_>, groups: &'static [Group], shown: &Shown<'_>) -> Vec<ShownGroup> {
    let entered = shown.entered;
    let field = |field: &Field| {
        let named = (field.path.to_owned(), entered.value(field.path));
        ShownField::of(frame, field, named, shown)
    };
    let group = |(group, fields): (&Group, Vec<&Field>)| ShownGroup {
        title: group.title,
        fields: fields.into_iter().map(field).collect(),
    };
    of_operation(groups, entered.operation).map(group).collect()
}

/// The rows of the shown lines, and some for further ones.
fn lines(frame: &Frame<'_>, shown: &Shown<'_>) -> Vec<ShownLine> {
    let Entered { first, .. } = *shown.entered;
    let there = shown.entered.lines().saturating_sub(first);
    let rows = if shown.all_rows { LINES_SHOWN } else { (there + 1).max(ROWS) };
    let line = |line: usize| {
        let field = |field: &Field| {
            let value = shown.entered.value_in_line(line, field.path);
            ShownField::of(frame, field, (in_line(line, field.path), value), shown)
        };
        ShownLine { number: line + 1, fields: LINE.iter().map(field).collect() }
    };
    (first..first + rows.min(LINES_SHOWN)).map(line).collect()
}

/// The parts of the lines, if there is more than one.
fn parts(entered: &Entered) -> Vec<ShownPart> {
    let last = (entered.lines() / LINES_SHOWN * LINES_SHOWN).min(MAX_LINES - LINES_SHOWN);
    let part = |first: usize| ShownPart {
        first,
        range: format!("{}–{}", first + 1, first + LINES_SHOWN),
        is_current: first == entered.first,
    };
    if last == 0 { Vec::new() } else { (0..=last).step_by(LINES_SHOWN).map(part).collect() }
}

/// The name of the message with the title of an empty form.
fn title(operation: Operation) -> &'static str {
    match operation {
        Operation::Invoice => "write-title",
        Operation::CreditNote => "write-credit-title",
        Operation::SelfBilledInvoice => "write-self-billed-title",
        Operation::SelfBilledCreditNote => "write-self-billed-credit-title",
    }
}

/// The other kinds of documents, as long as nothing is entered that would be lost.
fn kinds(entered: &Entered, path: &str) -> Vec<(String, &'static str)> {
    if entered.body.as_object().is_some_and(|members| !members.is_empty()) {
        return Vec::new();
    }
    let others = Operation::ALL.into_iter().filter(|it| *it != entered.operation);
    others.map(|it| (format!("{path}?{KIND}={it}"), title(it))).collect()
}

/// Answers with the form.
pub(super) fn page(
    request: &PageRequest,
    frame: Frame<'_>,
    (business, taxpayer_id, path): (&str, &str, &str),
    status: StatusCode,
    shown: Shown<'_>,
) -> Result<Response, PageError> {
    let entered = shown.entered;
    let corrects = entered.corrects();
    let rest = entered.rest().ok_or(PageError::TooLarge)?;
    let lines = lines(&frame, &shown);
    let page = WritePage {
        business,
        taxpayer_id,
        drafts: request.path(&format!("{path}/drafts")),
        operation: entered.operation,
        title: match &corrects {
            Some(_) => "write-correction-title",
            None => title(entered.operation),
        },
        kinds: kinds(entered, &request.path(path)),
        party: match entered.operation.is_self_billed() {
            true => ("write-seller-of", "write-lookup-seller"),
            false => ("write-buyer-of", "write-lookup"),
        },
        corrects,
        form_id: shown.form_id.to_string(),
        rest,
        first: entered.first,
        above: groups(&frame, &ABOVE, &shown),
        below: groups(&frame, &BELOW, &shown),
        heads: LINE
            .iter()
            .map(|it| ShownHead { label: it.label, is_number: it.kind == Kind::Number })
            .collect(),
        can_grow: lines.len() < LINES_SHOWN,
        lines,
        parts: parts(entered),
        most: MAX_LINES,
        hidden: entered.hidden().join(", "),
        buyers: shown.buyers,
        result: shown.checked,
        notice: shown.notice,
        problem: shown.problem,
        frame,
    };
    // The script of the page sends the form for its check.
    request.page_in_progress(status, &page)
}

/// Answers with the findings and totals alone.
pub(super) fn part(
    request: &PageRequest,
    frame: Frame<'_>,
    checked: Checked,
) -> Result<Response, PageError> {
    let part = ResultPart { frame, result: Some(checked) };
    request.page(StatusCode::OK, &part)
}

/// The ids of the heads that name a field in a line.
fn named(column: &usize, line: &usize) -> String {
    format!("c{column} r{line}")
}
