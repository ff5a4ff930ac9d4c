//! The reservation of an idempotency key (specification 3.3).
//!
//! | record | condition | what a send does |
//! |---|---|---|
//! | none | | reserves |
//! | in progress | lease over, same payload | goes on with the same ids |
//! | in progress | lease over, same payload, begun more than a day ago | begins anew |
//! | in progress | lease over, other payload | begins anew |
//! | in progress | lease running | 409 |
//! | recorded | | 409: the document is on its way, and its last stage saves the response |
//! | saved | same fingerprint | replays |
//! | any that stays | other fingerprint | 409 |
//!
//! The transaction that records the document saves the response on the condition that the
//! reservation is still its own, so an attempt whose lease was taken over can no longer win. What is
//! in progress has left nothing outside the table and the bucket, which is why it may be begun
//! anew; what has is recorded first.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{
    IdempotencyHash, IdempotencyRecord, IdempotencyState, ImportedRow, Recorded, SavedReply,
    SendFacts, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item, to_item, unknown},
    keys::Key,
    text::instant,
};
use crate::types::{DocumentId, ImportId, Mode, TaxpayerId};

/// How long a send that was not ended can be gone on with. Afterwards its issue date would be
/// yesterday's, and its payloads are nobody's.
pub const RESUMABLE: SignedDuration = SignedDuration::from_hours(24);

/// An attempt's claim on a key.
#[derive(Debug, Clone)]
pub struct Reservation {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer to which the key is scoped.
    pub taxpayer_id: TaxpayerId,
    /// The key.
    pub key: IdempotencyHash,
    /// SHA-256 of operation and canonical payload, in hex.
    pub fingerprint: String,
    /// What is fixed for the send.
    pub facts: SendFacts,
    /// Names the attempt.
    pub owner: Uuid,
    /// From this instant on another attempt may take over.
    pub lease_until: Timestamp,
}

impl Reservation {
    fn item_key(&self) -> Key {
        Key::idempotency(self.mode, &self.taxpayer_id, &self.key)
    }

    fn record(&self) -> IdempotencyRecord {
        IdempotencyRecord {
            fingerprint: self.fingerprint.clone(),
            facts: self.facts.clone(),
            owner: self.owner,
            lease_until: self.lease_until,
            state: IdempotencyState::InProgress,
        }
    }

    /// The write that ends the attempt, if the reservation is still its own: with the response, or
    /// without when a later stage of the document saves it.
    pub(super) fn end(&self, reply: Option<SavedReply<'_>>) -> Write {
        let update = match reply {
            Some(reply) => save(reply),
            None => {
                Expression::new("SET #state = :to").name("#state", "state").text(":to", "recorded")
            }
        };
        Write::Update { key: self.item_key(), update, condition: self.held() }
    }

    fn held(&self) -> Expression {
        in_state("in_progress")
            .and("#owner = :owner")
            .name("#owner", "owner")
            .text(":owner", self.owner.to_string())
    }
}

/// The write with which the stage that ends a send saves its response.
pub(super) fn answer(
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    key: &IdempotencyHash,
    document_id: &DocumentId,
    reply: SavedReply<'_>,
) -> Write {
    let condition =
        in_state("recorded").and("document_id = :document").text(":document", document_id.as_str());
    Write::Update { key: Key::idempotency(mode, taxpayer_id, key), update: save(reply), condition }
}

fn save(reply: SavedReply<'_>) -> Expression {
    Expression::new("SET #state = :to, #status = :status, #body = :body")
        .name("#state", "state")
        .name("#status", "status")
        .name("#body", "body")
        .text(":to", "saved")
        .number(":status", reply.status)
        .text(":body", reply.body)
}

fn in_state(state: &str) -> Expression {
    Expression::new("#state = :from").name("#state", "state").text(":from", state)
}

/// How a reservation ended.
#[derive(Debug)]
pub enum Reserved {
    /// The key is this attempt's until the lease ends; what is fixed for the send may be an
    /// earlier attempt's.
    Mine(Reservation),
    /// The key is another's, or saved.
    Taken(IdempotencyRecord),
}

/// How a release ended.
#[derive(Debug)]
pub enum Release {
    /// The key is free, or another send's: nothing can be made any more with the ids of this one.
    Freed,
    /// The record of this send stands: it is ended, or another attempt goes on with it.
    Stands(Box<IdempotencyRecord>),
}

