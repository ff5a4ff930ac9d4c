//! The files of a document: its UBL, what is rendered of it, and its evidence.

use std::time::Duration;

use super::{
    get,
    read::{Read, Unmade},
};
use crate::{
    access::{Reader, ReaderKind},
    error::{Code, Failure, Finding},
    rendering::{self, Languages, MAX_PDF_LINES, MAX_PDF_TEXT, Standing, State, View},
    service::{Context, Reading, file_name::FileName, mls_outbound::confirm},
    store::{
        Direction, DocumentRecord, Payload, PayloadKind, PayloadMethod, Receipt, Status,
        TaxReportOutcome,
    },
    types::Mode,
    ubl::{self, Content, MAX_BYTES},
    xml,
};

/// A stored payload of a document.
#[derive(Debug, PartialEq, Eq)]
pub enum Stored {
    /// Its bytes, as sent or received.
    Here(Vec<u8>),
    /// An address that grants access to it for [`ADDRESS_VALID`].
    Elsewhere(String),
}

/// A stored payload with its file name.
#[derive(Debug, PartialEq, Eq)]
pub struct Filed {
    /// What is stored.
    pub stored: Stored,
    /// Its file name.
    pub name: FileName,
}

impl Filed {
    pub(super) fn of(document: &DocumentRecord, stored: Stored) -> Self {
        Filed { stored, name: FileName::of(document) }
    }
}

/// How long the address of a payload is valid.
pub const ADDRESS_VALID: Duration = Duration::from_secs(5 * 60);

/// The UBL of a document. Up to `here` bytes are returned directly; a larger file by its address. The address is valid
/// for `method`.
pub async fn ubl(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    here: usize,
    method: PayloadMethod,
) -> Result<Filed, Failure> {
    let document = get(&reading.ctx, reader, document_id).await?;
    let stored = stored(reading, ubl_of(&document)?, here, method).await?;
    note_retrieval(&reading.ctx, reader, &document, method).await;
    Ok(Filed::of(&document, stored))
}

pub(super) fn ubl_of(document: &DocumentRecord) -> Result<&Payload, Failure> {
    document.ubl.as_ref().ok_or_else(|| {
        Failure::new(
            Code::NotFound,
            format!(
                "The document has no UBL: its status is {}.{}",
                document.status.as_str(),
                if document.status == Status::Accepted { " Retry later." } else { "" },
            ),
        )
    })
}

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
    let kind = (PayloadKind::Content, "has no content", most);
    let read = Read::of(reading, reader, document_id, kind).await?;
    let content = read.tree().and_then(|tree| ubl::content(&tree).map_err(Unmade::unfit));
    let made = read.or_none(content.map(|content| render(&read.document, content)))?;
    read.hand_out(reading, reader, made, (here, method)).await
}

/// What a caller chooses for a rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewChoice {
    /// The languages of the names.
    pub languages: Languages,
    /// Whether the annex with all other business terms is there.
    pub annex: bool,
}

/// What became of a document, for its rendering. Nothing is said of a document on its way, nor of a Sandbox document,
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
    let kind = (PayloadKind::View, "cannot be shown", MAX_BYTES);
    let read = Read::of(reading, reader, document_id, kind).await?;
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

/// Why a rendering cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The UBL is too large to be read for it.
    #[error("the service reads at most {most} bytes, and it has {bytes}")]
    Bytes {
        /// The bytes of its UBL.
        bytes: u64,
        /// The maximum that is read.
        most: usize,
    },
    /// It has too many lines for a PDF.
    #[error("a PDF has at most {MAX_PDF_LINES} lines, and it has {0}; …/html has all of them")]
    Lines(usize),
    /// It has too much text for a PDF.
    #[error(
        "a PDF has at most {MAX_PDF_TEXT} bytes of text, with the names of all values in both languages, and it \
         has {0}; …/html has all of it"
    )]
    Text(usize),
}

impl Limit {
    /// The limit on bytes of UBL, if it is exceeded.
    pub(super) fn of_bytes(ubl: &Payload, most: usize) -> Option<Self> {
        let is_read = usize::try_from(ubl.bytes).is_ok_and(|bytes| bytes <= most);
        (!is_read).then_some(Limit::Bytes { bytes: ubl.bytes, most })
    }

