//! Archives: all documents of a taxpayer's period, on their way into one file.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, is_zero};
use crate::{
    store::Parked,
    types::{ArchiveId, Mode, OrganizationId, TaxpayerId},
};

/// How far an archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveStatus {
    /// Its documents are gathered.
    Running,
    /// The file is there.
    Completed,
    /// It would have more than an archive may have: there is no file.
    TooLarge,
    /// A word of a newer version.
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

/// A part of the file that is in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivePart {
    /// What S3 calls it.
    pub e_tag: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// What is in it, for the manifest and the directory at the end: [`Filed`](crate::bagit::Filed) as JSON Lines.
    pub files: Payload,
}

/// Which archive of a period was asked for last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveOfPeriod {
    /// Its name.
    pub archive_id: ArchiveId,
}

/// An archive of a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Whose documents they are.
    pub taxpayer_id: TaxpayerId,
    /// Its name.
    pub archive_id: ArchiveId,
    /// The organization that asked for it; none where the taxpayer did itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// The first issue date of its documents.
    pub from: Date,
    /// The last one.
    pub to: Date,
    /// How far it is.
    pub status: ArchiveStatus,
    /// How many documents are in it so far.
    pub documents: u32,
    /// How many bytes its file has; none as long as there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// What S3 calls the upload of the file, once that was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload: Option<String>,
    /// The parts of it so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ArchivePart>,
    /// Where the list of the documents goes on behind those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why it was given up, if it was: written by what gives up, never with the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// When it was asked for: no document is in it that came later.
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
