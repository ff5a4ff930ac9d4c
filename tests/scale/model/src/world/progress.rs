//! How a stage ends, and what follows: the next stages, a retry, or the end.

use std::cmp::Reverse;

use super::{DueTask, Ending, Event, Execution, RECEIVED, SENT, Task, World};
use crate::{aws, measures::Timed, service::Source};

impl World<'_> {
    /// Ends an execution after a wait (seconds) that its effect takes.
    pub(super) fn end(&mut self, index: u32, result: Ending, wait: f64) {
        let execution = &mut self.executions[index as usize];
        execution.result = result;
        let Execution { function, slots, fill, waits, cold, started, task, .. } = *execution;
        let weight = self.setup.weight;
        // Calls that were repeated took time already.
        let lasts = match result {
            // A read, a write and a message, and nothing else.
            Ending::Waits(_) => waits.min(0.03) + wait,
            _ => waits + wait,
        };
        self.remember(function, lasts);
        let whole = match fill > 1.0 {
            true => lasts.max(self.slowest(function, fill)),
            false => lasts,
        } + cold;
        let spread = self.documents[task.document as usize].spread;
        // The executions were taken for a typical time: what is longer or shorter is held longer or shorter.
        let area = weight / fill * (whole + self.now - started);
        let held = (area / slots).max(whole.min(spread));
        self.spend(function, area, weight / fill);
        if self.functions[function].spec.source == Source::Queue {
            // A batch is received and deleted.
            self.used.queue_requests += 2.0 * weight / fill;
        }
        let free_at = (started + held).max(self.now);
        self.at(free_at, Event::Free { function, slots, documents: weight });
        self.after(lasts + cold, Event::Finish(index));
    }

    pub(super) fn finish(&mut self, index: u32) {
        let Execution { mut task, function, result, .. } = self.executions[index as usize];
        self.free.push(index);
        let source = self.functions[function].spec.source;
        let from_peer = self.functions[function].spec.name == "inbound";
        let code = &self.setup.code;
        match result {
            Ending::Done => self.complete(task),
            Ending::Later(_, asked) if source == Source::Http => {
                if asked {
                    // The document is written, the answer is open: it is accepted, and sent again in the background.
                    self.accept(&task);
                    task.background = true;
                    task.first = self.now;
                    task.attempts = 1;
                    self.later(task, code.transmissions[0]);
                } else {
                    self.ask_again(task, from_peer);
                }
            }
            Ending::Later(wait, asked) => {
                if task.first < 0.0 {
                    task.first = self.now;
                }
                task.attempts = task.attempts.saturating_add(u8::from(asked));
                self.later(task, wait);
            }
            // A report without a turn for long is due before its turn.
            Ending::Waits(wait) if wait > aws::QUEUE_DELAY => {
                self.due_later(task, wait - aws::QUEUE_DELAY / 2.0);
            }
            Ending::Waits(wait) => self.by_queue(task, wait),
            Ending::Failed | Ending::Died(_) if source == Source::Http => {
                if matches!(result, Ending::Died(true)) {
                    self.repeat(&task);
                }
                self.ask_again(task, from_peer);
            }
            Ending::Failed => {
                task.tries += 1;
                if u32::from(task.tries) >= code.max_tries {
                    let document = &mut self.documents[task.document as usize];
                    document.parked = true;
                    document.live -= 1;
                } else {
                    let doubled = code.backoff.0 * f64::from(1_u32 << (task.tries - 1).min(20));
                    self.later(task, doubled.min(code.backoff.1));
                }
            }
            Ending::Died(after) => {
                // The work is due again when the lease is over; the relay's batch comes again at once.
                if after {
                    self.repeat(&task);
                }
                let wait = if source == Source::Stream { 1.0 } else { code.lease };
                self.due_later(task, wait);
            }
            Ending::GivenUp => {
                let document = &mut self.documents[task.document as usize];
                document.failed = true;
                document.live -= 1;
            }
        }
    }

    /// An effect that was made, of which nothing is recorded, is made again under the id that was written before it.
    pub(super) fn repeat(&mut self, task: &Task) {
        let stage = self.stage(task);
        let has_effect = ["send", "dispatch", "status", "report"].contains(&stage.name.as_str())
            || stage.name.ends_with(": delivery");
        if has_effect {
            self.ledger.repeated += self.setup.weight;
        }
    }

    /// A task that comes again after a wait: by the delay of its queue, or by the sweeper.
    pub(super) fn later(&mut self, task: Task, wait: f64) {
        match self.setup.code.delays_by_queue && wait <= aws::QUEUE_DELAY {
            true => self.by_queue(task, wait),
            false => self.due_later(task, wait),
        }
    }

    pub(super) fn by_queue(&mut self, task: Task, wait: f64) {
        let function = self.function_of(&task);
        self.functions[function].delayed += self.setup.weight;
        self.used.queue_requests += self.setup.weight;
        self.after(wait, Event::Due(task));
    }

    pub(super) fn due_later(&mut self, task: Task, wait: f64) {
        let function = self.function_of(&task);
        self.functions[function].delayed += self.setup.weight;
        self.due.push(Reverse(DueTask { at: self.now + wait, task }));
    }

    pub(super) fn accept(&mut self, task: &Task) {
        let document = &mut self.documents[task.document as usize];
        if !document.accepted {
            document.accepted = true;
            if usize::from(document.life) == SENT {
                let took = self.now - document.asked;
                let bystander = document.bystander;
                self.times.add(Timed::Send, took, self.setup.weight, bystander);
            }
        }
    }

    /// A stage is done: the next ones begin.
    pub(super) fn complete(&mut self, task: Task) {
        let stage = self.stage(&task);
        let weight = self.setup.weight;
        let document = &mut self.documents[task.document as usize];
        document.live -= 1;
        let bit = 1_u32 << task.stage;
        if document.done & bit != 0 {
            return;
        }
        document.done |= bit;
        let (life, asked, bystander) =
            (usize::from(document.life), document.asked, document.bystander);
        self.closed_at = self.now;
        if task.stage == 0 {
            self.accept(&task);
        }
        match stage.name.as_str() {
            "status" => self.times.add(Timed::Status, self.now - asked, weight, bystander),
            "report" => self.times.add(Timed::Report, self.now - task.origin, weight, bystander),
            _ => {}
        }
        for &next in &self.setup.lives[life].next[usize::from(task.stage)] {
            self.begin(task, next, asked);
        }
    }

    /// Begins a stage after the one of `task`.
    pub(super) fn begin(&mut self, task: Task, next: usize, asked: f64) {
        let life = usize::from(self.documents[task.document as usize].life);
        let (before, stage) = (self.stage(&task), &self.setup.lives[life].stages[next]);
        self.documents[task.document as usize].live += 1;
        let ends = |suffix: &str| stage.name.ends_with(suffix);
        let mut new = Task {
            document: task.document,
            stage: next as u8,
            tries: 0,
            attempts: 0,
            background: false,
            queued: self.now,
            origin: match ends(": delivery") || before.function == "relay" {
                true => task.origin,
                false => self.now,
            },
            first: -1.0,
            turn: -1.0,
        };
        // The relay hands on what is due later: the message waits in the queue of its stage.
        let waits_for_status = life == RECEIVED
            && stage.function != "relay"
            && before.function != "sweeper"
            && ["status", "status: sweep", "report", "report: sweep"]
                .contains(&stage.name.as_str());
        if waits_for_status {
            // What is owed for a valid document is due when its receiver had time to confirm it.
            let due = (asked + self.setup.code.confirmation).max(self.now);
            new.origin = due;
            return match before.function == "relay" {
                true => self.by_queue(new, due - self.now),
                false => self.later(new, due - self.now),
            };
        }
        if before.function == "sweeper" {
            new.origin = task.origin;
        }
        let function = self.place(&stage.function);
        match self.functions[function].spec.source {
            Source::Http => {
                let of = if stage.name.starts_with("verdict") {
                    self.setup.outside.verdict
                } else {
                    self.setup.outside.status
                };
                // Nobody waits for ever: the network wants a status within 20 minutes.
                let wait = self.random.lognormal(of.0, of.1).min(2.0 * of.1);
                self.after(wait, Event::Request(new));
            }
            Source::Stream => {
                let wait = match &self.setup.machine {
                    Some(machine) => self.random.between(0.0, machine.stream),
                    None => 0.05 + self.random.between(0.0, aws::STREAM_POLL),
                };
                self.after(wait, Event::Ready(new));
            }
            Source::Queue if self.random.happens(self.setup.faults.lost) => {
                self.due_later(new, self.setup.code.queue_grace);
            }
            Source::Queue | Source::Clock => {
                let poll = self.setup.machine.as_ref().map_or(0.02, |it| it.poll / 2.0);
                self.after(poll, Event::Ready(new));
            }
        }
    }
}
