//! The overview of an organization's documents: recent failures, awaited answers of others, and the results of the last
//! days. It covers the events that were published to the organization while it had a grant.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    ops::RangeInclusive,
};

use futures_util::future::join_all;
use jiff::{Timestamp, ToSpan, civil::Date};

use super::{
    Context,
    documents::{Purpose, Search},
    record,
};
use crate::{
    access::{Audience, Grant},
    error::Failure,
    store::{
        AWAITED_KEPT, Awaited, AwaitedOf, DailyCounts, DocumentRecord, EVENT_SHOWN, EventSelection,
        FailedDocument, Position, PublishedEvent, Reached, Status, TaxReportOutcome,
    },
    types::{DocumentId, Mode, OrganizationId, TaxpayerId, uae_date},
};

/// How many days are shown, including today.
pub const DAYS: u8 = 14;
/// How many days of usage are shown, including today. No daily count is kept longer.
pub const USAGE_DAYS: u8 = 30;
/// How many failed or waiting documents are shown.
const SHOWN: usize = 8;
/// How many documents are read for that. Some were corrected or settled since they were listed.
const LOOKED_AT: i32 = 24;
/// How many events are read for the latest documents. A document has several.
const EVENTS_READ: usize = 100;

/// What an organization's overview shows of its documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// Recent failures that were not corrected, the latest first.
    pub failures: Vec<Failed>,
    /// Documents that wait for an answer, the earliest deadline first.
    pub awaited: Vec<Awaiting>,
    /// How many failures, awaited answers and overdue ones there are, up to the number that is read.
    pub open: Open,
    /// The results of the last [`DAYS`] days, today first. Days without any result are missing.
    pub days: Vec<DailyCounts>,
}

/// Numbers of documents that need attention or wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// Failures that were not corrected.
    pub failed: u32,
    /// Awaited answers.
    pub awaited: u32,
    /// Awaited answers whose deadline has passed.
    pub overdue: u32,
}

/// A document that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failed {
    /// The document.
    pub document: DocumentRecord,
    /// The result.
    pub reached: Reached,
    /// When it was reached.
    pub at: Timestamp,
}

/// A document that waits for an answer of another party.
#[derive(Debug, Clone, PartialEq)]
pub struct Awaiting {
    /// The document.
    pub document: DocumentRecord,
    /// The awaited answer.
    pub what: Awaited,
    /// The deadline of the answer.
    pub by: Timestamp,
    /// Whether the deadline has passed.
    pub is_overdue: bool,
}

