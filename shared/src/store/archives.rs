//! Archives: created once, advanced part by part by a worker under a lease, and completed. The progress is in the item,
//! and is written on the condition that the lease is still the worker's. So no part is included twice.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::Serialize;

use super::{
    ArchiveOfPeriod, ArchivePart, ArchiveRecord, ArchiveStatus, CollectionPage, Due, Lease,
    Recorded, Store, StoreError,
    collections::Slice,
    dynamo::{Expression, Update, Write, Written, absent, to_item},
    jobs::{expiry, mark},
    keys::{self, Key},
    leases::leased,
};
use crate::types::{ArchiveId, Mode, TaxpayerId};

/// How long an archive is kept after it was completed. The bucket keeps its file at least as long (the rule `archives`
/// of the template).
pub const ARCHIVE_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A finished part of an archive.
#[derive(Debug, Clone)]
pub struct ArchivePartDone {
    /// The id of the multipart upload.
    pub upload: String,
    /// The part.
    pub part: ArchivePart,
    /// The number of documents in the archive, including this part.
    pub documents: u32,
    /// Where the list of documents continues.
    pub position: String,
}

impl Store {
    /// Creates an archive; the relay claims it at once. `before` is the last archive that was requested for its period,
    /// as it was read. If another one was requested since, nothing is created.
    pub async fn create_archive(
        &self,
        record: &ArchiveRecord,
        before: Option<&ArchiveId>,
        sweep_at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let ArchiveRecord { mode, taxpayer_id, archive_id, from, to, created_at, .. } = record;
        let key = key_of(record);
        let mut item = to_item(key.clone(), record)?;
        mark(&mut item, *mode, &key, Due::relayed(sweep_at));
        let made = Write::Put { item, condition: absent() };
        let key = Key::archive_of_period(*mode, taxpayer_id, (*from, *to));
        let mut item = to_item(key, &ArchiveOfPeriod { archive_id: archive_id.clone() })?;
        // When this item expires, the next request creates another archive, as it does after completion.
        let ttl = expiry(*created_at, ARCHIVE_KEPT).to_string();
        item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
        let condition = match before {
            None => absent(),
            Some(before) => Expression::new("attribute_not_exists(pk) OR archive_id = :before")
                .text(":before", before.as_str()),
        };
        match self.transact(vec![Write::Put { item, condition }, made]).await? {
            Written::Done => Ok(Recorded::Done),
            Written::Refused(_) => Ok(Recorded::Lost),
        }
    }

    /// The last archive that was requested for a period.
    pub async fn get_archive_of_period(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        period: (Date, Date),
    ) -> Result<Option<ArchiveId>, StoreError> {
        let key = Key::archive_of_period(mode, taxpayer_id, period);
        let found: Option<ArchiveOfPeriod> = self.get(key).await?;
        Ok(found.map(|found| found.archive_id))
    }

    /// An archive.
    pub async fn get_archive(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        archive_id: &ArchiveId,
    ) -> Result<Option<ArchiveRecord>, StoreError> {
        self.get(Key::archive(mode, taxpayer_id, archive_id)).await
    }

    /// A page of at most `limit` archives of a taxpayer, the newest first.
    pub async fn list_archives(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<ArchiveRecord>, StoreError> {
        let partition = keys::archives(mode, taxpayer_id);
        self.collection(Slice::of(partition, ArchiveId::PREFIX, None), after, limit).await
    }

    /// Notes that a part of an archive is done, if the lease is still its own. With `goes_on` the lease stays, until
    /// the instant in `due`. Otherwise it ends, and another worker continues from `due` on.
    pub async fn advance_archive(
        &self,
        leased: &ArchiveRecord,
        done: &ArchivePartDone,
        (due, goes_on): (Due, bool),
        now: Timestamp,
    ) -> Result<(Recorded, ArchiveRecord), StoreError> {
        let ArchivePartDone { upload, part, documents, position } = done.clone();
        let mut next = ArchiveRecord {
            upload: Some(upload),
            documents,
            position: Some(position),
            updated_at: now,
            tries: 0,
            ..leased.clone()
        };
        next.parts.push(part);
        next.lease = match &leased.lease {
            Some(lease) if goes_on => Some(Lease { until: due.at, ..lease.clone() }),
            _ => None,
        };
        let is_done = |current: &ArchiveRecord| current.parts == next.parts;
        let recorded = self.write_archive(leased, &next, Some(due), is_done).await?;
        Ok((recorded, next))
    }

    /// Restarts an archive whose upload is lost, if the lease is still its own.
    pub async fn restart_archive(
        &self,
        leased: &ArchiveRecord,
        due: Due,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let next = ArchiveRecord {
            upload: None,
            documents: 0,
            position: None,
            parts: Vec::new(),
            updated_at: now,
            lease: None,
            ..leased.clone()
        };
        let is_done = |current: &ArchiveRecord| current.upload.is_none();
        self.write_archive(leased, &next, Some(due), is_done).await
    }

    /// Completes an archive with its number of documents and its size, if the lease is still its own. There is no size
    /// when the archive would be too large. DynamoDB removes it after [`ARCHIVE_KEPT`].
    pub async fn complete_archive(
        &self,
        leased: &ArchiveRecord,
        (documents, bytes): (u32, Option<u64>),
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let status = match bytes {
            Some(_) => ArchiveStatus::Completed,
            None => ArchiveStatus::TooLarge,
        };
        let next = ArchiveRecord {
            status,
            documents,
            bytes,
            upload: None,
            parts: Vec::new(),
            position: None,
            updated_at: now,
            lease: None,
            tries: 0,
            ..leased.clone()
        };
        self.write_archive(leased, &next, None, |current| current.status == status).await
    }

    async fn write_archive(
        &self,
        leased: &ArchiveRecord,
        next: &ArchiveRecord,
        due: Option<Due>,
        is_done: impl Fn(&ArchiveRecord) -> bool,
    ) -> Result<Recorded, StoreError> {
        let ttl = due.is_none().then(|| expiry(next.updated_at, ARCHIVE_KEPT));
        let update = Update::new()
            .set("status", &next.status)?
            .set("documents", &next.documents)?
            .set("updated_at", &super::instant(next.updated_at))?;
        let update = set_or_remove(update, "bytes", next.bytes.as_ref())?;
        let update = set_or_remove(update, "upload", next.upload.as_ref())?;
        let parts = (!next.parts.is_empty()).then_some(&next.parts);
        let update = set_or_remove(update, "parts", parts)?;
        let update = set_or_remove(update, "position", next.position.as_ref())?;
        let update = set_or_remove(update, "lease", next.lease.as_ref())?;
        let update = set_or_remove(update, "tries", (next.tries > 0).then_some(&next.tries))?;
        let update = set_or_remove(update, keys::TTL, ttl.as_ref())?;
        self.write_leased(leased.mode, leased, (update, due), Vec::new(), is_done).await
    }
}

fn set_or_remove<T: Serialize>(
    update: Update,
    attribute: &str,
    value: Option<&T>,
) -> Result<Update, StoreError> {
    match value {
        Some(value) => update.set(attribute, value),
        None => Ok(update.remove(attribute)),
    }
}

fn key_of(record: &ArchiveRecord) -> Key {
    Key::archive(record.mode, &record.taxpayer_id, &record.archive_id)
}

leased!(ArchiveRecord, |it, _| Key::archive(it.mode, &it.taxpayer_id, &it.archive_id));
