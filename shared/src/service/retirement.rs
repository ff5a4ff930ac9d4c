//! Retires items of closed documents from the table to the bucket, where the law's years of keeping cost a fraction. What
//! lists and sends need stays in the table: the document, its pointers and its number, and that its idempotency key was
//! used for it.
//!
//! The usage records of a day name the documents that were sent in it, and the statuses owed name those that were
//! received. Each of their shards is visited on its own, day after day, as far as [`RETIRED_AFTER`] allows. A document that
//! is still open when it is visited keeps its items.

use futures_util::{StreamExt, TryStreamExt, future::join_all, stream};
use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use tokio::time::Instant;

use super::{Context, sweep::Part};
use crate::{
    store::{
        DailyEntry, DailyList, Direction, First, MlsOutboundStatus, PositionedPage, RETIRED_AFTER,
        Retirable, RetirementPlace, Selection, Status, StoreError, USAGE_KEPT, keys::Index,
    },
    tasks::{Piece, side_by_side},
    types::{Mode, TaxpayerId},
};

/// How many documents of a shard are visited between two notes of the place.
const TOGETHER: i32 = 100;
/// How many documents are restored between two reads of their list.
const PAGE: usize = 100;
/// How many days of a shard a run ends. The first runs of a deployment find many days without documents.
const MOST_DAYS: u32 = 10;
/// How many documents of a shard are visited at once.
const AT_ONCE: usize = 8;

/// What a run did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retired {
    /// Documents whose items were retired.
    pub documents: usize,
    /// Documents that keep their items: they are still open, or have none left.
    pub kept: usize,
    /// Documents whose items cannot be used. They keep them, and the log has the cause.
    pub failed: usize,
    /// The days whose documents are old enough and were not all visited, of the shard with the most.
    pub days_behind: usize,
}

impl Retired {
    fn add(&mut self, other: Retired) {
        self.documents += other.documents;
        self.kept += other.kept;
        self.failed += other.failed;
        self.days_behind = self.days_behind.max(other.days_behind);
    }
}

