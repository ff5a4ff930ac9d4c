//! Archives: all documents of a taxpayer that were issued in a period, with what became of them and the proofs of it, in one
//! file: a ZIP that is a bag (see [`bagit`](crate::bagit)).
//!
//! A request makes the archive; the function `archives` gathers what is in it, a part after the other ([`gather`]), and
//! uploads each. The file is there for [`ARCHIVE_KEPT`].

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

/// The most documents of an archive: what is known of each is held until its end.
pub const MAX_DOCUMENTS: u32 = if cfg!(test) { 12 } else { 100_000 };

/// Writes what is known of a document, as JSON.
pub type Describe = fn(History) -> Vec<u8>;

/// What brings archives on.
#[derive(Clone)]
pub struct Archiving {
    /// The table, the time and chance.
    pub ctx: Context,
    /// What is gathered, and where it goes.
    pub bucket: Bucket,
    /// Writes what is known of a document.
    pub describe: Describe,
    /// How long a worker owns an archive before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
    /// After how long a worker lets another go on: it must end before its function has to.
    pub slice: Duration,
}

/// Which documents are wanted: by their issue dates, both of them included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

/// Makes an archive for a reader who sees every document. One of the same period that is still gathered is given instead,
/// also where both are asked for at one instant.
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
        // Who was quicker has asked for the same; a repeated attempt was that itself.
        let (_, quicker) = latest(ctx, reader, period).await?;
        let gone = || Failure::new(Code::ServiceUnavailable, "No archive was made. Retry.");
        return quicker.ok_or_else(gone);
    }
    tracing::info!(archive_id = %record.archive_id, %from, %to, "an archive was asked for");
    Ok(record)
}

/// The archive of a period that was asked for last: its name, and itself as long as it stands.
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
    // What DynamoDB has not removed yet is over all the same.
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

/// Where the file of an archive is.
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
        ArchiveStatus::Running if record.parked.is_some() => {
            none("There is no file: the service has given the archive up. Ask for another.")
        }
        ArchiveStatus::Running => none("The archive is not completed: there is no file yet."),
        ArchiveStatus::TooLarge => none(&format!(
            "There is no file: an archive has up to {MAX_DOCUMENTS} documents and about 10 GB, and the \
             period has more. Ask for archives of shorter periods."
        )),
        ArchiveStatus::Unknown => none("There is no file."),
    }
}

impl ArchiveRecord {
    /// When it is removed; none as long as it is gathered.
    pub fn expires_at(&self) -> Option<Timestamp> {
        let is_over = self.status != ArchiveStatus::Running;
        is_over.then(|| later(self.updated_at, ARCHIVE_KEPT))
    }

    fn place(&self) -> ArchivePlace<'_> {
        let ArchiveRecord { mode, taxpayer_id, archive_id, .. } = self;
        ArchivePlace { mode: *mode, taxpayer_id, archive_id }
    }
}

/// An archive has every document.
fn check_scope(reader: Reader<'_>) -> Result<(), Failure> {
    if reader.has(Scope::InvoicesRead) {
        return Ok(());
    }
    Err(Failure::new(Code::InsufficientScope, "Archives need the scope invoices:read."))
}
