//! Reports that did not hold, filed again: as a caller asks, under an Idempotency-Key like a send, or as who
//! operates the service does ([`operate`]).
//!
//! | the document's latest report | filed again |
//! |---|---|
//! | NOT_COMPLIANT or FAILED | as R; an F as F, since R revises what was valid; a W as W |
//! | FAILED, and nothing that was reported of it can have arrived | as S: there is nothing that R could revise |
//! | overdue for a day, and no receipt proves that it arrived | as R: it may never have arrived, and where it did the authority revises what it has |
//! | overdue, with a receipt | no: the authority has it, and its verdict counts |
//! | on its way or awaiting its verdict | no |
//! | REPORTED | no: there is nothing to mend |
//! | any, of a document that was rejected at stage C3 | no: it is corrected instead (`corrections.rs`) |

pub mod operate;
mod repair;

pub(super) use repair::{MOST_REPORTS, Repair, repair};

use sha2::{Digest, Sha256};

use super::{
    Context, Sending, documents, report,
    reports::{self, Report},
    submit::{
        Reply, Sent,
        key::{self, judge, unconfirmed, unreadable},
    },
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

/// A request to file a report again.
pub struct Refile<'a> {
    /// The document, as the path names it.
    pub document_id: &'a str,
    /// Whether the body is the one that there is, or why not.
    pub body: Result<(), Failure>,
    /// `Idempotency-Key`, in the form that the API admits.
    pub idempotency_key: Option<&'a str>,
}

/// Makes the answer for a report. The API gives it; what it returns is saved byte for byte.
pub type Render = fn(Report) -> Reply;

/// What an operation is called in the fingerprint of its requests, which no send's is like.
const OPERATION: &str = "file_report";

/// Files the report about a document again. A saved answer is replayed before anything else is asked.
pub async fn file_again(
    sending: &Sending,
    caller: &Caller,
    request: Refile<'_>,
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
    match key::reserve(sending, caller, key, &fingerprint, facts).await? {
        Reserved::Taken(found) => judge(found, &fingerprint),
        Reserved::Mine(reservation) => {
            attempt(sending, caller, &document_id, Some(&reservation), render).await
        }
    }
}

/// What the reservation of a key says. Nothing leaves before the transaction that ends it, so that no other
/// name need be fixed.
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
    // Releasing tells: it cannot release what was recorded, and what it released can no longer be recorded.
    match (free(ctx, reservation).await, reservation) {
        (Some(Release::Stands(found)), Some(mine)) if found.ended_by(mine.owner) => {
            return Ok(sent);
        }
        (Some(Release::Stands(found)), Some(mine)) => return judge(*found, &mine.fingerprint),
        _ => {}
    }
    match error {
        Some(error) => Err(unconfirmed().because(error)),
        // Somebody else was faster: what he made tells why this is none to repair any more.
        None => Err(prepare(ctx, caller, document_id).await.err().unwrap_or_else(unconfirmed)),
    }
}

async fn free(ctx: &Context, reservation: Option<&Reservation>) -> Option<Release> {
    match reservation {
        Some(reservation) => key::free(&ctx.store, reservation).await,
        None => None,
    }
}

/// The document, and the report that is to be made of it.
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
    let message = format!("No report about the document is to be filed again: {why}.");
    Failure::new(Code::ReportNotRepairable, message)
}

#[cfg(test)]
mod tests;
