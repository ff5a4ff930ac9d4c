//! The functions of the service, as one process has them.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::{
    egress::Client,
    service::{
        Receiving, SendingMls, TaxReporting, ValidatingInbound, convert::Convert,
        deliver::deliver_to_one, dispatch::Dispatch, job, report::Pace,
    },
    store::DeliverMessage,
    testing::{Faults, Message, Process, World},
};

/// The queues of the functions.
pub(super) const QUEUES: [&str; 6] =
    ["convert", "dispatch", "deliver", "judge", "answer", "report"];
/// The queue of the deliveries, whose messages come in batches.
pub(super) const DELIVER: &str = "deliver";
/// The time between two tax reports (template.yaml, ReportRate).
const REPORT_INTERVAL: SignedDuration = SignedDuration::from_millis(50);

/// All functions in one process.
pub(super) struct Workers {
    pub(super) process: Process,
    pub(super) receiving: Receiving,
    validating: ValidatingInbound,
    answering: SendingMls,
    reporting: TaxReporting,
}

impl Workers {
    /// A process with these faults, or without. Deliveries use the client.
    pub(super) fn new(world: &World, client: &Client, faults: Option<&Arc<Faults>>) -> Workers {
        let mut process = faults.map_or_else(|| world.healthy(), |faults| world.process(faults));
        process.delivering.client = client.clone();
        let (sending, relaying) = (&process.sending, &process.relaying);
        let pace = Pace::new(REPORT_INTERVAL);
        Workers {
            receiving: World::receiving_by(sending),
            validating: World::validating_by(sending),
            answering: World::answering_by(sending),
            reporting: TaxReporting { pace, ..World::tax_reporting_by(sending, relaying) },
            process,
        }
    }

    /// Handles the messages of an execution, which are in one queue. Returns for each whether it is done.
    pub(super) async fn handle(&self, messages: &[Message]) -> Vec<bool> {
        if messages.iter().all(|message| message.queue == DELIVER) {
            let messages: Vec<DeliverMessage> = messages.iter().map(Message::read).collect();
            let results = deliver_to_one(&self.process.delivering, &messages).await;
            return results.iter().map(Result::is_ok).collect();
        }
        let mut done = Vec::new();
        for message in messages {
            done.push(Box::pin(self.run(message)).await);
        }
        done
    }

    async fn run(&self, message: &Message) -> bool {
        let sending = || self.process.sending.clone();
        let result = match message.queue.as_str() {
            "convert" => Box::pin(job::run(&Convert(sending()), &message.read())).await,
            "dispatch" => Box::pin(job::run(&Dispatch(sending()), &message.read())).await,
            "judge" => Box::pin(job::run(&self.validating, &message.read())).await,
            "answer" => Box::pin(job::run(&self.answering, &message.read())).await,
            "report" => Box::pin(job::run(&self.reporting, &message.read())).await,
            queue => panic!("no function reads {queue}"),
        };
        result.is_ok()
    }
}
