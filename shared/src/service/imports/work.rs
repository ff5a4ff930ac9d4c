//! The queue `imports`: works on an import in chunks of documents, and hands over before its function's time is over.
//!
//! A chunk is recorded when each of its documents has an outcome. After a failure before that, the whole chunk is done
//! again. The idempotency key then finds the documents that were sent. The key's record names the import and the row,
//! so that the document counts for the import that sent it.
//!
//! Documents with the same number are handled one after the other, in the order of their rows. The first one is sent.
//! If another import sends a document at the same time, this one waits for it.
//!
//! A document that an earlier import sent is not sent again, unless it has failed. Then a replacement is sent, under a
//! key that names the failed document. If the replacement fails too, the same rule applies to it. A failed document has
//! at most one replacement.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::Value;
use tokio::time::Instant;
use tracing::Instrument;

use super::{
    Importing, Outcome, OutcomeKind,
    outcome::{fitted, result, to_lines},
};
use crate::{
    access::{self, Caller, Known, OrganizationCaller, Scope},
    document::{self, Operation, ReadError},
    error::{Code, Failure, Finding},
    import_tables::{self, File, Placed},
    service::{
        RELAY_GRACE, idempotency, later, lease, repetition,
        reply::Sent,
        retry,
        submit::{self, Send},
    },
    store::{
        Chunk, Due, IdempotencyHash, IdempotencyRecord, ImportCounts, ImportMessage, ImportRecord,
        ImportStatus, ImportedRow, JobVersion, Lease, PayloadKind, Recorded, Status, StoreError,
        keys::JobId,
    },
    tasks::{Piece, side_by_side},
    types::{DocumentId, ImportId, Mode, OrganizationId, TaxpayerId, hex, sha256_hex},
};

/// The time limit of a chunk.
const CHUNK_TIME: Duration = Duration::from_secs(15);
/// The longest duration of an attempt that begins while time is left.
const ATTEMPT_TIME: Duration = Duration::from_secs(3);
/// The first pause before a retry of a document that another worker is sending. Each pause is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LAST_PAUSE: Duration = Duration::from_millis(800);

/// Works on the import of a message. A duplicate or late message has no effect. An error means that the queue must
/// bring the message again.
pub async fn work(importing: &Importing, message: &ImportMessage) -> Result<(), Failure> {
    let ImportMessage { mode, organization_id, taxpayer_id, import_id } = message.clone();
    let job_id = JobId::Import(mode, organization_id, taxpayer_id, import_id);
    let span = retry::span("import", &job_id);
    stage(importing, message, job_id).instrument(span).await
}

async fn stage(
    importing: &Importing,
    message: &ImportMessage,
    job_id: JobId,
) -> Result<(), Failure> {
    let ctx = &importing.sending.ctx;
    let leased = lease::taken(ctx, &job_id, take(importing, message).await).await?;
    let Some(mut leased) = leased else { return Ok(()) };
    // Boxed: the state of all the work is large.
    match Box::pin(bring_on(importing, &mut leased)).await {
        Ok(Recorded::Done) => Ok(()),
        // This worker was too slow. The other worker's result counts.
        Ok(Recorded::Lost) => {
            tracing::warn!("a lease was lost to another worker");
            Ok(())
        }
        Err(failure) => {
            let Some(lease) = &leased.lease else { return Err(failure) };
            let version = JobVersion { job_id, due_at: lease.until, tries: leased.tries };
            retry::reschedule(ctx, &version, leased.tries.max(1), failure).await
        }
    }
}

/// Leases the import. `None` when another worker has it, or when there is nothing to do.
async fn take(
    importing: &Importing,
    message: &ImportMessage,
) -> Result<Option<ImportRecord>, StoreError> {
    let ImportMessage { mode, organization_id, taxpayer_id, import_id } = message;
    let (store, now) = (&importing.sending.ctx.store, importing.sending.ctx.now());
    let record = store.get_import(*mode, organization_id, taxpayer_id, import_id).await?;
    let record = record.filter(|record| {
        record.status == ImportStatus::Running
            && record.lease.as_ref().is_none_or(|lease| lease.until <= now)
    });
    let Some(record) = record else { return Ok(None) };
    let owner = importing.sending.ctx.new_uuid();
    let lease = Lease { owner, until: later(now, importing.sending.settings.lease) };
    store.lease_import(&record, lease, now).await
}

