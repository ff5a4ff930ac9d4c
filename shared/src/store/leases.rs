//! Leases: one worker at a time owns a job. The worker claims it by one conditional write and ends its work by another.
//! A write with an unknown outcome is read back.

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::{
    Lease, Recorded, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item},
    jobs::tried,
    keys::Key,
    text::instant,
};

/// A record that one worker at a time owns under a lease.
pub(super) trait Leased: DeserializeOwned {
    fn lease(&self) -> Option<&Lease>;
}

impl Store {
    /// Claims an item that was read as `read`, by an update that makes it `taken`. Returns `None` when another worker
    /// owns the item or has changed it.
    pub(super) async fn take<R: Leased>(
        &self,
        key: Key,
        (update, condition): (Expression, Expression),
        read: &R,
        taken: R,
    ) -> Result<Option<R>, StoreError> {
        let stands = match self.write(Write::Update { key: key.clone(), update, condition }).await {
            Ok(Written::Done) => return Ok(Some(taken)),
            Ok(Written::Refused(item)) => item.map(from_item::<R>).transpose()?,
            Err(StoreError::Unknown(error)) => {
                let stands = self.get::<R>(key).await?;
                // The update is not applied yet, but still may be.
                if stands.as_ref().is_some_and(|stands| stands.lease() == read.lease()) {
                    return Err(StoreError::Unknown(error));
                }
                stands
            }
            Err(error) => return Err(error),
        };
        // A repeated attempt of the SDK meets its own write.
        Ok(stands.filter(|stands| stands.lease() == taken.lease()))
    }

    /// Decides the outcome of a write that ends the lease of `leased`. `is_ended` recognizes an item that this write
    /// changed.
    pub(super) async fn ended<R: Leased>(
        &self,
        key: Key,
        leased: &R,
        written: Result<Written, StoreError>,
        is_ended: impl Fn(&R) -> bool,
    ) -> Result<Recorded, StoreError> {
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let stands = self.get::<R>(key).await;
        match (written, stands) {
            // It does not matter whose write it was: the write was all or nothing.
            (_, Ok(Some(stands))) if is_ended(&stands) => Ok(Recorded::Done),
            // The write is not applied yet, but still may be.
            (Err(error), Ok(Some(stands))) if stands.lease() == leased.lease() => Err(error),
            (_, Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// The condition that an item may be claimed: it has the status `was`, no lease at `now`, is not parked, and has the
/// number of attempts that was read.
pub(super) fn takeable(was: &str, tries: u32, now: Timestamp) -> Expression {
    Expression::new("#status = :was AND (attribute_not_exists(#lease) OR #lease.#until <= :now)")
        .and("attribute_not_exists(parked)")
        .and(tried(tries))
        .name("#status", "status")
        .name("#lease", "lease")
        .name("#until", "until")
        .text(":was", was)
        .text(":now", instant(now))
        .number(":tries", tries)
}

/// The condition that an item is still under this lease. It never holds when there is no lease.
pub(super) fn leased_by(leased: &impl Leased) -> Expression {
    let owner = leased.lease().map_or(String::new(), |lease| lease.owner.to_string());
    Expression::new("#lease.#owner = :owner")
        .name("#lease", "lease")
        .name("#owner", "owner")
        .text(":owner", owner)
}
