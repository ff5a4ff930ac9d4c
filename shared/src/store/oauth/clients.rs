//! OAuth clients.

use crate::{
    access::{
        AuditRecord,
        oauth::{ClientSecret, OAuthClient, RedirectUri},
    },
    store::{
        Store, StoreError, audit,
        dynamo::{Expression, Update, Write, Written, absent, corrupt, from_item, to_item},
        keys::{self, Key},
    },
    types::{ClientId, Mode, OrganizationId},
};

/// Points from an organization to one of its clients.
#[derive(serde::Serialize, serde::Deserialize)]
struct Pointer {
    client_id: ClientId,
}

impl Store {
    /// An OAuth client.
    pub async fn get_client(
        &self,
        mode: Mode,
        id: &ClientId,
    ) -> Result<Option<OAuthClient>, StoreError> {
        self.get(Key::client(mode, id)).await
    }

    /// Creates an OAuth client with the pointer from its organization and its audit entry. Returns `false` when the
    /// identifier is taken.
    pub async fn create_client(
        &self,
        record: &OAuthClient,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let key = Key::client(record.mode, &record.client_id);
        let pointed = Key::client_pointer(record.mode, &record.organization_id, &record.client_id);
        let pointer = Pointer { client_id: record.client_id.clone() };
        let writes = vec![
            Write::Put { item: to_item(key.clone(), record)?, condition: absent() },
            Write::Put { item: to_item(pointed, &pointer)?, condition: absent() },
            audit::write(entry)?,
        ];
        self.created(self.transact(writes).await, key, record).await
    }

    /// The OAuth clients of an organization, the oldest first.
    pub async fn list_clients(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Vec<OAuthClient>, StoreError> {
        let partition = keys::clients(mode, organization_id);
        let pointers: Vec<Pointer> = self.all(&partition, keys::CLIENT).await?;
        let wanted = pointers.iter().map(|pointer| Key::client(mode, &pointer.client_id));
        let found = self.get_many(wanted).await?;
        let records = found.into_values().map(from_item);
        let mut clients: Vec<OAuthClient> = records.collect::<Result<_, _>>()?;
        clients.sort_by(|a, b| a.client_id.cmp(&b.client_id));
        Ok(clients)
    }

    /// Replaces a client's secrets and redirect URIs, with the audit entry, if it still has those that were read.
    /// `false` otherwise: the caller reads again.
    pub async fn change_client(
        &self,
        read: &OAuthClient,
        secrets: &[ClientSecret],
        redirect_uris: &[RedirectUri],
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update =
            Update::new().set("secrets", &secrets)?.set("redirect_uris", &redirect_uris)?;
        let secrets_read = serde_dynamo::to_attribute_value(&read.secrets).map_err(corrupt)?;
        let uris_read = serde_dynamo::to_attribute_value(&read.redirect_uris).map_err(corrupt)?;
        let condition = Expression::new("secrets = :secrets AND redirect_uris = :uris")
            .value(":secrets", secrets_read)
            .value(":uris", uris_read);
        let key = Key::client(read.mode, &read.client_id);
        let change = Write::Update { key, update: update.build(), condition };
        let written = self.transact(vec![change, audit::write(entry)?]).await?;
        if matches!(written, Written::Done) {
            return Ok(true);
        }
        // A repeated attempt meets its own write.
        let current = self.get_client(read.mode, &read.client_id).await?;
        Ok(current.is_some_and(|it| it.secrets == secrets && it.redirect_uris == redirect_uris))
    }
}
