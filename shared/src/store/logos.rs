//! Logos of taxpayers: a record that names an object of the bucket.

use super::{
    LogoRecord, Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::Key,
};
use crate::types::{Mode, TaxpayerId};

impl Store {
    /// A taxpayer's logo.
    pub async fn get_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<LogoRecord>, StoreError> {
        self.get(Key::logo(mode, taxpayer_id)).await
    }

    /// Writes a taxpayer's logo. The last write wins.
    pub async fn put_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        logo: &LogoRecord,
    ) -> Result<(), StoreError> {
        let item = to_item(Key::logo(mode, taxpayer_id), logo)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// Removes a taxpayer's logo, if it is there.
    pub async fn delete_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<(), StoreError> {
        let key = Key::logo(mode, taxpayer_id);
        self.write(Write::Delete { key, condition: Expression::default() }).await.map(drop)
    }
}
