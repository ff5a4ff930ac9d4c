//! A model of SQS and Lambda for deliveries: a fair queue, and executions that receive batches from it. Receivers and
//! table are real.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use super::{deliver_to_one, *};
use crate::{
    access::By,
    service::{
        Context,
        webhooks::{self, EndpointSettings, Revealed},
    },
    tasks::side_by_side,
    testing::{World, default_of, sealing_key},
    types::{Clock, EndpointId, Mode, OrganizationId},
};

/// The executions that work on a queue.
#[derive(Clone, Copy)]
pub(super) struct Pool {
    /// Concurrent executions for the mode's queue.
    pub(super) executions: usize,
    /// Messages that an execution receives at once.
    pub(super) batch: usize,
}

/// A clock that starts at an instant and runs on.
pub(super) struct Running(pub(super) Timestamp, pub(super) Instant);

impl Clock for Running {
    fn now(&self) -> Timestamp {
        later(self.0, SignedDuration::try_from(self.1.elapsed()).unwrap())
    }
}

/// A standard queue with message groups. Visible messages of the group with the fewest messages in flight come first,
/// as SQS fair queues do for noisy groups. Within a group the oldest comes first.
#[derive(Default)]
pub(super) struct FairQueue {
    groups: BTreeMap<OrganizationId, Group>,
    sent: u64,
}

#[derive(Default)]
struct Group {
    in_work: usize,
    waiting: BTreeMap<(Instant, u64), DeliverMessage>,
}

impl FairQueue {
    pub(super) fn send(&mut self, message: DeliverMessage, visible: Instant) {
        self.sent += 1;
        let group = self.groups.entry(message.organization_id.clone()).or_default();
        group.waiting.insert((visible, self.sent), message);
    }

    fn receive(&mut self, most: usize) -> Vec<DeliverMessage> {
        let now = Instant::now();
        let mut groups: Vec<_> = self.groups.values_mut().collect();
        groups.sort_by_key(|group| group.in_work);
        let mut received = Vec::new();
        for group in groups {
            while received.len() < most
                && let Some(first) = group.waiting.first_entry()
                && first.key().0 <= now
            {
                received.push(first.remove());
                group.in_work += 1;
            }
        }
        received
    }

    fn done(&mut self, message: &DeliverMessage) {
        self.groups.entry(message.organization_id.clone()).or_default().in_work -= 1;
    }
}

/// Executions at work (now, most), and messages (received, failed).
pub(super) type Counts = (Arc<Mutex<(usize, usize)>>, Arc<Mutex<(u64, usize)>>);

/// Hands batches to execution environments, which keep their state between batches. An idle environment is reused
/// before a new one starts, and the first idle one is preferred. So as many are in use as there is work for.
pub(super) async fn poll(
    queue: Arc<Mutex<FairQueue>>,
    world: Arc<World>,
    delivering: Delivering,
    pool: Pool,
    counts: Counts,
) {
    let environments = (0..pool.executions).map(|_| {
        let open_breakers = OpenBreakers::default();
        Delivering { open_breakers, ..delivering.clone() }
    });
    let environments: Vec<_> = environments.collect();
    let mut idle: BTreeSet<usize> = (0..pool.executions).collect();
    let mut busy = tokio::task::JoinSet::new();
    loop {
        while let Some(done) = busy.try_join_next() {
            idle.insert(done.unwrap());
        }
        let messages = if idle.is_empty() { Vec::new() } else { receive(&queue, &world, pool) };
        if messages.is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
            continue;
        }
        let environment = idle.pop_first().unwrap();
        let (queue, counts) = (queue.clone(), counts.clone());
        let delivering = environments[environment].clone();
        busy.spawn(async move {
            execute(&queue, messages, &delivering, pool, &counts).await;
            environment
        });
    }
}

/// Receives a batch, after it has moved messages with a delay to the queue.
fn receive(queue: &Mutex<FairQueue>, world: &World, pool: Pool) -> Vec<DeliverMessage> {
    let mut queue = queue.lock().unwrap();
    let now = Instant::now();
    for message in world.cloud.receive("deliver") {
        let delay = Duration::from_secs(message.delay_seconds.try_into().unwrap());
        queue.send(message.read(), now + delay);
    }
    queue.receive(pool.batch)
}

/// One execution: runs the function on a batch, and returns failed messages to the queue.
async fn execute(
    queue: &Mutex<FairQueue>,
    messages: Vec<DeliverMessage>,
    delivering: &Delivering,
    pool: Pool,
    (at_work, done): &Counts,
) {
    {
        let mut at_work = at_work.lock().unwrap();
        at_work.0 += 1;
        at_work.1 = at_work.1.max(at_work.0);
    }
    let mut groups: Vec<Vec<DeliverMessage>> = Vec::new();
    for message in &messages {
        match groups.iter_mut().find(|group| group[0].same_endpoint(message)) {
            Some(group) => group.push(message.clone()),
            None => groups.push(vec![message.clone()]),
        }
    }
    let work = groups.iter().cloned().map(|group| {
        let delivering = delivering.clone();
        async move { deliver_to_one(&delivering, &group).await }
    });
    let until = Instant::now() + Duration::from_secs(29);
    let pieces = side_by_side(work, pool.batch, until).await;
    let mut queue = queue.lock().unwrap();
    for message in &messages {
        queue.done(message);
    }
    let mut failed = 0;
    for (group, piece) in groups.into_iter().zip(pieces) {
        let outcomes = piece.done().unwrap_or_default();
        for (number, message) in group.into_iter().enumerate() {
            if !matches!(outcomes.get(number), Some(Ok(_))) {
                failed += 1;
                queue.send(message, Instant::now() + Duration::from_secs(180));
            }
        }
    }
    at_work.lock().unwrap().0 -= 1;
    let mut done = done.lock().unwrap();
    done.0 += u64::try_from(messages.len()).unwrap();
    done.1 += failed;
}

/// Creates an endpoint that takes every event, and returns its secret.
pub(super) async fn make_endpoint(
    ctx: &Context,
    organization_id: &OrganizationId,
    url: &str,
) -> (EndpointId, Secret) {
    let wanted = EndpointSettings { url: url.to_owned(), ..EndpointSettings::default() };
    let (owner, secret) = ((Mode::Sandbox, organization_id), Secret::new(&*ctx.random));
    let made = webhooks::make(ctx, &sealing_key(), owner, wanted, secret, &By::operator()).await;
    let Revealed { endpoint, secret } = made.unwrap();
    (endpoint.endpoint_id, secret)
}

/// Relays every event into deliveries, and receives their messages.
pub(super) async fn relay_all(world: &Arc<World>) -> Vec<DeliverMessage> {
    world.stream_changes().await;
    world.cloud.receive("deliver").iter().map(|message| message.read()).collect()
}

/// The default of a parameter of the template.
pub(super) fn parameter(name: &str) -> usize {
    default_of(name).parse().unwrap()
}
