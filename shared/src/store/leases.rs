//! Leases: an item that waits belongs to one worker at a time, who takes it and ends his work on it by one
//! conditional write each. A write whose outcome is not known is read back.

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::{
    Lease, Recorded, Store, StoreError,
    dynamo::{Expression, Write, Written, from_item},
    jobs::tried,
    keys::Key,
    text::instant,
};

/// A record that one worker at a time has under a lease.
pub(super) trait Leased: DeserializeOwned {
    /// The worker that has it.
    fn lease(&self) -> Option<&Lease>;
}

impl Store {
    /// Takes an item that stood as `read` by an update; `taken` is how it stands then. `None` when another
    /// worker has it, or moved it on.
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
                // Not applied so far, but it still may be.
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

    /// What a write under the lease of `leased` came to, which ends it; `is_ended` knows the item by what
    /// that write made of it.
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
            // Whose write it was is the same: it was all or nothing.
            (_, Ok(Some(stands))) if is_ended(&stands) => Ok(Recorded::Done),
            // Not applied so far, but it still may be.
            (Err(error), Ok(Some(stands))) if stands.lease() == leased.lease() => Err(error),
            (_, Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// The condition that an item may be taken: it has the status `was`, nobody has it at `now`, it is not parked,
/// and was tried as often as was seen.
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

/// The condition that an item is still under this lease; one that nothing meets where there is none.
pub(super) fn leased_by(leased: &impl Leased) -> Expression {
    let owner = leased.lease().map_or(String::new(), |lease| lease.owner.to_string());
    Expression::new("#lease.#owner = :owner")
        .name("#lease", "lease")
        .name("#owner", "owner")
        .text(":owner", owner)
}
