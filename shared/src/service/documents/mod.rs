//! Listing and retrieving documents.
//!
//! - `invoices:read` allows every document of the taxpayer.
//! - `inbound:read` alone allows inbound documents.
//! - `invoices:write` alone allows the record and the attempts of documents that the caller's organization sent.
//!
//! A document that a caller may not see is reported as missing.

mod files;
mod letterhead;
mod needle;
#[cfg(feature = "pdf")]
mod printed;
mod read;
mod renderings;
mod search;

pub(super) use self::files::stored;
pub use self::files::{ADDRESS_VALID, Filed, Stored, receipt, sbdh, ubl};
pub use self::letterhead::Letterheads;
#[cfg(feature = "pdf")]
pub(super) use self::printed::check_count;
pub use self::read::{Limit, ViewChoice};
pub(crate) use self::renderings::standing;
pub use self::renderings::{MAX_CONTENT_BYTES, content, limit, view};
#[cfg(feature = "pdf")]
pub use self::{
    printed::{pdfs, some},
    renderings::pdf,
};

pub use self::{
    needle::Needle,
    search::{Found, Order, Purpose, READ, Search, first_found, search},
};

use jiff::{Timestamp, civil::Date};

use super::{
    Context,
    page::{List, Page, PageQuery},
};
use crate::{
    access::{Caller, Reader, Scope},
    document::Operation,
    error::{Code, Failure},
    store::{
        Direction, DocumentRecord, First, Position, Selection, Status, TransmissionRecord,
        keys::Index,
    },
    types::DocumentId,
};

/// Maximum documents whose PDFs are made at once, and the maximum bytes of their UBL (`benches/pdf.rs`).
pub const MAX_PRINTED: usize = 25;
/// See [`MAX_PRINTED`].
pub const MAX_PRINTED_BYTES: u64 = 1_000_000;

/// Which documents to list. A document must match every given part. Ranges include both ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Which way they went.
    pub direction: Option<Direction>,
    /// The operation that made them.
    pub document_type: Option<Operation>,
    /// How far they are.
    pub status: Option<Status>,
    /// The caller's own identifier of the document.
    pub source_id: Option<String>,
    /// Their number.
    pub number: Option<String>,
    /// Issued on this day or later.
    pub issued_from: Option<Date>,
    /// Issued on this day or earlier.
    pub issued_to: Option<Date>,
    /// Created at this instant or later.
    pub created_from: Option<Timestamp>,
    /// Created at this instant or earlier.
    pub created_to: Option<Timestamp>,
}

/// Lists documents of the reader's taxpayer, newest first. Returns the page and the cursor of the next one. There may
/// be more as long as there is a cursor, even when a page is short or empty.
pub async fn list(
    ctx: &Context,
    reader: Reader<'_>,
    filter: &Filter,
    asked: PageQuery<'_>,
) -> Result<Page<DocumentRecord>, Failure> {
    let list =
        List { name: "documents", mode: reader.mode, owner: reader.taxpayer_id.as_str(), filter };
    let from = asked.after(&list).await?;
    let from = from.as_deref().map(Position::from_text).transpose()?;
    let filter = visible(reader, filter)?;
    let Some(selection) = select(&filter) else { return Ok(Page::empty()) };
    let page = ctx
        .store
        .list_documents(reader.mode, reader.taxpayer_id, &selection, from.as_ref(), asked.limit())
        .await?;
    let mut room = PAGE_BYTES;
    let mut next = page.next;
    let mut items: Vec<DocumentRecord> = Vec::with_capacity(page.items.len());
    let mut last = None;
    for (document, position) in page.items {
        let kept = matches(&filter, &document);
        let size = if kept { answer_bytes(&document) } else { 0 };
        if size > room && !items.is_empty() {
            next = last;
            break;
        }
        room = room.saturating_sub(size);
        if kept {
            items.push(document);
        }
        last = Some(position);
    }
    asked.page(&list, items, next.map(|position| position.to_text())).await
}

/// Maximum bytes of a page's documents, as Lambda's answer counts them. Lambda allows 6 MB.
const PAGE_BYTES: usize = 4_000_000;

/// The approximate bytes of a document in Lambda's answer: its JSON, as a string inside JSON.
fn answer_bytes(document: &DocumentRecord) -> usize {
    let json = serde_json::to_string(document).unwrap_or_default();
    serde_json::to_string(&json).map_or(0, |text| text.len())
}

