//! Every key of the table, in one place.
//!
//! One table. The partition key `pk` always begins with the mode and then the owner, so that a
//! read without both cannot be written: [`Partition`] has no constructor that takes less.
//!
//! | item | pk | sk | attributes | written by | read by |
//! |---|---|---|---|---|---|
//! | taxpayer | `<MODE>#TAXPAYER#<txpay_…>` | `PROFILE` | [`Taxpayer`](crate::access::Taxpayer) | onboarding, seed | every request |
//! | grant | taxpayer's | `GRANT#<org_…>#<tgr_…>` | [`Grant`](crate::access::Grant) | consent, seed | every request, relay |
//! | document | taxpayer's | `DOCUMENT#<doc_…>` | [`DocumentRecord`](super::DocumentRecord), `relay`, `due_pk`, `due_at` | submit, convert, dispatch | documents, relay, sweep |
//! | source pointer | taxpayer's | `SOURCE#<SHA-256 of source_id>#<doc_…>` | none | submit | documents |
//! | number pointer | taxpayer's | `NUMBER#<SHA-256 of number>#<doc_…>` | none | submit, dispatch | documents |
//! | idempotency | taxpayer's | `IDEMPOTENCY#<SHA-256 of key>` | [`IdempotencyRecord`](super::IdempotencyRecord) | submit | submit |
//! | event | taxpayer's | `EVENT#<evt_…>` | [`EventRecord`](super::EventRecord), `relay`, `due_pk`, `due_at` | submit, convert, dispatch | relay, sweep, deliver |
//! | organization | `<MODE>#ORGANIZATION#<org_…>` | `PROFILE` | [`Organization`](crate::access::Organization) | portal, seed | portal |
//! | subscription | organization's | `SUBSCRIPTION` | [`Subscription`](super::Subscription) | billing | submit (Live) |
//! | grant mirror | organization's | `GRANT#<tgr_…>` | [`Grant`](crate::access::Grant) | consent, seed | grants list |
//! | endpoint | organization's | `ENDPOINT#<we_…>` | [`EndpointRecord`](super::EndpointRecord) | portal, seed | relay, deliver |
//! | delivery | organization's | `DELIVERY#<evt_…>#<we_…>` | [`DeliveryRecord`](super::DeliveryRecord), `due_pk`, `due_at` | relay, deliver | deliver, sweep |
//! | gate | organization's `#GATE#<we_…>` | `GATE` | [`gates`](super::gates) | deliver | deliver |
//! | API key | `<MODE>#APIKEY#<SHA-256 of key>` | `KEY` | [`ApiKey`](crate::access::ApiKey) | portal, seed | every request |
//! | participant | `<MODE>#PARTICIPANT#0235:<TIN>` | `TAXPAYER` | `taxpayer_id` | onboarding, seed | receive |
//!
//! The index `due` (`due_pk`, `due_at`) holds what must go on its way: `due_pk` is
//! `<MODE>#DUE#<shard>`, `due_at` the instant from which the sweeper may take the item up. An item
//! with the attribute `relay` waits for the stream's relay as well; the stream is filtered on it.
//!
//! Free texts of callers (source ids, numbers, idempotency keys) are hashed in keys: they may
//! hold any character and be longer than a key may be.

use crate::{
    access::KeyHash,
    types::{
        DocumentId, EndpointId, EventId, GrantId, Mode, OrganizationId, ParticipantId, TaxpayerId,
        sha256_hex,
    },
};

/// Name of the partition key.
pub const PK: &str = "pk";
/// Name of the sort key.
pub const SK: &str = "sk";
/// Name of the index over what is due.
pub const DUE_INDEX: &str = "due";
/// Partition key of the index.
pub const DUE_PK: &str = "due_pk";
/// Sort key of the index.
pub const DUE_AT: &str = "due_at";
/// The mark of an item that the stream's relay must take up.
pub const RELAY: &str = "relay";

/// In how many partitions of the index the due items of a mode are spread: one partition takes
/// 1,000 writes a second.
pub const DUE_SHARDS: u8 = 8;

/// A value of `pk`: a mode and an owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition(String);

impl Partition {
    /// Everything that belongs to a taxpayer.
    pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> Self {
        Partition(format!("{}#TAXPAYER#{id}", mode.key()))
    }

    /// Everything that belongs to an organization.
    pub fn organization(mode: Mode, id: &OrganizationId) -> Self {
        Partition(format!("{}#ORGANIZATION#{id}", mode.key()))
    }

    /// An API key.
    pub fn api_key(mode: Mode, hash: &KeyHash) -> Self {
        Partition(format!("{}#APIKEY#{}", mode.key(), hash.as_str()))
    }

    /// Who is behind a participant identifier. A 0235 value may be written as a TIN or as a TRN
    /// that begins with it; both are the same business.
    pub fn participant(mode: Mode, id: &ParticipantId) -> Self {
        let value = id.tin().unwrap_or(id.value());
        Partition(format!("{}#PARTICIPANT#{}:{value}", mode.key(), id.scheme()))
    }

    /// The text of the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of an item of this partition.
    pub(super) fn item(&self, sort: impl Into<String>) -> Key {
        Key { pk: self.0.clone(), sk: sort.into() }
    }
}

/// The primary key of one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

/// Sort key of a taxpayer's or organization's own record.
pub const PROFILE: &str = "PROFILE";
/// Sort key of an organization's subscription.
pub const SUBSCRIPTION: &str = "SUBSCRIPTION";
/// Sort key of an API key.
pub const API_KEY: &str = "KEY";
/// Sort key of a participant's taxpayer.
pub const PARTICIPANT_TAXPAYER: &str = "TAXPAYER";
/// What the sort keys of documents begin with.
pub const DOCUMENT: &str = "DOCUMENT#";