/// Retires what is due in a part of the shards, until an instant. The next run goes on from there. An error of one shard
/// stops that shard alone.
pub async fn retire_part(ctx: &Context, part: Part, until: Instant) -> Result<Retired, StoreError> {
    let shards = DailyList::ALL.into_iter().flat_map(|list| {
        part.of(list.shards()).map(move |shard| retire_shard(ctx, list, shard, until))
    });
    let mut total = Retired::default();
    let mut failed = None;
    for shard in join_all(shards).await {
        match shard {
            Ok(retired) => total.add(retired),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(total), Err)
}

async fn retire_shard(
    ctx: &Context,
    list: DailyList,
    shard: u8,
    until: Instant,
) -> Result<Retired, StoreError> {
    let last = last_day(ctx.now())?;
    let mut place = match ctx.store.get_retirement(list, shard).await? {
        Some(place) => place,
        None => RetirementPlace { day: first_day(last)?, after: None },
    };
    let (mut total, mut days) = (Retired::default(), 0);
    while place.day <= last && days < MOST_DAYS && Instant::now() < until {
        let of = (place.day, shard);
        let (page, is_last) = ctx.store.list_day(list, of, place.after.as_ref(), TOGETHER).await?;
        let after = page.last().map(|entry| entry.names().1.clone());
        let is_empty = page.is_empty();
        let visits = page.into_iter().map(|entry| {
            let ctx = ctx.clone();
            async move { visit(&ctx, &entry).await }
        });
        for visited in side_by_side(visits, AT_ONCE, until).await {
            match visited {
                Piece::Done(visited) => total.add(visited?),
                Piece::Panicked => total.failed += 1,
                // The next run visits the page again.
                Piece::NotReached => return Ok(behind(total, place.day, last)),
            }
        }
        place = match is_last {
            true => RetirementPlace { day: place.day.tomorrow().map_err(beyond)?, after: None },
            false => RetirementPlace { after, ..place },
        };
        days += u32::from(is_last);
        // Of days without documents the run notes the last one.
        let is_over = place.day > last || days == MOST_DAYS;
        if !is_empty || is_over {
            ctx.store.put_retirement(list, shard, &place).await?;
        }
    }
    Ok(behind(total, place.day, last))
}

/// What was done, with the days from one to the last one.
fn behind(total: Retired, day: Date, last: Date) -> Retired {
    Retired { days_behind: day.series(1.day()).take_while(|day| *day <= last).count(), ..total }
}

/// The last day (UTC) whose documents are old enough, all of them.
fn last_day(now: Timestamp) -> Result<Date, StoreError> {
    let old = now.saturating_sub(RETIRED_AFTER).unwrap_or_default();
    old.to_zoned(TimeZone::UTC).date().yesterday().map_err(beyond)
}

/// The first day whose usage records may still be there.
fn first_day(last: Date) -> Result<Date, StoreError> {
    let days = (USAGE_KEPT - RETIRED_AFTER).as_hours() / 24;
    last.checked_sub(days.days()).map_err(beyond)
}

fn beyond(_: jiff::Error) -> StoreError {
    StoreError::Corrupt("a day is beyond the calendar".into())
}

/// Puts the retired items of a taxpayer's documents back into the table. Returns how many were put back.
pub async fn restore(ctx: &Context, taxpayer_id: &TaxpayerId) -> Result<usize, StoreError> {
    let mut restored = 0;
    for direction in [Direction::Outbound, Direction::Inbound] {
        restored += restore_of(ctx, taxpayer_id, direction).await?;
    }
    Ok(restored)
}

async fn restore_of(
    ctx: &Context,
    taxpayer_id: &TaxpayerId,
    direction: Direction,
) -> Result<usize, StoreError> {
    let selection = Selection {
        index: Some(Index::Direction(direction)),
        direction: None,
        operation: None,
        issued: (None, None),
        created: (None, ctx.now().checked_sub(RETIRED_AFTER).ok()),
        first: First::Earliest,
    };
    let (mut restored, mut from) = (0, None);
    loop {
        let store = &ctx.store;
        let page = store.list_documents(Mode::Live, taxpayer_id, &selection, from.as_ref(), PAGE);
        let PositionedPage { items, next } = page.await?;
        let items =
            items.iter().map(|(document, _)| ctx.store.restore(taxpayer_id, &document.document_id));
        let of_page: Vec<usize> =
            stream::iter(items).buffer_unordered(AT_ONCE).try_collect().await?;
        restored += of_page.iter().sum::<usize>();
        match next {
            Some(next) => from = Some(next),
            None => return Ok(restored),
        }
    }
}

/// Retires the items of one document, if it is closed.
pub(in crate::service) async fn visit(
    ctx: &Context,
    entry: &DailyEntry,
) -> Result<Retired, StoreError> {
    let (_, document_id) = entry.names();
    let retired = match ctx.store.get_retirable(entry).await {
        Ok(Some(retirable)) if is_closed(entry, &retirable) => ctx.store.retire(&retirable).await,
        Ok(_) => return Ok(Retired { kept: 1, ..Retired::default() }),
        Err(error) => Err(error),
    };
    match retired {
        Ok(_) => Ok(Retired { documents: 1, ..Retired::default() }),
        Err(StoreError::Corrupt(error)) => {
            tracing::warn!(%document_id, %error, "a document keeps its items in the table");
            Ok(Retired { failed: 1, ..Retired::default() })
        }
        Err(error) => Err(error),
    }
}

/// Nothing changes the items any more: the exchange ended, the authority gave its verdict on the only report, and no job
/// is due.
fn is_closed(
    entry: &DailyEntry,
    Retirable { document, tax_report, is_due, .. }: &Retirable,
) -> bool {
    let has_ended = match entry {
        DailyEntry::Sent(_) => has_left(document.status),
        DailyEntry::Received { status, .. } => has_answer(*status),
    };
    has_ended
        && !is_due
        && document.later_reports.is_empty()
        && document.unanswered.is_none()
        && tax_report.verdict.is_some()
}

/// Whether the exchange of a sent document has ended.
fn has_left(status: Status) -> bool {
    match status {
        Status::Sent | Status::Delivered | Status::Forwarded | Status::Rejected => true,
        Status::Accepted
        | Status::Converted
        | Status::Dispatching
        | Status::Unconfirmed
        | Status::Failed
        | Status::Received
        | Status::Unknown => false,
    }
}

/// Whether the exchange of the status for a received document has ended.
fn has_answer(status: MlsOutboundStatus) -> bool {
    match status {
        MlsOutboundStatus::Sent
        | MlsOutboundStatus::Unconfirmed
        | MlsOutboundStatus::Undeliverable
        | MlsOutboundStatus::NotOwed => true,
        MlsOutboundStatus::Waiting | MlsOutboundStatus::Answering | MlsOutboundStatus::Unknown => {
            false
        }
    }
}
