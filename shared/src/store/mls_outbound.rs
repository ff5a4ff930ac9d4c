//! Outbound MLS: the Message Level Statuses that are owed for messages of other access points. The transaction that
//! ends a message's validation creates one. A conditional write decides its code once.

use jiff::{Timestamp, civil::Date};

use super::{
    CountedExchange, Due, Lease, MlsOutboundRecord, MlsOutboundStatus, Recorded, StatusCode, Store,
    StoreError, TransmissionRecord,
    dynamo::{Expression, Update, Write, Written, absent, to_item},
    exchange_counts,
    jobs::{due_update, mark},
    keys::{self, ANSWER_SHARDS, Key},
    leases::{leasable, leased},
};
use crate::types::{DocumentId, Mode};

/// The outcome of an attempt to send an MLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// Another attempt is due at this instant.
    Later(Timestamp),
    /// The MLS is sent.
    Sent,
    /// The MLS may have arrived, and there are no more attempts.
    Unconfirmed,
    /// The recipient has no address for it.
    Undeliverable,
}

impl Answered {
    fn status(self) -> MlsOutboundStatus {
        match self {
            Answered::Later(_) => MlsOutboundStatus::Answering,
            Answered::Sent => MlsOutboundStatus::Sent,
            Answered::Unconfirmed => MlsOutboundStatus::Unconfirmed,
            Answered::Undeliverable => MlsOutboundStatus::Undeliverable,
        }
    }
}

/// The write that creates an outbound MLS.
pub(super) fn owe(
    mode: Mode,
    answer: &MlsOutboundRecord,
    due: Option<Due>,
) -> Result<Write, StoreError> {
    let key = Key::mls_outbound(mode, &answer.document_id);
    let mut item = to_item(key.clone(), answer)?;
    if let Some(due) = due {
        mark(&mut item, mode, &key, due);
    }
    Ok(Write::Put { item, condition: absent() })
}

impl Store {
    /// The MLS for the message of a document.
    pub async fn get_mls_outbound(
        &self,
        mode: Mode,
        document_id: &DocumentId,
    ) -> Result<Option<MlsOutboundRecord>, StoreError> {
        self.get(Key::mls_outbound(mode, document_id)).await
    }

    /// The MLS that became owed on a day (in UTC), in one of the shards.
    pub async fn list_mls_outbound(
        &self,
        mode: Mode,
        day: Date,
        shard: u8,
    ) -> Result<Vec<MlsOutboundRecord>, StoreError> {
        debug_assert!(shard < ANSWER_SHARDS);
        self.all(&keys::mls_outbound_partition(mode, &day.to_string(), shard), DocumentId::PREFIX)
            .await
    }

    /// Decides that a document was delivered, after its receiver confirmed it. The relay then dispatches the MLS.
    /// Returns `false` when no MLS is owed, or its code was decided before.
    pub async fn confirm_mls_outbound(
        &self,
        mode: Mode,
        document_id: &DocumentId,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::mls_outbound(mode, document_id);
        let update = Update::new()
            .set("status", &MlsOutboundStatus::Answering)?
            .set("code", &StatusCode::Delivered)?
            .remove("tries");
        let update = due_update(update, mode, &key, Some(Due::relayed(sweep_at)))?.build();
        let condition = Expression::new("#status = :waiting AND attribute_not_exists(parked)")
            .name("#status", "status")
            .text(":waiting", MlsOutboundStatus::Waiting.as_str());
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Leases an MLS, as it was read, and fixes its `code`. Counts the attempt. Returns `None` when another worker has
    /// it or has changed it, or when it is parked.
    pub async fn lease_mls_outbound(
        &self,
        mode: Mode,
        read: &MlsOutboundRecord,
        code: StatusCode,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<MlsOutboundRecord>, StoreError> {
        let status = MlsOutboundStatus::Answering;
        let update = Update::new().set("status", &status)?.set("code", &code)?;
        let changed = MlsOutboundRecord { status, code: Some(code), ..read.clone() };
        self.lease_changed(mode, read, (update, leasable(read, now)), changed, lease).await
    }

    /// Ends an attempt that still has its lease, writes its transmission, and counts the exchange. An unknown outcome
    /// is read back.
    pub async fn end_mls_outbound(
        &self,
        mode: Mode,
        leased: &MlsOutboundRecord,
        answered: Answered,
        transmission: Option<&TransmissionRecord>,
        exchange: Option<&CountedExchange>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let status = answered.status();
        let update = Update::new().set("status", &status)?;
        let (update, due) = match answered {
            Answered::Later(next) => (update, Some(Due::begins(next, at))),
            Answered::Sent => (update.set("sent_at", &at)?, None),
            Answered::Unconfirmed | Answered::Undeliverable => (update, None),
        };
        let writes = Vec::from_iter(exchange.map(exchange_counts::count).transpose()?);
        if !self.end_attempt(mode, transmission).await? {
            return Ok(Recorded::Lost);
        }
        let is_ended =
            |current: &MlsOutboundRecord| current.lease.is_none() && current.status == status;
        self.end_lease(mode, leased, (update, due), writes, is_ended).await
    }
}

leased!(MlsOutboundRecord, |it, mode| Key::mls_outbound(mode, &it.document_id));
