//! The table: the units of a stage, retries of the SDK, and turns of reports.

use super::{AUTHORITY, Ending, Event, Execution, RECENT, Task, World};
use crate::{costs::Owner, limits::Owners, scenario::Disturbance};

impl World<'_> {
    pub(super) fn owners(&self, task: &Task) -> Owners {
        let document = &self.documents[task.document as usize];
        let authority = self.stage(task).name == "report";
        Owners {
            organization: usize::from(document.organization),
            taxpayer: document.taxpayer as usize,
            recipient: document.recipient as usize,
            access_point: if authority { AUTHORITY } else { usize::from(document.access_point) },
        }
    }

    /// How many documents of a batch share a use of a partition.
    pub(super) fn shared_by(&self, function: usize, kind: usize, owners: Owners, fill: f64) -> f64 {
        if self.paced[kind] {
            let block = self.setup.code.block_of_turns * self.setup.deployment.report_rate;
            return block.min(fill).max(1.0);
        }
        if self.fresh[kind] {
            // A process reads the state of a breaker once in a while.
            let messages = self.setup.code.places.fresh / self.functions[function].usual * fill;
            return (messages * self.share_of_receiver(owners.access_point)).max(1.0);
        }
        if !self.shared[function][kind] {
            return 1.0;
        }
        let share = match self.setup.kinds[kind].owner {
            Owner::Taxpayer => self.taxpayers.share(owners.taxpayer),
            _ => self.share_in_queue(function, owners.organization),
        };
        1.0 + (fill - 1.0) * share
    }

    /// The share of an organization in what a function began lately.
    pub(super) fn share_in_queue(&self, function: usize, organization: usize) -> f64 {
        let it = &self.functions[function];
        let known = it.begun.clamp(1, RECENT);
        let same = it.organizations[..known].iter().filter(|of| usize::from(**of) == organization);
        same.count() as f64 / known as f64
    }

    /// Takes the units of a stage. An error is the limit that has not enough of them.
    pub(super) fn take_units(
        &mut self,
        task: &Task,
        function: usize,
        fill: f64,
    ) -> Result<(), String> {
        let (now, weight, stage) = (self.now, self.setup.weight, self.stage(task));
        let owners = self.owners(task);
        for share in &stage.shares {
            let by = self.shared_by(function, share.kind, owners, fill);
            if let Some(partition) = self.partitions.of(share.kind, owners) {
                let (writes, reads) = (share.writes * weight / by, share.reads * weight / by);
                if !partition.has(now, writes, reads) {
                    return Err(format!("partition {}", self.partitions.pattern(share.kind)));
                }
            }
        }
        for (throughput, units, what) in [
            (&mut self.writes, stage.writes, "write units of the table"),
            (&mut self.reads, stage.reads, "read units of the table"),
            (&mut self.index, stage.due_writes, "write units of the index"),
        ] {
            if units > 0.0 && !throughput.has(now, units * weight) {
                let why = if throughput.at_quota() { "quota" } else { "warm throughput" };
                return Err(format!("{what}: {why}"));
            }
        }
        self.charge(task, function, fill);
        Ok(())
    }

    pub(super) fn charge(&mut self, task: &Task, function: usize, fill: f64) {
        let (now, weight, stage) = (self.now, self.setup.weight, self.stage(task));
        let owners = self.owners(task);
        let (mut writes, mut reads) = (stage.writes, stage.reads);
        for share in &stage.shares {
            let by = self.shared_by(function, share.kind, owners, fill);
            writes -= share.writes * (1.0 - 1.0 / by);
            reads -= share.reads * (1.0 - 1.0 / by);
            if let Some(partition) = self.partitions.of(share.kind, owners) {
                partition.take(now, share.writes * weight / by, share.reads * weight / by);
            }
        }
        self.writes.take(now, writes * weight);
        self.reads.take(now, reads * weight);
        self.index.take(now, stage.due_writes * weight);
        self.used.writes += (writes + stage.due_writes) * weight;
        self.used.reads += reads * weight;
        self.used.queue_requests += stage.queue_requests * weight;
    }

    /// The SDK's wait after so many attempts.
    pub(super) fn backoff(&mut self, attempts: u32) -> f64 {
        let (first, longest) = self.setup.code.sdk_backoff;
        (first * f64::from(1_u32 << attempts.min(10))).min(longest) * self.random.unit()
    }

    /// Makes the calls of an execution, again when the table throttled them.
    pub(super) fn table(&mut self, index: u32) {
        let Execution { task, function, fill, attempt, .. } = self.executions[index as usize];
        let weight = self.setup.weight;
        if self.stage(&task).name == "report"
            && let Some(wait) = self.waits_for_turn(index)
        {
            return self.end(index, Ending::Waits(wait), 0.03);
        }
        let mut retries = 0.0;
        if let Disturbance::Throttled { share, from, to } = self.scenario.disturbance
            && (from..to).contains(&self.now)
        {
            for _ in 0..self.stage(&task).calls.0 as u32 {
                let mut tried = 0;
                while self.random.happens(share) {
                    retries += self.backoff(tried);
                    tried += 1;
                    self.limits.note(self.now, "throttled calls of the table", weight);
                    if tried >= self.setup.code.sdk_attempts {
                        return self.end(index, Ending::Failed, retries);
                    }
                }
            }
        }
        match self.take_units(&task, function, fill) {
            Ok(()) => self.work(index, retries),
            Err(limit) => {
                self.limits.note(self.now, &limit, weight);
                if attempt + 1 >= self.setup.code.sdk_attempts {
                    return self.end(index, Ending::Failed, 0.01);
                }
                let wait = self.backoff(attempt);
                self.executions[index as usize].attempt += 1;
                self.after(wait, Event::Table(index));
            }
        }
    }

    /// How long a report waits for its turn; none when it may be sent.
    pub(super) fn waits_for_turn(&mut self, index: u32) -> Option<f64> {
        /// How long a turn stays valid (`service/report/turn.rs`, KEPT).
        const KEPT: f64 = 30.0;
        let (now, weight) = (self.now, self.setup.weight);
        let task = &mut self.executions[index as usize].task;
        if task.turn < 0.0 || now > task.turn + KEPT {
            task.turn = self.next_turn.max(now);
            self.next_turn = task.turn + weight / self.setup.deployment.report_rate;
        }
        let wait = task.turn - now;
        (wait > 1.0).then(|| {
            self.limits.note(now, "ReportRate", weight);
            wait
        })
    }
}
