//! A document with its UBL and its letterhead, from which a rendering is made.

use std::error::Error;

use super::{
    ADDRESS_VALID,
    files::{Filed, Limit, Stored, ViewChoice, note_retrieval, removed, ubl_of},
    get,
    letterhead::Letterhead,
};
use crate::{
    access::Reader,
    error::{Code, Failure},
    rendering::{Rendering, Standing, View},
    service::Reading,
    store::{DocumentRecord, Payload, PayloadKind, PayloadMethod},
    types::Mode,
    xml::{self, Tree},
};

/// What a rendering of a document is made from.
pub(super) struct Read {
    pub(super) document: DocumentRecord,
    pub(super) ubl: Vec<u8>,
    letterhead: Letterhead,
    kind: PayloadKind,
    /// The text for a document that has no such rendering.
    matter: &'static str,
}

impl Read {
    /// Reads a document for a rendering. The tuple has its kind, the text for a document that has no such rendering, and
    /// the maximum of bytes that are read.
    pub(super) async fn of(
        reading: &Reading,
        reader: Reader<'_>,
        document_id: &str,
        (kind, matter, most): (PayloadKind, &'static str, usize),
    ) -> Result<Self, Failure> {
        let document = get(&reading.ctx, reader, document_id).await?;
        let ubl = ubl_of(&document)?.clone();
        if let Some(limit) = Limit::of_bytes(&ubl, most) {
            return Err(none(matter, &limit.to_string()));
        }
        let read = Self::made_from(reading, reader.mode, document, &ubl, kind).await?;
        Ok(Read { matter, ..read })
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
        Ok(Read { document, ubl, letterhead, kind, matter: "" })
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
        let matter = self.matter;
        made.map_err(|unmade| match unmade {
            Unmade::Unfit(why) => none(matter, &why),
            Unmade::Failed(cause) => {
                let message = format!(
                    "The document {matter}, because of a fault of the service. Its bytes are at …/ubl."
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

fn none(matter: &str, why: &str) -> Failure {
    let message = format!("The document {matter}: {why}. Its bytes are at …/ubl.");
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
