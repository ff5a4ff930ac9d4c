//! Warnings about the most frequent mistake: a document that is sent again, or another document with the same number.
//! Both may be intended, so they are not errors.

use super::Context;
use crate::{
    document::Document,
    error::Finding,
    store::{DocumentRecord, EarlierUses, StoreError},
    types::{DocumentId, Mode},
};

const NUMBER: &str = "AP-NUMBER-repeated";

/// The earlier uses of a recorded document's number and UUID.
pub(super) async fn earlier_than(
    ctx: &Context,
    mode: Mode,
    record: &DocumentRecord,
) -> Result<EarlierUses, StoreError> {
    let DocumentRecord { taxpayer_id, document_id, operation, number, uuid, .. } = record;
    let (store, number, now) = (&ctx.store, (*operation, number.as_str()), ctx.now());
    store.get_earlier_uses(mode, taxpayer_id, document_id, number, *uuid, now).await
}

/// The warnings about the earlier uses.
pub(crate) fn warnings(document: &Document, earlier: &EarlierUses) -> Vec<Finding> {
    let EarlierUses { number, uuid, .. } = earlier;
    // A correction has the number of the corrected document (specification 2.5 A).
    let corrects = document.body.corrects_document_id.is_some();
    let number = number.as_ref().filter(|_| !corrects).map(|first| {
        let field = document.operation.number_field();
        let pointer = format!("/{field}");
        let used = "this number, which must be unique in its series";
        finding(&pointer, NUMBER, "IBT-001", used, first, &document.number)
    });
    let uuid = uuid.as_ref().map(|first| {
        let value = document.body.uuid.as_deref().unwrap_or_default();
        finding("/uuid", "AP-UUID-repeated", "BTAE-07", "this UUID", first, value)
    });
    number.into_iter().chain(uuid).collect()
}

/// Whether a warning says that this earlier document has the number.
pub(super) fn is_of(warning: &Finding, earlier: &DocumentId) -> bool {
    warning.rule == NUMBER && warning.message.starts_with(&used_by(earlier))
}

fn used_by(first: &DocumentId) -> String {
    format!("The document {first} has used ")
}

fn finding(
    pointer: &str,
    rule: &'static str,
    term: &'static str,
    used: &str,
    first: &DocumentId,
    value: &str,
) -> Finding {
    let message = used_by(first) + used;
    let fix = "If this is the same document, it is now sent twice: to repeat a request, use the Idempotency-Key of the \
               first one. If it is another document, give it its own.";
    Finding {
        fix: Some(fix.into()),
        value: Some(value.to_owned()),
        ..Finding::warning(pointer, rule, message).term(term)
    }
}
