//! The files of a document as they are stored: its UBL, its envelope and its receipt.

use std::time::Duration;

use super::get;
use crate::{
    access::{Reader, ReaderKind},
    error::{Code, Failure},
    service::{Context, Reading, file_name::FileName, mls_outbound::confirm},
    store::{Direction, DocumentRecord, Payload, PayloadMethod, Receipt, Status},
    types::Mode,
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
