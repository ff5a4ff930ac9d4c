//! Searches of people: views and texts that no index holds.
//!
//! A search reads the documents of a list in its order, and at most [`READ`] of them for a page. So it costs a bounded
//! number of reads, whatever the taxpayer has, and the page says when documents were not read.

use std::collections::BTreeSet;

use super::{Filter, Needle, matches, select, visible};
use crate::{
    access::Reader,
    error::Failure,
    service::{
        Context,
        page::{List, PageQuery},
        record,
    },
    store::{
        Direction, DocumentRecord, First, Position, PositionedPage, Selection, Status, keys::Index,
    },
    types::{DocumentId, Mode},
};

/// Maximum documents that are read for a page.
pub const READ: usize = if cfg!(test) { 120 } else { 1_000 };
/// Documents that are read at once: the limit of a request.
const STEP: usize = 100;

/// What people look for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Any document.
    #[default]
    Any,
    /// Sent documents that failed, were rejected or are unconfirmed, and were not corrected. The search of an
    /// organization also finds those whose report was refused; no list of a taxpayer has them.
    Fix,
    /// Documents that are on their way, or wait for an answer.
    Waiting,
}

/// The order of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The latest creation first.
    #[default]
    Created,
    /// The earliest creation first.
    Oldest,
    /// The latest issue date first.
    Issued,
}

impl Order {
    fn first(self) -> First {
        match self {
            Order::Created | Order::Issued => First::Latest,
            Order::Oldest => First::Earliest,
        }
    }
}

/// A search. A document must match every part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Search {
    /// The conditions that the API has too.
    pub filter: Filter,
    /// What the search is for.
    pub purpose: Purpose,
    /// The text to find.
    pub needle: Option<Needle>,
    /// The order of the documents.
    pub order: Order,
}

impl Search {
    /// Whether a document matches.
    pub(in crate::service) fn finds(&self, mode: Mode, document: &DocumentRecord) -> bool {
        self.purpose.is_served(mode, document)
            && matches(&self.filter, document)
            && is_created_in(&self.filter, document)
            && self.needle.as_ref().is_none_or(|needle| needle.is_in(document))
    }
}

impl Purpose {
    fn is_served(self, mode: Mode, document: &DocumentRecord) -> bool {
        match self {
            Purpose::Any => true,
            Purpose::Fix => {
                let failed = [Status::Failed, Status::Rejected, Status::Unconfirmed];
                document.direction == Direction::Outbound
                    && document.corrected_by.is_none()
                    && (failed.contains(&document.status) || record::is_refused(document))
            }
            Purpose::Waiting => {
                let mut awaited = record::awaits(mode, document).into_iter();
                Index::of_status(document.status) == Some(Index::InFlight)
                    || awaited.any(|what| record::still_awaits(document, what))
            }
        }
    }
}

/// The documents of a search.
#[derive(Debug)]
pub struct Found {
    /// The documents, in the order of the search.
    pub documents: Vec<DocumentRecord>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
    /// Whether older documents were not read, though the page is not full.
    pub is_cut: bool,
}

/// A page of a search among the documents that the reader may see.
pub async fn search(
    ctx: &Context,
    reader: Reader<'_>,
    search: &Search,
    asked: PageQuery<'_>,
) -> Result<Found, Failure> {
    let (mode, owner) = (reader.mode, reader.taxpayer_id.as_str());
    let list = List { name: "document search", mode, owner, filter: search };
    let from = asked.after(&list).await?;
    let from = from.as_deref().map(Position::from_text).transpose()?;
    let Scanned { documents, next, is_cut } =
        scan(ctx, reader, search, from, (asked.limit(), READ)).await?;
    let next = next.map(|position| position.to_text());
    let page = asked.page(&list, documents, next).await?;
    Ok(Found { documents: page.items, next_cursor: page.next_cursor, is_cut })
}

/// The first documents of a search, at most `limit`, among the first `most` that are read. The second value tells
/// whether there may be more.
pub async fn first_found(
    ctx: &Context,
    reader: Reader<'_>,
    search: &Search,
    (limit, most): (usize, usize),
) -> Result<(Vec<DocumentRecord>, bool), Failure> {
    let scanned = scan(ctx, reader, search, None, (limit, most)).await?;
    Ok((scanned.documents, scanned.next.is_some()))
}

struct Scanned {
    documents: Vec<DocumentRecord>,
    next: Option<Position>,
    is_cut: bool,
}

