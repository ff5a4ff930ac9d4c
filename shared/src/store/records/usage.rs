//! What Live sends are billed by.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::types::{DocumentId, OrganizationId, TaxpayerId};

/// A document that an organization sent in Live. Of the Sandbox there is none: what it is kept under has no mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRecord {
    /// The document.
    pub document_id: DocumentId,
    /// Who sent it.
    pub organization_id: OrganizationId,
    /// For whom.
    pub taxpayer_id: TaxpayerId,
    /// What it is, such as 380.
    pub document_type_code: String,
    /// When its first message was fixed; of a document that nobody receives, when it was recorded.
    pub at: Timestamp,
}
