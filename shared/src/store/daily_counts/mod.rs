//! The data of an organization's overview: how many documents of each day reached which outcome, which failed recently,
//! and which await an outcome. The overview never reads through the documents.
//!
//! The data is written when an event is published to an organization:
//!
//! - An event is counted after it was added to the events of its document, which happens once, however often it is
//!   relayed. In one transaction both would cost twice as much. So a count lacks an event whose relay died in between. No
//!   bill is made from these counts (`usage.rs`).
//! - Counters only grow, so the order of events does not matter. A document that was sent and then delivered counts as
//!   both.
//! - A document is listed once, under the awaited outcome that is due first. The event that settles it lists the document
//!   under the next one, or removes it. If that event comes first or is not published, the item stays. The overview
//!   therefore also reads the document, and removes what it finds settled.

use std::{collections::BTreeMap, ops::RangeInclusive};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::try_join_all;
use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, Time},
};
use serde::{Deserialize, Serialize};

use super::{
    Awaited, DocumentRecord, EVENT_SHOWN, EventOfDocument, EventPointer, EventRecord, Reached,
    Store, StoreError,
    dynamo::{
        Expression, Item, Update, Write, Written, absent, corrupt, expiring, from_item, to_item,
    },
    event_lists::pointer_item,
    grants::grants_of,
    jobs::expiry,
    keys::{self, DAILY_COUNTERS, Key},
    text,
};
use crate::access::Grant;
use crate::types::{DocumentId, EventId, Mode, OrganizationId, TaxpayerId, UAE_OFFSET, uae_date};

/// How long the counts of a week are kept after it has ended: as long as the events that they count, and a day more.
const DAILY_COUNTS_KEPT: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How long an awaited outcome is shown after it became overdue.
pub const AWAITED_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The limit for an MLS: "received within 25 minutes of the AS4 timestamp" (Peppol Network Policy, MLS-2).
const STATUS_WITHIN: SignedDuration = SignedDuration::from_mins(25);
/// The limit for the tax authority's verdict on a report. The operator is notified at the same time
/// ([`OVERDUE`](crate::service::report::OVERDUE)).
const VERDICT_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// How many documents of a day reached which outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyCounts {
    /// The day in the UAE on which they were accepted or received.
    pub day: Date,
    /// In the order of [`Reached::ALL`].
    counts: [u32; Reached::ALL.len()],
}

impl DailyCounts {
    /// How many documents reached this outcome.
    pub fn of(&self, reached: Reached) -> u32 {
        let at = Reached::ALL.iter().position(|it| *it == reached);
        at.map_or(0, |at| self.counts[at])
    }

    /// The sum of both.
    fn and(mut self, other: DailyCounts) -> DailyCounts {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
        self
    }
}

/// The Monday of the week that a day is in.
fn week_of(day: Date) -> Date {
    day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// The weeks that some days are in, the first one first.
fn weeks_of(days: &RangeInclusive<Date>) -> impl Iterator<Item = Date> {
    let last = *days.end();
    week_of(*days.start()).series(7.days()).take_while(move |week| *week <= last)
}

/// When a week ends in the UAE; `within` when that is out of range.
fn end_of(week: Date, within: Timestamp) -> Timestamp {
    let next = week.saturating_add(7.days());
    UAE_OFFSET.to_timestamp(next.to_datetime(Time::midnight())).unwrap_or(within)
}

/// The attribute that counts an outcome of a day in the item of its week: the day's number and two letters. With longer
/// names a full item would exceed 1 KB, and a write of it would cost twice as much.
fn counter(day: Date, reached: Reached) -> String {
    let name = match reached {
        Reached::Failed => "fa",
        Reached::Unconfirmed => "uc",
        Reached::Rejected => "rj",
        Reached::NotCompliant => "nc",
        Reached::Unreported => "ur",
        Reached::Sent => "se",
        Reached::Forwarded => "fw",
        Reached::Delivered => "de",
        Reached::Received => "rc",
        Reached::Reported => "rp",
        Reached::Unknown => "x",
    };
    format!("{}{name}", day.weekday().to_monday_zero_offset())
}

/// The counts of a week's item, for the days that have any. Outcomes of a newer version are left out.
pub(super) fn days_of(week: Date, item: &Item) -> Result<Vec<DailyCounts>, StoreError> {
    let mut days = Vec::new();
    for day in week.series(1.day()).take(7) {
        let mut counted = DailyCounts { day, counts: Default::default() };
        for (count, reached) in counted.counts.iter_mut().zip(Reached::ALL) {
            let number = item.get(&counter(day, reached)).and_then(|value| value.as_n().ok());
            *count = number.map_or(Ok(0), |number| number.parse()).map_err(corrupt)?;
        }
        days.extend(counted.counts.iter().any(|count| *count > 0).then_some(counted));
    }
    Ok(days)
}

/// A document that failed, as an event reported it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedDocument {
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// The outcome.
    pub reached: Reached,
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The event that reported it.
    pub event_id: EventId,
}

