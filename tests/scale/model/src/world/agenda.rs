//! What happens next: events, and the index of due jobs.

use std::cmp::Ordering;

use super::Task;

/// What happens.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    Arrive,
    Request(Task),
    Ready(Task),
    Due(Task),
    Table(u32),
    Finish(u32),
    Free { function: usize, slots: f64, documents: f64 },
    Stranger,
    Sandbox,
    Deploy,
    Second,
}

/// An event and its instant.
pub(super) struct Scheduled {
    pub(super) at: f64,
    /// Events of one instant happen in the order of their numbers.
    pub(super) number: u64,
    pub(super) event: Event,
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Scheduled {}
impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.number.cmp(&other.number))
    }
}

/// A task in the index of due jobs.
pub(super) struct DueTask {
    pub(super) at: f64,
    pub(super) task: Task,
}

impl PartialEq for DueTask {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for DueTask {}
impl PartialOrd for DueTask {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for DueTask {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at)
    }
}