/// The overview of an organization.
pub async fn overview(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Overview, Failure> {
    let (store, now) = (&ctx.store, ctx.now());
    let (daily_counts, failures, awaited) = tokio::try_join!(
        store.list_daily_counts(mode, organization_id, last(DAYS, now)),
        store.list_failures(mode, organization_id, LOOKED_AT),
        store.list_awaited(mode, organization_id, LOOKED_AT),
    )?;
    let failed = failures.iter().map(|it| (&it.document_id, &it.taxpayer_id));
    let awaiting = awaited.iter().map(|it| (&it.document_id, &it.taxpayer_id));
    let read = store.get_documents_of(mode, &failed.chain(awaiting).collect()).await?;
    // Documents whose grant has ended since are not shown.
    let documents = readable(&read, organization_id, now);
    let failures =
        failures.into_iter().filter_map(|FailedDocument { document_id, reached, at, .. }| {
            let document = (*documents.get(&document_id)?).clone();
            is_current(&document, reached).then_some(Failed { document, reached, at })
        });
    let known: HashMap<_, _> = read.iter().map(|(it, _)| (&it.document_id, it)).collect();
    let is_settled = |it: &&AwaitedOf| {
        known.get(&it.document_id).is_some_and(|d| !record::still_awaits(d, it.what))
    };
    let settled: Vec<_> = awaited.iter().filter(is_settled).cloned().collect();
    let removed = settled.iter().map(|it| store.remove_awaited(mode, organization_id, it));
    join_all(removed).await;
    let awaited = awaited.into_iter().filter_map(|AwaitedOf { document_id, what, by, .. }| {
        let document = (*documents.get(&document_id)?).clone();
        // Items that DynamoDB has not removed yet are expired nevertheless.
        let is_shown =
            record::still_awaits(&document, what) && now.duration_since(by) < AWAITED_KEPT;
        is_shown.then_some(Awaiting { document, what, by, is_overdue: by <= now })
    });
    let mut failures: Vec<_> = failures.collect();
    let mut awaited: Vec<_> = awaited.collect();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let open = Open {
        failed: number(failures.len()),
        awaited: number(awaited.len()),
        overdue: number(awaited.iter().filter(|it| it.is_overdue).count()),
    };
    failures.truncate(SHOWN);
    awaited.truncate(SHOWN);
    Ok(Overview { failures, awaited, open, days: latest(daily_counts) })
}

/// The documents of all businesses of the organization that events were published about lately, the latest event first,
/// at most `most`.
pub async fn latest_documents(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    most: usize,
) -> Result<Vec<DocumentRecord>, Failure> {
    let (store, now) = (&ctx.store, ctx.now());
    let created = (now.checked_sub(EVENT_SHOWN).ok(), None);
    let selection = EventSelection { created, ..EventSelection::default() };
    let events = store.list_events(mode, organization_id, &selection, None, EVENTS_READ).await?;
    let mut wanted = Vec::new();
    for (PublishedEvent { event, test }, _) in &events.items {
        let Some(document_id) = event.document_id() else { continue };
        if !test && wanted.len() < most && !wanted.contains(&(document_id, &event.taxpayer_id)) {
            wanted.push((document_id, &event.taxpayer_id));
        }
    }
    let read = store.get_documents_of(mode, &wanted.iter().copied().collect()).await?;
    let documents = readable(&read, organization_id, now);
    let found = wanted.iter().filter_map(|(id, _)| documents.get(id));
    Ok(found.map(|document| (*document).clone()).collect())
}

/// What the documents and the businesses of events are called.
#[derive(Debug, Default)]
pub struct Subjects {
    /// The numbers of the documents.
    pub numbers: HashMap<DocumentId, String>,
    /// The names of the businesses.
    pub businesses: HashMap<TaxpayerId, String>,
}

/// The subjects of events that were published to the organization, as far as its grants let it read them now. It takes
/// two batch reads.
pub async fn subjects(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    events: &[PublishedEvent],
) -> Result<Subjects, Failure> {
    let (store, now) = (&ctx.store, ctx.now());
    let real = || events.iter().filter(|it| !it.test).map(|it| &it.event);
    let documents = real().filter_map(|event| Some((event.document_id()?, &event.taxpayer_id)));
    let documents = documents.collect();
    let ids: BTreeSet<_> = real().map(|event| event.taxpayer_id.clone()).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let (documents, taxpayers) = tokio::try_join!(
        store.get_documents_of(mode, &documents),
        store.get_taxpayers(mode, organization_id, &ids),
    )?;
    let connected = Audience::Connected { organization_id: organization_id.clone() };
    let granted = taxpayers
        .into_iter()
        .filter(|(_, access, _)| connected.among(&access.grants, now).contains(organization_id));
    let documents = readable(&documents, organization_id, now);
    Ok(Subjects {
        numbers: documents.into_iter().map(|(id, it)| (id.clone(), it.number.clone())).collect(),
        businesses: granted.map(|(it, ..)| (it.taxpayer_id, it.name)).collect(),
    })
}

/// How many events, failures or awaited answers are read for a search.
pub const SEARCHED: usize = 1_000;
const TOGETHER: usize = 100;

/// Documents of all businesses of an organization.
#[derive(Debug)]
pub struct FoundOfAll {
    /// The documents, the latest event first.
    pub documents: Vec<DocumentRecord>,
    /// The first document of the next page.
    pub next: Option<DocumentId>,
    /// Whether there were more events than a search reads.
    pub is_cut: bool,
}

/// A page of a search among the documents of all businesses of the organization: at most `limit`, beginning with the
/// document `from`. No index has the documents of all businesses, so the search reads the latest [`SEARCHED`] events of
/// the last 30 days, or the lists of failures and of awaited answers.
pub async fn search(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    search: &Search,
    (from, limit): (Option<&DocumentId>, usize),
) -> Result<FoundOfAll, Failure> {
    let mut wanted = Wanted::of(ctx, mode, organization_id, search).await?;
    let (mut found, mut seen) = (Vec::<DocumentRecord>::new(), HashSet::new());
    let begin = |found: &[DocumentRecord]| match from {
        None => Some(0),
        Some(id) => found.iter().position(|it| it.document_id == *id),
    };
    while let Some(ids) = wanted.next(ctx, mode, organization_id).await? {
        let new: Vec<_> = ids.into_iter().filter(|(id, _)| seen.insert(id.clone())).collect();
        let keys = new.iter().map(|(id, owner)| (id, owner)).collect();
        let read = ctx.store.get_documents_of(mode, &keys).await?;
        let documents = readable(&read, organization_id, ctx.now());
        let documents = new.iter().filter_map(|(id, _)| documents.get(id));
        let matching = documents.filter(|it| search.finds(mode, it));
        found.extend(matching.map(|document| (*document).clone()));
        if begin(&found).is_some_and(|at| found.len() > at + limit) {
            break;
        }
    }
    let mut documents = found.split_off(begin(&found).unwrap_or_default());
    let next = documents.get(limit).map(|it| it.document_id.clone());
    documents.truncate(limit);
    Ok(FoundOfAll { is_cut: next.is_none() && wanted.is_cut(), documents, next })
}

/// The documents with these identifiers and owners that the organization may read, in their order.
#[cfg(feature = "pdf")]
pub async fn some(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    wanted: &[(TaxpayerId, DocumentId)],
) -> Result<Vec<DocumentRecord>, Failure> {
    super::documents::check_count(wanted.len())?;
    let keys = wanted.iter().map(|(owner, id)| (id, owner)).collect();
    let read = ctx.store.get_documents_of(mode, &keys).await?;
    let documents = readable(&read, organization_id, ctx.now());
    let found = wanted.iter().filter_map(|(_, id)| documents.get(id));
    Ok(found.map(|document| (*document).clone()).collect())
}

/// The documents to read for a search of an organization, in steps.
enum Wanted {
    /// Those of failures or awaited answers, and whether there are more.
    Listed(Option<Vec<(DocumentId, TaxpayerId)>>, bool),
    /// Those of events: where they continue, and how many were read.
    OfEvents { from: Option<Position>, read: usize, is_done: bool },
}

impl Wanted {
    async fn of(
        ctx: &Context,
        mode: Mode,
        organization_id: &OrganizationId,
        search: &Search,
    ) -> Result<Self, Failure> {
        let most = i32::try_from(TOGETHER).unwrap_or(i32::MAX);
        let ids: Vec<_> = match search.purpose {
            Purpose::Any => return Ok(Wanted::OfEvents { from: None, read: 0, is_done: false }),
            Purpose::Fix => {
                let listed = ctx.store.list_failures(mode, organization_id, most).await?;
                listed.into_iter().map(|it| (it.document_id, it.taxpayer_id)).collect()
            }
            Purpose::Waiting => {
                let listed = ctx.store.list_awaited(mode, organization_id, most).await?;
                listed.into_iter().map(|it| (it.document_id, it.taxpayer_id)).collect()
            }
        };
        let is_cut = ids.len() >= TOGETHER;
        Ok(Wanted::Listed(Some(ids), is_cut))
    }

    async fn next(
        &mut self,
        ctx: &Context,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Option<Vec<(DocumentId, TaxpayerId)>>, Failure> {
        let (from, read, is_done) = match self {
            Wanted::Listed(ids, _) => return Ok(ids.take()),
            Wanted::OfEvents { is_done: true, .. } => return Ok(None),
            Wanted::OfEvents { read, .. } if *read >= SEARCHED => return Ok(None),
            Wanted::OfEvents { from, read, is_done } => (from, read, is_done),
        };
        let created = (ctx.now().checked_sub(EVENT_SHOWN).ok(), None);
        let selection = EventSelection { created, ..EventSelection::default() };
        let (store, at) = (&ctx.store, from.as_ref());
        let page = store.list_events(mode, organization_id, &selection, at, TOGETHER).await?;
        *read += TOGETHER;
        *is_done = page.next.is_none();
        *from = page.next;
        let events = page.items.into_iter().filter(|(published, _)| !published.test);
        let ids = events.filter_map(|(PublishedEvent { event, .. }, _)| {
            Some((event.document_id()?.clone(), event.taxpayer_id.clone()))
        });
        Ok(Some(ids.collect()))
    }

    fn is_cut(&self) -> bool {
        match self {
            Wanted::Listed(_, is_cut) => *is_cut,
            Wanted::OfEvents { is_done, .. } => !is_done,
        }
    }
}

/// The documents that a grant of the organization lets it read.
pub(super) fn readable<'a>(
    read: &'a [(DocumentRecord, Vec<Grant>)],
    organization_id: &OrganizationId,
    now: Timestamp,
) -> HashMap<&'a DocumentId, &'a DocumentRecord> {
    let readable = read.iter().filter(|(document, grants)| {
        let readers = Audience::Granted { any_of: record::readers(document), issuer: None };
        readers.among(grants, now).contains(organization_id)
    });
    readable.map(|(document, _)| (&document.document_id, document)).collect()
}

/// How many documents the organization sent and received in the last [`USAGE_DAYS`] days, by its events, today first.
/// Days without any are missing.
pub async fn usage(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Vec<DailyCounts>, Failure> {
    let days = last(USAGE_DAYS, ctx.now());
    let mut days = latest(ctx.store.list_daily_counts(mode, organization_id, days).await?);
    days.retain(|day| day.of(Reached::Sent) > 0 || day.of(Reached::Received) > 0);
    Ok(days)
}

/// The last `days` days, including today.
fn last(days: u8, now: Timestamp) -> RangeInclusive<Date> {
    let today = uae_date(now);
    today.saturating_sub((i64::from(days) - 1).days())..=today
}

/// The daily counts, the latest day first.
fn latest(daily_counts: BTreeMap<Date, DailyCounts>) -> Vec<DailyCounts> {
    daily_counts.into_values().rev().collect()
}

/// Whether a failure is still current.
fn is_current(document: &DocumentRecord, failure: Reached) -> bool {
    match failure {
        Reached::Failed => document.corrected_by.is_none(),
        Reached::Unconfirmed => document.status == Status::Unconfirmed,
        Reached::Rejected => document.status == Status::Rejected && document.corrected_by.is_none(),
        // A later report may have been accepted, or may be on its way.
        Reached::NotCompliant => record::outcome(document) == Some(TaxReportOutcome::NotCompliant),
        Reached::Unreported => record::outcome(document) == Some(TaxReportOutcome::Failed),
        _ => false,
    }
}
