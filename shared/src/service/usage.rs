//! Exports the usage that Live sends are billed by: one object for each day, one line for each document (NDJSON).

use jiff::{SignedDuration, ToSpan, civil::Date, tz::TimeZone};
use serde::Serialize;

use super::Context;
use crate::{
    store::{Bucket, StoreError, UsageExport, UsageRecord, instant, keys::USAGE_SHARDS},
    types::{DocumentId, OrganizationId, TaxpayerId},
};

/// How long after a day (UTC) its usage is complete. The time of a usage record is when its document's message was
/// fixed, just before the transaction. The transaction ends with its function, at most half a minute later. The rest
/// allows for clock differences.
pub const SETTLED: SignedDuration = SignedDuration::from_hours(1);
/// How many days the first export covers, since usage may have been recorded before it.
pub const FIRST_DAYS: i64 = 31;

/// A line of the export.
#[derive(Serialize)]
struct Line<'a> {
    document_id: &'a DocumentId,
    organization_id: &'a OrganizationId,
    taxpayer_id: &'a TaxpayerId,
    document_type_code: &'a str,
    at: String,
}

/// Exports each complete day that was not exported yet, and returns these days. A second run makes the same objects.
pub async fn export_due(ctx: &Context, bucket: &Bucket) -> Result<Vec<Date>, StoreError> {
    let beyond = |_| StoreError::Corrupt("a day is beyond the calendar".into());
    let settled = ctx.now().saturating_sub(SETTLED).unwrap_or_default();
    let last = settled.to_zoned(TimeZone::UTC).date().yesterday().map_err(beyond)?;
    let mut day = match ctx.store.get_usage_exported().await? {
        Some(exported) => exported.tomorrow().map_err(beyond)?,
        None => last.checked_sub((FIRST_DAYS - 1).days()).map_err(beyond)?,
    };
    let mut exported = Vec::new();
    while day <= last {
        export(ctx, bucket, day).await?;
        ctx.store.set_usage_exported(day).await?;
        exported.push(day);
        day = day.tomorrow().map_err(beyond)?;
    }
    Ok(exported)
}

/// Writes the object of one day.
async fn export(ctx: &Context, bucket: &Bucket, day: Date) -> Result<(), StoreError> {
    let mut object = bucket.usage_export(day);
    match lines(ctx, day, &mut object).await {
        Ok(documents) => {
            object.finish().await?;
            tracing::info!(%day, documents, "usage was exported");
            Ok(())
        }
        Err(error) => {
            object.abort().await;
            Err(error)
        }
    }
}

/// Writes the lines of a day, always in the same order. Returns their count.
async fn lines(ctx: &Context, day: Date, object: &mut UsageExport<'_>) -> Result<u64, StoreError> {
    let mut documents = 0;
    for shard in 0..USAGE_SHARDS {
        let mut after: Option<DocumentId> = None;
        loop {
            let place = (day, shard);
            let (page, is_last) = ctx.store.list_usage(place, after.as_ref(), None).await?;
            for usage in &page {
                object.write(&line(usage)?).await?;
                documents += 1;
            }
            after = page.last().map(|usage| usage.document_id.clone());
            if is_last || after.is_none() {
                break;
            }
        }
    }
    Ok(documents)
}

fn line(usage: &UsageRecord) -> Result<Vec<u8>, StoreError> {
    let UsageRecord { document_id, organization_id, taxpayer_id, document_type_code, at, .. } =
        usage;
    let line =
        Line { document_id, organization_id, taxpayer_id, document_type_code, at: instant(*at) };
    let mut bytes = serde_json::to_vec(&line).map_err(|why| StoreError::Corrupt(why.into()))?;
    bytes.push(b'\n');
    Ok(bytes)
}