/// The shortest index that has every document of a filter. `None` when no document can match.
fn select(filter: &Filter) -> Option<Selection<'_>> {
    // A sent document is outbound and a received one is inbound. A rejected one may be either.
    let by_status = match filter.status {
        Some(Status::Sent | Status::Delivered | Status::Forwarded) => Some(Direction::Outbound),
        Some(Status::Received) => Some(Direction::Inbound),
        _ => None,
    };
    let direction = match (filter.direction, by_status) {
        (Some(asked), Some(implied)) if asked != implied => return None,
        (asked, implied) => asked.or(implied),
    };
    let by_issue_date = filter.issued_from.is_some() || filter.issued_to.is_some();
    let index = if let Some(number) = &filter.number {
        Some(Index::Number(number))
    } else if let Some(source_id) = &filter.source_id {
        Some(Index::Source(source_id))
    } else if let Some(index) = filter.status.and_then(Index::of_status) {
        Some(index)
    } else if by_issue_date {
        Some(Index::Issued)
    } else {
        let by_type = filter.document_type.and_then(Index::of_operation);
        by_type.or(direction.map(Index::Direction))
    };
    Some(Selection {
        index,
        direction,
        operation: filter.document_type,
        issued: (filter.issued_from, filter.issued_to),
        created: (filter.created_from, filter.created_to),
        first: First::Latest,
    })
}

/// A document of the reader's taxpayer that the reader may see.
pub async fn get(
    ctx: &Context,
    reader: Reader<'_>,
    document_id: &str,
) -> Result<DocumentRecord, Failure> {
    let document = match document_id.parse::<DocumentId>() {
        Err(_) => None,
        Ok(id) => ctx.store.get_document(reader.mode, reader.taxpayer_id, &id).await?,
    };
    document.filter(|document| is_seen(reader, document)).ok_or_else(missing)
}

/// A document of the caller's taxpayer that the caller may see, or that its own organization sent. A sender may always
/// see what happened to its document.
pub async fn get_or_own(
    ctx: &Context,
    caller: &Caller,
    document_id: &str,
) -> Result<DocumentRecord, Failure> {
    let document = match document_id.parse::<DocumentId>() {
        Err(_) => None,
        Ok(id) => ctx.store.get_document(caller.mode, &caller.taxpayer.taxpayer_id, &id).await?,
    };
    let is_own = |it: &DocumentRecord| {
        caller.has(Scope::InvoicesWrite)
            && it.organization_id.as_ref() == Some(&caller.organization_id)
    };
    document.filter(|it| is_seen(caller.reader(), it) || is_own(it)).ok_or_else(missing)
}

fn is_seen(reader: Reader<'_>, document: &DocumentRecord) -> bool {
    reader.has(Scope::InvoicesRead)
        || (reader.has(Scope::InboundRead) && document.direction == Direction::Inbound)
}

pub(super) fn missing() -> Failure {
    Failure::new(Code::NotFound, "There is no document with that document_id for this taxpayer.")
}

/// A document's transmission through the network, if there is one. The access rules are those of [`get_or_own`].
pub async fn transmission(
    ctx: &Context,
    caller: &Caller,
    document_id: &str,
) -> Result<Option<TransmissionRecord>, Failure> {
    let document = get_or_own(ctx, caller, document_id).await?;
    let DocumentRecord { taxpayer_id, document_id, .. } = &document;
    Ok(ctx.store.get_transmission(caller.mode, taxpayer_id, document_id).await?)
}

/// Restricts the filter to the documents that the reader may see.
fn visible(reader: Reader<'_>, filter: &Filter) -> Result<Filter, Failure> {
    if reader.has(Scope::InvoicesRead) {
        return Ok(filter.clone());
    }
    if !reader.has(Scope::InboundRead) {
        return Err(Failure::new(
            Code::InsufficientScope,
            "Listing documents needs the scope invoices:read or inbound:read.",
        ));
    }
    match filter.direction {
        Some(Direction::Outbound) => Err(Failure::new(
            Code::InsufficientScope,
            "Outbound documents need the scope invoices:read. The scope inbound:read covers inbound documents.",
        )),
        _ => Ok(Filter { direction: Some(Direction::Inbound), ..filter.clone() }),
    }
}

/// Whether a document matches the filter. The index range checks the creation time.
fn matches(filter: &Filter, document: &DocumentRecord) -> bool {
    filter.direction.is_none_or(|direction| direction == document.direction)
        && filter.document_type.is_none_or(|operation| operation == document.operation)
        && filter.status.is_none_or(|status| status == document.status)
        && filter.issued_from.is_none_or(|from| from <= document.issue_date)
        && filter.issued_to.is_none_or(|to| document.issue_date <= to)
        && filter.number.as_ref().is_none_or(|number| *number == document.number)
        && (filter.source_id.is_none() || filter.source_id == document.source_id)
}
