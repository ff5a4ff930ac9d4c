//! The first use of a number or a UUID. A document claims both in the transaction that records it, so a second use is
//! noticed without a read before every send. The transaction then fails, and is repeated without the existing claims.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    DocumentRecord, Store, StoreError,
    dynamo::{Expression, Write, from_item, to_item},
    keys::{FirstUse, Key},
};
use crate::{
    document::Operation,
    types::{DocumentId, Mode, TaxpayerId},
};

/// The earlier documents of a taxpayer with the same number (for the same operation) or the same UUID.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EarlierUses {
    /// The first one with the number.
    pub number: Option<DocumentId>,
    /// The first one with the UUID.
    pub uuid: Option<DocumentId>,
}

#[derive(Serialize, Deserialize)]
struct Claim {
    document_id: DocumentId,
}

/// The claims of a new document on a number and a UUID that are not known to be used.
pub(super) fn claims(
    mode: Mode,
    document: &DocumentRecord,
    earlier: &EarlierUses,
) -> Result<Vec<Write>, StoreError> {
    let DocumentRecord { taxpayer_id, document_id, operation, number, uuid, .. } = document;
    let uses = [
        (FirstUse::Number(*operation, number), &earlier.number),
        (FirstUse::Uuid(*uuid), &earlier.uuid),
    ];
    let claim = |used| {
        let claim = Claim { document_id: document_id.clone() };
        let item = to_item(Key::first_use(mode, taxpayer_id, used), &claim)?;
        // A repeated attempt meets its own claim.
        let condition = Expression::new("attribute_not_exists(pk) OR document_id = :own")
            .text(":own", document_id.as_str());
        Ok(Write::Put { item, condition })
    };
    let unclaimed = uses.into_iter().filter(|(_, earlier)| earlier.is_none());
    unclaimed.map(|(used, _)| claim(used)).collect()
}

impl Store {
    /// The earlier uses of a number and a UUID, other than by the document itself.
    pub async fn get_earlier_uses(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        (operation, number): (Operation, &str),
        uuid: Uuid,
    ) -> Result<EarlierUses, StoreError> {
        let key = |used| Key::first_use(mode, taxpayer_id, used);
        let written = key(FirstUse::NumberAsWritten(operation, number));
        let number = key(FirstUse::Number(operation, number));
        let uuid = key(FirstUse::Uuid(uuid));
        // The first two keys are the same, unless the number is not in form C.
        let wanted = [number.clone(), written.clone(), uuid.clone()];
        let mut found = self.get_many(wanted).await?;
        let mut earlier = |key| {
            let claim = found.remove(&key).map(from_item::<Claim>).transpose()?;
            let first = claim.map(|claim| claim.document_id);
            Ok::<_, StoreError>(first.filter(|first| first != document_id))
        };
        let first = match earlier(number)? {
            None => earlier(written)?,
            first => first,
        };
        Ok(EarlierUses { number: first, uuid: earlier(uuid)? })
    }
}