/// An outcome that a document awaits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitedOf {
    /// The document.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// The awaited outcome.
    pub what: Awaited,
    /// When it becomes overdue.
    #[serde(with = "text::instant")]
    pub by: Timestamp,
}

impl Awaited {
    /// The limit after a document was sent or received.
    fn within(self) -> SignedDuration {
        match self {
            Awaited::Status => STATUS_WITHIN,
            Awaited::Verdict | Awaited::Unknown => VERDICT_WITHIN,
        }
    }
}

/// How many characters of an event's identifier its counter keeps.
const LAST: usize = 10;

/// The key under which a document is listed with an awaited outcome: ordered by when that is due, counted from the
/// document's creation, or from `otherwise`.
fn awaited_key(
    mode: Mode,
    organization_id: &OrganizationId,
    what: Awaited,
    document_id: &DocumentId,
    otherwise: Timestamp,
) -> Key {
    let made_at = document_id.made_at().unwrap_or(otherwise);
    let by = made_at.saturating_add(what.within()).unwrap_or(Timestamp::MAX);
    Key::awaited(mode, organization_id, what, by, document_id)
}

/// The write that counts an event in an organization's overview.
fn count(
    organization_id: &OrganizationId,
    event: &EventRecord,
    document_id: &DocumentId,
    reached: Reached,
) -> Result<Write, StoreError> {
    let EventRecord { event_id, mode, created_at, .. } = event;
    // Two events have the same part only by chance.
    let id = event_id.as_str();
    let part = id[id.len().saturating_sub(LAST)..].to_owned();
    // The document's identifier tells the instant of its creation, so every repetition uses the same day.
    let made_at = document_id.made_at().unwrap_or(*created_at);
    let day = uae_date(made_at);
    let week = week_of(day);
    let kept = expiry(end_of(week, made_at), DAILY_COUNTS_KEPT);
    let update = Update::new().add(&counter(day, reached), 1).set(keys::TTL, &kept)?;
    let update = update.set("last", &part)?.build();
    // A repeated attempt of the SDK meets its own write.
    let condition = Expression::new("attribute_not_exists(#last) OR #last <> :part")
        .name("#last", "last")
        .text(":part", part);
    let key = Key::daily_counts(*mode, organization_id, week, keys::daily_counter(event_id));
    Ok(Write::Update { key, update, condition })
}

/// The write that adds a failed document to an organization's overview.
fn failure(
    organization_id: &OrganizationId,
    event: &EventRecord,
    document_id: &DocumentId,
    reached: Reached,
) -> Result<Write, StoreError> {
    let EventRecord { event_id, mode, taxpayer_id, created_at, .. } = event;
    let failed = FailedDocument {
        document_id: document_id.clone(),
        taxpayer_id: taxpayer_id.clone(),
        reached,
        at: *created_at,
        event_id: event_id.clone(),
    };
    let item = to_item(Key::failure(*mode, organization_id, event_id), &failed)?;
    let item = expiring(item, expiry(*created_at, EVENT_SHOWN));
    Ok(Write::Put { item, condition: Expression::default() })
}

