//! A world in which a document is sent, and what must exist in it once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use jiff::SignedDuration;
use serde_json::Value;

use super::Tally;
use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::{Code, Failure},
    service::{convert::Convert, deliver, dispatch::Dispatch, job, sweep},
    store::{
        AwaitedOf, DeliveryRecord, DeliveryStatus, Direction, EventPointer, IdempotencyState,
        Status,
    },
    testing::{Message, Process, TestNetwork, World, invoice, send, send_queued},
    types::{DocumentId, EndpointId},
    webhook::receiver::{Behaviour, Received, Receiver},
};

/// How a document is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SendKind {
    Keyed,
    Unkeyed,
    Queued,
    /// To a recipient at another access point.
    Live,
    LiveQueued,
}

/// The paths of the sender's endpoints at the receiver; each gets every event.
const ENDPOINTS: [&str; 2] = ["/hook", "/hook/second"];

/// A world with a sender that has endpoints, a recipient, and one invoice.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) receiver: Receiver,
    /// The path of each endpoint.
    endpoints: BTreeMap<EndpointId, &'static str>,
    pub(super) network: Option<TestNetwork>,
    sender: Caller,
    body: Value,
    sent: Mutex<Option<SendKind>>,
    accepted: Mutex<Vec<DocumentId>>,
}

/// Whether the same request may succeed once the fault is over.
pub(crate) fn is_temporary(code: Code) -> bool {
    matches!(
        code,
        Code::IdempotencyUnavailable
            | Code::IdempotencyInProgress
            | Code::ServiceUnavailable
            | Code::RecipientLookupFailed
            | Code::RecipientUnreachable
            | Code::TransmissionUnconfirmed
    )
}

impl Scene {
    pub(super) async fn new() -> Scene {
        Self::of(World::new().await, None).await
    }

    pub(super) async fn live() -> Scene {
        let (world, network) = World::live().await;
        network.register("0235:1001234502");
        Self::of(world, Some(network)).await
    }

    async fn of(world: World, network: Option<TestNetwork>) -> Scene {
        let receiver = Receiver::start(ok()).await;
        let sender = world.caller("Falcon", "1001234501").await;
        if network.is_some() {
            world.subscribe(&sender.organization_id).await;
        } else {
            world.caller("Oasis", "1001234502").await;
        }
        let (site, mut endpoints) = (receiver.url.trim_end_matches("/hook"), BTreeMap::new());
        for path in ENDPOINTS {
            let url = format!("{site}{path}");
            endpoints.insert(world.endpoint_at(&sender.organization_id, &url).await, path);
        }
        let body = invoice("A-1", "1001234502");
        let (sent, accepted) = Default::default();
        Scene { world, receiver, endpoints, network, sender, body, sent, accepted }
    }

    /// Sends the invoice.
    pub(crate) async fn send(&self, process: &Process, kind: SendKind) {
        *self.sent.lock().unwrap() = Some(kind);
        let (sending, sender, body) = (&process.sending, &self.sender, &self.body);
        let sent = match kind {
            SendKind::Keyed | SendKind::Live => {
                Box::pin(send(sending, sender, Invoice, body, Some("k"))).await
            }
            SendKind::Unkeyed => send(sending, sender, Invoice, body, None).await,
            SendKind::Queued | SendKind::LiveQueued => {
                send_queued(sending, sender, body, Some("k")).await
            }
        };
        match sent {
            Ok(sent) => self.accepted.lock().unwrap().push(sent.document_id),
            Err(failure) => assert!(is_temporary(failure.code), "{failure:?}"),
        }
    }

    /// Lets a process handle the first message of a queue, which redelivers it unless the process succeeds. Returns
    /// whether there was a message.
    pub(crate) async fn work(&self, process: &Process, queue: &str) -> bool {
        let messages = self.world.cloud.messages();
        let Some(message) = messages.into_iter().find(|message| message.queue == queue) else {
            return false;
        };
        if handle(process, &message).await.is_ok() {
            self.world.cloud.acknowledge(&message);
        }
        true
    }

    /// Everything that a healthy deployment does by itself, and the caller's retries.
    pub(super) async fn recover(&self) {
        self.receiver.behave(ok());
        let process = self.world.healthy();
        let kind = *self.sent.lock().unwrap();
        if let Some(
            kind @ (SendKind::Keyed | SendKind::Queued | SendKind::Live | SendKind::LiveQueued),
        ) = kind
        {
            self.send(&process, kind).await;
            if self.accepted.lock().unwrap().is_empty() {
                self.world.clock.advance(SignedDuration::from_secs(61));
                self.send(&process, kind).await;
            }
        }
        for _ in 0..100 {
            self.world.stream().await;
            let mut worked = false;
            for queue in ["convert", "dispatch", "deliver"] {
                worked |= self.work(&process, queue).await;
            }
            if worked {
                continue;
            }
            // All queues are empty: time passes until an item is due.
            let Some((due, place)) = self.world.next_due().await else { return };
            self.world
                .clock
                .advance(due.duration_since(self.world.now()).max(SignedDuration::ZERO));
            sweep::take_up(&process.relaying, &place).await;
        }
        panic!("it does not come to rest");
    }

