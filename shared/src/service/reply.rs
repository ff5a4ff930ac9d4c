//! The answer to a send. It is made before the transaction, which saves its bytes under the idempotency key.

use crate::{
    error::Finding,
    store::{DocumentRecord, ImportedRow},
    types::DocumentId,
};

/// An answer of the API.
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
    pub document_id: DocumentId,
    /// The row of an import that it was sent as, by this request or an earlier one.
    pub import: Option<ImportedRow>,
}

/// Makes the answer for a document and its warnings.
pub type Render = fn(&DocumentRecord, &[Finding]) -> Reply;
