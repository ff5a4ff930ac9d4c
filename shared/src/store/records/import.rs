//! Imports: files of many documents that are sent.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, is_zero};
use crate::{
    access::CredentialId,
    document::Operation,
    import_tables::Format,
    store::Parked,
    types::{GrantId, ImportId, Mode, OrganizationId, TaxpayerId},
};

/// The status of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportStatus {
    /// Its documents are being sent, one chunk after the other.
    Running,
    /// Each document has an outcome.
    Completed,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl ImportStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ImportStatus::Running => "running",
            ImportStatus::Completed => "completed",
            ImportStatus::Unknown => "unknown",
        }
    }
}

/// The outcomes of the documents of an import so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCounts {
    /// Sent by this import.
    pub accepted: u32,
    /// Sent before, by an earlier import or row.
    pub already_sent: u32,
    /// Not sent.
    pub refused: u32,
}

impl ImportCounts {
    /// How many documents have an outcome. They are processed in the order of the file.
    pub fn done(self) -> u32 {
        self.accepted + self.already_sent + self.refused
    }
}

/// An import of an organization for a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization that imports.
    pub organization_id: OrganizationId,
    /// The taxpayer that the documents belong to.
    pub taxpayer_id: TaxpayerId,
    /// Its identifier.
    pub import_id: ImportId,
    /// The credential of the request.
    pub asked_by: CredentialId,
    /// The grants of the request. The import acts through them while they are active.
    pub grant_ids: BTreeSet<GrantId>,
    /// The caller's name for the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The operation for its documents.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// The format of the file.
    pub format: Format,
    /// The file, compressed.
    pub file: Payload,
    /// SHA-256 of the uncompressed file, in hex.
    pub sha256: String,
    /// The size of the uncompressed file in bytes.
    pub bytes: u64,
    /// The number of documents in it.
    pub documents: u32,
    /// The previous import of the same file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_file: Option<ImportId>,
    /// Its status.
    pub status: ImportStatus,
    /// The outcomes so far.
    pub counts: ImportCounts,
    /// The outcomes of each finished chunk.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Payload>,
    /// All outcomes, once it is completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Payload>,
    /// Why it was parked. Only the parking writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// When it was created.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last progressed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was claimed without progress.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// The fields of the foreign headings that an organization has imported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnsRecord {
    /// The field of each heading; an empty field leaves the column out.
    pub fields: BTreeMap<String, String>,
}

/// The last import of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportOfFile {
    /// The import.
    pub import_id: ImportId,
}
