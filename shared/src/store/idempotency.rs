//! The reservation of an idempotency key (specification 3.3).
//!
//! | record | condition | what a send does |
//! |---|---|---|
//! | none | | reserves |
//! | in progress | lease over, same payload | resumes with the same ids |
//! | in progress | lease over, same payload, begun more than a day ago | starts over |
//! | in progress | lease over, other payload | starts over |
//! | in progress | lease running | 409 |
//! | recorded | | 409: the document is not finished; its last stage saves the response |
//! | saved | same fingerprint | replays |
//! | retired | | reads the rest of the record in the bucket, and goes on as with saved |
//! | recorded or saved | other fingerprint | 409 |
//!
//! The transaction that records the document saves the response only if the reservation still belongs to the attempt.
//! So an attempt that lost its lease can no longer win. A send in progress has left nothing outside the table and the
//! bucket, so it may start over. A send is recorded before it has effects elsewhere.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    IdempotencyHash, IdempotencyRecord, IdempotencyState, ImportedRow, Recorded, SavedReply,
    SendFacts, Store, StoreError,
    dynamo::{Expression, Item, Update, Write, Written, from_item, key_of, to_item, unknown},
    keys::Key,
    text::instant,
};
use crate::types::{DocumentId, ImportId, Mode, TaxpayerId};

/// How long an unfinished send can be resumed. After that its issue date would be yesterday's, and its payloads belong
/// to no document.
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
    /// The ids and instants that are fixed for the send.
    pub facts: SendFacts,
    /// Identifies the attempt.
    pub owner: Uuid,
    /// The instant from which another attempt may take over.
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

    /// The write that ends the attempt, if it still has the reservation. It saves the response, or none when a later
    /// stage of the document saves it.
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

/// The write by which the stage that ends a send saves its response.
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

/// The state of a record whose answer and other facts are in the bucket.
const RETIRED: &str = "retired";

/// What a record keeps in the table in any state.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stub {
    state: String,
    document_id: DocumentId,
}

/// The write that leaves of a record what identifies its send, once the rest is in the bucket. An answer that is saved
/// never changes.
pub(super) fn retire(key: Key) -> Result<Write, StoreError> {
    let rest = [
        "fingerprint",
        "message_id",
        "uuid",
        "created_at",
        "queued",
        "import",
        "owner",
        "lease_until",
        "status",
        "body",
    ];
    let update = Update::new().set("state", &RETIRED)?;
    let update = rest.into_iter().fold(update, Update::remove).build();
    Ok(Write::Update { key, update, condition: in_state("saved") })
}

/// The condition that a record may be written again: it is retired, or there is none.
pub(super) fn absent_or_retired() -> Expression {
    Expression::new("attribute_not_exists(pk) OR #state = :retired")
        .name("#state", "state")
        .text(":retired", RETIRED)
}

/// How a reservation ended.
#[derive(Debug)]
pub enum Reserved {
    /// This attempt has the key until the lease ends. The fixed facts of the send may come from an earlier attempt.
    Mine(Reservation),
    /// Another attempt has the key, or a response is saved.
    Taken(IdempotencyRecord),
}

/// How a release ended.
#[derive(Debug)]
pub enum Release {
    /// The key is free, or belongs to another send. Nothing can be created with the ids of this send any more.
    Freed,
    /// The record of this send remains: the send ended, or another attempt resumed it.
    Remains(Box<IdempotencyRecord>),
}

impl Store {
    /// Reserves a key that has no record, or the record of an attempt whose lease is over. A send with the same payload
    /// resumes with the facts that were fixed for it.
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

    /// Writes a reservation; returns the record that prevents it.
    async fn reserve(
        &self,
        write: Write,
        reservation: &Reservation,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let found = match self.write(write).await {
            Ok(Written::Done) => return Ok(None),
            Ok(Written::Refused(Some(item))) => {
                Some(self.idempotency_of(&reservation.taxpayer_id, item).await?)
            }
            // The response was lost, or the other record was removed meanwhile: read the record.
            Ok(Written::Refused(None)) | Err(StoreError::Unknown(_)) => {
                let Reservation { mode, taxpayer_id, key, .. } = reservation;
                self.get_idempotency(*mode, taxpayer_id, key).await?
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

    /// Saves the response of an attempt that created nothing, because an earlier import of the same file exists.
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

    /// The record of an item. Of a retired one, the rest is in the bucket.
    async fn idempotency_of(
        &self,
        taxpayer_id: &TaxpayerId,
        item: Item,
    ) -> Result<IdempotencyRecord, StoreError> {
        let Stub { state, document_id } = from_item(item.clone())?;
        if state != RETIRED {
            return from_item(item);
        }
        let mut retired = self.retired_items(taxpayer_id, &document_id).await?;
        let gone = || StoreError::Corrupt("the answer under the key is no longer kept".into());
        from_item(retired.remove(&key_of(&item)?).ok_or_else(gone)?)
    }

    /// The record of a key, if it was ever used.
    pub async fn get_idempotency(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        key: &IdempotencyHash,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        match self.get_item(Key::idempotency(mode, taxpayer_id, key)).await? {
            Some(item) => self.idempotency_of(taxpayer_id, item).await.map(Some),
            None => Ok(None),
        }
    }

    /// Frees the key of an attempt that created nothing. Afterwards the attempt's transaction can no longer be applied,
    /// even if it is still in transit, because its condition fails.
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
                Release::Remains(Box::new(record))
            }
            _ => Release::Freed,
        })
    }
}

fn is_over(record: &IdempotencyRecord, now: Timestamp) -> bool {
    record.state == IdempotencyState::InProgress && record.lease_until <= now
}
