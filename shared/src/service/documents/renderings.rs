//! What is made of a document on request: its content as JSON, a page, and a PDF.

use super::{
    files::Filed,
    read::{Limit, Read, Unmade, ViewChoice},
};
use crate::{
    access::Reader,
    error::{Code, Failure},
    rendering::{self, Standing, State, View},
    service::Reading,
    store::{DocumentRecord, PayloadKind, PayloadMethod, Status, TaxReportOutcome},
    types::Mode,
    ubl::{self, Content, MAX_BYTES},
    xml,
};

/// Maximum bytes of UBL that content is made from, in functions with enough memory. For a document with many lines, one
/// byte of UBL needs up to eight bytes of memory. Received UBL may have 100 MB. [`xml::parse`] accepts no more than
/// this.
pub const MAX_CONTENT_BYTES: usize = 50_000_000;

/// The content of a document in the vocabulary of the send bodies, written by `render`. Up to `here` bytes are returned
/// directly. A larger content is stored beside the document and returned by its address. UBL of more than `most` bytes
/// is not read.
pub async fn content(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    (here, most): (usize, usize),
    method: PayloadMethod,
    render: fn(&DocumentRecord, Content) -> Vec<u8>,
) -> Result<Filed, Failure> {
    let read = Read::of(reading, reader, document_id, (PayloadKind::Content, most)).await?;
    let content = read.tree().and_then(|tree| ubl::content(&tree).map_err(Unmade::unfit));
    let made = read.or_none(content.map(|content| render(&read.document, content)))?;
    read.hand_out(reading, reader, made, (here, method)).await
}

/// What became of a document, for its rendering. Nothing is said of a document that is being sent, nor of a Sandbox document,
/// which no network delivers.
pub fn standing(mode: Mode, document: &DocumentRecord) -> Option<Standing> {
    if mode == Mode::Sandbox {
        return None;
    }
    let reporting = document.reporting.as_ref();
    let reported = reporting.filter(|it| it.outcome == Some(TaxReportOutcome::Reported));
    let is_reported = reported.is_some();
    let state = match (document.status, is_reported) {
        (Status::Delivered | Status::Forwarded, true) => State::DeliveredAndReported,
        (Status::Delivered | Status::Forwarded, false) => State::Delivered,
        (Status::Received, true) => State::ReceivedAndReported,
        (Status::Received, false) => State::Received,
        (Status::Sent | Status::Unconfirmed, true) => State::Reported,
        (Status::Sent | Status::Unconfirmed, false) => State::Sent,
        (Status::Rejected, _) => State::Rejected,
        (Status::Failed, _) => State::Failed,
        (Status::Accepted | Status::Converted | Status::Dispatching | Status::Unknown, _) => {
            return None;
        }
    };
    // A correction changes the record too, but not the state.
    let status = document.message_level_status.as_ref().map(|it| it.received_at);
    let at = match (state, reported) {
        (State::Rejected | State::Failed, _) | (_, None) => status.unwrap_or(document.updated_at),
        (_, Some(reporting)) => reporting.updated_at,
    };
    Some(Standing { state, at })
}

/// A document as a page of HTML for people, with its findings. Large pages are returned by address, as in [`content`].
pub async fn view(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    here: usize,
    method: PayloadMethod,
    choice: ViewChoice,
) -> Result<Filed, Failure> {
    let read = Read::of(reading, reader, document_id, (PayloadKind::View, MAX_BYTES)).await?;
    let standing = standing(reader.mode, &read.document);
    let rendering = read.rendering(choice, standing.as_ref());
    let page = read.view().and_then(|view| {
        rendering::html(&view, &rendering).map(String::into_bytes).map_err(Unmade::failed)
    });
    let made = read.or_none(page)?;
    read.hand_out(reading, reader, made, (here, method)).await
}

/// UBL with at most this many bytes is within both limits, since every line and element takes some bytes.
const SURELY_PRINTED: u64 = if cfg!(test) { 300 } else { 16_000 };

