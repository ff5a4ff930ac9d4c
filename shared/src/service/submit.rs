//! Sends and validations.

use super::Context;
use crate::{
    access::Caller,
    document::Operation,
    error::{Code, Failure, Finding},
    store::DocumentRecord,
};

/// A send as it came.
#[derive(Clone, Copy)]
pub struct Send<'a> {
    /// Which operation.
    pub operation: Operation,
    /// The body's bytes.
    pub body: &'a [u8],
    /// `Idempotency-Key`
    pub idempotency_key: Option<&'a str>,
    /// `Prefer: respond-async`
    pub respond_async: bool,
}

/// What the API answers: made before the write, so that it can be saved with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The body: JSON in UTF-8.
    pub body: Vec<u8>,
}

/// The outcome of a send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// What to answer.
    pub reply: Reply,
    /// Whether this is the saved answer to an earlier request.
    pub replayed: bool,
    /// The document.
    pub document_id: crate::types::DocumentId,
}

/// Makes the answer for a document and its warnings. The API gives it; what it returns is saved
/// byte for byte.
pub type Render = fn(&DocumentRecord, &[Finding]) -> Reply;

/// Sends a document.
pub async fn send(
    _ctx: &Context,
    _caller: &Caller,
    _send: Send<'_>,
    _render: Render,
) -> Result<Sent, Failure> {
    Err(Failure::new(Code::ServiceUnavailable, "Not yet."))
}

/// Runs the conversion and checks of an invoice. Nothing is recorded, transmitted or logged.
pub async fn validate(
    _ctx: &Context,
    _caller: &Caller,
    _body: &[u8],
) -> Result<Vec<Finding>, Failure> {
    Err(Failure::new(Code::ServiceUnavailable, "Not yet."))
}
