//! What happens every second and every minute: pollers, warm environments, the sweeper, samples; and the end of the run.

use std::cmp::Reverse;

use super::{DueTask, Event, World};
use crate::{aws, limits::Bucket, service::Source};

const MINUTE: f64 = 60.0;

impl World<'_> {
    pub(super) fn second(&mut self) {
        let now = self.now;
        self.seconds += 1;
        self.after(1.0, Event::Second);
        for index in 0..self.functions.len() {
            let it = &mut self.functions[index];
            it.rate += (it.coming - it.rate) * 0.2;
            it.coming = 0.0;
            // Idle environments end little by little.
            it.warm = it.warm.max(it.in_use);
            it.warm -= (it.warm - it.in_use) / aws::KEPT_WARM;
            if it.spec.source == Source::Queue {
                // More executions poll while messages are left although all poll. Few poll a quiet queue.
                let left = it.queued >= (it.spec.batch * aws::POLLERS).max(3.0 * self.setup.weight);
                if it.queued <= 0.0 && it.in_use < 0.5 * it.pollers {
                    it.pollers = (it.pollers - 1.0).max(aws::POLLERS);
                } else if left && it.in_use > 0.8 * it.pollers {
                    it.pollers = (it.pollers + aws::POLLERS_MORE).min(it.most);
                }
            }
            self.pump(index);
        }
        if self.seconds.is_multiple_of(60) {
            self.minute();
        }
        if now >= self.next_sample {
            self.next_sample = now + self.series.step;
            self.sample();
        }
    }

    pub(super) fn minute(&mut self) {
        let now = self.now;
        self.writes.minute(now);
        self.reads.minute(now);
        self.index.minute(now);
        // S3 divides prefixes that are busy.
        let hot = !self.puts.has(now, aws::PREFIX_PUTS * self.prefixes * 0.2);
        self.prefixes_hot = if hot { self.prefixes_hot + 60.0 } else { 0.0 };
        if self.prefixes_hot >= aws::PREFIX_SPLIT {
            self.prefixes_hot = 0.0;
            self.set_prefixes(self.prefixes * 2.0);
        }
        self.sweep();
    }

    pub(super) fn set_prefixes(&mut self, prefixes: f64) {
        let at_once = 50.0 * self.setup.weight;
        self.prefixes = prefixes;
        self.puts = Bucket::new(aws::PREFIX_PUTS * prefixes, aws::PREFIX_PUTS * prefixes + at_once);
        self.gets = Bucket::new(aws::PREFIX_GETS * prefixes, aws::PREFIX_GETS * prefixes + at_once);
    }

    /// Jobs that the sweeper relays in a second.
    pub(super) fn sweeps(&self) -> f64 {
        let code = &self.setup.code;
        let memory = self.functions[self.place("sweeper")].spec.memory;
        let share = (memory / aws::VCPU).min(1.0);
        let of_cpu = share / (code.sweeper_calls * code.cpu_of_a_call);
        (code.sweeper.0 / (2.0 * aws::ITEM + 0.01)).min(of_cpu) * code.sweeper.2
    }

    pub(super) fn sweep(&mut self) {
        let (weight, longest) = (self.setup.weight, self.setup.code.sweeper.1);
        let rate = self.sweeps();
        let function = self.place("sweeper");
        let mut relayed = 0.0;
        while let Some(Reverse(next)) = self.due.peek() {
            if next.at > self.now {
                break;
            }
            if relayed + weight > rate * longest && relayed > 0.0 {
                break;
            }
            let Some(Reverse(DueTask { at, task })) = self.due.pop() else { break };
            // The next visit takes what this one does not.
            if self.now - at > 2.0 * MINUTE {
                self.limits.note(self.now, "sweeper: jobs a minute", weight);
            }
            relayed += weight;
            // Stages of the sweeper have their own costs in the file.
            if self.stage(&task).function != "sweeper" {
                self.used.writes += 3.0 * weight;
                self.used.reads += weight;
                self.used.queue_requests += weight;
                self.writes.take(self.now, weight);
                self.index.take(self.now, 2.0 * weight);
            }
            self.after(relayed / rate, Event::Due(task));
        }
        self.spend(function, (relayed / rate).max(1.0), 1.0);
        self.used.writes += 8.0;
        self.used.reads += 180.0;
    }

    pub(super) fn sample(&mut self) {
        if self.series.lines.is_empty() {
            let names = self.functions.iter().filter(|it| it.spec.source != Source::Http);
            let names = names.map(|it| it.spec.name.to_owned());
            self.series.lines = names.map(|name| (name, Vec::new())).collect();
        }
        let overdue = self.due.iter().filter(|it| it.0.at <= self.now).count() as f64;
        let weight = self.setup.weight;
        for (name, samples) in &mut self.series.lines {
            let it = self.functions.iter().find(|it| it.spec.name == name);
            // What is not due yet as the service intends is no backlog.
            let value = it.map_or(0.0, |it| match it.spec.name {
                "sweeper" => overdue * weight,
                _ => it.queued + it.delayed,
            });
            samples.push(value);
        }
    }

    /// Closes the ledger.
    pub(super) fn close(&mut self) {
        let weight = self.setup.weight;
        for document in &self.documents {
            let stages = self.setup.lives[usize::from(document.life)].stages.len();
            let all = if stages >= 32 { u32::MAX } else { (1_u32 << stages) - 1 };
            let ledger = &mut self.ledger;
            ledger.offered += weight;
            if !document.accepted {
                match document.refused {
                    true => ledger.refused += weight,
                    false => ledger.waiting += weight,
                }
                continue;
            }
            ledger.accepted += weight;
            if document.done == all {
                ledger.closed += weight;
            } else if document.live > 0 {
                ledger.open += weight;
            } else if document.parked {
                ledger.parked += weight;
            } else if document.failed {
                ledger.failed += weight;
            } else {
                ledger.lost += weight;
            }
        }
    }
}
