//! The list of a taxpayer's documents, with the filters of the API as a form.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use url::form_urlencoded;

use super::{
    Frame, House, PageError, Shelf,
    said::{self, Badge, OPERATIONS},
};
use crate::{
    document::Operation,
    error::Code,
    service::{
        documents::{self, Filter},
        page::Asked,
    },
    store::{Direction, DocumentRecord, PartySummary, Status},
};

/// How many documents a page has at most: so many rows stay below 50 kB with names as long as they are shown.
pub(in crate::pages) const ROWS: u8 = 50;
/// How many characters of a name a row shows. The document's page has all of it.
const NAME_SHOWN: usize = 60;
/// The longest text that is searched for: that of a number (IBT-001).
const MAX_TEXT: usize = 200;

/// The fields of the form, as they were sent: they stand in it again, wrong ones too.
#[derive(Debug, Default)]
struct Wanted {
    direction: String,
    kind: String,
    status: String,
    number: String,
    source_id: String,
    issued_from: String,
    issued_to: String,
}

impl Wanted {
    fn of(shelf: &Shelf<'_>) -> Result<Self, PageError> {
        let field = |name| {
            let value = shelf.visit.parameter(name)?.unwrap_or_default();
            Ok::<_, PageError>(value.trim().to_owned())
        };
        Ok(Wanted {
            direction: field("direction")?,
            kind: field("type")?,
            status: field("status")?,
            number: field("number")?,
            source_id: field("source_id")?,
            issued_from: field("issued_from")?,
            issued_to: field("issued_to")?,
        })
    }

    fn pairs(&self) -> [(&'static str, &str); 7] {
        [
            ("direction", &self.direction),
            ("type", &self.kind),
            ("status", &self.status),
            ("number", &self.number),
            ("source_id", &self.source_id),
            ("issued_from", &self.issued_from),
            ("issued_to", &self.issued_to),
        ]
    }

    fn is_empty(&self) -> bool {
        self.pairs().into_iter().all(|(_, value)| value.is_empty())
    }

    /// The path of a page of the same list.
    fn path(&self, list: &str, cursor: Option<&str>) -> String {
        let given = self.pairs().into_iter().filter(|(_, value)| !value.is_empty());
        let given = given.chain(cursor.map(|cursor| ("cursor", cursor)));
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
        if query.is_empty() { list.to_owned() } else { format!("{list}?{query}") }
    }

    /// What is to be listed, or the name of the field that says nothing.
    fn filter(&self) -> Result<Filter, &'static str> {
        Ok(Filter {
            direction: chosen("direction", &self.direction, |text| {
                [Direction::Outbound, Direction::Inbound].into_iter().find(|it| it.as_str() == text)
            })?,
            document_type: chosen("type", &self.kind, |text| {
                OPERATIONS.into_iter().find(|(name, _)| *name == text).map(|(_, it)| it)
            })?,
            status: chosen("status", &self.status, |text| {
                Status::ALL.into_iter().find(|it| it.as_str() == text)
            })?,
            source_id: chosen("source_id", &self.source_id, short)?,
            number: chosen("number", &self.number, short)?,
            issued_from: chosen("issued_from", &self.issued_from, |text| text.parse().ok())?,
            issued_to: chosen("issued_to", &self.issued_to, |text| text.parse().ok())?,
            created_from: None,
            created_to: None,
        })
    }
}

fn short(text: &str) -> Option<String> {
    (text.chars().count() <= MAX_TEXT).then(|| text.to_owned())
}

/// What a field says; nothing when it was left empty.
fn chosen<T>(
    field: &'static str,
    text: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, &'static str> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some).ok_or(field) }
}