async fn scan(
    ctx: &Context,
    reader: Reader<'_>,
    search: &Search,
    mut from: Option<Position>,
    (limit, most): (usize, usize),
) -> Result<Scanned, Failure> {
    let search = &Search { filter: visible(reader, &search.filter)?, ..search.clone() };
    let selections = selections(search);
    let mut exact = exact(ctx, reader, search).await?;
    exact.truncate(limit.saturating_sub(1));
    let known: BTreeSet<_> = exact.iter().map(|it| it.document_id.clone()).collect();
    // What the text names exactly is on the first page, however old it is.
    let mut documents = if from.is_none() { exact } else { Vec::new() };
    let mut read = 0;
    loop {
        let step = STEP.min(most.saturating_sub(read));
        let page = read_together(ctx, reader, &selections, (from.as_ref(), step)).await?;
        let (last, count) = (page.next, page.items.len());
        for (at, (document, position)) in page.items.into_iter().enumerate() {
            if known.contains(&document.document_id) || !search.finds(reader.mode, &document) {
                continue;
            }
            documents.push(document);
            if documents.len() >= limit {
                let is_last = at + 1 == count && last.is_none();
                return Ok(Scanned {
                    documents,
                    next: (!is_last).then_some(position),
                    is_cut: false,
                });
            }
        }
        // A step that conditions on pointers left nearly empty costs reads too.
        read += count.max(STEP / 2);
        match last {
            None => return Ok(Scanned { documents, next: None, is_cut: false }),
            Some(next) if read >= most => {
                return Ok(Scanned { documents, next: Some(next), is_cut: true });
            }
            Some(next) => from = Some(next),
        }
    }
}

/// The lists that hold every document of a search; none if nothing can match.
fn selections(search: &Search) -> Vec<Selection<'_>> {
    let Some(selection) = select(&search.filter) else { return Vec::new() };
    let selection = Selection { first: search.order.first(), ..selection };
    let by = |index| Selection { index, ..selection };
    match (search.order, search.purpose) {
        (Order::Issued, _) => vec![by(Some(Index::Issued))],
        (_, Purpose::Fix) if search.filter.status.is_none() => {
            vec![by(Some(Index::Failed)), by(Some(Index::Rejected))]
        }
        // The list of an issue date has another order.
        _ if selection.index == Some(Index::Issued) => vec![by(None)],
        _ => vec![selection],
    }
}

/// The next documents of several lists in one order, as far as every list was read.
async fn read_together(
    ctx: &Context,
    reader: Reader<'_>,
    selections: &[Selection<'_>],
    (from, limit): (Option<&Position>, usize),
) -> Result<PositionedPage<DocumentRecord>, Failure> {
    let first = selections.first().map(|it| it.first).unwrap_or_default();
    let (mut items, mut ends) = (Vec::new(), Vec::<Position>::new());
    for selection in selections {
        let (store, owner) = (&ctx.store, reader.taxpayer_id);
        let page = store.list_documents(reader.mode, owner, selection, from, limit).await?;
        items.extend(page.items);
        ends.extend(page.next);
    }
    let next = ends.into_iter().min_by(|a, b| first.order(&a.sort, &b.sort));
    if let Some(next) = &next {
        items.retain(|(_, position)| first.order(&position.sort, &next.sort).is_le());
    }
    items.sort_by(|(_, a), (_, b)| first.order(&a.sort, &b.sort));
    items.dedup_by(|(_, a), (_, b)| a.sort == b.sort);
    Ok(PositionedPage { items, next })
}

/// The documents that the text names by number or identifier, by the indexes of those.
async fn exact(
    ctx: &Context,
    reader: Reader<'_>,
    search: &Search,
) -> Result<Vec<DocumentRecord>, Failure> {
    let Some(needle) = &search.needle else { return Ok(Vec::new()) };
    let (store, owner) = (&ctx.store, reader.taxpayer_id);
    let mut found = Vec::new();
    if let Ok(id) = needle.written.parse::<DocumentId>() {
        found.extend(store.get_document(reader.mode, owner, &id).await?);
    }
    let plain = Filter { direction: search.filter.direction, ..Filter::default() };
    for filter in [
        Filter { number: Some(needle.written.clone()), ..plain.clone() },
        Filter { source_id: Some(needle.written.clone()), ..plain },
    ] {
        let Some(selection) = select(&filter) else { continue };
        let page = store.list_documents(reader.mode, owner, &selection, None, STEP).await?;
        found.extend(page.items.into_iter().map(|(document, _)| document));
    }
    let mut seen = BTreeSet::new();
    found.retain(|document| {
        search.finds(reader.mode, document) && seen.insert(document.document_id.clone())
    });
    Ok(found)
}

/// Whether a document was created in the range of a filter. Only the lists of documents check it by themselves.
fn is_created_in(filter: &Filter, document: &DocumentRecord) -> bool {
    filter.created_from.is_none_or(|from| from <= document.created_at)
        && filter.created_to.is_none_or(|to| document.created_at <= to)
}
