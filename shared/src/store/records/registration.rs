//! Registrations of a taxpayer, and its business card.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, is_zero};
use crate::{
    peppol::{
        identifiers::{DocumentType, Process},
        sml::MigrationKey,
        smp::{BusinessEntity, Redirect},
    },
    store::Parked,
    types::{Mode, ParticipantId, TaxpayerId},
};

/// A register of taxpayers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Register {
    /// The network: our SMP, to which the SML refers.
    Network,
    /// The Peppol Directory, which publishes its business card.
    Directory,
}

impl Register {
    /// Every register.
    pub const ALL: [Register; 2] = [Register::Network, Register::Directory];

    /// The register as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Register::Network => "network",
            Register::Directory => "directory",
        }
    }
}

/// The status of a registration. In a status that ends in `ing`, the queue updates the register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationStatus {
    /// Our SMP has it. The register must still be updated.
    Registering,
    /// The register has it.
    Registered,
    /// Another SMP may take it over. The migration key must still be sent to the SML.
    Preparing,
    /// Another SMP may take it over with the key. Until then ours has it.
    Prepared,
    /// It is ending. The register must still be updated.
    Withdrawing,
    /// It has ended.
    Withdrawn,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl RegistrationStatus {
    /// The status as it is stored, and as callers see it.
    pub fn as_str(self) -> &'static str {
        match self {
            RegistrationStatus::Registering => "registering",
            RegistrationStatus::Registered => "registered",
            RegistrationStatus::Preparing => "preparing",
            RegistrationStatus::Prepared => "prepared",
            RegistrationStatus::Withdrawing => "withdrawing",
            RegistrationStatus::Withdrawn => "withdrawn",
            RegistrationStatus::Unknown => "unknown",
        }
    }

    /// Whether our SMP and our access point serve it. Until the register was updated, senders still come here.
    pub fn is_served(self) -> bool {
        !matches!(self, RegistrationStatus::Withdrawn | RegistrationStatus::Unknown)
    }

    /// Whether it is to remain.
    pub fn is_wanted(self) -> bool {
        self.is_served() && self != RegistrationStatus::Withdrawing
    }

    /// The status after the register was updated; `None` when there is nothing to update.
    pub fn after_update(self) -> Option<Self> {
        match self {
            RegistrationStatus::Registering => Some(RegistrationStatus::Registered),
            RegistrationStatus::Preparing => Some(RegistrationStatus::Prepared),
            RegistrationStatus::Withdrawing => Some(RegistrationStatus::Withdrawn),
            RegistrationStatus::Registered
            | RegistrationStatus::Prepared
            | RegistrationStatus::Withdrawn
            | RegistrationStatus::Unknown => None,
        }
    }
}

/// A stored migration key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum KeptMigrationKey {
    /// Sealed for its registration. A reader of the table cannot take the participant over.
    Sealed(String),
    /// In the clear, as in records of earlier versions.
    Open(MigrationKey),
}

impl From<String> for KeptMigrationKey {
    fn from(text: String) -> Self {
        // A sealed key contains dots, an open key does not.
        match text.parse() {
            Ok(key) => KeptMigrationKey::Open(key),
            Err(_) => KeptMigrationKey::Sealed(text),
        }
    }
}

impl From<KeptMigrationKey> for String {
    fn from(kept: KeptMigrationKey) -> String {
        match kept {
            KeptMigrationKey::Sealed(text) => text,
            KeptMigrationKey::Open(key) => key.into(),
        }
    }
}

/// Documents of one type in one process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredService {
    /// The type, which may be a wildcard.
    pub document_type: DocumentType,
    /// The process.
    pub process: Process,
    /// The other SMP that has its metadata, if it is not ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Redirect>,
}

/// The registration of a taxpayer in a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrationRecord {
    /// Live or Sandbox. Sandbox updates no register.
    pub mode: Mode,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// Its participant identifier.
    pub participant_id: ParticipantId,
    /// The register.
    pub register: Register,
    /// Its status.
    pub status: RegistrationStatus,
    /// The services that it receives; empty for the Directory, which publishes the business card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<RegisteredService>,
    /// While it is registering, the key of the other SMP. From `preparing` on, our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration_key: Option<KeptMigrationKey>,
    /// Why the last attempt to update the register failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// When it was first requested.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When its status last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was claimed without progress.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// Why it was parked. Only the parking writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// Counts the requested changes, from 1.
    pub version: u64,
}

/// A taxpayer's business card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessCardRecord {
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// Its participant identifier.
    pub participant_id: ParticipantId,
    /// The businesses.
    pub entities: Vec<BusinessEntity>,
    /// When it was last written.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}
