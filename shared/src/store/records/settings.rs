//! What a taxpayer's service is set to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{i18n::Language, peppol::identifiers::Spid};

/// What a taxpayer's service is set to, by whoever may act for it: there is one of it, whoever asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxpayerSettings {
    /// The language of what is written to it.
    #[serde(default)]
    pub language: Language,
    /// Where Message Level Statuses about its documents are asked to go; to ourselves where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mls_to: Option<Spid>,
    /// Where notices to it go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification_email: Option<String>,
    /// Counts the changes, from 1; 0 where nothing was ever set.
    #[serde(default)]
    pub version: u64,
    /// When they last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

impl TaxpayerSettings {
    /// Whether they set the same, whenever that was done.
    pub fn say_the_same_as(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.language, of.mls_to.clone(), of.notification_email.clone());
        said(self) == said(other)
    }
}
