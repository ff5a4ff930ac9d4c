//! Imports: created once, advanced chunk by chunk by a worker under a lease, and completed. The progress is in the
//! item, and is written on the condition that it is unchanged since the worker began. So no chunk counts twice.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

use super::{
    CollectionPage, ColumnsRecord, Due, ImportCounts, ImportOfFile, ImportRecord, ImportStatus,
    Lease, Payload, Recorded, Reservation, SavedReply, Store, StoreError, audit,
    collections::Slice,
    dynamo::{Expression, Update, Write, Written, absent, to_item},
    jobs::{expiry, mark},
    keys::{self, Key},
    leases::leased,
};
use crate::{
    access::AuditRecord,
    document::Operation,
    types::{ImportId, Mode, OrganizationId, TaxpayerId},
};

/// How long an import is kept after it was completed. The bucket keeps its file and result as long after they were
/// written (the rule `imports` of the template).
pub const IMPORT_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The result of a chunk of an import.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// The counts including this chunk.
    pub counts: ImportCounts,
    /// The outcomes of this chunk.
    pub part: Payload,
}

impl Store {
    /// Creates an import with its audit entry; the relay claims it at once. Nothing is created if another import of the
    /// same file was created since the last one was read. A reservation of the request ends with its response.
    pub async fn create_import(
        &self,
        record: &ImportRecord,
        entry: &AuditRecord,
        reservation: Option<(&Reservation, SavedReply<'_>)>,
        sweep_at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let ImportRecord { mode, organization_id, taxpayer_id, import_id, created_at, .. } = record;
        let key = key_of(record);
        let mut item = to_item(key.clone(), record)?;
        mark(&mut item, *mode, &key, Due::relayed(sweep_at));
        let mut writes = vec![Write::Put { item, condition: absent() }, audit::write(entry)?];
        let file = (record.operation, record.sha256.as_str());
        let key = Key::import_of_file(*mode, organization_id, taxpayer_id, file);
        let mut item = to_item(key, &ImportOfFile { import_id: import_id.clone() })?;
        // When this item expires, the file counts as new, because the earlier import has expired too.
        let ttl = expiry(*created_at, IMPORT_KEPT).to_string();
        item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
        let condition = match &record.same_file {
            None => absent(),
            Some(before) => Expression::new("attribute_not_exists(pk) OR import_id = :before")
                .text(":before", before.as_str()),
        };
        writes.push(Write::Put { item, condition });
        writes.extend(reservation.map(|(reservation, reply)| reservation.end(Some(reply))));
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        // Only this attempt knows the identifier, so a repeated attempt meets its own write.
        let current = self.get_import(*mode, organization_id, taxpayer_id, import_id).await;
        match (written, current) {
            (_, Ok(Some(_))) => Ok(Recorded::Done),
            (Ok(_), Ok(None)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }

    /// The last import of a file.
    pub async fn get_import_of_file(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        file: (Operation, &str),
    ) -> Result<Option<ImportId>, StoreError> {
        let key = Key::import_of_file(mode, organization_id, taxpayer_id, file);
        let found: Option<ImportOfFile> = self.get(key).await?;
        Ok(found.map(|found| found.import_id))
    }

    /// The fields of an organization's foreign headings, for a kind of document.
    pub async fn get_import_columns(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        operation: Operation,
    ) -> Result<ColumnsRecord, StoreError> {
        let key = Key::import_columns(mode, organization_id, operation);
        Ok(self.get(key).await?.unwrap_or_default())
    }

    /// Replaces them; the last write counts.
    pub async fn put_import_columns(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        operation: Operation,
        record: &ColumnsRecord,
    ) -> Result<(), StoreError> {
        let item = to_item(Key::import_columns(mode, organization_id, operation), record)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// An import.
    pub async fn get_import(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        import_id: &ImportId,
    ) -> Result<Option<ImportRecord>, StoreError> {
        self.get(Key::import(mode, organization_id, taxpayer_id, import_id)).await
    }

    /// A page of at most `limit` imports of an organization for a taxpayer, the newest first.
    pub async fn list_imports(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<ImportRecord>, StoreError> {
        let partition = keys::imports(mode, organization_id, taxpayer_id);
        self.collection(Slice::of(partition, ImportId::PREFIX, None), after, limit).await
    }

    /// Notes that a chunk of an import is done, if the lease is still its own. With `goes_on` the lease stays, until
    /// the instant in `due`. Otherwise it ends, and another worker continues from `due` on.
    pub async fn advance_import(
        &self,
        leased: &ImportRecord,
        chunk: &Chunk,
        (due, goes_on): (Due, bool),
        now: Timestamp,
    ) -> Result<(Recorded, ImportRecord), StoreError> {
        let mut next = ImportRecord { counts: chunk.counts, updated_at: now, ..leased.clone() };
        next.parts.push(chunk.part.clone());
        next.tries = 0;
        next.lease = match &leased.lease {
            Some(lease) if goes_on => Some(Lease { until: due.at, ..lease.clone() }),
            _ => None,
        };
        let update = Update::new()
            .set("counts", &next.counts)?
            .set("parts", &next.parts)?
            .set("updated_at", &super::instant(now))?
            .remove("tries");
        let update = match &next.lease {
            Some(lease) => update.set("lease", lease)?,
            None => update.remove("lease"),
        };
        let is_done =
            |current: &ImportRecord| current.counts == next.counts && current.parts == next.parts;
        let change = (update, Some(due));
        let recorded = self.write_leased(leased.mode, leased, change, Vec::new(), is_done).await?;
        Ok((recorded, next))
    }

    /// Completes an import with its result, if the lease is still its own. DynamoDB removes it after [`IMPORT_KEPT`].
    pub async fn complete_import(
        &self,
        leased: &ImportRecord,
        result: &Payload,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let update = Update::new()
            .set("status", &ImportStatus::Completed)?
            .set("result", result)?
            .set("updated_at", &super::instant(now))?
            .set(keys::TTL, &expiry(now, IMPORT_KEPT))?
            .remove("parts");
        let is_ended = |current: &ImportRecord| current.status == ImportStatus::Completed;
        self.end_lease(leased.mode, leased, (update, None), Vec::new(), is_ended).await
    }
}

fn key_of(record: &ImportRecord) -> Key {
    let ImportRecord { mode, organization_id, taxpayer_id, import_id, .. } = record;
    Key::import(*mode, organization_id, taxpayer_id, import_id)
}

leased!(ImportRecord, |it, _| Key::import(
    it.mode,
    &it.organization_id,
    &it.taxpayer_id,
    &it.import_id
));
