//! The reservation of an idempotency key (specification 3.3).
//!
//! | record | condition | what a send does |
//! |---|---|---|
//! | none | | reserves |
//! | in progress | lease over | takes over |
//! | in progress | lease running | 409 |
//! | saved | same fingerprint | replays |
//! | any that stays | other fingerprint | 409 |
//!
//! The transaction that records the document saves the response on the condition that the
//! reservation is still its own, so an attempt whose lease was taken over can no longer win.

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    IdempotencyRecord, IdempotencyState, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item, to_item, unknown},
    keys::Key,
    text::instant,
};
use crate::types::{DocumentId, Mode, TaxpayerId};

/// An attempt's claim on a key.
#[derive(Debug, Clone)]
pub struct Reservation {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer to which the key is scoped.
    pub taxpayer_id: TaxpayerId,
    /// The key, as the caller sent it.
    pub key: String,
    /// SHA-256 of operation and canonical payload, in hex.
    pub fingerprint: String,
    /// The document that the attempt will make.
    pub document_id: DocumentId,
    /// Names the attempt.
    pub owner: Uuid,
    /// From this instant on another attempt may take over.
    pub lease_until: Timestamp,
}

impl Reservation {
    fn item_key(&self) -> Key {
        Key::idempotency(self.mode, &self.taxpayer_id, &self.key)
    }

    fn record(&self, state: IdempotencyState) -> IdempotencyRecord {
        IdempotencyRecord {
            fingerprint: self.fingerprint.clone(),
            document_id: self.document_id.clone(),
            owner: self.owner,
            lease_until: self.lease_until,
            state,
        }
    }

    /// The write that saves the response, if the reservation is still this attempt's.
    pub(super) fn save(&self, status: u16, body: String) -> Result<Write, StoreError> {
        let record = self.record(IdempotencyState::Saved { status, body });
        Ok(Write::Put { item: to_item(self.item_key(), &record)?, condition: self.held() })
    }

    fn held(&self) -> Expression {
        Expression::new("#owner = :owner AND #state = :in_progress")
            .name("#owner", "owner")
            .name("#state", "state")
            .text(":owner", self.owner.to_string())
            .text(":in_progress", "in_progress")
    }
}

/// How a reservation ended.
#[derive(Debug)]
pub enum Reserved {
    /// The key is this attempt's until the lease ends.
    Mine,
    /// The key is another's, or saved.
    Taken(IdempotencyRecord),
}

/// How a release ended.
#[derive(Debug)]
pub enum Release {
    /// The key is free, or another attempt's: this one has made nothing and can make nothing.
    Freed,
    /// This attempt had succeeded after all.
    Saved,
}

impl Store {
    /// Reserves a key: when it has no record, or only one of an attempt whose lease is over.
    pub async fn reserve_submission(
        &self,
        reservation: &Reservation,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let record = reservation.record(IdempotencyState::InProgress);
        let condition = Expression::new(
            "attribute_not_exists(pk) OR (#state = :in_progress AND lease_until <= :now)",
        )
        .name("#state", "state")
        .text(":in_progress", "in_progress")
        .text(":now", instant(now));
        let write = Write::Put { item: to_item(reservation.item_key(), &record)?, condition };
        let found = match self.write(write).await {
            Ok(Written::Done) => return Ok(Reserved::Mine),
            Ok(Written::Refused(Some(item))) => Some(from_item(item)?),
            // The answer got lost, or the other record went meanwhile: look.
            Ok(Written::Refused(None)) | Err(StoreError::Unknown(_)) => {
                self.get(reservation.item_key()).await?
            }
            Err(error) => return Err(error),
        };
        match found {
            // A repeated attempt of the SDK meets its own write.
            Some(IdempotencyRecord { owner, .. }) if owner == reservation.owner => {
                Ok(Reserved::Mine)
            }
            Some(record) => Ok(Reserved::Taken(record)),
            None => Err(unknown("the reservation was not confirmed")),
        }
    }

    /// The record of a key, if it was ever used.
    pub async fn get_idempotency(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        key: &str,
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
            Some(record)
                if record.owner == reservation.owner
                    && matches!(record.state, IdempotencyState::Saved { .. }) =>
            {
                Release::Saved
            }
            _ => Release::Freed,
        })
    }
}
