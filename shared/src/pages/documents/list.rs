//! The list of documents of a business, or of all businesses of an organization: one search box, views, filters that
//! fold, and pages that keep them.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;

use super::{
    App, Frame, PageError, Shelf,
    download::{IDS, OWNED},
    said::{self, Badge},
    table::{self, MOST},
    wanted::{self, Choice, NO_FILTERS, ORDERS, VIEWS},
};
use crate::{
    access::Member,
    pages::{
        Icon, PageRequest,
        conditions::{CURSOR, Conditions},
        excerpt::cut,
    },
    service::{
        documents::{self, Found, MAX_PRINTED, MAX_PRINTED_BYTES, READ},
        overview::{self, FoundOfAll, SEARCHED},
        page::PageQuery,
        saved_views::{self, MAX_NAME, MAX_VIEWS},
    },
    store::{DocumentRecord, PartySummary, SavedView},
    types::TaxpayerId,
};

/// Maximum documents on a page: this many rows stay below 50 kB, with names cut to `NAME_SHOWN`.
pub(in crate::pages) const ROWS: u8 = 50;
/// The same with the names of businesses.
const ROWS_OF_ALL: usize = 40;
/// Characters of a name in a row. The document's page shows the full name.
const NAME_SHOWN: usize = 60;
/// The parameter with the first document of a page of all businesses.
const FROM: &str = "from";

