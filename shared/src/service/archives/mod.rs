//! Archives: all documents of a taxpayer that were issued in a period, with their history and evidence, in one ZIP
//! file. The file is a bag (see [`bagit`](crate::bagit)).
//!
//! A request creates the archive. The function `archives` gathers its content one part at a time ([`gather`]), and
//! uploads each part. The file is kept for [`ARCHIVE_KEPT`].

mod contents;
pub mod gather;

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, civil::Date};

use super::{
    Context, RELAY_GRACE,
    documents::{ADDRESS_VALID, Stored},
    history::History,
    later,
    page::{List, Page, PageQuery},
};
use crate::{
    access::{Reader, Scope},
    error::{Code, Failure},
    store::{
        ARCHIVE_KEPT, ArchivePlace, ArchiveRecord, ArchiveStatus, Bucket, PayloadMethod, Recorded,
        StoreError,
    },
    types::{ArchiveId, OrganizationId},
};

/// Maximum documents of an archive, since their file lists are in memory at its end.
pub const MAX_DOCUMENTS: u32 = if cfg!(test) { 12 } else { 100_000 };

/// Writes the description of a document, as JSON.
pub type Describe = fn(History) -> Vec<u8>;

/// What gathering archives needs.
#[derive(Clone)]
pub struct Archiving {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The payloads, and the archives.
    pub bucket: Bucket,
    /// Writes the description of a document.
    pub describe: Describe,
    /// How long a worker owns an archive before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
    /// After how long a worker hands over to another one. Shorter than its function's time limit.
    pub slice: Duration,
}

/// The range of issue dates, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

/// Creates an archive for a reader who sees every document. If an archive of the same period is still being gathered,
/// it is returned instead. This also holds for concurrent requests.
pub async fn create(
    ctx: &Context,
    reader: Reader<'_>,
    organization_id: Option<&OrganizationId>,
    period: Period,
) -> Result<ArchiveRecord, Failure> {
    check_scope(reader)?;
    let Period { from, to } = period;
    if to < from {
        let message = "The period ends before it begins: issued_to is earlier than issued_from.";
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    let (mode, taxpayer_id) = (reader.mode, reader.taxpayer_id);
    let (before, known) = latest(ctx, reader, period).await?;
    let is_gathered =
        |it: &ArchiveRecord| it.status == ArchiveStatus::Running && it.parked.is_none();
    if let Some(same) = known.filter(is_gathered) {
        return Ok(same);
    }
    let now = ctx.now();
    let record = ArchiveRecord {
        mode,
        taxpayer_id: taxpayer_id.clone(),
        archive_id: ArchiveId::new(now, &*ctx.random),
        organization_id: organization_id.cloned(),
        from,
        to,
        status: ArchiveStatus::Running,
        documents: 0,
        bytes: None,
        upload: None,
        parts: Vec::new(),
        position: None,
        parked: None,
        created_at: now,
        updated_at: now,
        lease: None,
        tries: 0,
    };
    let sweep_at = later(now, RELAY_GRACE);
    if ctx.store.create_archive(&record, before.as_ref(), sweep_at).await? == Recorded::Lost {
        // A concurrent request created the archive first, or an earlier attempt of this write did.
        let (_, quicker) = latest(ctx, reader, period).await?;
        let gone = || Failure::new(Code::ServiceUnavailable, "The archive was not created. Retry.");
        return quicker.ok_or_else(gone);
    }
    tracing::info!(archive_id = %record.archive_id, %from, %to, "an archive was requested");
    Ok(record)
}

/// The latest archive of a period: its identifier, and its record while that exists.
async fn latest(
    ctx: &Context,
    Reader { mode, taxpayer_id, .. }: Reader<'_>,
    Period { from, to }: Period,
) -> Result<(Option<ArchiveId>, Option<ArchiveRecord>), StoreError> {
    let id = ctx.store.get_archive_of_period(mode, taxpayer_id, (from, to)).await?;
    let record = match &id {
        Some(id) => ctx.store.get_archive(mode, taxpayer_id, id).await?,
        None => None,
    };
    Ok((id, record))
}

/// An archive of the reader's taxpayer.
pub async fn get(
    ctx: &Context,
    reader: Reader<'_>,
    archive_id: &str,
) -> Result<ArchiveRecord, Failure> {
    check_scope(reader)?;
    let found = match archive_id.parse() {
        Ok(id) => ctx.store.get_archive(reader.mode, reader.taxpayer_id, &id).await?,
        Err(_) => None,
    };
    // An archive that DynamoDB has not removed yet is expired nevertheless.
    let is_kept = |it: &ArchiveRecord| it.expires_at().is_none_or(|at| ctx.now() < at);
    found.filter(is_kept).ok_or_else(|| Failure::new(Code::NotFound, "There is no such archive."))
}

/// A page of the archives of the reader's taxpayer, the newest first.
pub async fn list(
    ctx: &Context,
    reader: Reader<'_>,
    asked: PageQuery<'_>,
) -> Result<Page<ArchiveRecord>, Failure> {
    check_scope(reader)?;
    let (mode, taxpayer_id) = (reader.mode, reader.taxpayer_id);
    let list = List { name: "archives", mode, owner: taxpayer_id.as_str(), filter: &() };
    let after = asked.after(&list).await?;
    let page = ctx.store.list_archives(mode, taxpayer_id, after.as_deref(), asked.limit()).await?;
    let now = ctx.now();
    let mut items = page.items;
    items.retain(|it| it.expires_at().is_none_or(|at| now < at));
    asked.page(&list, items, page.next).await
}

/// The address of an archive's file.
pub async fn file(
    ctx: &Context,
    bucket: &Bucket,
    reader: Reader<'_>,
    archive_id: &str,
    method: PayloadMethod,
) -> Result<Stored, Failure> {
    let record = get(ctx, reader, archive_id).await?;
    let none = |why: &str| Err(Failure::new(Code::NotFound, why));
    match record.status {
        ArchiveStatus::Completed => {
            let address = bucket.archive_address(record.place(), method, ADDRESS_VALID).await?;
            Ok(Stored::Elsewhere(address))
        }
        ArchiveStatus::Running if record.parked.is_some() => none(
            "There is no file: the service has abandoned the archive. Request another archive.",
        ),
        ArchiveStatus::Running => none("The archive is not completed: there is no file yet."),
        ArchiveStatus::TooLarge => none(&format!(
            "There is no file: an archive has up to {MAX_DOCUMENTS} documents and about 10 GB, but the period has \
             more. Request archives of shorter periods."
        )),
        ArchiveStatus::Unknown => none("There is no file."),
    }
}

impl ArchiveRecord {
    /// When the archive is removed. `None` while it is being gathered.
    pub fn expires_at(&self) -> Option<Timestamp> {
        let is_over = self.status != ArchiveStatus::Running;
        is_over.then(|| later(self.updated_at, ARCHIVE_KEPT))
    }

    fn place(&self) -> ArchivePlace<'_> {
        let ArchiveRecord { mode, taxpayer_id, archive_id, .. } = self;
        ArchivePlace { mode: *mode, taxpayer_id, archive_id }
    }
}

/// Archives need the scope that reads every document.
fn check_scope(reader: Reader<'_>) -> Result<(), Failure> {
    if reader.has(Scope::InvoicesRead) {
        return Ok(());
    }
    Err(Failure::new(Code::InsufficientScope, "Archives need the scope invoices:read."))
}
