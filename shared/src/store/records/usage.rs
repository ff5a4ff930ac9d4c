//! Usage, by which Live sends are billed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::IdempotencyHash;
use crate::types::{DocumentId, OrganizationId, TaxpayerId};

/// A document that an organization sent in Live. Sandbox has no usage, so its key has no mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRecord {
    /// The document.
    pub document_id: DocumentId,
    /// The organization that sent it.
    pub organization_id: OrganizationId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// Its type code, such as 380.
    pub document_type_code: String,
    /// When its first message was fixed. For a document without a recipient, when it was recorded.
    pub at: Timestamp,
    /// The idempotency key under which it was sent, by which retirement finds that key's record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<IdempotencyHash>,
}
