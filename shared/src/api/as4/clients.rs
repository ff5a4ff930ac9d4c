//! The resources of each client of the server: messages in progress, spooled bytes, and work permits.
//!
//! Every limit exists for the process and for one address, so no client can use all of it.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits for all clients and for each one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    /// The maximum number of messages that are processed concurrently.
    pub(super) at_once: usize,
    /// The maximum number of messages in progress for one address.
    pub(super) of_address: usize,
    /// The maximum number of spooled bytes.
    pub(super) spool_bytes: u64,
    /// The maximum number of spooled bytes for one address.
    pub(super) spool_bytes_of_address: u64,
}

/// The exceeded limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Full {
    #[error("This server accepts at most {0} messages from one address at once.")]
    Address(usize),
    #[error("This server spools at most {0} bytes at once.")]
    Spool(u64),
    #[error("This server spools at most {0} bytes from one address at once.")]
    SpoolOfAddress(u64),
}

/// All clients with a message in progress.
pub(super) struct Clients {
    most: Most,
    places: Arc<Semaphore>,
    usage: Mutex<Usage>,
}

#[derive(Default)]
struct Usage {
    spooled: u64,
    by: HashMap<Option<IpAddr>, Share>,
}

struct Share {
    under_way: usize,
    spooled: u64,
    places: Arc<Semaphore>,
}

/// A client's message in progress, until it is dropped.
pub(super) struct Client {
    clients: Arc<Clients>,
    address: Option<IpAddr>,
    places: Arc<Semaphore>,
}

/// Reserved bytes in the spool, freed on drop.
pub(super) struct Room {
    client: Arc<Client>,
    bytes: u64,
}

/// A work permit. Its message is in progress while it is held, even if the client has disconnected.
pub(super) struct Place {
    _client: Arc<Client>,
    _of_address: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Clients {
    pub(super) fn new(most: Most) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(most.at_once));
        Arc::new(Clients { most, places, usage: Mutex::default() })
    }

    /// Admits another message of an address; `None` represents all unknown addresses.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Result<Arc<Client>, Full> {
        let address = address.map(client_of);
        let mut usage = self.usage();
        let share = usage.by.entry(address).or_insert_with(|| Share {
            under_way: 0,
            spooled: 0,
            // One permit remains for other addresses, if there is more than one.
            places: Arc::new(Semaphore::new(self.most.at_once.saturating_sub(1).max(1))),
        });
        if share.under_way >= self.most.of_address {
            return Err(Full::Address(self.most.of_address));
        }
        share.under_way += 1;
        let places = share.places.clone();
        Ok(Arc::new(Client { clients: self.clone(), address, places }))
    }

    /// No code panics while it holds the lock.
    fn usage(&self) -> MutexGuard<'_, Usage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    /// An empty reservation in the spool, which grows with the received bytes.
    pub(super) fn room(self: &Arc<Self>) -> Room {
        Room { client: self.clone(), bytes: 0 }
    }

    /// Waits for a work permit. Each address has its own queue before the common one.
    pub(super) async fn place(self: &Arc<Self>) -> Option<Place> {
        let of_address = self.places.clone().acquire_owned().await.ok()?;
        let of_all = self.clients.places.clone().acquire_owned().await.ok()?;
        Some(Place { _client: self.clone(), _of_address: of_address, _of_all: of_all })
    }

    /// Whether the spool has room for this many more bytes.
    fn fits(&self, usage: &Usage, bytes: u64) -> Result<(), Full> {
        let most = &self.clients.most;
        let spooled = usage.by.get(&self.address).map_or(0, |share| share.spooled);
        if spooled.saturating_add(bytes) > most.spool_bytes_of_address {
            return Err(Full::SpoolOfAddress(most.spool_bytes_of_address));
        }
        if usage.spooled.saturating_add(bytes) > most.spool_bytes {
            return Err(Full::Spool(most.spool_bytes));
        }
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut usage = self.clients.usage();
        if let Some(share) = usage.by.get_mut(&self.address) {
            share.under_way -= 1;
            if share.under_way == 0 {
                usage.by.remove(&self.address);
            }
        }
    }
}

