//! Keys of what an organization sees of its documents at a glance.

use jiff::{Timestamp, civil::Date};

use super::{Key, organization, shard_of};
use crate::{
    store::{Awaited, instant},
    types::{DocumentId, EventId, Mode, OrganizationId},
};

/// The number of items, each in its own partition, that count the events of an organization and week. An event costs 2
/// writes there, and simultaneous events seldom hit the same item. The counters of three weeks fit into one batch read
/// (100 keys). An overview never covers more than three weeks.
pub const DAILY_COUNTERS: u8 = 32;

/// Prefix of the sort keys of an organization's events about a document.
pub const PUBLISHED: &str = "TOLD#";

/// Prefix of the sort keys of failed documents.
pub const FAILURE: &str = "FAILURE#";

/// Prefix of the sort keys of awaited outcomes.
pub const AWAITED: &str = "AWAITED#";

/// The partition of the events about a document that an organization received.
pub(in crate::store) fn events_about(
    mode: Mode,
    organization_id: &OrganizationId,
    document_id: &DocumentId,
) -> String {
    format!("{}#EVENTS#{document_id}", organization(mode, organization_id))
}

/// The number of the counter that counts an event.
pub(in crate::store) fn daily_counter(event: &EventId) -> u8 {
    shard_of(event.as_str(), DAILY_COUNTERS)
}

/// The number of partitions over which the outcomes that an organization awaits are spread. A Live document costs 2 writes
/// there, and 4 if its status comes before the verdict: an organization can send 4,000 a second.
pub const AWAITED_SHARDS: u8 = 16;

/// The partitions of the outcomes that an organization awaits, each with the earliest first. The last one is that of
/// earlier versions, whose items expire.
pub(in crate::store) fn awaited(
    mode: Mode,
    organization_id: &OrganizationId,
) -> impl Iterator<Item = String> {
    let all = all_awaited(mode, organization_id);
    let shards: Vec<_> = (0..AWAITED_SHARDS).map(|shard| format!("{all}#{shard}")).collect();
    shards.into_iter().chain([all])
}

fn all_awaited(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#AWAITED", organization(mode, organization_id))
}

/// The partition of an organization's recently failed documents.
pub(in crate::store) fn failures(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#FAILURES", organization(mode, organization_id))
}

impl Key {
    /// One counter of an organization for one week, which begins on a Monday.
    pub fn daily_counts(
        mode: Mode,
        organization_id: &OrganizationId,
        week: Date,
        counter: u8,
    ) -> Self {
        let owner = organization(mode, organization_id);
        Key::new(format!("{owner}#TALLY#{counter}"), format!("TALLY#{week}"))
    }

    /// A failed document, by the event that reported the failure to an organization.
    pub fn failure(mode: Mode, organization_id: &OrganizationId, event: &EventId) -> Self {
        Key::new(failures(mode, organization_id), format!("{FAILURE}{event}"))
    }

    /// An outcome that an organization awaits for a document, ordered by `by`. The event that settles it computes the
    /// same key.
    pub fn awaited(
        mode: Mode,
        organization_id: &OrganizationId,
        what: Awaited,
        by: Timestamp,
        document_id: &DocumentId,
    ) -> Self {
        let (by, what) = (instant(by), what.as_str());
        let shard = shard_of(document_id.as_str(), AWAITED_SHARDS);
        let partition = format!("{}#{shard}", all_awaited(mode, organization_id));
        Key::new(partition, format!("{AWAITED}{by}#{document_id}#{what}"))
    }

    /// An event about a document, in the partition of the organization that received it.
    pub fn event_of_document(
        mode: Mode,
        organization_id: &OrganizationId,
        document_id: &DocumentId,
        event_id: &EventId,
    ) -> Self {
        let partition = events_about(mode, organization_id, document_id);
        Key::new(partition, format!("{PUBLISHED}{event_id}"))
    }
}
