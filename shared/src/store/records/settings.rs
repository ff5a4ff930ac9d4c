//! The settings of a taxpayer.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Payload;
use crate::{i18n::Language, peppol::identifiers::Spid};

/// A taxpayer's settings. All organizations with access share one set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxpayerSettings {
    /// The language of mails to it.
    #[serde(default)]
    pub language: Language,
    /// The address for Message Level Statuses about its documents; `None` means this access point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mls_to: Option<Spid>,
    /// The address for notices to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification_email: Option<String>,
    /// Counts the changes, from 1; 0 when nothing was ever set.
    #[serde(default)]
    pub version: u64,
    /// When they last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

/// The logo of a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoRecord {
    /// The picture, in the PNG format.
    pub png: Payload,
    /// When it was set.
    pub updated_at: Timestamp,
}

impl TaxpayerSettings {
    /// Whether both have the same settings, apart from version and time.
    pub fn say_the_same_as(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.language, of.mls_to.clone(), of.notification_email.clone());
        said(self) == said(other)
    }
}
