//! Every endpoint of the table, for who operates the service: to seal their secrets again.

use aws_sdk_dynamodb::types::AttributeValue;

use super::{
    EndpointRecord, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item, key_item, unavailable},
    keys::{self, Key},
};

/// Endpoints of one read of the whole table.
#[derive(Debug)]
pub struct EndpointPage {
    /// The endpoints, of every organization and mode.
    pub endpoints: Vec<EndpointRecord>,
    /// Where the next read goes on; none at the end.
    pub next: Option<String>,
}

impl Store {
    /// Reads a part of the table and gives the endpoints in it. The whole table is read for them, which
    /// is what a command may do once in a while and a request must not.
    pub async fn scan_endpoints(&self, from: Option<&str>) -> Result<EndpointPage, StoreError> {
        let start = from
            .map(|from| match from.split_once(' ') {
                Some((pk, sk)) => Ok(key_item(Key { pk: pk.to_owned(), sk: sk.to_owned() })),
                None => Err(StoreError::Corrupt("it does not say where to go on".into())),
            })
            .transpose()?;
        let page = self
            .dynamo
            .scan()
            .table_name(&*self.table)
            .filter_expression("begins_with(sk, :endpoint)")
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
        let items = page.items.unwrap_or_default();
        let endpoints = items.into_iter().map(from_item).collect::<Result<_, _>>()?;
        Ok(EndpointPage { endpoints, next })
    }

    /// Puts a newly sealed text in the place of the one that was read. `false` when another stands
    /// there meanwhile, or the endpoint is gone.
    pub async fn reseal_endpoint(
        &self,
        endpoint: &EndpointRecord,
        sealed: &str,
    ) -> Result<bool, StoreError> {
        let key = Key::endpoint(endpoint.mode, &endpoint.organization_id, &endpoint.endpoint_id);
        let update = Expression::new("SET sealed_secret = :new").text(":new", sealed);
        let condition =
            Expression::new("sealed_secret = :read").text(":read", &endpoint.sealed_secret);
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}