#[derive(Template)]
#[template(path = "documents/list.html")]
struct ListPage<'a> {
    frame: Frame<'a>,
    of: Option<(&'a str, String)>,
    wanted: &'a Conditions,
    /// The views: address, name of the message, and whether it is shown.
    views: Vec<(String, &'static str, bool)>,
    /// The saved views, if there can be any.
    saved: Option<Saved<'a>>,
    directions: Vec<Choice>,
    kinds: Vec<Choice>,
    statuses: Vec<Choice>,
    orders: Vec<Choice>,
    /// The invalid condition.
    problem: Option<&'static str>,
    rows: Vec<Row>,
    /// Whether the list is of all businesses.
    is_of_all: bool,
    /// Whether any document has a report.
    has_reports: bool,
    /// What the search did not read: name of the message, and the number that it read.
    limit: Option<(&'static str, u32)>,
    /// The files with the list: address, and name of the message.
    files: Vec<(String, &'static str)>,
    /// The ZIP with PDFs of documents on the page, and their number.
    pdfs: Option<(String, u32)>,
    first: Option<String>,
    next: Option<String>,
}

impl ListPage<'_> {
    /// The maximum documents of a file.
    fn most(&self) -> String {
        self.frame.count(&count(MOST))
    }

    fn is_filtered(&self) -> bool {
        self.wanted.has_other_than(&NO_FILTERS)
    }
}

/// The saved views of a list.
struct Saved<'a> {
    /// The business of the list; `None` for the list of all businesses.
    taxpayer_id: Option<&'a TaxpayerId>,
    /// The address and the name of each.
    views: Vec<(String, &'a str)>,
    /// The name of the view that is shown.
    shown: Option<&'a str>,
    /// The conditions that can be saved as a view.
    query: String,
}

impl<'a> Saved<'a> {
    fn of(
        wanted: &Conditions,
        views: &'a [SavedView],
        taxpayer_id: Option<&'a TaxpayerId>,
    ) -> Self {
        let query = wanted.query(None);
        let shown = views.iter().find(|view| view.query == query);
        Saved {
            taxpayer_id,
            views: views
                .iter()
                .map(|view| (format!("{}?{}", wanted.list, view.query), view.name.as_str()))
                .collect(),
            shown: shown.map(|view| view.name.as_str()),
            query,
        }
    }

    /// Whether the list is shown with conditions that are not saved yet.
    fn can_save(&self) -> bool {
        self.shown.is_none() && !self.query.is_empty() && self.views.len() < MAX_VIEWS
    }
}

/// A document on the list.
struct Row {
    path: String,
    number: String,
    kind: &'static str,
    direction: &'static str,
    business: String,
    counterparty: String,
    issued: Date,
    total: String,
    status: Badge,
    reporting: Option<Badge>,
}

impl Row {
    fn of(frame: &Frame<'_>, path: String, document: &DocumentRecord) -> Self {
        let (business, other) = parties(document);
        Row {
            path,
            number: document.number.clone(),
            kind: said::operation(document.operation),
            direction: said::direction(document.direction),
            business: cut(&business.name, NAME_SHOWN),
            counterparty: cut(&other.name, NAME_SHOWN),
            issued: document.issue_date,
            total: frame.amount(&document.currency, &document.total_with_vat),
            status: said::status(document.status),
            reporting: document.reporting.as_ref().map(said::reporting),
        }
    }
}

/// The taxpayer and the other party.
pub(in crate::pages) fn parties(document: &DocumentRecord) -> (&PartySummary, &PartySummary) {
    document.parties()
}

/// The documents on a page.
#[derive(Default)]
struct Listed {
    documents: Vec<DocumentRecord>,
    first: Option<String>,
    next: Option<String>,
    is_cut: bool,
}

/// A page of the list of a business.
pub(in crate::pages) async fn list(app: &App, shelf: &Shelf<'_>) -> Result<Response, PageError> {
    let (wanted, search) = wanted::asked(shelf.request, shelf.list_path())?;
    let cursor = shelf.request.parameter(CURSOR)?;
    let mut listed = Listed::default();
    if let Ok(search) = &search {
        let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: ROWS };
        let found = documents::search(&app.ctx, shelf.reader(), search, asked).await;
        let Found { documents, next_cursor, is_cut } = found?;
        listed = Listed {
            documents,
            first: cursor.is_some().then(|| wanted.page(None)),
            next: next_cursor.map(|cursor| wanted.page(Some(&cursor))),
            is_cut,
        };
    }
    let of = shelf.of.as_ref().map(|(name, path)| (name.as_str(), shelf.request.path(path)));
    let saved = shelf.saved.as_deref();
    let saved = saved.map(|views| Saved::of(&wanted, views, Some(shelf.taxpayer_id)));
    let list = shelf.list_path();
    let path = |document: &DocumentRecord| format!("{list}/{}", document.document_id);
    let limit = listed.is_cut.then_some(("documents-searched", count(READ)));
    let orders = Some(&ORDERS[..]);
    let asked = (&wanted, search.err());
    shown(shelf.request, shelf.frame(), asked, (listed, limit), (of, saved), orders, path)
}

/// A page of the list of all businesses of an organization, with the path of a document of each.
pub(in crate::pages) async fn list_of_all(
    app: &App,
    request: &PageRequest,
    frame: Frame<'_>,
    (member, list): (&Member, &str),
    path: fn(&TaxpayerId, &crate::types::DocumentId) -> String,
) -> Result<Response, PageError> {
    let (wanted, search) = wanted::asked(request, request.path(list))?;
    let from = request.parameter(FROM)?;
    let from = from.map(|id| id.parse());
    let from = from.transpose().map_err(|_| PageError::Unreadable("from is invalid".to_owned()))?;
    let mut listed = Listed::default();
    if let Ok(search) = &search {
        let part = (from.as_ref(), ROWS_OF_ALL);
        let id = &member.organization_id;
        let found = overview::search(&app.ctx, request.mode, id, search, part).await?;
        let FoundOfAll { documents, next, is_cut } = found;
        listed = Listed {
            documents,
            first: from.is_some().then(|| wanted.page(None)),
            next: next.map(|id| request.further(FROM, id.as_str())),
            is_cut,
        };
    }
    let limit = listed.is_cut.then_some(("documents-searched-events", count(SEARCHED)));
    let path = |document: &DocumentRecord| {
        request.path(&path(&document.taxpayer_id, &document.document_id))
    };
    let views = saved_views::list(&app.ctx, request.mode, member).await?;
    let saved = Some(Saved::of(&wanted, &views, None));
    let asked = (&wanted, search.err());
    shown(request, frame, asked, (listed, limit), (None, saved), None, path)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The address of the PDFs of the first documents that fit into one ZIP, and their number. The address of a list of all
/// businesses names the owner of each document.
fn pdfs(list: &str, documents: &[DocumentRecord], is_of_all: bool) -> Option<(String, u32)> {
    let (mut ids, mut bytes) = (Vec::new(), 0);
    for document in documents {
        let Some(ubl) = &document.ubl else { continue };
        if ids.len() < MAX_PRINTED && bytes + ubl.bytes <= MAX_PRINTED_BYTES {
            bytes += ubl.bytes;
            let DocumentRecord { taxpayer_id, document_id, .. } = document;
            ids.push(match is_of_all {
                true => format!("{taxpayer_id}{OWNED}{document_id}"),
                false => document_id.to_string(),
            });
        }
    }
    let address = || format!("{list}/pdfs?{IDS}={}", ids.join(","));
    (!ids.is_empty()).then(|| (address(), count(ids.len())))
}

/// The page with the documents that were found.
fn shown(
    request: &PageRequest,
    frame: Frame<'_>,
    (wanted, problem): (&Conditions, Option<&'static str>),
    (listed, limit): (Listed, Option<(&'static str, u32)>),
    (of, saved): (Option<(&str, String)>, Option<Saved<'_>>),
    orders: Option<&[(&'static str, &'static str)]>,
    path: impl Fn(&DocumentRecord) -> String,
) -> Result<Response, PageError> {
    let Listed { documents, first, next, .. } = listed;
    let pdfs = pdfs(&wanted.list, &documents, orders.is_none());
    let rows: Vec<_> = documents.iter().map(|it| Row::of(&frame, path(it), it)).collect();
    let [directions, kinds, statuses] = wanted::choices(wanted);
    let selected = |name: &'static str| move |value: &str| wanted.get(name) == value;
    let is_saved = saved.as_ref().is_some_and(|saved| saved.shown.is_some());
    let is_shown = |view| !is_saved && selected("view")(view);
    let views = VIEWS.map(|(value, name)| (wanted.with("view", value), name, is_shown(value)));
    let page = ListPage {
        frame,
        of,
        wanted,
        views: views.into(),
        saved,
        directions,
        kinds,
        statuses,
        is_of_all: orders.is_none(),
        orders: orders
            .unwrap_or_default()
            .iter()
            .map(|(value, name)| (*value, *name, selected("sort")(value)))
            .collect(),
        problem,
        has_reports: rows.iter().any(|row| row.reporting.is_some()),
        files: table::links(&wanted.at("csv")),
        rows,
        pdfs,
        limit,
        first,
        next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}
