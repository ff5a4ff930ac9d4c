//! The answer to a send. It is made before the transaction, which saves its bytes under the idempotency key.

use serde::{Deserialize, Serialize};

use crate::{
    error::{Code, Failure, Finding},
    store::{DocumentRecord, ImportedRow, SavedReply, Status, StoreError},
    types::DocumentId,
};

/// The HTTP status of a saved failure: RFC 9110, section 15.5.21.
const UNPROCESSABLE: u16 = 422;
/// RFC 9110, section 15.6.4.
const UNAVAILABLE: u16 = 503;

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

impl Reply {
    /// The reply in the form that is saved under an idempotency key.
    pub(super) fn saved(&self) -> Result<SavedReply<'_>, StoreError> {
        let body = std::str::from_utf8(&self.body).map_err(|e| StoreError::Corrupt(e.into()))?;
        Ok(SavedReply { status: self.status, body })
    }

    /// The failure that a saved reply represents. `None` when the send succeeded.
    pub(super) fn failure(&self) -> Option<Failure> {
        if self.status < 400 {
            return None;
        }
        let failure: SavedFailure = serde_json::from_slice(&self.body).ok()?;
        let SavedFailure { code, message, document_id, errors } = failure;
        Some(Failure { document_id, findings: errors, ..Failure::new(code, message) })
    }
}

/// A failure as it is saved under an idempotency key. Each reply names its own request, so only its parts are saved.
#[derive(Serialize, Deserialize)]
struct SavedFailure {
    code: Code,
    message: String,
    /// Absent in failures that were saved by earlier versions.
    #[serde(default)]
    document_id: Option<String>,
    errors: Vec<Finding>,
}

/// The reply to the send of a document that failed.
pub(super) fn refused(document: &DocumentRecord, finding: &Finding) -> Reply {
    let message = format!(
        "The document {} could not be delivered and is recorded as failed. {}",
        document.document_id, finding.message
    );
    saved_failure(document, (UNPROCESSABLE, Code::TransmissionRefused), message, finding)
}

/// The final answer to the send of a document that the service has abandoned.
pub(super) fn abandoned(document: &DocumentRecord, finding: &Finding) -> Reply {
    match document.status {
        Status::Unconfirmed => {
            let said = format!(
                "The document {} is recorded as unconfirmed. {}",
                document.document_id, finding.message
            );
            let code = (UNAVAILABLE, Code::TransmissionUnconfirmed);
            saved_failure(document, code, said, finding)
        }
        _ => refused(document, finding),
    }
}

fn saved_failure(
    document: &DocumentRecord,
    (status, code): (u16, Code),
    message: String,
    finding: &Finding,
) -> Reply {
    let failure = SavedFailure {
        code,
        message,
        document_id: Some(document.document_id.to_string()),
        errors: vec![finding.clone()],
    };
    // A struct of strings and lists always serializes.
    Reply { status, body: serde_json::to_vec(&failure).unwrap_or_default() }
}
