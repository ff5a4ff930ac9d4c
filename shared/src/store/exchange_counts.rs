//! Exchanges with other access points, counted where they are written down: the counter is part of the transaction
//! that ends a transmission with its receipt, or a claim on a message that came. So each counts once, whoever dies
//! and whatever is repeated, and no document is looked at again.
//!
//! A counter is one for each month, kind of exchange and shard; the shard is the message's, so that neither a busy
//! taxpayer nor a busy provider has one item that all its transactions meet at.

use super::{
    CountedExchange, ExchangeCount, Store, StoreError,
    dynamo::{Expression, Update, Write},
    keys::{self, EXCHANGE, EXCHANGE_SHARDS, Key},
};
use crate::peppol::statistics::Month;

/// The write that counts an exchange.
pub(super) fn count(exchange: &CountedExchange) -> Result<Write, StoreError> {
    let update = Update::new().set("kind", &exchange.kind)?.add("exchanges", 1).build();
    Ok(Write::Update { key: Key::exchange(exchange), update, condition: Expression::default() })
}

impl Store {
    /// The exchanges of a month, in one of the shards.
    pub async fn list_exchanges(
        &self,
        month: Month,
        shard: u8,
    ) -> Result<Vec<ExchangeCount>, StoreError> {
        debug_assert!(shard < EXCHANGE_SHARDS);
        self.all(&keys::exchanges(month, shard), EXCHANGE).await
    }
}
