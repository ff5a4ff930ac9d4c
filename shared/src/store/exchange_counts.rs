//! Counts of exchanges with other access points. The count is in the transaction that ends a transmission with its
//! receipt, or that records an inbound message. So each exchange counts once in spite of crashes and retries, and no
//! document is read again.
//!
//! There is one count for each month, kind of exchange and shard. The shard is a hash of the message, so that the
//! transactions of a busy taxpayer or provider do not conflict on one item.

use super::{
    CountedExchange, ExchangeCount, Store, StoreError,
    dynamo::{Expression, Update, Write},
    keys::{self, EXCHANGE, EXCHANGE_SHARDS, Key},
};
use crate::peppol::statistics::Month;

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
