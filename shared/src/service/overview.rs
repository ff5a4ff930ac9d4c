//! What an organization's overview shows of its documents: what failed of late, what others have to say still, and what the
//! documents of the last days came to. As far as the organization heard of it: of what was told while it held a grant.

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};

use jiff::{Timestamp, ToSpan, civil::Date};

use super::{Context, record};
use crate::{
    access::Audience,
    error::Failure,
    store::{
        AWAITED_KEPT, Awaited, AwaitedOf, DailyCounts, DocumentRecord, FailedDocument, Reached,
        Status, TaxReportOutcome,
    },
    types::{DocumentId, Mode, OrganizationId, uae_date},
};

/// How many days are shown, today's among them.
pub const DAYS: u8 = 14;
/// How many days of usage are shown, today's among them: no daily count is kept longer.
pub const USAGE_DAYS: u8 = 30;
/// How many documents are shown that failed, or await something.
const SHOWN: usize = 8;
/// How many are looked at for that: some were mended, or are settled, since they were written down.
const LOOKED_AT: i32 = 24;

/// What an organization's overview shows of its documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// What failed of late and was not mended, the latest first.
    pub failures: Vec<Failed>,
    /// What others have to say, that which should come first, first.
    pub awaited: Vec<Awaiting>,
    /// What the documents of the last [`DAYS`] days came to, today's first; without days on which none came to anything.
    pub days: Vec<DailyCounts>,
}

/// A document that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failed {
    /// The document.
    pub document: DocumentRecord,
    /// What it came to.
    pub reached: Reached,
    /// When.
    pub at: Timestamp,
}

/// A document of which others have to say something.
#[derive(Debug, Clone, PartialEq)]
pub struct Awaiting {
    /// The document.
    pub document: DocumentRecord,
    /// What they have to say.
    pub what: Awaited,
    /// By when it should have come.
    pub by: Timestamp,
    /// Whether that is over.
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
    // What was told under a grant that is over is not shown any more.
    let read = read.iter().filter(|(document, grants)| {
        let readers = Audience::Granted { any_of: record::readers(document), issuer: None };
        readers.among(grants, now).contains(organization_id)
    });
    let documents: HashMap<&DocumentId, &DocumentRecord> =
        read.map(|(document, _)| (&document.document_id, document)).collect();
    let failures =
        failures.into_iter().filter_map(|FailedDocument { document_id, reached, at, .. }| {
            let document = (*documents.get(&document_id)?).clone();
            stands(&document, reached).then_some(Failed { document, reached, at })
        });
    let awaited = awaited.into_iter().filter_map(|AwaitedOf { document_id, what, by, .. }| {
        let document = (*documents.get(&document_id)?).clone();
        // What DynamoDB has not removed yet is over all the same.
        let is_shown = awaits(&document, what) && now.duration_since(by) < AWAITED_KEPT;
        is_shown.then_some(Awaiting { document, what, by, is_overdue: by <= now })
    });
    Ok(Overview {
        failures: failures.take(SHOWN).collect(),
        awaited: awaited.take(SHOWN).collect(),
        days: latest(daily_counts),
    })
}

/// How many of an organization's documents of the last [`USAGE_DAYS`] days were sent and received, as far as it heard, today's
/// first; without days on which none was.
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

/// So many days, of which today is the last.
fn last(days: u8, now: Timestamp) -> RangeInclusive<Date> {
    let today = uae_date(now);
    today.saturating_sub((i64::from(days) - 1).days())..=today
}

/// The daily counts, the latest day's first.
fn latest(daily_counts: BTreeMap<Date, DailyCounts>) -> Vec<DailyCounts> {
    daily_counts.into_values().rev().collect()
}

/// Whether a failure is one still.
fn stands(document: &DocumentRecord, failure: Reached) -> bool {
    match failure {
        Reached::Failed => document.corrected_by.is_none(),
        Reached::Unconfirmed => document.status == Status::Unconfirmed,
        Reached::Rejected => document.status == Status::Rejected && document.corrected_by.is_none(),
        // A later report may have been accepted, or be on its way.
        Reached::NotCompliant => outcome(document) == Some(TaxReportOutcome::NotCompliant),
        Reached::Unreported => outcome(document) == Some(TaxReportOutcome::Failed),
        _ => false,
    }
}

/// Whether something is awaited still.
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
