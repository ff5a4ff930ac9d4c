//! The queue `imports`: works on an import in chunks of documents, and hands over before its function's time is over.
//!
//! A chunk is recorded when each of its documents has an outcome. After a failure before that, the whole chunk is done
//! again. The idempotency key then finds the documents that were sent. The key's record names the import and the row,
//! so that the document counts for the import that sent it.
//!
//! Documents with the same number are handled one after the other, in the order of their rows. The first one is sent.
//! If another import sends a document at the same time, this one waits for it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    Importing, Outcome, OutcomeKind,
    document::{Row, is_for_good, one, refused},
    outcome::{fitted, result, to_lines},
};
use crate::{
    access::{self, Caller, Known, OrganizationCaller, Scope},
    document::Operation,
    error::{Code, Failure},
    import_tables::{self, File},
    service::{
        Context, RELAY_GRACE,
        job::{self, Job},
        later,
    },
    store::{
        Bucket, Chunk, Due, ImportCounts, ImportMessage, ImportRecord, ImportStatus, PayloadKind,
        Recorded, StoreError, keys::JobId,
    },
    tasks::{Piece, side_by_side},
    types::{ImportId, Mode, OrganizationId, TaxpayerId},
};

/// The time limit of a chunk.
const CHUNK_TIME: Duration = Duration::from_secs(15);
impl Job for Importing {
    type Message = ImportMessage;
    type Record = ImportRecord;
    const OPERATION: &'static str = "import";

    fn ctx(&self) -> &Context {
        &self.sending.ctx
    }

    fn id(message: &ImportMessage) -> JobId {
        let ImportMessage { mode, organization_id, taxpayer_id, import_id } = message.clone();
        JobId::Import(mode, organization_id, taxpayer_id, import_id)
    }

    async fn lease(&self, message: &ImportMessage) -> Result<Option<ImportRecord>, StoreError> {
        let ImportMessage { mode, organization_id, taxpayer_id, import_id } = message;
        let store = &self.ctx().store;
        let record = store.get_import(*mode, organization_id, taxpayer_id, import_id).await?;
        let running = record.filter(|record| record.status == ImportStatus::Running);
        job::lease(self.ctx(), *mode, running, self.sending.settings.lease).await
    }

    async fn work(
        &self,
        _: &ImportMessage,
        leased: &mut ImportRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        advance(self, leased, begun).await
    }
}

/// Advances an import until the time is over. After an error, `leased` is the current record.
async fn advance(
    importing: &Importing,
    leased: &mut ImportRecord,
    begun: Instant,
) -> Result<Recorded, Failure> {
    let Importing { sending, slice, .. } = importing;
    let ctx = &sending.ctx;
    let file = Arc::new(open(&importing.sending.bucket, leased).await?);
    while leased.counts.done() < leased.documents {
        let outcomes = chunk(importing, leased, &file).await?;
        let counts = outcomes.iter().fold(leased.counts, counted);
        let lines = to_lines(&outcomes)?;
        let part = sending.bucket.put_import(place(leased), PayloadKind::Outcomes, lines).await?;
        let now = ctx.now();
        let goes_on = begun.elapsed() < *slice;
        let due = match goes_on {
            true => Due::watched(later(now, sending.settings.lease)),
            // The relay has another worker continue at once.
            false => Due::relayed(later(now, RELAY_GRACE)),
        };
        let chunk = Chunk { counts, part };
        let (recorded, next) =
            ctx.store.advance_import(leased, &chunk, (due, goes_on), now).await?;
        if recorded == Recorded::Lost || !goes_on {
            return Ok(recorded);
        }
        *leased = next;
    }
    let mut lines = Vec::new();
    for part in &leased.parts {
        lines.extend(sending.bucket.get(part).await?);
    }
    let (kind, bytes) = result(leased.format, lines)?;
    let payload = sending.bucket.put_import(place(leased), kind, bytes).await?;
    let recorded = ctx.store.complete_import(leased, &payload, ctx.now()).await?;
    let ImportCounts { accepted, already_sent, refused } = leased.counts;
    tracing::info!(accepted, already_sent, refused, "an import was completed");
    Ok(recorded)
}

fn place(record: &ImportRecord) -> (Mode, &OrganizationId, &TaxpayerId, &ImportId) {
    (record.mode, &record.organization_id, &record.taxpayer_id, &record.import_id)
}

