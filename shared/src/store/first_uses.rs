//! The first use of a number or a UUID. A document claims both before it is recorded, so a second use is noticed without a
//! read before every send. In the transaction that records the document, the claims would cost twice as much. A claim
//! whose document was not recorded is void after a while. A UUID that this service makes for a document is in the document's
//! identifier, and needs no claim.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    DocumentRecord, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item, to_item},
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
    /// Documents that have a claim on one of them, and were not recorded. Others may take it over.
    pub void: Vec<DocumentId>,
}

/// How long the document of a claim may take to be recorded. A claim of less age counts.
const RECORDED_WITHIN: SignedDuration = SignedDuration::from_mins(5);

#[derive(Serialize, Deserialize)]
struct Claim {
    document_id: DocumentId,
}

impl Store {
    /// Claims a number and a UUID that are not known to be used, for a document that is recorded next. Returns `false`
    /// when another document has one of them.
    pub(super) async fn claim_first_uses(
        &self,
        mode: Mode,
        document: &DocumentRecord,
        earlier: &EarlierUses,
    ) -> Result<bool, StoreError> {
        let DocumentRecord { taxpayer_id, document_id, operation, number, uuid, .. } = document;
        let claim = async |used, known: &Option<DocumentId>| {
            if known.is_some() {
                return Ok(true);
            }
            let claim = Claim { document_id: document_id.clone() };
            let item = to_item(Key::first_use(mode, taxpayer_id, used), &claim)?;
            // A repeated attempt meets its own claim.
            let ours: Vec<_> = std::iter::once(document_id).chain(&earlier.void).collect();
            let names: Vec<_> = (0..ours.len()).map(|at| format!(":id{at}")).collect();
            let text = format!("attribute_not_exists(pk) OR document_id IN ({})", names.join(", "));
            let condition = names
                .iter()
                .zip(ours)
                .fold(Expression::new(text), |it, (name, id)| it.text(name, id.as_str()));
            let written = self.write(Write::Put { item, condition }).await?;
            Ok::<_, StoreError>(matches!(written, Written::Done))
        };
        let uuid = async {
            // No other document has a UUID that was made for this one, unless its sender gave it that UUID later.
            if document_id.uuid() == Some(*uuid) {
                return Ok(true);
            }
            if let Some(made_for) = DocumentId::of_uuid(*uuid)
                && earlier.uuid.is_none()
                && self.get_document(mode, taxpayer_id, &made_for).await?.is_some()
            {
                return Ok(false);
            }
            claim(FirstUse::Uuid(*uuid), &earlier.uuid).await
        };
        let number = claim(FirstUse::Number(*operation, number), &earlier.number);
        let (number, uuid) = tokio::try_join!(number, uuid)?;
        Ok(number && uuid)
    }

    /// The documents of a taxpayer that have claimed a number, or another way to write it, for some operation.
    pub(super) async fn first_with_number(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        number: &str,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let key = |it| Key::first_use(mode, taxpayer_id, FirstUse::Number(it, number));
        let found = self.get_many(Operation::ALL.map(key)).await?;
        let claims = found.into_values().map(from_item::<Claim>);
        claims.map(|claim| claim.map(|claim| claim.document_id)).collect()
    }

    /// The earlier uses of a number and a UUID at `now`, other than by the document itself.
    pub async fn get_earlier_uses(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
        (operation, number): (Operation, &str),
        uuid: Uuid,
        now: Timestamp,
    ) -> Result<EarlierUses, StoreError> {
        let key = |used| Key::first_use(mode, taxpayer_id, used);
        let written = key(FirstUse::NumberAsWritten(operation, number));
        let number = key(FirstUse::Number(operation, number));
        let claimed = key(FirstUse::Uuid(uuid));
        // The first two keys are the same, unless the number is not in form C.
        let wanted = [number.clone(), written.clone(), claimed.clone()];
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
        let mut uses = EarlierUses { number: first, uuid: earlier(claimed)?, void: Vec::new() };
        let recorded = |id: &DocumentId| Key::document(mode, taxpayer_id, id);
        let made_for = DocumentId::of_uuid(uuid).filter(|it| it != document_id);
        let named = uses.number.iter().chain(&uses.uuid).chain(&made_for);
        let there = self.get_many(named.map(recorded)).await?;
        let made_for = made_for.filter(|it| there.contains_key(&recorded(it)));
        uses.uuid = made_for.or(uses.uuid);
        let is_void = |id: &DocumentId| {
            let age = id.made_at().map(|made_at| now.duration_since(made_at));
            age.is_some_and(|age| age > RECORDED_WITHIN) && !there.contains_key(&recorded(id))
        };
        for first in [&mut uses.number, &mut uses.uuid] {
            uses.void.extend(first.take_if(|first| is_void(first)));
        }
        Ok(uses)
    }
}