    /// The limit of a PDF that a document exceeds.
    fn of_pdf(view: &View, findings: &[Finding]) -> Option<Self> {
        let lines = view.lines();
        if lines > MAX_PDF_LINES {
            return Some(Limit::Lines(lines));
        }
        let bytes = view.text_bytes(findings);
        (bytes > MAX_PDF_TEXT).then_some(Limit::Text(bytes))
    }
}

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
    let kind = (PayloadKind::Pdf, "cannot be shown", MAX_BYTES);
    let read = Read::of(reading, reader, document_id, kind).await?;
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

/// A document that software retrieves is confirmed.
pub(super) async fn note_retrieval(
    ctx: &Context,
    reader: Reader<'_>,
    document: &DocumentRecord,
    method: PayloadMethod,
) {
    match (method, reader.kind) {
        (PayloadMethod::Get, ReaderKind::Software) => {
            confirm::retrieved(ctx, reader.mode, document).await;
        }
        (PayloadMethod::Head, _) | (_, ReaderKind::Person) => {}
    }
}

/// The envelope in which a document went through the network, directly or by its address.
pub async fn sbdh(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    here: usize,
    method: PayloadMethod,
) -> Result<Filed, Failure> {
    let document = get(&reading.ctx, reader, document_id).await?;
    let envelope = match document.direction {
        Direction::Inbound => document.envelope.clone(),
        Direction::Outbound => {
            let (mode, id) = (reader.mode, &document.document_id);
            let store = &reading.ctx.store;
            let transmission = store.get_transmission(mode, &document.taxpayer_id, id).await?;
            transmission.and_then(|transmission| transmission.envelope)
        }
    };
    match envelope {
        Some(envelope) => {
            let stored = stored(reading, &envelope, here, method).await?;
            note_retrieval(&reading.ctx, reader, &document, method).await;
            Ok(Filed::of(&document, stored))
        }
        None => Err(Failure::new(
            Code::NotFound,
            "The document has no envelope: no message was created for it.",
        )),
    }
}

/// The receipt of a sent document: the signed original of the recipient's access point.
pub async fn receipt(
    reading: &Reading,
    reader: Reader<'_>,
    document_id: &str,
    here: usize,
    method: PayloadMethod,
) -> Result<Filed, Failure> {
    let document = get(&reading.ctx, reader, document_id).await?;
    let none = |why: &str| Err(Failure::new(Code::NotFound, why));
    if reader.mode == Mode::Sandbox {
        return none("There is no receipt: Sandbox documents are not sent over the network.");
    }
    if document.direction == Direction::Inbound {
        return none(
            "There is no receipt: this operation returns receipts of sent documents. Archives have this service's \
             receipts for received documents.",
        );
    }
    let DocumentRecord { taxpayer_id, document_id, .. } = &document;
    let found = reading.ctx.store.get_transmission(reader.mode, taxpayer_id, document_id).await?;
    match found.and_then(|transmission| transmission.receipt) {
        Some(Receipt::Stored(receipt)) => {
            return Ok(Filed::of(&document, stored(reading, &receipt, here, method).await?));
        }
        Some(Receipt::Inline(receipt)) => {
            return Ok(Filed::of(&document, Stored::Here(receipt)));
        }
        None => {}
    }
    none(match document.status {
        Status::Accepted | Status::Converted | Status::Dispatching => {
            "There is no receipt yet: the document is being sent. Retry later."
        }
        Status::Unconfirmed => {
            "There is no receipt: the recipient's access point may have the document, but sent no receipt."
        }
        Status::Failed => "There is no receipt: the document was not delivered.",
        _ => "There is no receipt: no access point of a recipient received the document.",
    })
}

pub(super) fn removed() -> Failure {
    let why = "It was removed after the retention period that the law requires.";
    Failure::new(Code::NotFound, why)
}

/// A payload: up to `here` bytes directly, a larger one by its address. A part of an object has no address.
pub(in crate::service) async fn stored(
    reading: &Reading,
    payload: &Payload,
    here: usize,
    method: PayloadMethod,
) -> Result<Stored, Failure> {
    if payload.part.is_some() || usize::try_from(payload.bytes).is_ok_and(|bytes| bytes <= here) {
        let found = reading.bucket.find(payload).await?;
        return found.map(Stored::Here).ok_or_else(removed);
    }
    Ok(Stored::Elsewhere(reading.bucket.address(payload, method, ADDRESS_VALID).await?))
}
