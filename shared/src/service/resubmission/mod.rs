//! Resubmits tax reports that were not accepted: on a caller's request, which has an Idempotency-Key like a send, or on
//! an operator's ([`operate`]).
//!
//! | the document's latest report | resubmission |
//! |---|---|
//! | NOT_COMPLIANT or FAILED | as R; an F as F, since R revises a valid report; a W as W |
//! | FAILED, and no report about the document can have arrived | as S: there is nothing that R could revise |
//! | overdue for a day, without a receipt | as R: it may be missing, or else the authority revises it |
//! | overdue, with a receipt | none: the authority has it, and its verdict counts |
//! | being sent, or waiting for its verdict | none |
//! | REPORTED | none: there is nothing to correct |
//! | any, of a document that was rejected at stage C3 | none: the document is corrected instead (`corrections.rs`) |

pub mod operate;
mod repair;

pub(super) use repair::{MOST_REPORTS, Repair, repair};

use sha2::{Digest, Sha256};

use super::{
    Context, Sending, documents,
    idempotency::{self, replay, unconfirmed, unreadable},
    reply::{Reply, Sent},
    report,
    reports::{self, Report},
};
use crate::{
    access::Caller,
    error::{Code, Failure},
    store::{
        DocumentRecord, IdempotencyHash, NewTaxReport, Recorded, Release, Reservation, Reserved,
        SavedReply, SendFacts,
    },
    types::{DocumentId, MessageId, hex},
};

/// A request to resubmit a report.
pub struct ResubmissionRequest<'a> {
    /// The document's identifier from the path.
    pub document_id: &'a str,
    /// Whether the body is valid, or why not.
    pub body: Result<(), Failure>,
    /// `Idempotency-Key`, in the form that the API admits.
    pub idempotency_key: Option<&'a str>,
}

/// Renders the reply for a report. It comes from the API; its bytes are saved as they are.
pub type Render = fn(Report) -> Reply;

/// The operation's name in the fingerprint of its requests. No send has this name.
const OPERATION: &str = "file_report";

/// Resubmits the report about a document. A saved reply is replayed before any other check.
pub async fn resubmit(
    sending: &Sending,
    caller: &Caller,
    request: ResubmissionRequest<'_>,
    render: Render,
) -> Result<Sent, Failure> {
    let key = request.idempotency_key.map(IdempotencyHash::of);
    if let Err(failure) = request.body {
        return Err(unreadable(&sending.ctx, caller, key.as_ref(), failure).await);
    }
    let document_id: DocumentId = request.document_id.parse().map_err(|_| documents::missing())?;
    let Some(key) = key else {
        return attempt(sending, caller, &document_id, None, render).await;
    };
    let fingerprint = hex(&Sha256::digest(format!("{OPERATION} {document_id} R")));
    let facts = facts(&sending.ctx, &document_id);
    match idempotency::reserve(sending, caller, key, &fingerprint, facts).await? {
        Reserved::Taken(found) => replay(found, &fingerprint),
        Reserved::Mine(reservation) => {
            attempt(sending, caller, &document_id, Some(&reservation), render).await
        }
    }
}

/// The facts in the reservation of a key. Nothing is sent before the transaction that ends the reservation, so only the
/// document's identifier matters.
fn facts(ctx: &Context, document_id: &DocumentId) -> SendFacts {
    let now = ctx.now();
    SendFacts {
        document_id: document_id.clone(),
        message_id: MessageId::new(now, &*ctx.random),
        uuid: ctx.new_uuid(),
        created_at: now,
        queued: true,
        import: None,
    }
}

async fn attempt(
    sending: &Sending,
    caller: &Caller,
    document_id: &DocumentId,
    reservation: Option<&Reservation>,
    render: Render,
) -> Result<Sent, Failure> {
    let ctx = &sending.ctx;
    let (document, new) = match prepare(ctx, caller, document_id).await {
        Ok(prepared) => prepared,
        Err(failure) => {
            free(ctx, reservation).await;
            return Err(failure);
        }
    };
    let reply = render(reports::shown(ctx, new.tax_report.clone(), Some(Vec::new())));
    let body = String::from_utf8_lossy(&reply.body);
    let saved = SavedReply { status: reply.status, body: &body };
    let reserved = reservation.map(|reservation| (reservation, saved));
    let recorded = ctx.store.add_tax_report(&document, &new, reserved).await;
    let own_id = document_id.clone();
    let sent = Sent { reply: reply.clone(), replayed: false, document_id: own_id, import: None };
    let error = match recorded {
        Ok(Recorded::Done) => return Ok(sent),
        Ok(Recorded::Lost) => None,
        Err(error) => Some(error),
    };
    // The release decides. It cannot release a reservation whose result was recorded. After a release, the result can
    // no longer be recorded.
    match (free(ctx, reservation).await, reservation) {
        (Some(Release::Remains(found)), Some(mine)) if found.ended_by(mine.owner) => {
            return Ok(sent);
        }
        (Some(Release::Remains(found)), Some(mine)) => return replay(*found, &mine.fingerprint),
        _ => {}
    }
    match error {
        Some(error) => Err(unconfirmed().because(error)),
        // A concurrent request was faster. Its report explains why no further one can be made.
        None => Err(prepare(ctx, caller, document_id).await.err().unwrap_or_else(unconfirmed)),
    }
}

async fn free(ctx: &Context, reservation: Option<&Reservation>) -> Option<Release> {
    match reservation {
        Some(reservation) => idempotency::free(&ctx.store, reservation).await,
        None => None,
    }
}

/// The document, and its new report.
async fn prepare(
    ctx: &Context,
    caller: &Caller,
    document_id: &DocumentId,
) -> Result<(DocumentRecord, NewTaxReport), Failure> {
    let document = documents::get_or_own(ctx, caller, document_id.as_str()).await?;
    let reports = match reports::of(ctx, caller.reader(), &document).await? {
        Some(reports) => reports,
        None => return Err(not_repairable("nothing is reported in Sandbox")),
    };
    match repair(&document, &reports, ctx.now()) {
        Repair::Again(of, kind) => {
            let new = report::first::again(ctx, of, kind);
            Ok((document, new))
        }
        Repair::Not(why) => Err(not_repairable(&why)),
    }
}

fn not_repairable(why: &str) -> Failure {
    let message = format!("No report about the document can be filed again: {why}.");
    Failure::new(Code::ReportNotRepairable, message)
}

#[cfg(test)]
mod tests;
