//! Imports: files of many documents, on their way to be sent.

use std::collections::BTreeSet;

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

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportStatus {
    /// Its documents are sent, one chunk after the other.
    Running,
    /// Each has its outcome.
    Completed,
    /// A word of a newer version.
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

/// What became of the documents of an import so far.
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
    /// How many have an outcome. They have it in the order of the file.
    pub fn done(self) -> u32 {
        self.accepted + self.already_sent + self.refused
    }
}

/// An import of an organization for a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Who imports.
    pub organization_id: OrganizationId,
    /// For whom.
    pub taxpayer_id: TaxpayerId,
    /// Its name.
    pub import_id: ImportId,
    /// By what it was asked for.
    pub asked_by: CredentialId,
    /// The grants through which that was, and it acts as long as they stand.
    pub grant_ids: BTreeSet<GrantId>,
    /// What the caller calls the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which kind of document it holds.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// How it says what they say.
    pub format: Format,
    /// The file, compressed.
    pub file: Payload,
    /// SHA-256 of the file as it was before, in hex.
    pub sha256: String,
    /// How many bytes it had then.
    pub bytes: u64,
    /// How many documents are in it.
    pub documents: u32,
    /// The import of the same file before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_file: Option<ImportId>,
    /// How far it is.
    pub status: ImportStatus,
    /// What became of them so far.
    pub counts: ImportCounts,
    /// The outcomes of each chunk that is done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Payload>,
    /// All outcomes, once it is completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Payload>,
    /// Why it was given up, if it was: written by what gives up, never with the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// When it was asked for.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last came on.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// Who is at work on it, and until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was taken up without coming on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// Which import of a file was made last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportOfFile {
    /// The import.
    pub import_id: ImportId,
}
