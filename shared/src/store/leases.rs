//! Leases: one worker at a time owns a job. The worker claims it by one conditional write and ends its work by another.
//! A write with an unknown outcome is read back.

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;

use super::{
    Due, Lease, Recorded, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, from_item},
    jobs::{QUEUE_GRACE, after, due_update, owned_by, tried},
    keys::{Key, RELAY},
    text::instant,
};
use crate::types::Mode;

/// By how much the clocks of two workers may differ.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(10);

/// A record that one worker at a time owns under a lease.
pub trait Leased: Clone + DeserializeOwned + Send + Sync {
    /// Where it is stored.
    fn key(&self, mode: Mode) -> Key;
    /// Its status, as it is stored.
    fn status(&self) -> &'static str;
    /// The lease, if there is one. It may be over.
    fn lease(&self) -> Option<&Lease>;
    /// The number of attempts that began since the job last advanced.
    fn tries(&self) -> u32;
    /// The record under a new lease, with the attempt counted.
    #[must_use]
    fn under(self, lease: Lease) -> Self;
}

/// Implements [`Leased`] for records with the fields `status`, `lease` and `tries`.
macro_rules! leased {
    ($record:ty, $key:expr) => {
        impl crate::store::Leased for $record {
            fn key(&self, mode: crate::types::Mode) -> crate::store::keys::Key {
                let key: fn(&$record, crate::types::Mode) -> crate::store::keys::Key = $key;
                key(self, mode)
            }

            fn status(&self) -> &'static str {
                self.status.as_str()
            }

            fn lease(&self) -> Option<&crate::store::Lease> {
                self.lease.as_ref()
            }

            fn tries(&self) -> u32 {
                self.tries
            }

            fn under(self, lease: crate::store::Lease) -> Self {
                Self { lease: Some(lease), tries: self.tries + 1, ..self }
            }
        }
    };
}
pub(super) use leased;

impl Store {
    /// Leases a job, as it was read, and counts the attempt. Returns `None` when another worker owns it or has changed
    /// it, or when it is parked.
    pub async fn lease<R: Leased>(
        &self,
        mode: Mode,
        read: &R,
        lease: Lease,
        now: Timestamp,
    ) -> Result<Option<R>, StoreError> {
        let change = (Update::new(), leasable(read, now));
        self.lease_changed(mode, read, change, read.clone(), lease).await
    }

    /// Leases a job like [`Store::lease`]; the same write makes it `changed`, by an update under a condition.
    pub(super) async fn lease_changed<R: Leased>(
        &self,
        mode: Mode,
        read: &R,
        (update, condition): (Update, Expression),
        changed: R,
        lease: Lease,
    ) -> Result<Option<R>, StoreError> {
        let key = read.key(mode);
        let update = update.set("lease", &lease)?.add("tries", 1);
        // If this worker dies, the queue brings the message again, or the sweeper the job.
        let is_late =
            condition.clone().and("due_at >= :until").text(":until", instant(lease.until));
        let kept = Write::Update {
            key: key.clone(),
            update: update.clone().remove(RELAY).build(),
            condition: is_late,
        };
        let update = due_update(update, mode, &key, Some(Due::watched(lease.until)))?.build();
        let leased = changed.under(lease);
        let written = match self.write(kept).await {
            Ok(Written::Refused(_)) => {
                self.write(Write::Update { key: key.clone(), update, condition }).await
            }
            written => written,
        };
        let current = match written {
            Ok(Written::Done) => return Ok(Some(leased)),
            Ok(Written::Refused(item)) => item.map(from_item::<R>).transpose()?,
            Err(StoreError::Unknown(error)) => {
                let current = self.get::<R>(key).await?;
                // The update is not applied yet, but still may be.
                if current.as_ref().is_some_and(|current| current.lease() == read.lease()) {
                    return Err(StoreError::Unknown(error));
                }
                current
            }
            Err(error) => return Err(error),
        };
        // A repeated attempt of the SDK meets its own write.
        Ok(current.filter(|current| current.lease() == leased.lease()))
    }

    /// Notes why the work on a job failed, if the lease is still its own.
    pub async fn note_cause<R: Leased>(
        &self,
        mode: Mode,
        leased: &R,
        cause: &str,
    ) -> Result<Recorded, StoreError> {
        let update = Update::new().set("cause", &cause)?.build();
        let condition = leased_by(leased);
        match self.write(Write::Update { key: leased.key(mode), update, condition }).await? {
            Written::Done => Ok(Recorded::Done),
            Written::Refused(_) => Ok(Recorded::Lost),
        }
    }

    /// Ends the lease of `leased` by an update, together with further writes. `is_ended` recognizes an item that this
    /// update changed.
    pub(super) async fn end_lease<R: Leased>(
        &self,
        mode: Mode,
        leased: &R,
        (update, due): (Update, Option<Due>),
        further: Vec<Write>,
        is_ended: impl Fn(&R) -> bool,
    ) -> Result<Recorded, StoreError> {
        let change = (update.remove("lease").remove("tries"), due);
        self.write_leased(mode, leased, change, further, is_ended).await
    }

    /// Updates a job whose lease is still its own, together with further writes. `is_done` recognizes an item that this
    /// update changed.
    pub(super) async fn write_leased<R: Leased>(
        &self,
        mode: Mode,
        leased: &R,
        (update, due): (Update, Option<Due>),
        further: Vec<Write>,
        is_done: impl Fn(&R) -> bool,
    ) -> Result<Recorded, StoreError> {
        let key = leased.key(mode);
        let update = due_update(update, mode, &key, due)?.build();
        let write = Write::Update { key: key.clone(), update, condition: leased_by(leased) };
        let written = self.transact(std::iter::once(write).chain(further).collect()).await;
        self.ended(key, leased, written, is_done).await
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
        let current = self.get::<R>(key).await;
        match (written, current) {
            // It does not matter whose write it was: the write was all or nothing.
            (_, Ok(Some(current))) if is_ended(&current) => Ok(Recorded::Done),
            // The write is not applied yet, but still may be.
            (Err(error), Ok(Some(current))) if current.lease() == leased.lease() => Err(error),
            (_, Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// The condition that an item may be leased: it has the status that was read, no lease at `now`, is not parked, has the
/// number of attempts that was read, and its work does not begin later.
///
/// After a backlog of more than [`QUEUE_GRACE`] a job has two messages, and the worker of the first one may have
/// rescheduled it. The sweeper may claim work that begins now within [`QUEUE_GRACE`]; what it may claim later begins
/// later. Work that waits for the sweeper, and begins within that time, is not told apart from work that begins now.
pub(super) fn leasable(read: &impl Leased, now: Timestamp) -> Expression {
    let latest = after(now, QUEUE_GRACE + CLOCK_SKEW);
    Expression::new("#status = :was AND (attribute_not_exists(#lease) OR #lease.#until <= :now)")
        .and("attribute_not_exists(parked)")
        .and(tried(read.tries()))
        .and("due_at <= :latest")
        .name("#status", "status")
        .name("#lease", "lease")
        .name("#until", "until")
        .text(":was", read.status())
        .text(":now", instant(now))
        .number(":tries", read.tries())
        .text(":latest", instant(latest))
}

/// The condition that an item is still under this lease. It never holds when there is no lease.
pub(super) fn leased_by(leased: &impl Leased) -> Expression {
    owned_by(leased.lease().map(|lease| lease.owner))
}
