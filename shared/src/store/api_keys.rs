//! API keys. A key is stored under the hash of its text, which requests send. A pointer is in its organization's
//! partition.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError, audit,
    dynamo::{Expression, Write, Written, absent, from_item, to_item, unknown},
    keys::{self, Key},
    text::instant,
};
use crate::{
    access::{ApiKey, AuditRecord, KeyHash, KeyStatus},
    types::{KeyId, Mode, OrganizationId},
};

/// Points to a key of an organization.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeyPointer {
    key_id: KeyId,
    pub(super) hash: KeyHash,
}

impl Store {
    /// Creates an API key with its audit entry. Returns `false` when the hash exists.
    pub async fn create_api_key(
        &self,
        record: &ApiKey,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let ApiKey { key_id, hash, mode, organization_id, .. } = record;
        let key = Key::api_key(*mode, hash);
        let pointer = KeyPointer { key_id: key_id.clone(), hash: hash.clone() };
        let pointer = to_item(Key::api_key_pointer(*mode, organization_id, key_id), &pointer)?;
        let writes = vec![
            Write::Put { item: to_item(key.clone(), record)?, condition: absent() },
            Write::Put { item: pointer, condition: absent() },
            audit::write(entry)?,
        ];
        self.created(self.transact(writes).await, key, record).await
    }

    /// An API key, by its hash.
    pub async fn get_api_key(
        &self,
        mode: Mode,
        hash: &KeyHash,
    ) -> Result<Option<ApiKey>, StoreError> {
        self.get(Key::api_key(mode, hash)).await
    }

    /// An API key of an organization, by its identifier.
    pub async fn find_api_key(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        key_id: &KeyId,
    ) -> Result<Option<ApiKey>, StoreError> {
        let pointer = self.get(Key::api_key_pointer(mode, organization_id, key_id)).await?;
        let Some(KeyPointer { hash, .. }) = pointer else { return Ok(None) };
        let found = self.get_api_key(mode, &hash).await?;
        Ok(found.filter(|key| key.organization_id == *organization_id))
    }

    /// The API keys of an organization, in any state, the oldest first.
    pub async fn list_api_keys(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Vec<ApiKey>, StoreError> {
        let partition = keys::api_keys(mode, organization_id);
        let pointers: Vec<KeyPointer> = self.all(&partition, keys::API_KEY).await?;
        let place = |pointer: &KeyPointer| Key::api_key(mode, &pointer.hash);
        let mut found = self.get_many(pointers.iter().map(place)).await?;
        let items = pointers.iter().filter_map(|pointer| found.remove(&place(pointer)));
        items.map(from_item).collect()
    }

    /// Revokes a key, with the audit entry. A key that is already revoked stays as it is.
    pub async fn revoke_api_key(
        &self,
        key: &ApiKey,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let place = Key::api_key(key.mode, &key.hash);
        let writes = vec![
            Write::Update {
                key: place.clone(),
                update: Expression::new("SET #status = :revoked").text(":revoked", "revoked"),
                condition: Expression::new("#status = :active")
                    .name("#status", "status")
                    .text(":active", "active"),
            },
            audit::write(entry)?,
        ];
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(());
        }
        match (written, self.get::<ApiKey>(place).await?) {
            (_, Some(current)) if current.status == KeyStatus::Revoked => Ok(()),
            (Err(error), _) => Err(error),
            (Ok(_), _) => Err(unknown("the key is neither active nor revoked")),
        }
    }

    /// Notes that a key was used. The first of several concurrent requests writes.
    pub async fn note_key_use(&self, key: &ApiKey, now: Timestamp) -> Result<(), StoreError> {
        let update = Expression::new("SET last_used_at = :now").text(":now", instant(now));
        let condition = Expression::new("attribute_exists(pk)");
        let condition = match key.last_used_at {
            None => condition.and("attribute_not_exists(last_used_at)"),
            Some(used) => condition.and("last_used_at = :used").text(":used", instant(used)),
        };
        let key = Key::api_key(key.mode, &key.hash);
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }
}
