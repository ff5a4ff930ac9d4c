//! Archives: all documents of a taxpayer's period in one file.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, is_zero};
use crate::{
    store::Parked,
    types::{ArchiveId, Mode, OrganizationId, TaxpayerId},
};

/// The status of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveStatus {
    /// Its documents are being collected.
    Running,
    /// The file exists.
    Completed,
    /// It would exceed the limits of an archive. There is no file.
    TooLarge,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl ArchiveStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ArchiveStatus::Running => "running",
            ArchiveStatus::Completed => "completed",
            ArchiveStatus::TooLarge => "too_large",
            ArchiveStatus::Unknown => "unknown",
        }
    }
}

/// An uploaded part of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivePart {
    /// Its ETag.
    pub e_tag: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The files in it, for the manifest and the directory at the end: [`Filed`](crate::bagit::Filed) as JSON Lines.
    pub files: Payload,
}

/// The last archive that was requested for a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveOfPeriod {
    /// Its identifier.
    pub archive_id: ArchiveId,
}

/// An archive of a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that the documents belong to.
    pub taxpayer_id: TaxpayerId,
    /// Its identifier.
    pub archive_id: ArchiveId,
    /// The organization that requested it; `None` when the taxpayer did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// The first issue date of its documents.
    pub from: Date,
    /// The last issue date of its documents.
    pub to: Date,
    /// Its status.
    pub status: ArchiveStatus,
    /// The number of documents in it so far.
    pub documents: u32,
    /// The size of its file in bytes; `None` while there is no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The id of the multipart upload, once it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload: Option<String>,
    /// The uploaded parts so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ArchivePart>,
    /// Where the list of documents continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why it was parked. Only the parking writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// When it was requested. It contains no later documents.
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
