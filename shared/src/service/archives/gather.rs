//! Gathers an archive, one part of its file at a time. The files of the next documents are read, compressed and
//! uploaded, and the archive's record notes the progress. If a worker dies, the next one uploads the same part again.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Archiving, MAX_DOCUMENTS,
    contents::{self, File},
};
use crate::{
    bagit::{Bag, Filed},
    error::{Code, Failure},
    service::{
        Context, RELAY_GRACE,
        job::{self, Job},
        later,
    },
    store::{
        ArchiveMessage, ArchivePart, ArchivePartDone, ArchiveRecord, ArchiveStatus, DocumentRecord,
        Due, First, Position, Recorded, Selection, StoreError, keys::Index, keys::JobId,
    },
    tasks::{Piece, side_by_side},
};

/// Minimum bytes of a part. S3 accepts parts of 5 MiB and more; only the last may be smaller.
const PART: usize = if cfg!(test) { 4 * 1024 } else { 8 * 1024 * 1024 };
/// After [`MANY_PARTS`] parts, a part has twice as many bytes. There are at most [`MAX_PARTS`], since the record lists
/// each and has 400 KB. That allows 10 GB and more.
const MANY_PARTS: usize = 100;
const MAX_PARTS: usize = 700;
/// How many documents are listed at once.
const LISTED: usize = if cfg!(test) { 3 } else { 50 };
/// How many documents are read concurrently, and the maximum of their UBL bytes. One document may exceed it.
const AT_ONCE: usize = 16;
const BYTES_AT_ONCE: u64 = 16 * 1024 * 1024;
/// How long reading one group of documents may take.
const READ_TIME: Duration = Duration::from_secs(15);

impl Job for Archiving {
    type Message = ArchiveMessage;
    type Record = ArchiveRecord;
    const OPERATION: &'static str = "archive";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &ArchiveMessage) -> JobId {
        let ArchiveMessage { mode, taxpayer_id, archive_id } = message.clone();
        JobId::Archive(mode, taxpayer_id, archive_id)
    }

    async fn lease(&self, message: &ArchiveMessage) -> Result<Option<ArchiveRecord>, StoreError> {
        let ArchiveMessage { mode, taxpayer_id, archive_id } = message;
        let record = self.ctx.store.get_archive(*mode, taxpayer_id, archive_id).await?;
        let running = record.filter(|record| record.status == ArchiveStatus::Running);
        job::lease(&self.ctx, *mode, running, self.lease).await
    }

    async fn work(
        &self,
        _: &ArchiveMessage,
        leased: &mut ArchiveRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        advance(self, leased, begun).await
    }
}

/// Advances an archive until the time is over. After an error, `leased` is the current record.
async fn advance(
    archiving: &Archiving,
    leased: &mut ArchiveRecord,
    begun: Instant,
) -> Result<Recorded, Failure> {
    let Archiving { ctx, bucket, slice, .. } = archiving;
    loop {
        let gathered = part(archiving, leased).await?;
        let Some(Gathered { bag, documents, goes_on_at }) = gathered else {
            tracing::info!(parts = leased.parts.len(), "an archive would be too large");
            let documents = leased.documents;
            return Ok(ctx.store.complete_archive(leased, (documents, None), ctx.now()).await?);
        };
        let upload = match &leased.upload {
            Some(upload) => upload.clone(),
            None => bucket.begin_archive(leased.place()).await?,
        };
        let number = leased.parts.len() + 1;
        let Some(goes_on_at) = goes_on_at else {
            return end(archiving, leased, (bag, documents), &upload).await;
        };
        let (bytes, files) = bag.part();
        let length = bytes.len() as u64;
        let files = bucket.put_archived(leased.place(), to_lines(&files)?).await?;
        let e_tag = bucket.add_to_archive(leased.place(), &upload, number, bytes).await?;
        let Some(e_tag) = e_tag else { return begin_anew(archiving, leased).await };
        let now = ctx.now();
        let goes_on = begun.elapsed() < *slice;
        let due = match goes_on {
            true => Due::watched(later(now, archiving.lease)),
            // The relay has another worker continue at once.
            false => Due::relayed(later(now, RELAY_GRACE)),
        };
        let part = ArchivePart { e_tag, bytes: length, files };
        let position = goes_on_at.to_text();
        let done = ArchivePartDone { upload, part, documents, position };
        let (recorded, next) =
            ctx.store.advance_archive(leased, &done, (due, goes_on), now).await?;
        if recorded == Recorded::Lost || !goes_on {
            return Ok(recorded);
        }
        *leased = next;
    }
}

/// Uploads the last part and completes the file.
async fn end(
    archiving: &Archiving,
    leased: &ArchiveRecord,
    (bag, documents): (Bag, u32),
    upload: &str,
) -> Result<Recorded, Failure> {
    let Archiving { ctx, bucket, .. } = archiving;
    let mut earlier = Vec::new();
    for part in &leased.parts {
        earlier.extend(from_lines(&bucket.get(&part.files).await?)?);
    }
    let last = bag.end(earlier, &info(leased, documents)).map_err(corrupt)?;
    let before: u64 = leased.parts.iter().map(|part| part.bytes).sum();
    let bytes = before + last.len() as u64;
    let (place, number) = (leased.place(), leased.parts.len() + 1);
    let is_there = match bucket.add_to_archive(place, upload, number, last).await? {
        None => false,
        Some(last) => {
            let e_tags = leased.parts.iter().map(|part| &part.e_tag).chain([&last]);
            bucket.end_archive(place, upload, e_tags).await?
        }
    };
    // A missing upload was completed by a worker that died before it could record that, or has expired in the bucket.
    let bytes = if is_there { Some(bytes) } else { bucket.archive_bytes(place).await? };
    let Some(bytes) = bytes else { return begin_anew(archiving, leased).await };
    let recorded = ctx.store.complete_archive(leased, (documents, Some(bytes)), ctx.now()).await?;
    tracing::info!(documents, bytes, "an archive was completed");
    Ok(recorded)
}