impl Room {
    /// Checks whether the spool has room for this many more bytes now.
    pub(super) fn check(&self, bytes: u64) -> Result<(), Full> {
        self.client.fits(&self.client.clients.usage(), bytes)
    }

    /// Reserves this many more bytes.
    pub(super) fn grow(&mut self, bytes: u64) -> Result<(), Full> {
        let mut usage = self.client.clients.usage();
        self.client.fits(&usage, bytes)?;
        usage.spooled += bytes;
        if let Some(share) = usage.by.get_mut(&self.client.address) {
            share.spooled += bytes;
        }
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut usage = self.client.clients.usage();
        usage.spooled -= self.bytes;
        if let Some(share) = usage.by.get_mut(&self.client.address) {
            share.spooled -= self.bytes;
        }
    }
}

/// The address that identifies a client: an IPv4 address, or a /64 network of IPv6. A subscriber has at least a /64
/// (RFC 6177, section 2).
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Most =
        Most { at_once: 4, of_address: 2, spool_bytes: 100, spool_bytes_of_address: 60 };

    fn clients() -> Arc<Clients> {
        Clients::new(MOST)
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn an_address_has_so_many_messages_under_way_and_another_address_its_own() {
        let clients = clients();
        let first = clients.enter(address("192.0.2.1")).unwrap();
        let _second = clients.enter(address("::ffff:192.0.2.1")).unwrap();
        assert_eq!(clients.enter(address("192.0.2.1")).err(), Some(Full::Address(2)));
        clients.enter(address("192.0.2.2")).unwrap();
        drop(first);
        clients.enter(address("192.0.2.1")).unwrap();
    }

    #[test]
    fn all_addresses_of_a_network_of_ipv6_are_one_client() {
        let clients = clients();
        let _kept =
            ["2001:db8::1", "2001:db8::ffff:1"].map(|it| clients.enter(address(it)).unwrap());
        assert_eq!(clients.enter(address("2001:db8::2")).err(), Some(Full::Address(2)));
        clients.enter(address("2001:db8:0:1::2")).unwrap();
    }

    #[test]
    fn room_in_the_spool_is_bounded_for_an_address_and_for_all_and_comes_back() {
        let clients = clients();
        let mut room = clients.enter(address("192.0.2.1")).unwrap().room();
        room.grow(60).unwrap();
        assert_eq!(room.grow(1), Err(Full::SpoolOfAddress(60)));
        let mut other = clients.enter(address("192.0.2.2")).unwrap().room();
        assert_eq!(other.check(41), Err(Full::Spool(100)));
        other.grow(40).unwrap();
        assert_eq!(other.grow(1), Err(Full::Spool(100)));
        drop(room);
        other.grow(20).unwrap();
        drop(other);
        let usage = clients.usage();
        assert_eq!(
            (usage.spooled, usage.by.len()),
            (0, 0),
            "nothing is kept of those who are gone"
        );
    }

    #[tokio::test]
    async fn one_address_never_has_all_places() {
        let clients = clients();
        let busy = clients.enter(address("192.0.2.1")).unwrap();
        let mut places = Vec::new();
        for _ in 0..3 {
            places.push(busy.place().await.unwrap());
        }
        let soon = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, busy.place()).await.is_err());
        let other = clients.enter(address("192.0.2.2")).unwrap();
        let _place = tokio::time::timeout(soon, other.place()).await.unwrap().unwrap();
        // An abandoned wait takes no permit.
        assert!(tokio::time::timeout(soon, busy.place()).await.is_err());
        places.pop();
        assert!(tokio::time::timeout(soon, busy.place()).await.unwrap().is_some());
    }
}