/// The grants of an organization on a taxpayer.
pub fn grants_of(organization: &OrganizationId) -> String {
    format!("GRANT#{organization}#")
}

/// What the sort keys of grants begin with, in both partitions.
pub const GRANT: &str = "GRANT#";

/// A grant in the taxpayer's partition.
pub fn grant(organization: &OrganizationId, id: &GrantId) -> String {
    format!("GRANT#{organization}#{id}")
}

/// A grant in the organization's partition.
pub fn grant_mirror(id: &GrantId) -> String {
    format!("GRANT#{id}")
}

/// A document.
pub fn document(id: &DocumentId) -> String {
    format!("{DOCUMENT}{id}")
}

/// What the pointers of one source_id begin with.
pub fn sources(source_id: &str) -> String {
    format!("SOURCE#{}#", sha256_hex(source_id.as_bytes()))
}

/// What the pointers of one document number begin with.
pub fn numbers(number: &str) -> String {
    format!("NUMBER#{}#", sha256_hex(number.as_bytes()))
}

/// The record of an idempotency key.
pub fn idempotency(key: &str) -> String {
    format!("IDEMPOTENCY#{}", sha256_hex(key.as_bytes()))
}

/// An event.
pub fn event(id: &EventId) -> String {
    format!("EVENT#{id}")
}

/// What the sort keys of endpoints begin with.
pub const ENDPOINT: &str = "ENDPOINT#";

/// A webhook endpoint.
pub fn endpoint(id: &EndpointId) -> String {
    format!("{ENDPOINT}{id}")
}

/// The gate before an endpoint, in a partition of its own: busy as long as the endpoint is.
pub fn gate(mode: Mode, organization: &OrganizationId, endpoint: &EndpointId) -> Key {
    let pk = format!("{}#ORGANIZATION#{organization}#GATE#{endpoint}", mode.key());
    Key { pk, sk: "GATE".to_owned() }
}

/// The delivery of an event to an endpoint.
pub fn delivery(event: &EventId, endpoint: &EndpointId) -> String {
    format!("DELIVERY#{event}#{endpoint}")
}

/// The index partition of an item: chosen by the last character of its sort key, which is random
/// in every identifier.
pub fn due_partition(mode: Mode, sort: &str) -> String {
    due_shard(mode, sort.bytes().last().unwrap_or_default() % DUE_SHARDS)
}

/// One index partition of a mode.
pub fn due_shard(mode: Mode, shard: u8) -> String {
    format!("{}#DUE#{shard}", mode.key())
}

/// An item that can be due, found by its key in a stream record or in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A document on its way through the queues.
    Document(Mode, TaxpayerId, DocumentId),
    /// An event that must become deliveries.
    Event(Mode, TaxpayerId, EventId),
    /// A delivery that must be attempted.
    Delivery(Mode, OrganizationId, EventId, EndpointId),
}

impl Place {
    /// Reads a key; `None` for an item that is never due.
    pub fn parse(pk: &str, sk: &str) -> Option<Place> {
        let mut parts = pk.splitn(3, '#');
        let mode = match parts.next()? {
            "LIVE" => Mode::Live,
            "SANDBOX" => Mode::Sandbox,
            _ => return None,
        };
        let (owner, id) = (parts.next()?, parts.next()?);
        let mut sort = sk.split('#');
        let place = match (owner, sort.next()?) {
            ("TAXPAYER", "DOCUMENT") => {
                Place::Document(mode, id.parse().ok()?, sort.next()?.parse().ok()?)
            }
            ("TAXPAYER", "EVENT") => {
                Place::Event(mode, id.parse().ok()?, sort.next()?.parse().ok()?)
            }
            ("ORGANIZATION", "DELIVERY") => Place::Delivery(
                mode,
                id.parse().ok()?,
                sort.next()?.parse().ok()?,
                sort.next()?.parse().ok()?,
            ),
            _ => return None,
        };
        sort.next().is_none().then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_due_items_are_read_back() {
        let taxpayer: TaxpayerId = "txpay_1".parse().unwrap();
        let document: DocumentId = "doc_1".parse().unwrap();
        let pk = Partition::taxpayer(Mode::Sandbox, &taxpayer);
        assert_eq!(
            Place::parse(pk.as_str(), &super::document(&document)),
            Some(Place::Document(Mode::Sandbox, taxpayer, document))
        );
        for (pk, sk) in [
            ("SANDBOX#TAXPAYER#txpay_1", "PROFILE"),
            ("SANDBOX#TAXPAYER#txpay_1", "DOCUMENT#doc_1#doc_2"),
            ("SANDBOX#ORGANIZATION#org_1", "DOCUMENT#doc_1"),
            ("TEST#TAXPAYER#txpay_1", "DOCUMENT#doc_1"),
            ("", ""),
        ] {
            assert_eq!(Place::parse(pk, sk), None, "{pk} {sk}");
        }
    }

    #[test]
    fn a_tin_and_a_trn_that_begins_with_it_are_one_participant() {
        let [tin, trn] = ["0235:1001234501", "0235:100123450100003"].map(|id| {
            Partition::participant(Mode::Sandbox, &id.parse().unwrap()).as_str().to_owned()
        });
        assert_eq!(tin, trn);
        assert_eq!(tin, "SANDBOX#PARTICIPANT#0235:1001234501");
    }
}