/// Advances an import until the time is over. After an error, `leased` is the current record.
async fn bring_on(importing: &Importing, leased: &mut ImportRecord) -> Result<Recorded, Failure> {
    let Importing { sending, slice, .. } = importing;
    let (ctx, begun) = (&sending.ctx, Instant::now());
    let file = Arc::new(open(importing, leased).await?);
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
async fn open(importing: &Importing, record: &ImportRecord) -> Result<File, StoreError> {
    let packed = importing.sending.bucket.get(&record.file).await?;
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

/// Whether a retry is useless: the failure concerns the document or the organization's permission. It is neither a
/// fault of ours nor temporary.
fn is_for_good(failure: &Failure) -> bool {
    !matches!(
        failure.code,
        Code::InternalError
            | Code::ServiceUnavailable
            | Code::IdempotencyUnavailable
            | Code::IdempotencyInProgress
            | Code::BillingStatusUnavailable
    )
}

/// A document and its rows.
struct Row<'a> {
    file: &'a File,
    document: usize,
    row: u32,
    last_row: u32,
    number: Option<String>,
    operation: Operation,
}

impl<'a> Row<'a> {
    fn of(operation: Operation, file: &'a File, document: usize) -> Result<Self, Failure> {
        let rows = file.rows(document).ok_or_else(|| {
            StoreError::Corrupt("an import has more documents than its file".into())
        })?;
        let (row, last_row) = rows;
        let number = match file.body(document) {
            Some(Ok(body)) => Identified::by(operation, &body).number,
            _ => file.number(document).map(str::to_owned),
        };
        Ok(Row { file, document, row, last_row, number, operation })
    }
}

/// The fields of a body that identify it.
#[derive(Default)]
struct Identified {
    number: Option<String>,
    corrects: Option<String>,
}

impl Identified {
    fn by(operation: Operation, body: &[u8]) -> Self {
        let Ok(Value::Object(body)) = serde_json::from_slice(body) else { return Self::default() };
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
        Identified {
            number: text(operation.number_field()),
            corrects: text("corrects_document_id"),
        }
    }
}

/// The idempotency key of a document. It depends only on the kind, the number, and the corrected document, since a
/// correction has the number of the document that it corrects. No caller can choose such a key, since it contains
/// spaces.
fn key(operation: Operation, identified: &Identified) -> String {
    let number = identified.number.as_deref().unwrap_or_default();
    let corrects = identified.corrects.as_deref().unwrap_or_default();
    format!("import {operation} {corrects} {}", sha256_hex(number.as_bytes()))
}

/// Sends a document and returns its outcome. An error if the outcome is unknown or undecided.
async fn one(
    importing: &Importing,
    record: &ImportRecord,
    file: &File,
    caller: &Caller,
    (document, until): (usize, Instant),
) -> Result<Outcome, Failure> {
    let row = Row::of(record.operation, file, document)?;
    let body = match file.body(document) {
        Some(Ok(body)) => body,
        Some(Err(found)) => {
            let failure =
                Failure::new(Code::ValidationFailed, "The rows are not a document; see findings.");
            return refused(row, &failure, found);
        }
        None => {
            return Err(
                StoreError::Corrupt("a document of an import no longer exists".into()).into()
            );
        }
    };
    // An unreadable body was never sent under any key.
    if let Err(error) = document::read(record.operation, &body) {
        let failure = match error {
            ReadError::Malformed(why) => {
                Failure::new(Code::MalformedJson, format!("This is not JSON: {why}"))
            }
            ReadError::Invalid(findings) => Failure::invalid(findings),
        };
        return refused(row, &failure, Vec::new());
    }
    let identified = Identified::by(record.operation, &body);
    let first = key(record.operation, &identified);
    let own = ImportedRow { import_id: record.import_id.clone(), row: row.row };
    let (mut key, mut failed) = (first.clone(), Vec::new());
    loop {
        let send = Send {
            operation: record.operation,
            body: &body,
            idempotency_key: Some(&key),
            respond_async: true,
            import: Some(&own),
        };
        let sent = Box::pin(patiently(importing, caller, send, until)).await;
        let own_row = match found(importing, record, &key, &sent).await? {
            Found::Failed(document_id) => {
                key = format!("{first} {document_id}");
                failed.push(document_id);
                continue;
            }
            Found::Row(row) => Some(row),
            Found::Nothing => None,
        };
        return outcome_of(row, &own, sent, (&failed, own_row));
    }
}

/// Sends a document. Retries while another worker is sending it and time is left.
async fn patiently(
    importing: &Importing,
    caller: &Caller,
    send: Send<'_>,
    until: Instant,
) -> Result<Sent, Failure> {
    let mut pause = FIRST_PAUSE;
    loop {
        let sent = Box::pin(submit::send(&importing.sending, caller, send, importing.render)).await;
        let in_progress = |failure: &Failure| failure.code == Code::IdempotencyInProgress;
        if !sent.as_ref().is_err_and(in_progress) || Instant::now() + pause + ATTEMPT_TIME > until {
            return sent;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LAST_PAUSE);
    }
}

/// The outcome of a document. `failed` are the earlier documents with its number that have failed.
fn outcome_of(
    row: Row<'_>,
    own: &ImportedRow,
    sent: Result<Sent, Failure>,
    (failed, own_row): (&[DocumentId], Option<u32>),
) -> Result<Outcome, Failure> {
    match sent {
        Ok(sent) => Ok(accepted(row, own, sent, failed)),
        Err(failure) if is_for_good(&failure) => {
            let failure = match (failure.code, own_row) {
                (Code::IdempotencyKeyReused, Some(row)) => {
                    let message = format!(
                        "Row {row} of this file has this number, but other content. The document of row {row} stays as \
                         it was sent, and nothing was sent now."
                    );
                    Failure { message, ..failure }
                }
                (Code::IdempotencyKeyReused, None) => {
                    let message = "A document with this number was imported before, with other content. It stays as it \
                                   was sent, and nothing was sent now.";
                    Failure { message: message.to_owned(), ..failure }
                }
                _ => failure,
            };
            refused(row, &failure, Vec::new())
        }
        Err(failure) => Err(failure),
    }
}

/// A document that an earlier import sent.
#[derive(Debug)]
pub(crate) struct Earlier<'a> {
    /// The body.
    pub(crate) body: &'a [u8],
    /// The record of its idempotency key.
    pub(crate) record: IdempotencyRecord,
    /// Whether the document has failed since.
    pub(crate) has_failed: bool,
}

