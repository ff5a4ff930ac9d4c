//! A document with its UBL and its letterhead, from which a rendering is made.

use std::error::Error;

use super::{
    ADDRESS_VALID,
    files::{Filed, Stored, note_retrieval, removed, ubl_of},
    get,
    letterhead::Letterhead,
};
use crate::{
    access::Reader,
    error::{Code, Failure, Finding},
    rendering::{Languages, MAX_PDF_LINES, MAX_PDF_TEXT, Rendering, Standing, View},
    service::Reading,
    store::{DocumentRecord, Payload, PayloadKind, PayloadMethod},
    types::Mode,
    xml::{self, Tree},
};

/// What a caller chooses for a rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewChoice {
    /// The languages of the names.
    pub languages: Languages,
    /// Whether the annex with all other business terms is there.
    pub annex: bool,
}

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
    pub(super) fn of_pdf(view: &View, findings: &[Finding]) -> Option<Self> {
        let lines = view.lines();
        if lines > MAX_PDF_LINES {
            return Some(Limit::Lines(lines));
        }
        let bytes = view.text_bytes(findings);
        (bytes > MAX_PDF_TEXT).then_some(Limit::Text(bytes))
    }
}

/// What a rendering of a document is made from.
pub(super) struct Read {
    pub(super) document: DocumentRecord,
    pub(super) ubl: Vec<u8>,
    letterhead: Letterhead,
    kind: PayloadKind,
}

impl Read {
    /// Reads a document for a rendering of this kind. UBL of more than `most` bytes is not read.
    pub(super) async fn of(
        reading: &Reading,
        reader: Reader<'_>,
        document_id: &str,
        (kind, most): (PayloadKind, usize),
    ) -> Result<Self, Failure> {
        let document = get(&reading.ctx, reader, document_id).await?;
        let ubl = ubl_of(&document)?.clone();
        if let Some(limit) = Limit::of_bytes(&ubl, most) {
            return Err(none(kind, &limit.to_string()));
        }
        Self::made_from(reading, reader.mode, document, &ubl, kind).await
    }

    pub(super) async fn made_from(
        reading: &Reading,
        mode: Mode,
        document: DocumentRecord,
        ubl: &Payload,
        kind: PayloadKind,
    ) -> Result<Self, Failure> {
        let ubl = reading.bucket.find(ubl).await?.ok_or_else(removed)?;
        let letterhead = match kind {
            PayloadKind::Content => Letterhead::default(),
            _ => Letterhead::of(reading, mode, &document).await,
        };
        Ok(Read { document, ubl, letterhead, kind })
    }

    pub(super) fn tree(&self) -> Result<Tree<'_>, Unmade> {
        xml::parse(&self.ubl).map_err(|error| Unmade::Unfit(format!("it is not XML ({error})")))
    }

    pub(super) fn view(&self) -> Result<View, Unmade> {
        View::of(&self.tree()?).map_err(Unmade::unfit)
    }

    pub(super) fn rendering<'a>(
        &'a self,
        ViewChoice { languages, annex }: ViewChoice,
        standing: Option<&'a Standing>,
    ) -> Rendering<'a> {
        self.letterhead.rendering(&self.document, languages, annex, standing)
    }

    /// What was made, or why the document has no such rendering.
    pub(super) fn or_none(&self, made: Result<Vec<u8>, Unmade>) -> Result<Vec<u8>, Failure> {
        let kind = self.kind;
        made.map_err(|unmade| match unmade {
            Unmade::Unfit(why) => none(kind, &why),
            Unmade::Failed(cause) => {
                let message = format!(
                    "The document {}, because of a fault of the service. Its bytes are at …/ubl.",
                    lacking(kind)
                );
                Failure::new(Code::InternalError, message).because(cause)
            }
        })
    }

    /// Returns what was made: up to `here` bytes directly, more by the address of a stored copy.
    pub(super) async fn hand_out(
        self,
        reading: &Reading,
        reader: Reader<'_>,
        made: Vec<u8>,
        (here, method): (usize, PayloadMethod),
    ) -> Result<Filed, Failure> {
        let Read { document, kind, .. } = self;
        note_retrieval(&reading.ctx, reader, &document, method).await;
        if made.len() <= here {
            return Ok(Filed::of(&document, Stored::Here(made)));
        }
        let DocumentRecord { taxpayer_id, document_id, .. } = &document;
        let (bucket, begun) = (&reading.bucket, &mut Vec::new());
        let payload = bucket.put(reader.mode, taxpayer_id, document_id, kind, made, begun).await?;
        let address = bucket.address(&payload, method, ADDRESS_VALID).await?;
        Ok(Filed::of(&document, Stored::Elsewhere(address)))
    }
}

/// What is said of a document without a rendering of this kind.
fn lacking(kind: PayloadKind) -> &'static str {
    match kind {
        PayloadKind::Content => "has no content",
        _ => "cannot be shown",
    }
}

fn none(kind: PayloadKind, why: &str) -> Failure {
    let message = format!("The document {}: {why}. Its bytes are at …/ubl.", lacking(kind));
    Failure::new(Code::NotFound, message)
}

/// Why a rendering failed.
pub(super) enum Unmade {
    /// The document has no such rendering.
    Unfit(String),
    /// It is not the document's fault.
    Failed(Box<dyn Error + Send + Sync>),
}

impl Unmade {
    pub(super) fn unfit(why: impl Error) -> Self {
        Unmade::Unfit(why.to_string())
    }

    pub(super) fn failed(why: impl Error + Send + Sync + 'static) -> Self {
        Unmade::Failed(why.into())
    }
}
