//! The key of one item, and what keys of several kinds have in common.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::JobId;
use crate::types::{Mode, OrganizationId, TaxpayerId};

/// Name of the partition key.
pub const PK: &str = "pk";

/// Name of the sort key.
pub const SK: &str = "sk";

/// Name of the index over due jobs.
pub const DUE_INDEX: &str = "due";

/// Partition key of the index.
pub const DUE_PK: &str = "due_pk";

/// Sort key of the index.
pub const DUE_AT: &str = "due_at";

/// Marks an item that the stream's relay must claim.
pub const RELAY: &str = "relay";

/// When DynamoDB may remove an item.
pub const TTL: &str = "ttl";

/// The number of index partitions over which the due items of a mode are spread. An event costs the index 2 writes and
/// a delivery 4. So a mode can process 10,000 events a second with one delivery each.
pub const DUE_SHARDS: u8 = 64;

/// The number of index partitions over which the parked items of a mode are spread.
pub const PARKED_SHARDS: u8 = 4;

/// The number of partitions over which the pointers of one list of a taxpayer are spread. A page takes three calls: one
/// query for each shard, and one read of the items that it shows. It takes five where the lists of both directions are read,
/// and seven where they are read beside another list (`list_partitions.rs`).
///
/// A document takes at most 2 write units of a list (`tests/scale/costs.json`), so a taxpayer can have 1,000 documents a
/// second.
pub const LIST_SHARDS: u8 = 2;

/// The number of partitions over which the pointers to an organization's events, and those to the deliveries to an
/// endpoint, are spread. A pointer costs 1 unit. So an organization can get 8,000 events a second, and an endpoint 8,000
/// deliveries. Earlier versions used the first [`LIST_SHARDS`] of them.
pub const EVENT_SHARDS: u8 = 8;

/// Sort key of a taxpayer's or organization's own record.
pub const PROFILE: &str = "PROFILE";

pub(super) const TRANSMISSION: &str = "TRANSMISSION";

/// Sort key of an event.
pub const EVENT: &str = "EVENT";

/// Prefix of the sort keys of grants, in both partitions.
pub const GRANT: &str = "GRANT#";

/// Prefix of the sort keys of memberships and of pointers to subscriptions.
pub const ORGANIZATION: &str = "ORGANIZATION#";

/// The primary key of one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub struct Key {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

impl Key {
    pub(super) fn new(pk: String, sk: impl Into<String>) -> Self {
        Key { pk, sk: sk.into() }
    }

    /// The index partition of an item. It is a hash of the whole key, so items of one owner or of one moment are
    /// spread.
    pub(in crate::store) fn due_partition(&self, mode: Mode) -> String {
        let kind = JobId::parse(&self.pk, &self.sk).map(|job_id| job_id.kind());
        due_shard(Lane::of(mode, kind.unwrap_or_default()), mode, self.shard(DUE_SHARDS))
    }

    /// The index partition of a parked item.
    pub(in crate::store) fn parked_partition(&self, mode: Mode) -> String {
        parked_shard(mode, self.shard(PARKED_SHARDS))
    }

    fn shard(&self, shards: u8) -> u8 {
        shard_of(&format!("{} {}", self.pk, self.sk), shards)
    }
}

/// Prefix of a taxpayer's partition keys. The prefix itself is the partition of its profile.
pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#TAXPAYER#{id}", mode.key())
}

/// Prefix of an organization's partition keys. The prefix itself is the partition of its profile.
pub fn organization(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#ORGANIZATION#{id}", mode.key())
}

/// A part of the index of due jobs. Each is swept on its own, so that very many due jobs of a kind hold up no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// The Message Level Statuses of Live.
    Statuses,
    /// The tax reports.
    TaxReports,
    /// The webhook deliveries of Live.
    Deliveries,
    /// All other jobs, and those that earlier versions listed.
    Others,
}

impl Lane {
    /// The parts of a mode. Sandbox has one, since it is small.
    pub fn all(mode: Mode) -> &'static [Lane] {
        match mode {
            Mode::Live => &[Lane::Statuses, Lane::TaxReports, Lane::Deliveries, Lane::Others],
            Mode::Sandbox => &[Lane::Others],
        }
    }

    /// The part of a job by its kind ([`JobId::kind`]).
    fn of(mode: Mode, kind: &str) -> Self {
        match (mode, kind) {
            (Mode::Live, "answer") => Lane::Statuses,
            (Mode::Live, "filing") => Lane::TaxReports,
            (Mode::Live, "delivery") => Lane::Deliveries,
            _ => Lane::Others,
        }
    }
}

/// One index partition of a lane.
pub fn due_shard(lane: Lane, mode: Mode, shard: u8) -> String {
    let mode = mode.key();
    match lane {
        Lane::Statuses => format!("{mode}#DUE#answer#{shard}"),
        Lane::TaxReports => format!("{mode}#DUE#filing#{shard}"),
        Lane::Deliveries => format!("{mode}#DUE#delivery#{shard}"),
        Lane::Others => format!("{mode}#DUE#{shard}"),
    }
}

/// One index partition of the parked items of a mode.
pub fn parked_shard(mode: Mode, shard: u8) -> String {
    format!("{}#PARKED#{shard}", mode.key())
}

pub(super) fn shard_of(text: &str, shards: u8) -> u8 {
    Sha256::digest(text)[0] % shards
}
