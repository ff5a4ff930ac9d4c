//! Pages of an organization's connections and grants, the newest identifier first. A page takes one query.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use super::{
    Store, StoreError,
    dynamo::{Expression, from_item, key_item, key_of, unavailable},
    keys::{self, CONNECTION, GRANT, Key},
};
use crate::{
    access::{Connection, Grant, GrantStatus},
    types::{Mode, OrganizationId, TaxpayerId},
};

/// How many items a filtered query reads: the maximum cost of a page.
const FILTERED_READ: usize = 500;

/// A page of a collection.
#[derive(Debug)]
pub struct CollectionPage<T> {
    /// The items. A page may be short or empty without being the last one.
    pub items: Vec<T>,
    /// The identifier after which the next page begins; `None` on the last page.
    pub next: Option<String>,
}

/// Which grants of an organization to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct GrantSelection<'a> {
    /// The grants with this status.
    pub status: Option<GrantStatus>,
    /// The grants on this taxpayer.
    pub taxpayer_id: Option<&'a TaxpayerId>,
}

impl GrantSelection<'_> {
    fn filter(&self) -> Option<Expression> {
        let status = self.status.map(|status| {
            let named = Expression::new("#status = :status").name("#status", "status");
            named.text(":status", status.as_str())
        });
        let taxpayer = self.taxpayer_id.map(TaxpayerId::as_str);
        match (status, taxpayer) {
            (None, None) => None,
            (Some(status), None) => Some(status),
            (None, Some(id)) => {
                Some(Expression::new("taxpayer_id = :taxpayer").text(":taxpayer", id))
            }
            (Some(status), Some(id)) => {
                Some(status.and("taxpayer_id = :taxpayer").text(":taxpayer", id))
            }
        }
    }
}

/// A part of a partition. Its sort keys are a prefix and an identifier.
pub(super) struct Slice {
    pub(super) partition: String,
    pub(super) prefix: &'static str,
    /// The condition on `sk`.
    pub(super) sort: Expression,
    /// The filter on the items.
    pub(super) filter: Option<Expression>,
}

impl Slice {
    /// Every item of a kind.
    pub(super) fn of(partition: String, prefix: &'static str, filter: Option<Expression>) -> Self {
        let sort = Expression::new("begins_with(sk, :prefix)").text(":prefix", prefix);
        Slice { partition, prefix, sort, filter }
    }
}

impl Store {
    /// A page of at most `limit` taxpayers on whom the organization holds an active grant.
    pub async fn list_connections(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<Connection>, StoreError> {
        let standing =
            Expression::new("#active > :none").name("#active", "active").number(":none", 0);
        let partition = keys::grants(mode, organization_id);
        self.collection(Slice::of(partition, CONNECTION, Some(standing)), after, limit).await
    }

    /// A page of at most `limit` grants of an organization.
    pub async fn list_grants(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        selection: GrantSelection<'_>,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<Grant>, StoreError> {
        let partition = keys::grants(mode, organization_id);
        self.collection(Slice::of(partition, GRANT, selection.filter()), after, limit).await
    }

    /// A page of a slice after an identifier, in descending order.
    pub(super) async fn collection<T: DeserializeOwned>(
        &self,
        slice: Slice,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<T>, StoreError> {
        let Slice { partition, prefix, sort, filter } = slice;
        // One more than the limit tells whether there is a next page.
        let read = if filter.is_some() { FILTERED_READ } else { limit + 1 };
        let filter = filter.unwrap_or_default();
        let start =
            after.map(|id| key_item(Key { pk: partition.clone(), sk: format!("{prefix}{id}") }));
        let mut values = filter.values().unwrap_or_default();
        values.extend(sort.values().unwrap_or_default());
        let sort = sort.text_or_none().unwrap_or_default();
        values.insert(":pk".to_owned(), AttributeValue::S(partition));
        let output = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .set_key_condition_expression(Expression::new("pk = :pk").and(&sort).text_or_none())
            .set_filter_expression(filter.text_or_none())
            .set_expression_attribute_names(filter.names())
            .set_expression_attribute_values(Some(values))
            .set_exclusive_start_key(start)
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(i32::try_from(read).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(unavailable)?;
        let id_of = |key: Key| key.sk.strip_prefix(prefix).map(str::to_owned);
        let frontier = output.last_evaluated_key.as_ref().map(key_of).transpose()?.and_then(id_of);
        let mut found = output.items.unwrap_or_default();
        let next = match found.len() > limit {
            true => {
                found.truncate(limit);
                found.last().map(key_of).transpose()?.and_then(id_of)
            }
            false => frontier,
        };
        let items = found.into_iter().map(from_item).collect::<Result<_, _>>()?;
        Ok(CollectionPage { items, next })
    }
}