/// The limit that a document exceeds for a PDF, or for reading it at all. The UBL is read only if it may be too large
/// for a PDF.
pub async fn limit(reading: &Reading, document: &DocumentRecord) -> Result<Option<Limit>, Failure> {
    let Some(ubl) = &document.ubl else { return Ok(None) };
    let limit = Limit::of_bytes(ubl, MAX_BYTES);
    if limit.is_some() || ubl.bytes <= SURELY_PRINTED {
        return Ok(limit);
    }
    let Some(bytes) = reading.bucket.find(ubl).await? else { return Ok(None) };
    let view = xml::parse(&bytes).ok().and_then(|tree| View::of(&tree).ok());
    Ok(view.and_then(|view| Limit::of_pdf(&view, &document.warnings)))
}

/// A document as PDF/A-3 with the embedded UBL. The same document gives the same bytes until its state or the logo of its
/// seller changes.
#[cfg(feature = "pdf")]
pub async fn pdf(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    here: usize,
    method: PayloadMethod,
    choice: ViewChoice,
) -> Result<Filed, Failure> {
    let read = Read::of(reading, reader, document_id, (PayloadKind::Pdf, MAX_BYTES)).await?;
    let made = Box::pin(print(reading, reader.mode, &read, choice)).await;
    let made = read.or_none(made)?;
    read.hand_out(reading, reader, made, (here, method)).await
}

/// PDFs of so many bytes of UBL are made once, and kept for a day. It takes the typesetter longer than the bucket to make
/// one, and costs more.
#[cfg(feature = "pdf")]
const KEPT_FROM: usize = if cfg!(test) { 20_000 } else { 100_000 };

/// The PDF of a document: one that is kept, or a new one.
#[cfg(feature = "pdf")]
async fn print(
    reading: &Reading,
    mode: Mode,
    read: &Read,
    choice: ViewChoice,
) -> Result<Vec<u8>, Unmade> {
    let Read { document, ubl, .. } = read;
    let (bucket, made_at) = (&reading.bucket, document.created_at);
    let standing = standing(mode, document);
    let rendering = read.rendering(choice, standing.as_ref());
    let view = read.view()?;
    if let Some(limit) = Limit::of_pdf(&view, &document.warnings) {
        return Err(Unmade::unfit(limit));
    }
    let make = || rendering::pdf(&view, &rendering, ubl, made_at).map_err(Unmade::failed);
    if ubl.len() < KEPT_FROM {
        return make();
    }
    let name = rendering::pdf_name(&view, &rendering, ubl, made_at).map_err(Unmade::failed)?;
    if let Some(kept) = bucket.find_print(mode, document, &name).await.map_err(Unmade::failed)? {
        return Ok(kept);
    }
    let made = make()?;
    if let Err(error) = bucket.keep_print(mode, document, &name, &made).await {
        tracing::warn!(error.cause = %error, "a PDF is not kept, and is made again the next time");
    }
    Ok(made)
}

/// What was made of a document that was already read.
#[cfg(feature = "pdf")]
pub(super) enum MadeOf {
    /// The bytes.
    Bytes(Vec<u8>),
    /// Nothing, and why.
    Nothing(String),
}

/// The PDF of a document that was already read.
#[cfg(feature = "pdf")]
pub(super) async fn printed(
    reading: &Reading,
    mode: Mode,
    document: &DocumentRecord,
    choice: ViewChoice,
) -> Result<MadeOf, Failure> {
    let Some(ubl) = &document.ubl else {
        return Ok(MadeOf::Nothing("it has no UBL".to_owned()));
    };
    let read = Read::made_from(reading, mode, document.clone(), ubl, PayloadKind::Pdf).await?;
    match Box::pin(print(reading, mode, &read, choice)).await {
        Ok(pdf) => Ok(MadeOf::Bytes(pdf)),
        Err(Unmade::Unfit(why)) => Ok(MadeOf::Nothing(why)),
        Err(Unmade::Failed(cause)) => {
            Err(Failure::new(Code::InternalError, "A PDF could not be made.").because(cause))
        }
    }
}
