//! The use cases over a real table, a file each.

mod access;
mod answers;
mod capacity;
mod corrections;
mod crashes;
mod faults;
mod grants;
mod idempotency;
mod ledger;
mod listing;
mod live;
mod local_delivery;
mod parking;
mod publishing;
mod queued;
mod receiving;
mod recovery;
mod registering;
mod relaying;
mod repetition;
mod reports;
mod resuming;
mod roles;
mod sandbox;
mod statuses;
mod upkeep;
