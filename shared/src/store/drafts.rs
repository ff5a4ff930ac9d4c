//! Drafts of documents that members write by hand. A draft has the identifier of its form, which is also that of the
//! later import. The last save counts.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use super::{
    CollectionPage, DraftRecord, Store, StoreError,
    collections::Slice,
    dynamo::{Expression, Write, to_item},
    jobs::expiry,
    keys::{self, DRAFT, Key},
};
use crate::types::{ImportId, Mode, OrganizationId, TaxpayerId};

/// How long a draft is kept after it was saved last.
const DRAFT_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

impl Store {
    /// Saves a draft; DynamoDB removes it after 90 days.
    pub async fn put_draft(&self, draft: &DraftRecord) -> Result<(), StoreError> {
        let DraftRecord { mode, organization_id, taxpayer_id, draft_id, .. } = draft;
        let mut item = to_item(Key::draft(*mode, organization_id, taxpayer_id, draft_id), draft)?;
        let ttl = expiry(draft.saved_at, DRAFT_KEPT).to_string();
        item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// A draft.
    pub async fn get_draft(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        draft_id: &ImportId,
    ) -> Result<Option<DraftRecord>, StoreError> {
        self.get(Key::draft(mode, organization_id, taxpayer_id, draft_id)).await
    }

    /// At most `limit` drafts of an organization for a taxpayer, the newest form first.
    pub async fn list_drafts(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        limit: usize,
    ) -> Result<CollectionPage<DraftRecord>, StoreError> {
        let partition = keys::imports(mode, organization_id, taxpayer_id);
        self.collection(Slice::of(partition, DRAFT, None), None, limit).await
    }

    /// Removes a draft, if it is there.
    pub async fn delete_draft(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        draft_id: &ImportId,
    ) -> Result<(), StoreError> {
        let key = Key::draft(mode, organization_id, taxpayer_id, draft_id);
        self.write(Write::Delete { key, condition: Expression::default() }).await.map(drop)
    }
}
