//! Sends one document of an import.
//!
//! A document that an earlier import sent is not sent again, unless it has failed. Then a replacement is sent, under a
//! key that names the failed document. If the replacement fails too, the same rule applies to it. A failed document has
//! at most one replacement.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::{Importing, Outcome, OutcomeKind};
use crate::{
    access::Caller,
    document::{self, Operation, ReadError},
    error::{Code, Failure, Finding},
    import_tables::{File, Placed},
    service::{
        idempotency, repetition,
        reply::Sent,
        submit::{self, Send},
    },
    store::{IdempotencyHash, IdempotencyRecord, ImportRecord, ImportedRow, Status, StoreError},
    types::{DocumentId, hex, sha256_hex},
};

/// The longest duration of an attempt that begins while time is left.
const ATTEMPT_TIME: Duration = Duration::from_secs(3);

/// The first pause before a retry of a document that another worker is sending. Each pause is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause.
const LAST_PAUSE: Duration = Duration::from_millis(800);

/// Whether a retry is useless: the failure concerns the document or the organization's permission. It is neither a
/// fault of ours nor temporary.
pub(super) fn is_for_good(failure: &Failure) -> bool {
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
pub(super) struct Row<'a> {
    pub(super) file: &'a File,
    pub(super) document: usize,
    pub(super) row: u32,
    pub(super) last_row: u32,
    pub(super) number: Option<String>,
    pub(super) operation: Operation,
}

impl<'a> Row<'a> {
    pub(super) fn of(
        operation: Operation,
        file: &'a File,
        document: usize,
    ) -> Result<Self, Failure> {
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
pub(super) async fn one(
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
        (true, false) => (idempotency::replay(earlier.record, &fingerprint), Vec::new()),
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

pub(super) fn refused(
    row: Row<'_>,
    failure: &Failure,
    mut found: Vec<Placed>,
) -> Result<Outcome, Failure> {
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
