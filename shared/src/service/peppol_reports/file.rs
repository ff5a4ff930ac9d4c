//! Makes an OpenPeppol report: counts, writes, checks and stores it. Only then is its job created.

use crate::{
    peppol::{
        identifiers::SeatId,
        statistics::{Kind, Month},
    },
    service::{Context, RELAY_GRACE, exchange_counts, later},
    store::{
        Bucket, PeppolReportId, PeppolReportRecord, PeppolReportStatus, StoreError, keys::JobId,
    },
    types::{MessageId, ParticipantId},
    validate::validate,
};

/// What making a report needs.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The counters, the clock and the random source.
    pub ctx: &'a Context,
    /// Where sent reports are stored.
    pub bucket: &'a Bucket,
    /// The reporting provider.
    pub reporter: &'a SeatId,
    /// The receiver of the report.
    pub receiver: &'a ParticipantId,
}

/// The outcome of making a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filed {
    /// The report was made, and its job is due.
    Made(PeppolReportRecord),
    /// A report exists already, and a new one was not requested.
    Existing(PeppolReportRecord),
    /// The latest report is still being sent. It could arrive after its replacement.
    OnItsWay(PeppolReportRecord),
}

/// Makes the report of a kind for a month. It replaces the latest one, unless that is still being sent.
pub async fn file(
    files: &Files<'_>,
    month: Month,
    kind: Kind,
    latest: Option<&PeppolReportRecord>,
) -> Result<Filed, StoreError> {
    let Files { ctx, bucket, reporter, receiver } = *files;
    let id = match latest {
        None => PeppolReportId::first(month, kind),
        Some(latest) if is_over(ctx, latest).await? => latest.id.next(),
        Some(latest) => return Ok(Filed::OnItsWay(latest.clone())),
    };
    // Exchanges that are counted later are not in the report.
    let created_at = ctx.now();
    let bytes = exchange_counts::reports(&ctx.store, reporter.clone(), month).await?.write(kind);
    if let Some(fault) = fault(&bytes) {
        // The template makes a metric of `monthly_failed`.
        tracing::warn!(monthly_failed = 1, %id, fault, "an OpenPeppol report of this service breaks its rules");
        return Err(StoreError::Corrupt(fault.into()));
    }
    let record = PeppolReportRecord {
        status: PeppolReportStatus::Due,
        reporter: reporter.clone(),
        receiver: receiver.clone(),
        instance_id: MessageId::new(created_at, &*ctx.random),
        report: bucket.put_peppol_report(month, bytes).await?,
        created_at,
        begun_at: None,
        ended_at: None,
        reason: None,
        lease: None,
        tries: 0,
        id,
    };
    if ctx.store.create_peppol_report(&record, later(ctx.now(), RELAY_GRACE)).await? {
        tracing::info!(id = %record.id, instance_id = %record.instance_id, "an OpenPeppol report was created");
        return Ok(Filed::Made(record));
    }
    // Another worker made the report of the same month first.
    let current = ctx.store.get_peppol_report(&record.id).await?;
    let current = current
        .ok_or_else(|| StoreError::Corrupt("an OpenPeppol report no longer exists".into()))?;
    Ok(Filed::Existing(current))
}

/// Whether a report will not be sent any more.
async fn is_over(ctx: &Context, latest: &PeppolReportRecord) -> Result<bool, StoreError> {
    if latest.status.is_ended() {
        return Ok(true);
    }
    Ok(ctx.store.get_parked(&JobId::PeppolReport(latest.id.clone())).await?.is_some())
}

/// The first error against the official schema or rules.
pub fn fault(report: &[u8]) -> Option<String> {
    match validate(report) {
        Ok(verdict) => {
            let found = verdict.findings.into_iter().next()?.finding;
            Some(format!("{}: {}", found.rule, found.message))
        }
        Err(why) => Some(why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_breaks_a_rule_is_named_with_it() {
        let good = include_str!("../../statistics/samples/transactions.xml");
        assert_eq!(fault(good.as_bytes()), None);
        let bad = good.replacen("<Incoming>5<", "<Incoming>6<", 1);
        assert!(fault(bad.as_bytes()).unwrap().starts_with("SCH-TSR-04: "));
    }
}