/// The writes that change under which awaited outcome an organization's document is listed, after an event. Each is
/// idempotent. A late write may restore an outcome that is already settled. The overview therefore also reads the
/// document.
fn expectations(
    organization_id: &OrganizationId,
    event: &EventRecord,
    document_id: &DocumentId,
    reached: Reached,
) -> Result<Vec<Write>, StoreError> {
    let EventRecord { mode, taxpayer_id, created_at, awaits, .. } = event;
    let awaited = |what| awaited_key(*mode, organization_id, what, document_id, *created_at);
    let first_due = |whats: &mut dyn Iterator<Item = Awaited>| whats.min_by_key(|it| it.within());
    let next = first_due(&mut awaits.iter().copied());
    // Nothing is awaited in Sandbox.
    let settled = reached.settles().filter(|_| *mode == Mode::Live);
    let listed = settled.and_then(|what| first_due(&mut awaits.iter().copied().chain([what])));
    let mut writes = Vec::new();
    if let Some(what) = next.filter(|_| next != listed) {
        let by = created_at.saturating_add(what.within()).unwrap_or(Timestamp::MAX);
        let (document_id, taxpayer_id) = (document_id.clone(), taxpayer_id.clone());
        let item = AwaitedOf { document_id, taxpayer_id, what, by };
        let item = expiring(to_item(awaited(what), &item)?, expiry(by, AWAITED_KEPT));
        writes.push(Write::Put { item, condition: Expression::default() });
    }
    if let Some(what) = listed.filter(|_| next != listed) {
        writes.push(Write::Delete { key: awaited(what), condition: Expression::default() });
    }
    Ok(writes)
}

impl Store {
    /// Publishes an event to an organization: adds it to the list of events, to the events of its document, and to the
    /// overview.
    pub async fn tell(
        &self,
        organization_id: &OrganizationId,
        event: &EventRecord,
    ) -> Result<(), StoreError> {
        let pointer = EventPointer::to(event, false);
        let item = pointer_item(event.mode, organization_id, &pointer, event.created_at)?;
        let pointer = self.write(Write::Put { item, condition: Expression::default() });
        let Some(document_id) = event.document_id() else { return pointer.await.map(drop) };
        let added = self.add_to_document(organization_id, event, document_id);
        let Some(reached) = event.reached else {
            let (pointer, added) = tokio::join!(pointer, added);
            return pointer.map(drop).and(added.map(drop));
        };
        let count = count(organization_id, event, document_id, reached)?;
        let counted = async {
            if added.await? {
                self.figure(vec![count]).await;
            }
            Ok(())
        };
        let failed = async {
            if !reached.is_failure() {
                return Ok(());
            }
            self.write(failure(organization_id, event, document_id, reached)?).await.map(drop)
        };
        let expected = self.figure(expectations(organization_id, event, document_id, reached)?);
        let (pointer, counted, failed, ()) = tokio::join!(pointer, counted, failed, expected);
        // If one of them fails, the event is relayed again.
        pointer.map(drop).and(counted).and(failed)
    }

    /// Adds an event to those of its document. Returns whether it is new there.
    async fn add_to_document(
        &self,
        organization_id: &OrganizationId,
        event: &EventRecord,
        document_id: &DocumentId,
    ) -> Result<bool, StoreError> {
        let key = Key::event_of_document(event.mode, organization_id, document_id, &event.event_id);
        let item = to_item(key, &EventOfDocument::to(event))?;
        let mut item = expiring(item, expiry(event.created_at, EVENT_SHOWN));
        let mut own = [0; 8];
        self.random.fill(&mut own);
        let own = AttributeValue::S(format!("{:016x}", u64::from_be_bytes(own)));
        item.insert("own".to_owned(), own.clone());
        Ok(match self.write(Write::Put { item, condition: absent() }).await? {
            Written::Done => true,
            // A repeated attempt of the SDK meets its own write.
            Written::Refused(found) => found.is_some_and(|it| it.get("own") == Some(&own)),
        })
    }

    /// Writes what only the overview shows. No event is relayed again for it.
    async fn figure(&self, writes: Vec<Write>) {
        for write in writes {
            if let Err(error) = self.write(write).await {
                tracing::warn!(%error, "the overview lacks a figure");
            }
        }
    }

