//! The use cases over a real table, a file each.

mod access;
mod faults;
mod grants;
mod idempotency;
mod listing;
mod local_delivery;
mod queued;
mod relaying;
mod roles;
