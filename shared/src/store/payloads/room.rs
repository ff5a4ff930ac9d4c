//! The memory that documents may take in one process.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::Bucket;
use crate::store::{Payload, StoreError, dynamo::unavailable};

/// How many KiB of documents the jobs of a process work on at once. A document takes several times its size, as UBL, as
/// envelope, compressed and encrypted. A queue brings ten documents at once, and each may have 10 MB.
const ROOM: u32 = 32 * 1024;
/// How long a job waits for room. After that it comes again, since it needs the rest of its time for its work.
const PATIENCE: Duration = Duration::from_secs(10);

/// The room of a process. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    pub(super) fn new() -> Self {
        Room(Arc::new(Semaphore::new(ROOM as usize)))
    }

    async fn hold(&self, bytes: u64, patience: Duration) -> Result<Held, StoreError> {
        let wanted = u32::try_from(bytes.div_ceil(1024)).unwrap_or(ROOM).clamp(1, ROOM);
        let permit = timeout(patience, self.0.clone().acquire_many_owned(wanted)).await;
        let permit = permit.map_err(|_| {
            StoreError::Unavailable("other documents take the memory of this process".into())
        })?;
        permit.map(Held).map_err(unavailable)
    }
}

/// The room that a job holds for its document, until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Held(
    #[expect(dead_code, reason = "it counts until it is dropped")] OwnedSemaphorePermit,
);

impl Bucket {
    /// Reads a payload as [`Bucket::get`] does, once the process has room for it. Payloads come in their order, so none
    /// waits for ever. One that is larger than the room gets all of it.
    pub async fn get_with_room(&self, payload: &Payload) -> Result<(Held, Vec<u8>), StoreError> {
        Ok((self.hold(payload.bytes).await?, self.get(payload).await?))
    }

    /// Waits until the process has room for so many bytes.
    pub(super) async fn hold(&self, bytes: u64) -> Result<Held, StoreError> {
        self.room.hold(bytes, PATIENCE).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wait that ends in vain.
    const BRIEFLY: Duration = Duration::from_millis(20);
    const TEN_MB: u64 = 10 << 20;

    #[tokio::test]
    async fn documents_wait_until_there_is_room_and_one_that_is_too_large_works_alone() {
        let room = Room::new();
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(room.hold(TEN_MB, BRIEFLY).await.unwrap());
        }
        // A fourth one does not fit, whoever asks for it.
        assert!(room.clone().hold(TEN_MB, BRIEFLY).await.is_err());
        let waiting = room.clone();
        let waiting = tokio::spawn(async move { waiting.hold(TEN_MB, PATIENCE).await.is_ok() });
        tokio::time::sleep(BRIEFLY).await;
        assert!(!waiting.is_finished());
        held.pop();
        assert!(waiting.await.unwrap());
        held.clear();
        let whole = room.hold(u64::MAX, BRIEFLY).await.unwrap();
        assert!(room.hold(1, BRIEFLY).await.is_err());
        drop(whole);
        let _small = room.hold(0, BRIEFLY).await.unwrap();
    }
}
