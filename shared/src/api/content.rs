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

/// What a document says, in the vocabulary of the send bodies.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContentResponse {
    /// Identifier on this access point.
    pub document_id: String,
    /// Outbound or inbound.
    pub direction: DocumentDirection,
    /// The operation whose body `content` is.
    pub r#type: DocumentType,
    /// The body, with every amount as it stands in the UBL, as a decimal string. A received document
    /// that breaks the rules may lack fields that a send requires, or have values that it refuses.
    /// What is beside a document and not in it is left out: `profile`, `mls_type`, `source_id`,
    /// `metadata`, `previous_document_id` (number and date of the credited invoice are told as those
    /// of an external one) and `corrects_document_id`.
    #[schema(value_type = Object)]
    pub content: Value,
    /// IBG-07 Buyer of a self-billed document, of whom a body says nothing: it is the taxpayer who
    /// sends it. Null for other documents, whose buyer is `content.customer`.
    #[schema(required, value_type = Option<Party>)]
    pub customer: Option<Value>,
    /// What the UBL holds and no field says, in its order; empty for documents that were made here.
    pub unmapped: Vec<UnmappedResponse>,
    /// Whether there is more of it: values of more than 500 characters are cut, and so is the list
    /// beyond 256 KiB.
    pub unmapped_cut: bool,
}

/// A value of the UBL that no field says.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnmappedResponse {
    /// Where it is: the XPath of an element or an attribute.
    #[schema(example = "/ubl:Invoice/cac:InvoiceLine[2]/cbc:FreeOfChargeIndicator")]
    pub path: String,
    /// What stands there.
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