/// The findings of a later import about the first document of its file. `None` if that has no valid body. `new` is the
/// result of sending it, if it is sent.
pub(crate) fn found_after(
    operation: Operation,
    file: &File,
    new: Sent,
    earlier: Earlier<'_>,
) -> Option<Vec<Placed>> {
    let row = Row::of(operation, file, 0).ok()?;
    let body = file.body(0)?.ok()?;
    let fingerprint = hex(&document::read(operation, &body).ok()?.fingerprint);
    let own = new.import.clone()?;
    let key_of = |body: &[u8]| key(operation, &Identified::by(operation, body));
    let is_same = key_of(&body) == key_of(earlier.body);
    let first = earlier.record.facts.document_id.clone();
    let (sent, failed) = match (is_same, earlier.has_failed) {
        (true, true) => (Ok(new), vec![first]),
        (true, false) => (idempotency::judge(earlier.record, &fingerprint), Vec::new()),
        (false, _) => (Ok(new), Vec::new()),
    };
    outcome_of(row, &own, sent, (&failed, None)).ok().map(|outcome| outcome.findings)
}

/// The document that a key belongs to.
enum Found {
    /// A failed document of an earlier import. Nothing of it can have arrived, so this import may send a replacement
    /// under a key that is derived from both.
    Failed(DocumentId),
    /// A document of this import, by its row.
    Row(u32),
    /// Neither.
    Nothing,
}

