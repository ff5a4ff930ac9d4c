//! The views of document lists that members save. The last write counts.

use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::Key,
};
use crate::types::{MemberId, Mode, OrganizationId};

/// The views that a member saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedViews {
    /// The views, in the order in which they were saved.
    pub views: Vec<SavedView>,
}

/// A view of a list: conditions with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// The name that the member chose.
    pub name: String,
    /// The conditions, as the query of the list's address.
    pub query: String,
}

impl Store {
    /// The views of a member.
    pub async fn get_saved_views(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        id: &MemberId,
    ) -> Result<SavedViews, StoreError> {
        Ok(self.get(Key::saved_views(mode, organization_id, id)).await?.unwrap_or_default())
    }

    /// Replaces the views of a member.
    pub async fn put_saved_views(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        id: &MemberId,
        views: &SavedViews,
    ) -> Result<(), StoreError> {
        let item = to_item(Key::saved_views(mode, organization_id, id), views)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }
}