/// Opens the file, which was checked when it was uploaded.
pub(super) async fn open(bucket: &Bucket, record: &ImportRecord) -> Result<File, StoreError> {
    let packed = bucket.get(&record.file).await?;
    let file = import_tables::unpacked(packed).and_then(|text| File::open(record.operation, text));
    file.map_err(|found| {
        let why = found.first().map(|finding| finding.message.to_string()).unwrap_or_default();
        StoreError::Corrupt(format!("the file cannot be read any more: {why}").into())
    })
}

fn counted(counts: ImportCounts, outcome: &Outcome) -> ImportCounts {
    let ImportCounts { accepted, already_sent, refused } = counts;
    match outcome.outcome {
        OutcomeKind::Accepted => ImportCounts { accepted: accepted + 1, ..counts },
        OutcomeKind::AlreadySent => ImportCounts { already_sent: already_sent + 1, ..counts },
        OutcomeKind::Refused => ImportCounts { refused: refused + 1, ..counts },
    }
}

/// The outcomes of the next documents. An error if one of them has none yet.
async fn chunk(
    importing: &Importing,
    record: &ImportRecord,
    file: &Arc<File>,
) -> Result<Vec<Outcome>, Failure> {
    let begin = usize::try_from(record.counts.done()).unwrap_or(usize::MAX);
    let most = usize::try_from(record.documents).unwrap_or(usize::MAX);
    let documents = begin..begin.saturating_add(importing.pace.chunk).min(most);
    // The organization's permission may have ended since the upload.
    let caller = match caller(importing, record).await {
        Ok(caller) => caller,
        Err(failure) if is_for_good(&failure) => {
            let refuse = |document| {
                refused(Row::of(record.operation, file, document)?, &failure, Vec::new())
            };
            return documents.map(refuse).collect();
        }
        Err(failure) => return Err(failure),
    };
    let caller = Arc::new(caller);
    let until = Instant::now() + CHUNK_TIME;
    let pieces = by_number(record.operation, file, documents)?.into_iter().map(|documents| {
        let (importing, record, file) = (importing.clone(), record.clone(), file.clone());
        let caller = caller.clone();
        async move {
            let mut outcomes = Vec::with_capacity(documents.len());
            for document in documents {
                let sent = one(&importing, &record, &file, &caller, (document, until));
                outcomes.push((document, Box::pin(sent).await?));
            }
            Ok(outcomes)
        }
    });
    let pieces = side_by_side(pieces, importing.pace.at_once, until).await;
    let outcomes = pieces.into_iter().map(|piece| match piece {
        Piece::Done(outcomes) => outcomes,
        Piece::Panicked => {
            let why = "the work on a document of an import panicked";
            Err(Failure::new(Code::InternalError, why).because(why))
        }
        Piece::NotReached => {
            let why = "a chunk of an import took too long";
            Err(Failure::new(Code::ServiceUnavailable, why).because(why))
        }
    });
    let chunks = most.div_ceil(importing.pace.chunk);
    let mut outcomes = outcomes.collect::<Result<Vec<_>, Failure>>()?.concat();
    outcomes.sort_unstable_by_key(|(document, _)| *document);
    let outcomes = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    Ok(fitted(outcomes, chunks))
}

/// Groups documents by number, in the order of the file. A document without a number is a group of its own.
fn by_number(
    operation: Operation,
    file: &File,
    documents: std::ops::Range<usize>,
) -> Result<Vec<Vec<usize>>, Failure> {
    let mut places = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for document in documents {
        let number = Row::of(operation, file, document)?.number;
        let place = number.map(|number| *places.entry(number).or_insert(groups.len()));
        match place.and_then(|place| groups.get_mut(place)) {
            Some(group) => group.push(document),
            None => groups.push(vec![document]),
        }
    }
    Ok(groups)
}

/// The importing organization with its current permissions.
async fn caller(importing: &Importing, record: &ImportRecord) -> Result<Caller, Failure> {
    let store = &importing.sending.ctx.store;
    let (mode, taxpayer_id) = (record.mode, &record.taxpayer_id);
    let taxpayer = store.get_taxpayer(mode, taxpayer_id).await?;
    let mut grants = store.list_active_grants(mode, taxpayer_id).await?;
    grants.retain(|grant| record.grant_ids.contains(&grant.grant_id));
    let organization_id = record.organization_id.clone();
    let credential = record.asked_by.clone();
    let organization = OrganizationCaller { mode, organization_id, credential };
    let claim = organization.goes_on(taxpayer_id.clone());
    access::decide(claim, Known { taxpayer, grants }, &[Scope::InvoicesWrite])
}
