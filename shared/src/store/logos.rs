//! Logos of taxpayers: a record that names an object of the bucket.

use super::{
    LogoRecord, Store, StoreError, audit,
    dynamo::{Expression, Write, to_item},
    keys::Key,
};
use crate::{
    access::AuditRecord,
    types::{Mode, TaxpayerId},
};

impl Store {
    /// A taxpayer's logo.
    pub async fn get_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<LogoRecord>, StoreError> {
        self.get(Key::logo(mode, taxpayer_id)).await
    }

    /// Writes a taxpayer's logo, with the audit entries. The last write wins.
    pub async fn put_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        logo: &LogoRecord,
        entries: &[AuditRecord],
    ) -> Result<(), StoreError> {
        let item = to_item(Key::logo(mode, taxpayer_id), logo)?;
        self.with_entries(Write::Put { item, condition: Expression::default() }, entries).await
    }

    /// Removes a taxpayer's logo, if it is there, with the audit entries.
    pub async fn delete_logo(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        entries: &[AuditRecord],
    ) -> Result<(), StoreError> {
        let key = Key::logo(mode, taxpayer_id);
        self.with_entries(Write::Delete { key, condition: Expression::default() }, entries).await
    }

    async fn with_entries(&self, write: Write, entries: &[AuditRecord]) -> Result<(), StoreError> {
        let mut writes = vec![write];
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        // A refusal means that a repeated attempt met its own entries, so the change is made.
        self.transact(writes).await.map(drop)
    }
}