/// Restarts an archive whose upload is gone. The bucket removes incomplete uploads after a day.
async fn begin_anew(archiving: &Archiving, leased: &ArchiveRecord) -> Result<Recorded, Failure> {
    let now = archiving.ctx.now();
    tracing::warn!("the upload of an archive no longer exists; the archive starts again");
    let due = Due::relayed(later(now, RELAY_GRACE));
    Ok(archiving.ctx.store.restart_archive(leased, due, now).await?)
}

/// The metadata of the bag (RFC 8493, section 2.2.2).
fn info(record: &ArchiveRecord, documents: u32) -> [(&'static str, String); 7] {
    let ArchiveRecord { mode, taxpayer_id, archive_id, from, to, created_at, .. } = record;
    [
        ("Source-Organization", taxpayer_id.to_string()),
        ("External-Identifier", archive_id.to_string()),
        ("External-Description", format!("Documents issued from {from} to {to}")),
        ("Bagging-Date", crate::types::uae_date(*created_at).to_string()),
        ("Mode", mode.to_string()),
        ("Documents-As-Of", crate::store::instant(*created_at)),
        ("Documents", documents.to_string()),
    ]
}

/// The next part of an archive.
struct Gathered {
    bag: Bag,
    /// How many documents the archive has, including this part.
    documents: u32,
    /// The position of the next document; `None` at the end.
    goes_on_at: Option<Position>,
}

/// Gathers the next part. `None` if the archive would be too large.
async fn part(archiving: &Archiving, record: &ArchiveRecord) -> Result<Option<Gathered>, Failure> {
    let ArchiveRecord { mode, taxpayer_id, archive_id, .. } = record;
    let before: u64 = record.parts.iter().map(|part| part.bytes).sum();
    let mut bag = Bag::at(archive_id.as_str(), before);
    let least = if record.parts.len() < MANY_PARTS { PART } else { 2 * PART };
    let mut documents = record.documents;
    let mut position = record.position.as_deref().map(Position::from_text).transpose()?;
    let selection = Selection {
        index: Some(Index::Issued),
        direction: None,
        operation: None,
        issued: (Some(record.from), Some(record.to)),
        created: (None, Some(record.created_at)),
        first: First::Latest,
    };
    loop {
        let store = &archiving.ctx.store;
        let page = store.list_documents(*mode, taxpayer_id, &selection, position.as_ref(), LISTED);
        let page = page.await?;
        let mut listed = page.items.into_iter().peekable();
        while listed.peek().is_some() {
            let mut group = Vec::new();
            let mut bytes = 0;
            while let Some((document, behind)) = listed.next_if(|(document, _)| {
                group.is_empty()
                    || group.len() < AT_ONCE && bytes + ubl_bytes(document) <= BYTES_AT_ONCE
            }) {
                bytes += ubl_bytes(&document);
                position = Some(behind);
                group.push(document);
            }
            documents = documents.saturating_add(u32::try_from(group.len()).unwrap_or(u32::MAX));
            if documents > MAX_DOCUMENTS {
                return Ok(None);
            }
            for (path, content) in read(archiving, record, group).await? {
                bag.add(&path, &content).map_err(corrupt)?;
            }
            // Another part follows, since the page or the list has more documents.
            if bag.len() >= least && (listed.peek().is_some() || page.next.is_some()) {
                if record.parts.len() + 1 == MAX_PARTS {
                    return Ok(None);
                }
                return Ok(Some(Gathered { bag, documents, goes_on_at: position }));
            }
        }
        position = page.next;
        if position.is_none() {
            return Ok(Some(Gathered { bag, documents, goes_on_at: None }));
        }
    }
}

fn ubl_bytes(document: &DocumentRecord) -> u64 {
    document.ubl.as_ref().map_or(0, |ubl| ubl.bytes)
}

/// The files of documents, in their order.
async fn read(
    archiving: &Archiving,
    record: &ArchiveRecord,
    documents: Vec<DocumentRecord>,
) -> Result<Vec<File>, Failure> {
    let pieces = documents.into_iter().map(|document| {
        let (archiving, mode) = (archiving.clone(), record.mode);
        async move { Box::pin(contents::of(&archiving, mode, document)).await }
    });
    let until = Instant::now() + READ_TIME;
    let mut files = Vec::new();
    for piece in side_by_side(pieces, AT_ONCE, until).await {
        match piece {
            Piece::Done(read) => files.extend(read?),
            Piece::Panicked => {
                let why = "the work on a document of an archive panicked";
                return Err(Failure::new(Code::InternalError, why).because(why));
            }
            Piece::NotReached => {
                let why = "the documents of an archive took too long";
                return Err(Failure::new(Code::ServiceUnavailable, why).because(why));
            }
        }
    }
    Ok(files)
}

fn to_lines(files: &[Filed]) -> Result<Vec<u8>, StoreError> {
    let mut lines = Vec::new();
    for file in files {
        serde_json::to_writer(&mut lines, file).map_err(corrupt)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn from_lines(lines: &[u8]) -> Result<Vec<Filed>, StoreError> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(corrupt)).collect()
}

fn corrupt(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Corrupt(error.into())
}
