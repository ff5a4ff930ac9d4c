//! Drafts of documents that members write by hand.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::text;
use crate::{
    document::Operation,
    types::{ImportId, Mode, OrganizationId, TaxpayerId},
};

/// A draft of an organization for a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization whose member wrote it.
    pub organization_id: OrganizationId,
    /// The taxpayer that the document is for.
    pub taxpayer_id: TaxpayerId,
    /// The identifier of its form.
    pub draft_id: ImportId,
    /// The kind of document.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// Its number, as far as it was written.
    pub number: String,
    /// The name of its buyer, as far as it was written.
    pub buyer: String,
    /// The body of the send, as JSON.
    pub body: String,
    /// When it was saved last.
    #[serde(with = "text::instant")]
    pub saved_at: Timestamp,
}