    /// The outcomes of documents of some days, for an organization. Days without any are left out. It takes one read
    /// for each three weeks of the days.
    pub async fn list_daily_counts(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        days: RangeInclusive<Date>,
    ) -> Result<BTreeMap<Date, DailyCounts>, StoreError> {
        let counters = |week| {
            (0..DAILY_COUNTERS)
                .map(move |at| (week, Key::daily_counts(mode, organization_id, week, at)))
        };
        let keys: Vec<(Date, Key)> = weeks_of(&days).flat_map(counters).collect();
        let found = self.get_many(keys.iter().map(|(_, key)| key.clone())).await?;
        let mut sums: BTreeMap<Date, DailyCounts> = BTreeMap::new();
        for (week, key) in keys {
            let Some(item) = found.get(&key) else { continue };
            for day in days_of(week, item)? {
                if days.contains(&day.day) {
                    let sum = sums.get(&day.day).map_or(day, |sum| sum.and(day));
                    sums.insert(day.day, sum);
                }
            }
        }
        Ok(sums)
    }

    /// An organization's recently failed documents, the latest first.
    pub async fn list_failures(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        limit: i32,
    ) -> Result<Vec<FailedDocument>, StoreError> {
        let partition = keys::failures(mode, organization_id);
        self.latest(&partition, keys::FAILURE, limit).await
    }

    /// The outcomes that an organization awaits, the earliest first, at most `limit` of them.
    pub async fn list_awaited(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        limit: i32,
    ) -> Result<Vec<AwaitedOf>, StoreError> {
        // The earliest of all are spread evenly, so a shard seldom has a fourth of them.
        let most = limit / 4 + 1;
        let read = keys::awaited(mode, organization_id).map(async |partition| {
            let found: Vec<AwaitedOf> = self.earliest(&partition, keys::AWAITED, most).await?;
            Ok::<_, StoreError>(found)
        });
        let mut found = first_of(try_join_all(read).await?, most);
        found.truncate(usize::try_from(limit).unwrap_or_default());
        Ok(found)
    }

    /// Removes a document that no longer awaits an outcome. If that fails, the next reader of the list does it.
    pub async fn remove_awaited(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        AwaitedOf { document_id, what, by, .. }: &AwaitedOf,
    ) {
        self.remove_pointer(awaited_key(mode, organization_id, *what, document_id, *by)).await;
    }

    /// Documents of several taxpayers, each with the active grants on its taxpayer, in one read. Missing documents are
    /// left out.
    pub async fn get_documents_of(
        &self,
        mode: Mode,
        documents: &BTreeMap<&DocumentId, &TaxpayerId>,
    ) -> Result<Vec<(DocumentRecord, Vec<Grant>)>, StoreError> {
        let document = |id: &DocumentId, owner: &TaxpayerId| Key::document(mode, owner, id);
        let access = |owner: &TaxpayerId| Key::access(mode, owner);
        let keys = documents.iter().flat_map(|(id, owner)| [document(id, owner), access(owner)]);
        let mut found = self.get_many(keys).await?;
        let mut read = Vec::with_capacity(documents.len());
        for (id, owner) in documents {
            let Some(item) = found.remove(&document(id, owner)) else { continue };
            let grants = found.get(&access(owner)).cloned().map_or(Ok(Vec::new()), grants_of)?;
            read.push((from_item(item)?, grants));
        }
        Ok(read)
    }
}

/// The earliest outcomes of several lists, of each of which at most `most` were read. Beyond the last one of a list that
/// was not read to its end, others may be missing.
fn first_of(lists: Vec<Vec<AwaitedOf>>, most: i32) -> Vec<AwaitedOf> {
    let most = usize::try_from(most).unwrap_or_default();
    let cut = lists.iter().filter(|list| list.len() >= most).filter_map(|list| list.last());
    let until = cut.map(|awaited| awaited.by).min();
    let mut found: Vec<_> = lists.into_iter().flatten().collect();
    found.retain(|awaited| until.is_none_or(|until| awaited.by <= until));
    found.sort_by_key(|awaited| awaited.by);
    found
}

#[cfg(test)]
mod tests;
