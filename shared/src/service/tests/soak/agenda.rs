//! What will happen, in the order of time. Tasks of the same time come in any order.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{chaos::Chaos, plan::Document};
use crate::testing::{Message, Parcel};

/// The key of an item of the table.
pub(super) type ItemKey = (String, String);

/// A request of a client.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) document: Document,
    /// The client has the answer, and repeats the request nevertheless.
    pub(super) is_repeat: bool,
}

/// Who is away, or fails.
#[derive(Debug, Clone, Copy)]
pub(super) enum Who {
    Authority,
    AccessPoint,
    Endpoint(usize),
}

/// One thing that happens.
pub(super) enum Task {
    Request(Request),
    /// Another access point sends a document.
    Document(Document),
    /// Another access point sends a message.
    Parcel(Box<Parcel>),
    /// The stream has changes of items.
    Changes(Vec<ItemKey>),
    /// A queue has a message, which was received so many times.
    Message(Message, u32),
    /// Somebody is away or fails, or is back.
    Away(Who, bool),
    /// The clock jumps ahead.
    Jump(SignedDuration),
}

/// The tasks.
pub(super) struct Agenda {
    tasks: BTreeMap<(Timestamp, u64, usize), Task>,
    put: usize,
    chaos: Chaos,
}

impl Agenda {
    pub(super) fn new(chaos: &Chaos) -> Agenda {
        Agenda { tasks: BTreeMap::new(), put: 0, chaos: chaos.clone() }
    }

    pub(super) fn put(&mut self, at: Timestamp, task: Task) {
        self.put += 1;
        self.tasks.insert((at, self.chaos.below(u64::MAX), self.put), task);
    }

    /// The time of the next task.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.tasks.keys().next().map(|(at, ..)| *at)
    }

    pub(super) fn take(&mut self) -> Option<Task> {
        self.tasks.pop_first().map(|(_, task)| task)
    }

    /// Takes further messages that are there at `now`, at most so many.
    pub(super) fn take_messages(
        &mut self,
        now: Timestamp,
        most: usize,
        wanted: impl Fn(&Message) -> bool,
    ) -> Vec<(Message, u32)> {
        let there = (Timestamp::MIN, 0, 0)..=(now, u64::MAX, usize::MAX);
        let is_wanted = |task: &Task| matches!(task, Task::Message(message, _) if wanted(message));
        let keys = self.tasks.range(there).filter(|(_, task)| is_wanted(task)).map(|(key, _)| *key);
        let keys: Vec<_> = keys.take(most).collect();
        let taken = keys.iter().filter_map(|key| self.tasks.remove(key));
        let messages = taken.filter_map(|task| match task {
            Task::Message(message, receives) => Some((message, receives)),
            _ => None,
        });
        messages.collect()
    }
}