impl Store {
    /// Reserves a key: when it has no record, or only one of an attempt whose lease is over. The
    /// same payload then goes on with what was fixed for it.
    pub async fn reserve_submission(
        &self,
        reservation: Reservation,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let item = to_item(reservation.item_key(), &reservation.record())?;
        let condition = Expression::new("attribute_not_exists(pk)");
        match self.reserve(Write::Put { item: item.clone(), condition }, &reservation).await? {
            None => Ok(Reserved::Mine(reservation)),
            Some(found) if is_over(&found, now) => self.take_over(reservation, found, now).await,
            Some(found) => Ok(Reserved::Taken(found)),
        }
    }

    /// Takes a key over from an attempt whose lease is over.
    async fn take_over(
        &self,
        mut reservation: Reservation,
        found: IdempotencyRecord,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let age = now.duration_since(found.facts.created_at);
        if found.fingerprint == reservation.fingerprint && age < RESUMABLE {
            reservation.facts = found.facts;
        }
        let item = to_item(reservation.item_key(), &reservation.record())?;
        let condition = in_state("in_progress")
            .and("#owner = :former AND lease_until <= :now")
            .name("#owner", "owner")
            .text(":former", found.owner.to_string())
            .text(":now", instant(now));
        Ok(match self.reserve(Write::Put { item, condition }, &reservation).await? {
            None => Reserved::Mine(reservation),
            Some(record) => Reserved::Taken(record),
        })
    }

    /// Writes a reservation; gives the record that stands in its way.
    async fn reserve(
        &self,
        write: Write,
        reservation: &Reservation,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let found = match self.write(write).await {
            Ok(Written::Done) => return Ok(None),
            Ok(Written::Refused(Some(item))) => Some(from_item(item)?),
            // The answer got lost, or the other record went meanwhile: look.
            Ok(Written::Refused(None)) | Err(StoreError::Unknown(_)) => {
                self.get(reservation.item_key()).await?
            }
            Err(error) => return Err(error),
        };
        match found {
            // A repeated attempt of the SDK meets its own write.
            Some(IdempotencyRecord { owner, .. }) if owner == reservation.owner => Ok(None),
            Some(record) => Ok(Some(record)),
            None => Err(unknown("the reservation was not confirmed")),
        }
    }

    /// Ends an attempt that made nothing with the answer to it, which is about an import of before.
    pub async fn save_reply(
        &self,
        reservation: &Reservation,
        SavedReply { status, body }: SavedReply<'_>,
        import_id: &ImportId,
    ) -> Result<Recorded, StoreError> {
        let import = Some(ImportedRow::whole(import_id.clone()));
        let record = IdempotencyRecord {
            facts: SendFacts { import, ..reservation.facts.clone() },
            state: IdempotencyState::Saved { status, body: body.to_owned() },
            ..reservation.record()
        };
        let item = to_item(reservation.item_key(), &record)?;
        match self.write(Write::Put { item, condition: reservation.held() }).await? {
            Written::Done => Ok(Recorded::Done),
            Written::Refused(_) => Ok(Recorded::Lost),
        }
    }

    /// The record of a key, if it was ever used.
    pub async fn get_idempotency(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        key: &IdempotencyHash,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.get(Key::idempotency(mode, taxpayer_id, key)).await
    }

    /// Frees the key of an attempt that made nothing. Afterwards the attempt's transaction can no
    /// longer be applied, not even one that is still on the wire: its condition fails.
    pub async fn release_reservation(
        &self,
        reservation: &Reservation,
    ) -> Result<Release, StoreError> {
        let write = Write::Delete { key: reservation.item_key(), condition: reservation.held() };
        let found: Option<IdempotencyRecord> = match self.write(write).await {
            Ok(Written::Done) => return Ok(Release::Freed),
            Ok(Written::Refused(Some(item))) => Some(from_item(item)?),
            Ok(Written::Refused(None)) => self.get(reservation.item_key()).await?,
            Err(error) => return Err(error),
        };
        Ok(match found {
            Some(record) if record.facts.document_id == reservation.facts.document_id => {
                Release::Stands(Box::new(record))
            }
            _ => Release::Freed,
        })
    }
}

fn is_over(record: &IdempotencyRecord, now: Timestamp) -> bool {
    record.state == IdempotencyState::InProgress && record.lease_until <= now
}