async fn found(
    importing: &Importing,
    record: &ImportRecord,
    key: &str,
    sent: &Result<Sent, Failure>,
) -> Result<Found, StoreError> {
    let store = &importing.sending.ctx.store;
    let (mode, taxpayer_id) = (record.mode, &record.taxpayer_id);
    let found = match sent {
        Ok(sent) => Some((sent.document_id.clone(), sent.import.clone())),
        Err(failure) if failure.code == Code::IdempotencyKeyReused => {
            let found = store.get_idempotency(mode, taxpayer_id, &IdempotencyHash::of(key)).await?;
            found.map(|found| (found.facts.document_id, found.facts.import))
        }
        Err(_) => None,
    };
    let document_id = match found {
        None => return Ok(Found::Nothing),
        Some((_, Some(own))) if own.import_id == record.import_id => {
            return Ok(Found::Row(own.row));
        }
        Some((document_id, _)) => document_id,
    };
    let document = store.get_document(mode, taxpayer_id, &document_id).await?;
    let failed = document.filter(|document| document.status == Status::Failed);
    Ok(failed.map_or(Found::Nothing, |document| Found::Failed(document.document_id)))
}

fn accepted(row: Row<'_>, own: &ImportedRow, sent: Sent, failed: &[DocumentId]) -> Outcome {
    let outcome = match sent.import.as_ref() == Some(own) {
        true => OutcomeKind::Accepted,
        false => OutcomeKind::AlreadySent,
    };
    // The saved reply to the send contains its warnings.
    let answer: Value = serde_json::from_slice(&sent.reply.body).unwrap_or_default();
    let warnings = answer.get("warnings").cloned().unwrap_or_default();
    let mut warnings: Vec<Finding> = serde_json::from_value(warnings).unwrap_or_default();
    // A replacement must have the number of the failed document, so that warning is dropped.
    warnings.retain(|warning| !failed.iter().any(|failed| repetition::is_of(warning, failed)));
    if let Some(failed) = failed.last().filter(|_| outcome == OutcomeKind::Accepted) {
        let pointer = format!("/{}", row.operation.number_field());
        let message = format!(
            "The document {failed} with this number was imported before. It failed and did not arrive. This document \
             was sent instead."
        );
        warnings.push(Finding::warning(pointer, "AP-IMPORT-again", message));
    }
    let findings = warnings.into_iter().map(|it| row.file.place(row.document, it)).collect();
    let document_id = Some(sent.document_id);
    Outcome { document_id, findings, ..row.outcome(outcome) }
}

fn refused(row: Row<'_>, failure: &Failure, mut found: Vec<Placed>) -> Result<Outcome, Failure> {
    let place = |finding: &Finding| row.file.place(row.document, finding.clone());
    found.extend(failure.findings.iter().map(place));
    let message = match failure.code {
        Code::IdempotencyKeyReused => {
            let pointer = format!("/{}", row.operation.number_field());
            let message = failure.message.clone();
            found.push(place(&Finding::error(pointer, "AP-IMPORT-number", message)));
            failure.message.clone()
        }
        // The errors of a reply are the findings of an outcome.
        _ => failure.message.replace("; see errors.", "; see findings."),
    };
    let code = Some(failure.code);
    let outcome = row.outcome(OutcomeKind::Refused);
    Ok(Outcome { code, message: Some(message), findings: found, ..outcome })
}

impl Row<'_> {
    fn outcome(&self, outcome: OutcomeKind) -> Outcome {
        Outcome {
            row: self.row,
            last_row: self.last_row,
            number: self.number.clone(),
            outcome,
            document_id: None,
            code: None,
            message: None,
            findings: Vec::new(),
        }
    }
}
