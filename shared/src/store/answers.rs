//! Answers: the statuses that are owed for messages of other access points. One is made in the transaction
//! that ends the message's judgement, and what it says is decided by a conditional write, once.

use jiff::{Timestamp, civil::Date};

use super::{
    AnswerRecord, AnswerStatus, Due, Exchange, Lease, Recorded, StatusCode, Store, StoreError,
    TransmissionRecord,
    dynamo::{Expression, Update, Write, Written, absent, to_item},
    exchanges,
    keys::{self, ANSWER_SHARDS, Key},
    leases::{Leased, leased_by, takeable},
    relaying::{due_update, mark},
    transmissions,
};
use crate::types::{DocumentId, Mode};

/// What an attempt at an answer has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// Another attempt is due then.
    Later(Timestamp),
    /// It is sent.
    Sent,
    /// It may have arrived, and nothing more is tried.
    Unconfirmed,
    /// There is nowhere to send it to.
    Undeliverable,
}

impl Answered {
    fn status(self) -> AnswerStatus {
        match self {
            Answered::Later(_) => AnswerStatus::Answering,
            Answered::Sent => AnswerStatus::Sent,
            Answered::Unconfirmed => AnswerStatus::Unconfirmed,
            Answered::Undeliverable => AnswerStatus::Undeliverable,
        }
    }
}

/// The write that makes an answer owed.
pub(super) fn owe(
    mode: Mode,
    answer: &AnswerRecord,
    due: Option<Due>,
) -> Result<Write, StoreError> {
    let key = Key::answer(mode, &answer.document_id);
    let mut item = to_item(key.clone(), answer)?;
    if let Some(due) = due {
        mark(&mut item, mode, &key, due);
    }
    Ok(Write::Put { item, condition: absent() })
}

impl Store {
    /// The answer to the message that brought a document.
    pub async fn get_answer(
        &self,
        mode: Mode,
        document_id: &DocumentId,
    ) -> Result<Option<AnswerRecord>, StoreError> {
        self.get(Key::answer(mode, document_id)).await
    }

    /// The answers that became owed on a day (in UTC), in one of the shards.
    pub async fn list_answers(
        &self,
        mode: Mode,
        day: Date,
        shard: u8,
    ) -> Result<Vec<AnswerRecord>, StoreError> {
        debug_assert!(shard < ANSWER_SHARDS);
        self.all(&keys::answers(mode, &day.to_string(), shard), DocumentId::PREFIX).await
    }

    /// Decides that a document was delivered, which its receiver has confirmed: the relay sends the answer on
    /// its way. `false` when nothing waits for that: nothing is owed, or it was decided before.
    pub async fn confirm_answer(
        &self,
        mode: Mode,
        document_id: &DocumentId,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::answer(mode, document_id);
        let update = Update::new()
            .set("status", &AnswerStatus::Answering)?
            .set("code", &StatusCode::Delivered)?
            .remove("tries");
        let update = due_update(update, mode, &key, Some(Due::relayed(sweep_at)))?.build();
        let condition = Expression::new("#status = :waiting AND attribute_not_exists(parked)")
            .name("#status", "status")
            .text(":waiting", AnswerStatus::Waiting.as_str());
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Takes an answer, as it was read, to send it; what it says is `code` from then on. Counts the try.
    /// `None` when it has come on, was taken since, or is parked.
    pub async fn lease_answer(
        &self,
        mode: Mode,
        read: &AnswerRecord,
        code: StatusCode,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<AnswerRecord>, StoreError> {
        let key = Key::answer(mode, &read.document_id);
        let update = Update::new()
            .set("status", &AnswerStatus::Answering)?
            .set("code", &code)?
            .set("lease", &lease)?
            .add("tries", 1);
        // When this worker dies the sweeper sends the answer on its way again.
        let update = due_update(update, mode, &key, Some(Due::watched(lease.until)))?.build();
        let condition = takeable(read.status.as_str(), read.tries, now);
        let taken = AnswerRecord {
            status: AnswerStatus::Answering,
            code: Some(code),
            lease: Some(lease),
            tries: read.tries + 1,
            ..read.clone()
        };
        self.take(key, (update, condition), read, taken).await
    }

    /// Ends an attempt, if the lease is still its own, together with what was learned of the way, and
    /// counts the exchange that it was. An unknown outcome is read back.
    pub async fn end_answer(
        &self,
        mode: Mode,
        leased: &AnswerRecord,
        answered: Answered,
        transmission: Option<&TransmissionRecord>,
        exchange: Option<&Exchange>,
        at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let (key, status) = (Key::answer(mode, &leased.document_id), answered.status());
        let update = Update::new().set("status", &status)?.remove("lease").remove("tries");
        let (update, due) = match answered {
            Answered::Later(next) => (update, Some(Due::watched(next))),
            Answered::Sent => (update.set("sent_at", &at)?, None),
            Answered::Unconfirmed | Answered::Undeliverable => (update, None),
        };
        let update = due_update(update, mode, &key, due)?.build();
        let condition = leased_by(leased);
        let mut writes = vec![Write::Update { key: key.clone(), update, condition }];
        writes.extend(transmission.map(|it| transmissions::put(mode, it)).transpose()?);
        writes.extend(exchange.map(exchanges::count).transpose()?);
        let written = self.transact(writes).await;
        let is_ended = |stands: &AnswerRecord| stands.lease.is_none() && stands.status == status;
        self.ended(key, leased, written, is_ended).await
    }
}

impl Leased for AnswerRecord {
    fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }
}
