//! The list of a taxpayer's documents, with the filters of the API as a form.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;

use super::{
    App, Frame, PageError, Shelf,
    said::{self, Badge, OPERATIONS},
};
use crate::{
    document::Operation,
    error::Code,
    pages::{
        conditions::{CURSOR, Conditions},
        excerpt::cut,
    },
    service::{
        documents::{self, Filter},
        page::PageQuery,
    },
    store::{Direction, DocumentRecord, PartySummary, Status},
};

/// Maximum documents on a page: this many rows stay below 50 kB, with names cut to `NAME_SHOWN`.
pub(in crate::pages) const ROWS: u8 = 50;
/// Characters of a name in a row. The document's page shows the full name.
const NAME_SHOWN: usize = 60;
/// The longest search text: that of a number (IBT-001).
const MAX_TEXT: usize = 200;

/// The conditions of the form, with the names of the API.
const CONDITIONS: [&str; 9] = [
    "direction",
    "type",
    "status",
    "number",
    "source_id",
    "issued_from",
    "issued_to",
    "created_from",
    "created_to",
];

/// The filter, or the name of the invalid condition.
fn filter(wanted: &Conditions) -> Result<Filter, &'static str> {
    let day = |text: &str| text.parse().ok();
    Ok(Filter {
        direction: wanted.read("direction", |text| {
            [Direction::Outbound, Direction::Inbound].into_iter().find(|it| it.as_str() == text)
        })?,
        document_type: wanted.read("type", |text| {
            OPERATIONS.into_iter().find(|(name, _)| *name == text).map(|(_, it)| it)
        })?,
        status: wanted
            .read("status", |text| Status::ALL.into_iter().find(|it| it.as_str() == text))?,
        source_id: wanted.read("source_id", short)?,
        number: wanted.read("number", short)?,
        issued_from: wanted.read("issued_from", day)?,
        issued_to: wanted.read("issued_to", day)?,
        created_from: wanted.day_begins("created_from")?,
        created_to: wanted.day_ends("created_to")?,
    })
}

fn short(text: &str) -> Option<String> {
    (text.chars().count() <= MAX_TEXT).then(|| text.to_owned())
}

/// A choice of the form: its value, the name of its message, and whether it is selected.
type Choice = (&'static str, &'static str, bool);

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage<'a> {
    frame: Frame<'a>,
    of: Option<(&'a str, String)>,
    wanted: &'a Conditions,
    directions: Vec<Choice>,
    kinds: Vec<Choice>,
    statuses: Vec<Choice>,
    /// The invalid condition.
    problem: Option<&'static str>,
    rows: Vec<Row>,
    /// Whether any document has a report.
    has_reports: bool,
    first: Option<String>,
    next: Option<String>,
}

/// A document on the list.
struct Row {
    id: String,
    number: String,
    kind: &'static str,
    direction: &'static str,
    counterparty: String,
    issued: Date,
    total: String,
    status: Badge,
    reporting: Option<Badge>,
}

impl Row {
    fn of(frame: &Frame<'_>, document: &DocumentRecord) -> Self {
        Row {
            id: document.document_id.to_string(),
            number: document.number.clone(),
            kind: said::operation(document.operation),
            direction: said::direction(document.direction),
            counterparty: cut(&counterparty(document).name, NAME_SHOWN),
            issued: document.issue_date,
            total: frame.amount(&document.currency, &document.total_with_vat),
            status: said::status(document.status),
            reporting: document.reporting.as_ref().map(said::reporting),
        }
    }
}

/// The other party.
pub(super) fn counterparty(document: &DocumentRecord) -> &PartySummary {
    parties(document).1
}

/// The taxpayer and the other party. In self-billing the taxpayer is the buyer of a sent document.
pub(in crate::pages) fn parties(document: &DocumentRecord) -> (&PartySummary, &PartySummary) {
    let is_self_billed = matches!(
        document.operation,
        Operation::SelfBilledInvoice | Operation::SelfBilledCreditNote
    );
    match (document.direction, is_self_billed) {
        (Direction::Outbound, false) | (Direction::Inbound, true) => {
            (&document.supplier, &document.customer)
        }
        (Direction::Outbound, true) | (Direction::Inbound, false) => {
            (&document.customer, &document.supplier)
        }
    }
}

/// A page of the list.
pub(in crate::pages) async fn list(app: &App, shelf: &Shelf<'_>) -> Result<Response, PageError> {
    let wanted = Conditions::of(shelf.request, shelf.list_path(), &CONDITIONS)?;
    let cursor = shelf.request.parameter(CURSOR)?;
    let (documents, next, problem) = match filter(&wanted) {
        Err(condition) => (Vec::new(), None, Some(condition)),
        Ok(filter) => {
            let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: ROWS };
            let page = documents::list(&app.ctx, shelf.reader(), &filter, asked).await;
            let page = page.map_err(|failure| match failure.code {
                Code::InvalidRequest => PageError::Unreadable(failure.message),
                _ => failure.into(),
            })?;
            (page.items, page.next_cursor, None)
        }
    };
    let frame = shelf.frame();
    let first = cursor.is_some().then(|| wanted.page(None));
    let next = next.map(|cursor| wanted.page(Some(&cursor)));
    let rows: Vec<_> = documents.iter().map(|document| Row::of(&frame, document)).collect();
    let directions = [Direction::Outbound, Direction::Inbound];
    let page = ListPage {
        frame,
        directions: directions
            .map(|it| (it.as_str(), said::direction(it), it.as_str() == wanted.get("direction")))
            .into(),
        kinds: OPERATIONS
            .map(|(name, it)| (name, said::operation(it), name == wanted.get("type")))
            .into(),
        statuses: Status::ALL
            .map(|it| (it.as_str(), said::status(it).1, it.as_str() == wanted.get("status")))
            .into(),
        of: shelf.of.as_ref().map(|(name, path)| (name.as_str(), shelf.request.path(path))),
        wanted: &wanted,
        problem,
        has_reports: rows.iter().any(|row| row.reporting.is_some()),
        rows,
        first,
        next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    shelf.request.page(status, &page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_that_says_nothing_is_named() {
        let long = "9".repeat(MAX_TEXT + 1);
        for (name, value) in [
            ("direction", "sideways"),
            ("type", "letter"),
            ("status", "lost"),
            ("number", &long),
            ("issued_from", "2026-02-30"),
            ("issued_to", "yesterday"),
            ("created_from", "2026-02-30"),
            ("created_to", "yesterday"),
        ] {
            assert_eq!(filter(&Conditions::these(&[(name, value)])), Err(name));
        }
    }
}
