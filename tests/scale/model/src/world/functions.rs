//! Lambda: executions, environments, batches of queues and of the stream.

use super::{Ending, Event, Execution, NOISY, RECENT, Task, World};
use crate::{
    aws,
    service::{PARALLELIZATION, Source},
};

/// The shares of an execution that the documents of a batch take need not sum up to exactly one.
const ROUNDING: f64 = 1e-9;

impl World<'_> {
    /// Takes executions of a function for requests that are no documents.
    pub(super) fn take_function(
        &mut self,
        function: usize,
        duration: f64,
        spread: f64,
        documents: f64,
    ) {
        let weight = self.setup.weight;
        let slots = weight * duration / (duration + spread);
        match self.acquire(function, slots) {
            Ok(_) => {
                self.spend(function, weight * duration, weight);
                self.after(duration + spread, Event::Free { function, slots, documents });
            }
            Err(why) => self.limits.note(self.now, why, weight),
        }
    }

    /// Takes executions. Returns the share that begins with a cold start, or what is missing.
    pub(super) fn acquire(&mut self, function: usize, slots: f64) -> Result<f64, &'static str> {
        // A function with a share of the account has all of it, and no more.
        match self.functions[function].kept {
            Some(kept) if self.functions[function].in_use + slots > kept + ROUNDING => {
                return Err(self.functions[function].short_of);
            }
            None if self.rest_in_use + slots > self.rest => {
                return Err("Lambda: executions of the account, shared by the stages");
            }
            _ => {}
        }
        let it = &mut self.functions[function];
        let cold = (it.in_use + slots - it.warm).clamp(0.0, slots);
        if cold > 0.0 && !it.environments.admits(self.now, cold) {
            return Err("Lambda: new environments a second");
        }
        it.warm = it.warm.max(it.in_use + slots);
        it.in_use += slots;
        if it.kept.is_none() {
            self.rest_in_use += slots;
        }
        self.executions_in_use += slots;
        self.peak_executions = self.peak_executions.max(self.executions_in_use);
        Ok(cold / slots)
    }

    pub(super) fn spend(&mut self, function: usize, seconds: f64, invocations: f64) {
        let memory = self.functions[function].spec.memory;
        self.used.gb_seconds += seconds * memory / 1024.0;
        self.used.invocations += invocations;
    }

    /// Starts the executions for a task, `fill` documents in each.
    pub(super) fn start_execution(
        &mut self,
        task: Task,
        function: usize,
        fill: f64,
    ) -> Result<(), &'static str> {
        let (code, weight) = (&self.setup.code, self.setup.weight);
        let stage = self.stage(&task);
        let object = match stage.puts + stage.gets > 0.0 {
            true => self.random.lognormal(aws::OBJECT, aws::OBJECT_P99),
            false => 0.0,
        };
        let (calls, transactions) = stage.calls;
        let waits = (calls - transactions) * aws::ITEM
            + transactions * aws::TRANSACTION
            // Objects are stored two at a time.
            + ((stage.puts / 2.0).ceil() + stage.gets) * object;
        let share = (self.functions[function].spec.memory / aws::VCPU).min(1.0);
        let cpu = (calls + stage.puts + stage.gets) * code.cpu_of_a_call + code.cpu_of_a_stage;
        // One machine has its own times, and nothing else.
        let machine = self.setup.machine.as_ref();
        let own = machine.map(|it| it.functions.get(self.functions[function].spec.name));
        let (waits, cpu) = match own {
            Some(timing) => (0.0, timing.map_or(0.0, |it| it.call + it.seconds * fill)),
            None => (waits, cpu * fill / share),
        };
        let spread = self.documents[task.document as usize].spread;
        // What the others of a batch take: it lasts as long as its slowest.
        let typical = (self.slowest(function, fill).max(waits) + cpu).max(0.000_1);
        let slots = weight / fill * typical / (typical + spread);
        let it = &self.functions[function];
        if it.in_flight + weight > aws::IN_FLIGHT.max(weight) && it.spec.source == Source::Queue {
            return Err("SQS: messages in flight");
        }
        let cold = self.acquire(function, slots)?;
        let cold = match self.setup.machine.is_none() && self.random.happens(cold) {
            true => aws::COLD_START * self.random.between(0.7, 1.6),
            false => 0.0,
        };
        self.functions[function].in_flight += weight;
        let execution = Execution {
            task,
            function,
            slots,
            fill,
            attempt: 0,
            waits: waits + cpu,
            cold,
            started: self.now,
            result: Ending::Done,
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.executions[index as usize] = execution;
                index
            }
            None => {
                self.executions.push(execution);
                self.executions.len() as u32 - 1
            }
        };
        self.table(index);
        Ok(())
    }

    /// The longest of `fill - 1` recent waits of a function.
    pub(super) fn slowest(&mut self, function: usize, fill: f64) -> f64 {
        let known = self.functions[function].recorded.min(RECENT);
        if known == 0 {
            return 0.05;
        }
        let others = (fill - 1.0).round().clamp(1.0, 9.0) as usize;
        let mut most: f64 = 0.0;
        for _ in 0..others {
            let pick = self.random.below(known);
            most = most.max(self.functions[function].recent[pick]);
        }
        most
    }

    pub(super) fn remember(&mut self, function: usize, waits: f64) {
        let it = &mut self.functions[function];
        it.recent[it.recorded % RECENT] = waits;
        it.recorded += 1;
        it.usual += (waits - it.usual) * 0.01;
    }

    /// The executions that a queue or a stream may have at once.
    pub(super) fn most_at_once(&self, function: usize) -> f64 {
        let it = &self.functions[function];
        match it.spec.source {
            Source::Queue | Source::Stream if self.setup.machine.is_some() => {
                it.kept.unwrap_or(f64::MAX)
            }
            Source::Queue => it.pollers.min(it.most),
            Source::Stream => self.lanes(),
            _ => f64::MAX,
        }
    }

    /// A partition of the table is a shard of its stream.
    pub(super) fn lanes(&self) -> f64 {
        if let Some(machine) = &self.setup.machine {
            return machine.functions.get("relay").map_or(1.0, |it| it.executions);
        }
        (self.writes.rate() / aws::PARTITION_WRITES).ceil() * PARALLELIZATION
    }

    /// Starts the batches of functions that share executions, in turn.
    pub(super) fn pump_rest(&mut self, from: usize) {
        for step in 1..self.functions.len() {
            let other = (from + step) % self.functions.len();
            if self.functions[other].kept.is_none() && self.functions[other].queued > 0.0 {
                self.pump(other);
            }
        }
    }

    /// Starts batches, as far as executions are free.
    pub(super) fn pump(&mut self, function: usize) {
        let weight = self.setup.weight;
        loop {
            let most = self.most_at_once(function);
            let lanes = self.lanes();
            let poll = self.setup.machine.as_ref().map_or(aws::STREAM_POLL, |it| it.stream);
            let it = &mut self.functions[function];
            let Some(&task) = it.queue.front().or(it.noisy.front()) else { return };
            let available = most - it.in_use;
            if available <= ROUNDING {
                it.kept_by = match it.spec.source {
                    Source::Stream => "relay: shards of the stream",
                    _ if it.pollers < it.most => "SQS: more pollers a minute",
                    _ if it.spec.name == "deliver" => "LiveDeliveryConcurrency",
                    _ => "LiveStageConcurrency",
                };
                return;
            }
            let usual = match it.spec.source {
                // A poll takes what came since the one before, for each concurrent batch.
                Source::Stream => it.rate * poll / lanes,
                _ => 1.0,
            };
            let fill = (it.queued / available).max(usual).clamp(1.0, it.spec.batch);
            if let Err(why) = self.start_execution(task, function, fill) {
                self.functions[function].kept_by = why;
                return;
            }
            let organization = self.documents[task.document as usize].organization;
            let now = self.now;
            let it = &mut self.functions[function];
            // A queue of some seconds is no limit that was met.
            if now - task.queued > 30.0 && !it.kept_by.is_empty() {
                let name = it.spec.name;
                match it.kept_by {
                    "LiveStageConcurrency" => {
                        self.limits.note(now, &format!("LiveStageConcurrency ({name})"), weight);
                    }
                    limit => self.limits.note(now, limit, weight),
                }
            }
            if it.queue.pop_front().is_none() {
                it.noisy.pop_front();
            }
            it.queued -= weight;
            it.organizations[it.begun % RECENT] = organization;
            it.begun += 1;
        }
    }

    pub(super) fn ready(&mut self, mut task: Task) {
        let function = self.function_of(&task);
        task.queued = self.now;
        match self.functions[function].spec.source {
            Source::Http => self.request(task),
            Source::Clock => {
                // The sweeper relays it, or a delayed message says that it is due.
                self.charge(&task, function, 1.0);
                self.complete(task);
            }
            Source::Queue | Source::Stream => {
                self.wait_in_queue(task, function);
                self.functions[function].coming += self.setup.weight;
                self.pump(function);
            }
        }
    }

    /// A task waits until an execution takes it.
    pub(super) fn wait_in_queue(&mut self, task: Task, function: usize) {
        let organization = self.documents[task.document as usize].organization;
        let share = self.share_in_queue(function, usize::from(organization));
        let it = &mut self.functions[function];
        match it.spec.source == Source::Queue && share > NOISY {
            true => it.noisy.push_back(task),
            false => it.queue.push_back(task),
        }
        it.queued += self.setup.weight;
        it.deepest = it.deepest.max(it.queued);
    }
}
