//! The overview of an organization's documents: recent failures, awaited answers of others, and the results of the last
//! days. It covers the events that were published to the organization while it had a grant.

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};

use jiff::{Timestamp, ToSpan, civil::Date};

use super::{Context, record};
use crate::{
    access::{Audience, Grant},
    error::Failure,
    store::{
        AWAITED_KEPT, Awaited, AwaitedOf, DailyCounts, DocumentRecord, EVENT_SHOWN, EventSelection,
        FailedDocument, PublishedEvent, Reached, Status, TaxReportOutcome,
    },
    types::{DocumentId, Mode, OrganizationId, uae_date},
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
    let awaited = awaited.into_iter().filter_map(|AwaitedOf { document_id, what, by, .. }| {
        let document = (*documents.get(&document_id)?).clone();
        // Items that DynamoDB has not removed yet are expired nevertheless.
        let is_shown = awaits(&document, what) && now.duration_since(by) < AWAITED_KEPT;
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

/// The documents that a grant of the organization lets it read.
fn readable<'a>(
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
        Reached::NotCompliant => outcome(document) == Some(TaxReportOutcome::NotCompliant),
        Reached::Unreported => outcome(document) == Some(TaxReportOutcome::Failed),
        _ => false,
    }
}

/// Whether an answer is still awaited.
fn awaits(document: &DocumentRecord, what: Awaited) -> bool {
    match what {
        Awaited::Status => matches!(document.status, Status::Sent | Status::Unconfirmed),
        Awaited::Verdict => document.reporting.is_some() && outcome(document).is_none(),
        Awaited::Unknown => false,
    }
}

fn outcome(document: &DocumentRecord) -> Option<TaxReportOutcome> {
    document.reporting.as_ref().and_then(|reporting| reporting.outcome)
}
