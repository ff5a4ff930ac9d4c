//! The response with the content of a document.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::wire::{DocumentDirection, DocumentType};
use crate::{
    document::Party,
    store::DocumentRecord,
    ubl::{Content, UnmappedValue},
};

/// The content of a document, in the fields of the send bodies.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContentResponse {
    /// Identifier of the document on this access point.
    pub document_id: String,
    /// Outbound or inbound.
    pub direction: DocumentDirection,
    /// The operation whose body is in `content`.
    pub r#type: DocumentType,
    /// The body. Every amount is a decimal string, exactly as in the UBL. A received document that breaks the rules
    /// may lack required fields of a send, or contain values that a send refuses. Fields that are not part of the
    /// document are left out: `profile`, `mls_type`, `source_id`, `metadata`, `previous_document_id` and
    /// `corrects_document_id`. Number and date of a credited invoice are returned as those of an external invoice.
    #[schema(value_type = Object)]
    pub content: Value,
    /// IBG-07 Buyer of a self-billed document. The body does not contain the buyer, because it is the sending
    /// taxpayer. Null for other documents, whose buyer is `content.customer`.
    #[schema(required, value_type = Option<Party>)]
    pub customer: Option<Value>,
    /// Values of the UBL that no field represents, in document order. Empty for documents that this service created.
    pub unmapped: Vec<UnmappedResponse>,
    /// Whether `unmapped` is incomplete. Values are cut after 500 characters, and the list after 256 KiB.
    pub unmapped_cut: bool,
}

/// A value of the UBL that no field represents.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnmappedResponse {
    /// XPath of the element or attribute.
    #[schema(example = "/ubl:Invoice/cac:InvoiceLine[2]/cbc:FreeOfChargeIndicator")]
    pub path: String,
    /// The value.
    pub value: String,
}

impl From<UnmappedValue> for UnmappedResponse {
    fn from(UnmappedValue { path, value }: UnmappedValue) -> Self {
        UnmappedResponse { path, value }
    }
}

pub(super) fn render(record: &DocumentRecord, content: Content) -> Vec<u8> {
    let response = ContentResponse {
        document_id: record.document_id.to_string(),
        direction: record.direction.into(),
        r#type: content.operation.into(),
        content: content.body.to_json(),
        customer: content.customer.as_ref().map(Party::to_json),
        unmapped: content.unmapped.values.into_iter().map(Into::into).collect(),
        unmapped_cut: content.unmapped.is_cut,
    };
    // A struct of strings, values and lists always serializes.
    serde_json::to_vec(&response).unwrap_or_default()
}
