//! What a taxpayer is registered for, and what it shows of itself.

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

/// Where a taxpayer is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Register {
    /// The network: our SMP, to which the SML leads.
    Network,
    /// The Peppol Directory, which shows its business card.
    Directory,
}

impl Register {
    /// All of them.
    pub const ALL: [Register; 2] = [Register::Network, Register::Directory];

    /// The register as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Register::Network => "network",
            Register::Directory => "directory",
        }
    }
}

/// How far a registration is. What ends in `ing` is on its way, by the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationStatus {
    /// Our SMP has it; the register is yet to be told.
    Registering,
    /// The register has it.
    Registered,
    /// Another SMP is to be let take it over; the SML is yet to be told the key.
    Preparing,
    /// Another SMP may take it over with the key; ours has it until then.
    Prepared,
    /// The register is yet to be told that it ends.
    Withdrawing,
    /// It has ended.
    Withdrawn,
    /// A word of a newer version.
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

    /// Whether our SMP and our access point serve it: until the register was told of its end, others are led here.
    pub fn is_served(self) -> bool {
        !matches!(self, RegistrationStatus::Withdrawn | RegistrationStatus::Unknown)
    }

    /// Whether it is to stay.
    pub fn is_wanted(self) -> bool {
        self.is_served() && self != RegistrationStatus::Withdrawing
    }

    /// Where it is once the register was told; none when there is nothing to tell.
    pub fn told(self) -> Option<Self> {
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

/// A migration key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum KeptMigrationKey {
    /// Sealed for its registration: who can read the table cannot take the participant over.
    Sealed(String),
    /// As records of earlier versions have it.
    Open(MigrationKey),
}

impl From<String> for KeptMigrationKey {
    fn from(text: String) -> Self {
        // What is sealed has dots, which no key has.
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
    /// The other SMP that says where they go, if it is not ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Redirect>,
}

/// A taxpayer in a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrationRecord {
    /// Live or Sandbox, where registers are never told.
    pub mode: Mode,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// By what others know it.
    pub participant_id: ParticipantId,
    /// The register.
    pub register: Register,
    /// How far it is.
    pub status: RegistrationStatus,
    /// What it takes; nothing in the Directory, which shows a card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<RegisteredService>,
    /// While it is registering: the key that another SMP made. From preparing on: ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration_key: Option<KeptMigrationKey>,
    /// Why the register could not be told when that was last tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// When it was first wanted.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When its status last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// Who is at work on it, and until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often it was taken up without coming on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// Why it was given up, if it was: written by what gives up, never with the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// Counts the changes of what is wanted, from 1.
    pub version: u64,
}

/// What a taxpayer shows of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessCardRecord {
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// By what others know it.
    pub participant_id: ParticipantId,
    /// The businesses.
    pub entities: Vec<BusinessEntity>,
    /// When it was last written.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}