/// A choice of the form: its value, the name of the message that says it, and whether it is chosen.
type Choice = (&'static str, &'static str, bool);

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage<'a> {
    frame: Frame<'a>,
    list: String,
    of: Option<(&'a str, String)>,
    wanted: &'a Wanted,
    directions: Vec<Choice>,
    kinds: Vec<Choice>,
    statuses: Vec<Choice>,
    /// The field that says nothing.
    problem: Option<&'static str>,
    rows: Vec<Row>,
    /// Whether a column for reports has anything in it.
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

/// The other party: whoever is not the taxpayer, who in self-billing is the buyer of what it sends.
pub(super) fn counterparty(document: &DocumentRecord) -> &PartySummary {
    let is_self_billed = matches!(
        document.operation,
        Operation::SelfBilledInvoice | Operation::SelfBilledCreditNote
    );
    match (document.direction, is_self_billed) {
        (Direction::Outbound, false) | (Direction::Inbound, true) => &document.customer,
        (Direction::Outbound, true) | (Direction::Inbound, false) => &document.supplier,
    }
}

/// As much of a text as there is room for.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A page of the list.
pub(in crate::pages) async fn list(
    house: &House,
    shelf: &Shelf<'_>,
) -> Result<Response, PageError> {
    let wanted = Wanted::of(shelf)?;
    let cursor = shelf.visit.parameter("cursor")?;
    let (documents, next, problem) = match wanted.filter() {
        Err(field) => (Vec::new(), None, Some(field)),
        Ok(filter) => {
            let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: ROWS };
            let page = documents::list(&house.ctx, shelf.reader(), &filter, asked).await;
            let page = page.map_err(|failure| match failure.code {
                Code::InvalidRequest => PageError::Unreadable(failure.message),
                _ => failure.into(),
            })?;
            (page.items, page.next_cursor, None)
        }
    };
    let (frame, list) = (shelf.frame(), shelf.list_path());
    let first = cursor.is_some().then(|| wanted.path(&list, None));
    let next = next.map(|cursor| wanted.path(&list, Some(&cursor)));
    let rows: Vec<_> = documents.iter().map(|document| Row::of(&frame, document)).collect();
    let directions = [Direction::Outbound, Direction::Inbound];
    let page = ListPage {
        frame,
        directions: directions
            .map(|it| (it.as_str(), said::direction(it), it.as_str() == wanted.direction))
            .into(),
        kinds: OPERATIONS.map(|(name, it)| (name, said::operation(it), name == wanted.kind)).into(),
        statuses: Status::ALL
            .map(|it| (it.as_str(), said::status(it).1, it.as_str() == wanted.status))
            .into(),
        list,
        of: shelf.of.as_ref().map(|(name, path)| (name.as_str(), shelf.visit.path(path))),
        wanted: &wanted,
        problem,
        has_reports: rows.iter().any(|row| row.reporting.is_some()),
        rows,
        first,
        next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    shelf.visit.page(status, &page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_says_nothing_is_named() {
        let wrong = [
            Wanted { direction: "sideways".into(), ..Wanted::default() },
            Wanted { kind: "letter".into(), ..Wanted::default() },
            Wanted { status: "lost".into(), ..Wanted::default() },
            Wanted { number: "9".repeat(MAX_TEXT + 1), ..Wanted::default() },
            Wanted { issued_from: "2026-02-30".into(), ..Wanted::default() },
            Wanted { issued_to: "yesterday".into(), ..Wanted::default() },
        ];
        let named: Vec<_> = wrong.iter().map(|wanted| wanted.filter().unwrap_err()).collect();
        assert_eq!(named, ["direction", "type", "status", "number", "issued_from", "issued_to"]);
    }

    #[test]
    fn the_address_of_a_page_says_what_was_asked_for() {
        let wanted = Wanted { number: "A&1".into(), ..Wanted::default() };
        assert_eq!(wanted.path("/documents", Some("c")), "/documents?number=A%261&cursor=c");
        assert_eq!(Wanted::default().path("/documents", None), "/documents");
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        assert_eq!(cut("شمس", 2), "شم…");
        assert_eq!(cut("شمس", 3), "شمس");
    }
}
