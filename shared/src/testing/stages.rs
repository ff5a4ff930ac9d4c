//! The stream and the stages, run by a test.

use jiff::SignedDuration;

use super::World;
use crate::{
    service::{
        convert::Convert,
        dispatch::Dispatch,
        job::{self, Job},
        relay, sweep,
    },
    store::keys::JobId,
};

impl World {
    /// Simulates the stream: calls the relay for every marked item that has changed since, until none is left.
    pub(crate) async fn stream(&self) {
        for _ in 0..10 {
            let records = self.records().await;
            if records.is_empty() {
                return;
            }
            for record in records {
                relay::Batch::new(&self.relaying)
                    .relay(&record.job_id, Some(record.item))
                    .await
                    .unwrap();
                self.relayed.lock().unwrap().insert(record.image);
            }
        }
        panic!("the relay does not come to an end");
    }

    /// Like [`World::stream`], only for items that changed since the last call. It also works with a table that is too
    /// large for a scan.
    pub(crate) async fn stream_changes(&self) {
        for _ in 0..10 {
            let changed = self.cloud.take_changed();
            if changed.is_empty() {
                return;
            }
            for job_id in changed.iter().filter_map(|(pk, sk)| JobId::parse(pk, sk)) {
                relay::Batch::new(&self.relaying).relay(&job_id, None).await.unwrap();
            }
        }
        panic!("the relay does not come to an end");
    }

    /// Runs the jobs of a queue's messages; returns their number.
    pub(crate) async fn run<J: Job>(&self, queue: &str, job: &J) -> usize {
        let messages = self.cloud.receive(queue);
        for message in &messages {
            // Boxed, because the state of a job is large in a debug build, and a test has a small stack.
            Box::pin(job::run(job, &message.read())).await.unwrap();
        }
        messages.len()
    }

    /// Handles all messages of the stages' queues; returns their number.
    pub(crate) async fn work(&self) -> usize {
        let mut worked = 0;
        worked += self.run("imports", &self.importing()).await;
        worked += self.run("archives", &self.archiving()).await;
        worked += self.run("convert", &Convert(self.sending.clone())).await;
        worked += self.run("dispatch", &Dispatch(self.sending.clone())).await;
        worked
    }

    /// Runs stream and stages until nothing is left.
    pub(crate) async fn settle(&self) {
        loop {
            self.stream().await;
            if self.work().await == 0 {
                return;
            }
        }
    }

    /// Lets time pass, sweeps, and runs everything until nothing is left.
    pub(crate) async fn pass(&self, time: SignedDuration) -> sweep::Swept {
        self.clock.advance(time);
        let swept = sweep::sweep(&self.relaying).await;
        self.settle().await;
        swept
    }
}
