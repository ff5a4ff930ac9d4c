//! OAuth clients.

use crate::{
    access::{AuditRecord, oauth::OAuthClient},
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

    /// Replaces a client's name, secrets and redirect URIs, with the audit entry, if it still has those that were read.
    /// `false` otherwise: the caller reads again.
    pub async fn change_client(
        &self,
        read: &OAuthClient,
        to: &OAuthClient,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::new()
            .set("name", &to.name)?
            .set("secrets", &to.secrets)?
            .set("redirect_uris", &to.redirect_uris)?;
        let key = Key::client(read.mode, &read.client_id);
        let condition = as_read(read)?;
        let change = Write::Update { key, update: update.build(), condition };
        let written = self.transact(vec![change, audit::write(entry)?]).await?;
        if matches!(written, Written::Done) {
            return Ok(true);
        }
        // A repeated attempt meets its own write.
        let current = self.get_client(read.mode, &read.client_id).await?;
        Ok(current.as_ref() == Some(to))
    }

    /// Deletes a client and the pointer from its organization, with the audit entry, if the client is as it was read.
    /// `false` otherwise: the caller reads again.
    pub async fn delete_client(
        &self,
        read: &OAuthClient,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let OAuthClient { mode, client_id, organization_id, .. } = read;
        let writes = vec![
            Write::Delete { key: Key::client(*mode, client_id), condition: as_read(read)? },
            Write::Delete {
                key: Key::client_pointer(*mode, organization_id, client_id),
                condition: Expression::default(),
            },
            audit::write(entry)?,
        ];
        match self.transact(writes).await? {
            Written::Done => Ok(true),
            // A repeated attempt meets its own write.
            _ => Ok(self.get_client(*mode, client_id).await?.is_none()),
        }
    }
}

/// The condition that a client has the name, the secrets and the redirect URIs that were read.
fn as_read(read: &OAuthClient) -> Result<Expression, StoreError> {
    let secrets = serde_dynamo::to_attribute_value(&read.secrets).map_err(corrupt)?;
    let uris = serde_dynamo::to_attribute_value(&read.redirect_uris).map_err(corrupt)?;
    let condition = "#name = :name AND secrets = :secrets_read AND redirect_uris = :uris_read";
    Ok(Expression::new(condition)
        .name("#name", "name")
        .text(":name", &read.name)
        .value(":secrets_read", secrets)
        .value(":uris_read", uris))
}