    /// Counts the results that do not exist exactly once.
    pub(super) async fn check(&self, point: &str) -> Tally {
        let mut tally = Tally::default();
        let mut count = |what: &str, found: usize, least: usize, most: usize| {
            tally.lost += least.saturating_sub(found);
            tally.doubled += found.saturating_sub(most);
            if !(least..=most).contains(&found) {
                println!("{point}: {found} {what}, not {least} to {most}");
            }
        };
        let world = &self.world;
        let (kind, accepted) = (*self.sent.lock().unwrap(), self.accepted.lock().unwrap().clone());
        let documents = world.documents().await;
        let (sent, received): (Vec<_>, Vec<_>) =
            documents.iter().partition(|document| document.direction == Direction::Outbound);
        // A caller without a key cannot know the result after a lost answer, but there are never two documents.
        let least = usize::from(kind != Some(SendKind::Unkeyed) || !accepted.is_empty());
        count("documents sent", sent.len(), least, 1);
        for id in &accepted {
            let found = sent.iter().filter(|document| document.document_id == *id).count();
            count("documents of an answer", found, 1, 1);
        }
        let ended = sent.iter().filter(|document| document.status == Status::Sent).count();
        count("documents at their end", ended, sent.len(), sent.len());
        match &self.network {
            None => count("documents received", received.len(), sent.len(), sent.len()),
            Some(network) => {
                let taken = network.taken();
                let instances: BTreeSet<_> = taken.iter().map(|it| &it.instance_id).collect();
                let messages: BTreeSet<_> = taken.iter().map(|it| &it.message_id).collect();
                count("envelopes at the recipient", instances.len(), sent.len(), sent.len());
                count("messages at the recipient", messages.len(), sent.len(), sent.len());
                let counted = world.exchanges().await;
                count("exchanges counted", counted, instances.len(), instances.len());
                count("receipts in the bucket", world.receipts().await, sent.len(), sent.len());
            }
        }
        let events = world.events().await;
        for document in &documents {
            let published =
                events.iter().filter(|e| e.document_id() == Some(&document.document_id)).count();
            count("events of a document", published, 1, 1);
        }
        count("events", events.len(), documents.len(), documents.len());
        // Each event belongs to the taxpayer of one organization.
        let found: Vec<EventPointer> = world.items("evt_").await;
        let found: BTreeSet<_> = found.iter().map(|pointer| &pointer.event_id).collect();
        count("events that are found", found.len(), events.len(), events.len());
        let tallied = world.raw_items("TALLY#").await.into_iter().flatten();
        let counters = tallied.filter(|(name, value)| name != "ttl" && value.is_n());
        let counted =
            counters.map(|(_, value)| value.as_n().unwrap().parse::<usize>().unwrap()).sum();
        // An event is counted after it is listed. A relay that dies in between counts it never.
        count("documents on the overview", counted, events.len().saturating_sub(1), events.len());
        let awaited: Vec<AwaitedOf> = world.items("AWAITED#").await;
        let due = if self.network.is_some() { sent.len() } else { 0 };
        count("documents whose answers are awaited", awaited.len(), due, due);
        let deliveries: Vec<DeliveryRecord> = world.items("DELIVERY").await;
        let owed = ENDPOINTS.len() * sent.len();
        count("deliveries", deliveries.len(), owed, owed);
        let requests = self.receiver.received();
        for delivery in &deliveries {
            let taken = usize::from(delivery.status == DeliveryStatus::Delivered);
            count("deliveries made", taken, 1, 1);
            let id = Some(delivery.event_id.as_str());
            let line = format!("POST {} ", self.endpoints[&delivery.endpoint_id]);
            let is_of_it = |request: &&Received| {
                request.header("webhook-id") == id && request.head.starts_with(&line)
            };
            let came = requests.iter().filter(is_of_it).count();
            count("requests of a delivery", came, 1, usize::MAX);
        }
        let tax_reports = world.tax_reports().await;
        // Each sent document is reported and billed once, and nothing else is.
        let left = if self.network.is_some() { sent.len() } else { 0 };
        count("tax reports", tax_reports.len(), left, left);
        count("billed documents", world.usage().await.len(), left, left);
        let keys = world.idempotency_records().await;
        let saved = keys.iter().filter(|key| {
            matches!(key.state, IdempotencyState::Saved { .. })
                && sent.iter().any(|document| document.document_id == key.facts.document_id)
        });
        let keyed = usize::from(kind != Some(SendKind::Unkeyed));
        count("keys", keys.len(), keyed, keyed);
        count("keys with an answer", saved.count(), keyed, keyed);
        for mark in ["due_pk", "relay", "parked"] {
            count(mark, world.marks(mark).await.len(), 0, 0);
        }
        count("messages", world.cloud.messages().len(), 0, 0);
        // A failed attempt leaves its stored objects, under a key of no document: no function may delete the payloads
        // of documents.
        let orphans = world.cloud.objects().into_iter().filter(|object| {
            // Objects without a tenant belong to no document.
            let shared = object.contains("/revocation/");
            !shared
                && !documents.iter().any(|document| object.contains(document.document_id.as_str()))
        });
        let allowed = if kind.is_some() { 2 } else { 0 };
        count("payloads of no document", orphans.count(), 0, allowed);
        tally
    }
}

pub(super) fn ok() -> Behaviour {
    Behaviour::status("200 OK", "", "")
}

async fn handle(process: &Process, message: &Message) -> Result<(), Failure> {
    match message.queue.as_str() {
        "convert" => job::run(&Convert(process.sending.clone()), &message.read()).await,
        "dispatch" => Box::pin(job::run(&Dispatch(process.sending.clone()), &message.read())).await,
        "deliver" => deliver::deliver(&process.delivering, &message.read()).await.map(drop),
        queue => panic!("nobody works off {queue}"),
    }
}
