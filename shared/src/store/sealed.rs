//! Reads and replaces all sealed values of the table, so that an operator can reseal them with another key.

use aws_sdk_dynamodb::types::AttributeValue;

use super::{
    EndpointRecord, KeptMigrationKey, RegistrationRecord, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, from_item, key_item, unavailable},
    keys::{self, Key},
};

/// The sealed values in one part of the table.
#[derive(Debug)]
pub struct SealedPage {
    /// The endpoints, of every organization and mode.
    pub endpoints: Vec<EndpointRecord>,
    /// The registrations that have a migration key.
    pub registrations: Vec<RegistrationRecord>,
    /// Where the next read continues; `None` at the end.
    pub next: Option<String>,
}

impl Store {
    /// Reads a part of the table and returns its sealed values. This scans the whole table. A command may do so once in
    /// a while, a request must not.
    pub async fn scan_sealed(&self, from: Option<&str>) -> Result<SealedPage, StoreError> {
        let start = from
            .map(|from| match from.split_once(' ') {
                Some((pk, sk)) => Ok(key_item(Key { pk: pk.to_owned(), sk: sk.to_owned() })),
                None => {
                    Err(StoreError::Corrupt("it does not name the key to continue with".into()))
                }
            })
            .transpose()?;
        let page = self
            .dynamo
            .scan()
            .table_name(&*self.table)
            .filter_expression("begins_with(sk, :endpoint) OR attribute_exists(migration_key)")
            .expression_attribute_values(":endpoint", AttributeValue::S(keys::ENDPOINT.to_owned()))
            .consistent_read(true)
            .set_exclusive_start_key(start)
            .send()
            .await
            .map_err(unavailable)?;
        let next = page.last_evaluated_key.as_ref().and_then(|key| {
            let text = |name| key.get(name).and_then(|value| value.as_s().ok());
            Some(format!("{} {}", text(keys::PK)?, text(keys::SK)?))
        });
        let items = page.items.unwrap_or_default().into_iter();
        let (registrations, endpoints): (Vec<_>, Vec<_>) =
            items.partition(|item| item.contains_key("migration_key"));
        Ok(SealedPage {
            endpoints: endpoints.into_iter().map(from_item).collect::<Result<_, _>>()?,
            registrations: registrations.into_iter().map(from_item).collect::<Result<_, _>>()?,
            next,
        })
    }

    /// Replaces the sealed values that were read. Returns `false` when they have changed, or the endpoint is gone.
    pub async fn reseal_endpoint(
        &self,
        read: &EndpointRecord,
        sealed: &EndpointRecord,
    ) -> Result<bool, StoreError> {
        let key = Key::endpoint(read.mode, &read.organization_id, &read.endpoint_id);
        let update = Update::new().set("sealed_secret", &sealed.sealed_secret)?;
        let update = match &sealed.previous_secret {
            Some(previous) => update.set("previous_secret", previous)?,
            None => update,
        };
        let update = update.build();
        // A new secret also changes this text.
        let condition = Expression::new("sealed_secret = :read").text(":read", &read.sealed_secret);
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
    /// Replaces the sealed migration key of a registration in the same way.
    pub async fn reseal_registration(
        &self,
        record: &RegistrationRecord,
        sealed: KeptMigrationKey,
    ) -> Result<bool, StoreError> {
        let Some(read) = record.migration_key.clone() else { return Ok(false) };
        let key = Key::registration(record.mode, &record.taxpayer_id, record.register);
        let update = Expression::new("SET migration_key = :new").text(":new", String::from(sealed));
        let condition = Expression::new("migration_key = :read").text(":read", String::from(read));
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}
