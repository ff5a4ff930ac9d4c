//! A small world for tests: the table in an in-process DynamoDB, a bucket and queues in memory,
//! real SDK clients over a connector that can fail, a clock that stands still, seeded chance.

mod aws;
mod clients;
mod crash;
pub(crate) mod kms;
mod meter;
mod network;
mod oauth;
mod peer;
mod portal;
mod receiving;
mod recorded;
mod registers;
mod reported;
mod simulated;
mod straight;
mod tls;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

pub(crate) use aws::{Fault, Faults, Mail, Message};
pub(crate) use crash::{
    Mishap, Scene, Tally, Way, befalls, enumerate, enumerate_at, enumerate_live,
};
pub(crate) use meter::{Meter, Units, Usage};
pub(crate) use network::{
    AUTHORITY, Names, OPENPEPPOL, OUR_SEAT, Publishes, THEIR_SEAT, Takes, TestNetwork, default_of,
};
pub(crate) use peer::{Arrival, BUYER, Packed, Parcel, accepted};
pub(crate) use portal::{TaxPortal, business};
pub(crate) use receiving::{Answers, Receiving};
pub(crate) use recorded::{Bare, Call, Recorder};
pub(crate) use registers::{Registers, SMP_URL, Tells};
pub(crate) use simulated::Simulated;
pub(crate) use straight::{spent, straight};
pub(crate) use tls::TlsFront;

use crate::{
    access::{
        Action, Actor, AuditRecord, By, Caller, Credentials as Headers, KeyStatus, Member,
        PresentedKey, Role, Scope, Taxpayer, TaxpayerStatus,
    },
    document::{Operation, Profile},
    egress::{Client, Egress},
    error::{Failure, Finding},
    peppol::pki,
    service::{
        Context, Delivering, Live, Mailing, Notifying, Portal, Relaying, Sending, Serving,
        Settings,
        archives::{Archiving, gather},
        authorize, convert,
        demo::{self, Demo, Wish},
        dispatch,
        documents::{self, Stored},
        grants::{self, Approval},
        imports::{self, Importing, Pace},
        organizations,
        page::{CursorKey, PageQuery, SecretText},
        register, relay,
        requests::{Counted, Counting},
        submit::{self, Reply, Send, Sent},
        subscriptions, sweep,
        webhooks::{self, EndpointSettings},
    },
    store::{
        Bucket, DocumentRecord, EventRecord, EventType, ExchangeCount, Freshness,
        IdempotencyRecord, ImportRecord, Mailer, NewTaxReport, PayloadMethod, Receipt, Register,
        RegistrationRecord, RegistrationStatus, Store, TaxReportRecord, TransmissionRecord,
        instant,
        keys::{self, JobId, Key},
    },
    tasks::Boxed,
    types::{
        EmailAddress, EndpointId, FixedClock, GrantId, MemberId, Mode, OrganizationId, Random,
        SeededRandom, TaxpayerId,
    },
    webhook::{SealingKeys, Secret},
};

use clients::{BUCKET, TABLE, dynamo, make_table, over, relaying, relaying_over, s3, s3_over};

/// How many requests an organization has in a minute: more than a test makes.
pub(crate) const REQUESTS_PER_MINUTE: u32 = 60_000;

/// For a request whose answer tells nothing of its count.
pub(crate) fn counting() -> Counting {
    Counting { most: REQUESTS_PER_MINUTE, counted: Counted::default() }
}
/// How long what a billing provider last said is relied on.
pub(crate) const FRESHNESS: Freshness = Freshness(SignedDuration::from_hours(24));

/// Everything that a test needs.
pub(crate) struct World {
    /// Of everything that is made in it.
    pub(crate) mode: Mode,
    pub(crate) ctx: Context,
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
    pub(crate) cursors: CursorKey,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) cloud: aws::Cloud,
    /// In Live mode.
    network: Option<TestNetwork>,
    dynamo: aws_sdk_dynamodb::Client,
    random: Arc<dyn Random>,
}

/// What a process works with whose calls can fail.
pub(crate) struct Failing {
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
}

/// What a process works with whose calls are counted.
pub(crate) struct Metered {
    pub(crate) meter: Meter,
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
}

/// A process that does everything.
pub(crate) struct Process {
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
    pub(crate) delivering: Delivering,
}

impl World {
    /// An empty world.
    pub(crate) async fn new() -> World {
        World::on(aws::Cloud::start().await).await
    }

    /// The same, whose table works in a thread of its own: its work is not the caller's.
    pub(crate) async fn apart() -> World {
        World::on(apart(aws::Cloud::start).await).await
    }

    async fn on(cloud: aws::Cloud) -> World {
        let clock = Arc::new(FixedClock::at("2026-11-20T08:00:00Z".parse().unwrap()));
        let random: Arc<dyn Random> = Arc::new(SeededRandom::new(7));
        let dynamo = dynamo(&cloud, None);
        make_table(&dynamo).await;
        let store = Store::new(dynamo.clone(), TABLE, random.clone());
        let ctx = Context { store, clock: clock.clone(), random: random.clone() };
        let bucket = Bucket::new(s3(&cloud, None), BUCKET, random.clone());
        let lease = SignedDuration::from_secs(60);
        let (queued_delivery, sandbox_daily_sends) = (true, 10_000);
        let time = Duration::from_secs(29);
        let settings =
            Settings { queued_delivery, lease, time, freshness: FRESHNESS, sandbox_daily_sends };
        let sending = Sending { ctx: ctx.clone(), bucket, settings, live: None };
        let relaying = relaying(&cloud, &ctx, None);
        let cursors = CursorKey::new(StoredSecret("fedcba9876543210fedcba9876543210"));
        let mode = Mode::Sandbox;
        let network = None;
        World { mode, ctx, sending, relaying, cursors, clock, cloud, network, dynamo, random }
    }

    /// An empty world in Live mode that is connected to no network.
    pub(crate) async fn unconnected() -> World {
        World { mode: Mode::Live, ..World::new().await }
    }

    /// An empty world in Live mode, connected to a network, on a day when the certificates of the test PKI are good.
    pub(crate) async fn live() -> (World, TestNetwork) {
        let (world, network) = (World::new().await, TestNetwork::start().await);
        let live = network.live(&world.sending.bucket, render).await;
        (world.connected(live, &network), network)
    }

    /// The same as it is deployed: over https, hard-fail, our key in KMS, and no list is in the bucket yet.
    pub(crate) async fn deployed() -> (World, TestNetwork) {
        let (world, network) = (World::new().await, TestNetwork::public().await);
        let live = network.connected(&world.sending.bucket, render);
        (world.connected(live, &network), network)
    }

    fn connected(self, live: Live, network: &TestNetwork) -> World {
        self.clock.advance(pki::testing::now().duration_since(self.now()));
        let sending = Sending { live: Some(live), ..self.sending };
        let network = Some(network.clone());
        World { mode: Mode::Live, sending, network, ..self }
    }

    /// The page of a list behind a cursor.
    pub(crate) fn asked<'a>(&'a self, cursor: Option<&'a str>, limit: u8) -> PageQuery<'a> {
        PageQuery { cursors: &self.cursors, cursor, limit }
    }

    /// What the HTTP API works with.
    pub(crate) fn serving(&self) -> Serving {
        Serving {
            sending: self.sending.clone(),
            cursors: self.cursors.clone(),
            requests_per_minute: REQUESTS_PER_MINUTE,
        }
    }

    /// What brings imports on.
    pub(crate) fn importing(&self) -> Importing {
        let slice = Duration::from_secs(60);
        // So few that an import is many chunks, and what happens first is known.
        let pace = Pace { chunk: 3, at_once: 1 };
        Importing { sending: self.sending.clone(), render, slice, pace }
    }

    /// What brings archives on.
    pub(crate) fn archiving(&self) -> Archiving {
        let Sending { ctx, bucket, settings, .. } = self.sending.clone();
        let slice = Duration::from_secs(60);
        Archiving { ctx, bucket, describe: crate::api::describe, lease: settings.lease, slice }
    }

    /// What organizations manage their webhooks with.
    pub(crate) fn notifying(&self) -> Notifying {
        Notifying {
            ctx: self.ctx.clone(),
            client: Client::new(Egress::Any).unwrap(),
            sealing_keys: sealing_key().into(),
            cursors: self.cursors.clone(),
            requests_per_minute: REQUESTS_PER_MINUTE,
        }
    }

    /// What pages are made from that are there.
    pub(crate) fn portal(&self, origin: &str) -> Portal {
        Portal {
            ctx: self.ctx.clone(),
            origin: origin.to_owned(),
            freshness: FRESHNESS,
            queued_delivery: self.sending.settings.queued_delivery,
            national_portal: None,
            bucket: self.sending.bucket.clone(),
            cursors: self.cursors.clone(),
            notifying: Some(Arc::new(self.notifying())),
        }
    }

    /// A world with the demo data, whose webhooks go to `webhook_url`.
    pub(crate) async fn with_demo(webhook_url: &str) -> (World, Demo) {
        let world = World::new().await;
        let demo = world.demo(webhook_url).await;
        (world, demo)
    }

    /// The demo data, whose webhooks go to `webhook_url`.
    pub(crate) async fn demo(&self, webhook_url: &str) -> Demo {
        let wish = Wish { webhook_url: webhook_url.to_owned(), ..Wish::default() };
        demo::make(&self.ctx, &sealing_key(), wish).await.unwrap()
    }

    /// The same world seen by a process whose calls to the table, the bucket and the queues can
    /// fail.
    pub(crate) fn failing(&self, faults: &Arc<Faults>) -> Failing {
        let dynamo = dynamo(&self.cloud, Some(faults.clone()));
        let s3 = s3(&self.cloud, Some(faults.clone()));
        let store = Store::new(dynamo, TABLE, self.random.clone());
        let ctx = Context { store, ..self.ctx.clone() };
        let bucket = Bucket::new(s3, BUCKET, self.random.clone());
        let live = self.network.as_ref().map(|network| network.connected(&bucket, render));
        Failing {
            sending: Sending { ctx: ctx.clone(), bucket, live, ..self.sending.clone() },
            relaying: relaying(&self.cloud, &ctx, Some(faults.clone())),
        }
    }

    /// The same world seen by a process whose calls are counted.
    pub(crate) fn metered(&self) -> Metered {
        let meter = Meter::new(self.cloud.client(None), self.cloud.dynamodb_url());
        let dynamo = over(self.cloud.dynamodb_url(), meter.client());
        let ctx =
            Context { store: Store::new(dynamo, TABLE, self.random.clone()), ..self.ctx.clone() };
        let bucket = Bucket::new(s3_over(meter.client()), BUCKET, self.random.clone());
        let sending = Sending { ctx: ctx.clone(), bucket, ..self.sending.clone() };
        Metered { sending, relaying: relaying_over(meter.client(), &ctx), meter }
    }

    /// A process to one of whose effects something befalls.
    pub(crate) fn process(&self, faults: &Arc<Faults>) -> Process {
        let Failing { sending, relaying } = self.failing(faults);
        let delivering = self.delivering(&sending.ctx, &relaying);
        Process { sending, relaying, delivering }
    }

    /// A process to which nothing befalls.
    pub(crate) fn healthy(&self) -> Process {
        let (sending, relaying) = (self.sending.clone(), self.relaying.clone());
        let delivering = self.delivering(&sending.ctx, &relaying);
        Process { sending, relaying, delivering }
    }

    fn delivering(&self, ctx: &Context, relaying: &Relaying) -> Delivering {
        // Made once: reading the trusted roots takes longer than a delivery.
        static CLIENT: OnceLock<Client> = OnceLock::new();
        let deadline = Duration::from_millis(500);
        let client = CLIENT.get_or_init(|| Client::with_deadline(Egress::Any, deadline).unwrap());
        Delivering {
            ctx: ctx.clone(),
            queue: relaying.deliver.clone(),
            client: client.clone(),
            sealing_key: sealing_key().into(),
            open_breakers: crate::service::deliver::OpenBreakers::default(),
        }
    }

    /// What the stream's relay must take up.
    pub(crate) async fn marked(&self) -> Vec<JobId> {
        self.waiting("relay").await.into_iter().map(|(_, job_id)| job_id).collect()
    }

    /// What is due next, and when; tax reports, which go beside everything else, are
    /// [`World::next_filing`]'s.
    pub(crate) async fn next_due(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| !matches!(job_id, JobId::TaxReport(..))).await
    }

    /// Which filing is due next, and when.
    pub(crate) async fn next_filing(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::TaxReport(..))).await
    }

    /// Which receipt is to be moved to the bucket next, and when.
    pub(crate) async fn next_receipt(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::Receipt(..))).await
    }

    async fn next(&self, wanted: impl Fn(&JobId) -> bool) -> Option<(Timestamp, JobId)> {
        let waiting = self.waiting("due_at").await.into_iter();
        let waiting = waiting.filter(|(_, job_id)| wanted(job_id));
        let due = waiting.min_by(|(a, _), (b, _)| a.cmp(b));
        due.map(|(due, job_id)| (due.parse().unwrap(), job_id))
    }

    /// The items that wait, with a mark's text.
    async fn waiting(&self, mark: &str) -> Vec<(String, JobId)> {
        let scan = self.dynamo.scan().table_name(TABLE);
        let scan =
            scan.filter_expression("attribute_exists(#mark) AND attribute_not_exists(parked)");
        let scan =
            scan.projection_expression("pk, sk, #mark").expression_attribute_names("#mark", mark);
        let items = scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>();
        let items = items.await.unwrap();
        let waiting = items.iter().map(|item| {
            let text = |name: &str| item[name].as_s().unwrap();
            (text(mark).clone(), JobId::parse(text("pk"), text("sk")).unwrap())
        });
        waiting.collect()
    }

    /// The same world seen by a process that reaches no queue.
    pub(crate) fn without_queues(&self) -> Relaying {
        relaying(&self.cloud, &self.ctx, Some(Faults::new(Fault::Before, 0, usize::MAX)))
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.ctx.now()
    }

    pub(crate) async fn organization(&self, name: &str) -> OrganizationId {
        let made = organizations::create(&self.ctx, self.mode, name, &By::operator()).await;
        made.unwrap().organization_id
    }

    /// A member, whose mail is nobody's concern.
    pub(crate) async fn member(
        &self,
        organization_id: &OrganizationId,
        email: EmailAddress,
        role: Role,
    ) -> Member {
        let member = Member {
            member_id: MemberId::new(self.now(), &*self.ctx.random),
            mode: self.mode,
            organization_id: organization_id.clone(),
            email,
            role,
            invited_by: Actor::Operator,
            created_at: self.now(),
            joined_at: None,
        };
        self.ctx.store.create_member(&member, &[], None).await.unwrap().unwrap();
        member
    }

    pub(crate) async fn api_key(&self, organization_id: &OrganizationId) -> PresentedKey {
        self.api_key_with(organization_id, KeyStatus::Active).await
    }

    pub(crate) async fn api_key_with(
        &self,
        organization_id: &OrganizationId,
        status: KeyStatus,
    ) -> PresentedKey {
        let (ctx, mode, by) = (&self.ctx, self.mode, By::operator());
        let made = organizations::create_key(ctx, mode, organization_id, "Test", &by).await;
        let (key, record) = made.unwrap();
        if status == KeyStatus::Revoked {
            let revoked =
                organizations::revoke_key(ctx, mode, organization_id, &record.key_id, &by).await;
            assert_eq!(revoked.unwrap().status, status);
        }
        key
    }

    /// An active taxpayer with a TIN of 10 digits; in Live it is registered in the network.
    pub(crate) async fn taxpayer(&self, name: &str, tin: &str) -> Taxpayer {
        let record = self.onboarded(name, tin).await;
        if self.mode == Mode::Live {
            let registration = RegistrationRecord {
                status: RegistrationStatus::Registered,
                services: register::services(),
                ..register::wanted(&self.ctx, &record, Register::Network, None)
            };
            let put = self.ctx.store.put_registration(registration, None, None).await;
            assert!(put.unwrap().is_some());
        }
        record
    }

    /// The same with an e-mail address.
    pub(crate) async fn registered(&self, name: &str, tin: &str, email: &EmailAddress) -> Taxpayer {
        let record = self.onboarded(name, tin).await;
        assert!(self.ctx.store.set_email(&record, Some(email)).await.unwrap());
        Taxpayer { email: Some(email.clone()), ..record }
    }

    /// What sends mails, over a mail service that keeps them.
    pub(crate) fn mailing(&self, origin: &str) -> Mailing {
        let ses = clients::ses_over(self.cloud.client(None));
        Mailing {
            ctx: self.ctx.clone(),
            mailer: Some(Mailer::new(ses, "E-invoicing <no-reply@portal.example.com>")),
            origin: origin.to_owned(),
            national_portal: None,
            lease: self.sending.settings.lease,
        }
    }

    /// The same before any registration.
    pub(crate) async fn onboarded(&self, name: &str, tin: &str) -> Taxpayer {
        let record = Taxpayer {
            taxpayer_id: TaxpayerId::new(self.now(), &*self.random),
            mode: self.mode,
            participant_id: format!("0235:{tin}").parse().unwrap(),
            name: name.to_owned(),
            status: TaxpayerStatus::Active,
            profile: party(name, tin).to_string(),
            email: None,
            suspended_by: None,
            confirmed: None,
            created_at: self.now(),
        };
        assert!(Profile::from_json(record.profile.as_bytes()).is_ok());
        assert!(self.ctx.store.create_taxpayer(&record).await.unwrap());
        record
    }

    pub(crate) async fn grant(
        &self,
        organization_id: &OrganizationId,
        taxpayer: &Taxpayer,
        scopes: &[Scope],
    ) -> GrantId {
        self.grant_on(organization_id, &taxpayer.taxpayer_id, scopes).await
    }

    pub(crate) async fn grant_on(
        &self,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        scopes: &[Scope],
    ) -> GrantId {
        let grant_id = GrantId::new(self.now(), &*self.random);
        let approval = Approval {
            grant_id: grant_id.clone(),
            mode: self.mode,
            taxpayer_id: taxpayer_id.clone(),
            organization_id: organization_id.clone(),
            scopes: scopes.iter().copied().collect(),
            grant_label: None,
            external_id: None,
            request: None,
        };
        grants::seed(&self.ctx, &approval).await.unwrap();
        grant_id
    }

    pub(crate) async fn endpoint(
        &self,
        organization_id: &OrganizationId,
        event_types: &[EventType],
    ) -> EndpointId {
        self.make_endpoint(organization_id, event_types, "https://example.com/hook").await
    }

    /// An endpoint that takes every event at a URL.
    pub(crate) async fn endpoint_at(
        &self,
        organization_id: &OrganizationId,
        url: &str,
    ) -> EndpointId {
        self.make_endpoint(organization_id, &[], url).await
    }

    async fn make_endpoint(
        &self,
        organization_id: &OrganizationId,
        event_types: &[EventType],
        url: &str,
    ) -> EndpointId {
        let wanted = EndpointSettings {
            url: url.to_owned(),
            event_types: event_types.to_vec(),
            ..EndpointSettings::default()
        };
        let (secret, by) = (Secret::new(&*self.random), By::operator());
        let owner = (self.mode, organization_id);
        let made = webhooks::make(&self.ctx, &sealing_key(), owner, wanted, secret, &by).await;
        made.unwrap().endpoint.endpoint_id
    }

    /// Has an organization's subscription begin, as an operator does: it has no end, and any number of seats.
    pub(crate) async fn subscribe(&self, organization_id: &OrganizationId) {
        subscriptions::set(&self.ctx, organization_id, None, &By::operator()).await.unwrap();
    }

    /// Has an organization have sent something in Sandbox today: its next send counts with one call.
    pub(crate) async fn begin_day(&self, organization_id: &OrganizationId) {
        let store = &self.ctx.store;
        assert!(store.take_send(organization_id, u32::MAX, self.now()).await.unwrap().is_given);
    }

    /// An organization with every scope on a new taxpayer, and both as a caller.
    pub(crate) async fn caller(&self, name: &str, tin: &str) -> Caller {
        let organization_id = self.organization(name).await;
        let taxpayer = self.taxpayer(name, tin).await;
        self.grant(&organization_id, &taxpayer, &Scope::ALL).await;
        let key = self.api_key(&organization_id).await;
        self.authorize(&key, &taxpayer, None, &[Scope::InvoicesWrite]).await.unwrap()
    }

    pub(crate) async fn authorize(
        &self,
        key: &PresentedKey,
        taxpayer: &Taxpayer,
        grant_id: Option<&GrantId>,
        any_of: &[Scope],
    ) -> Result<Caller, Failure> {
        let authorization = format!("Api-Key {}", key.reveal());
        let headers = Headers {
            authorization: Some(&authorization),
            taxpayer_id: Some(taxpayer.taxpayer_id.as_str()),
            grant_id: grant_id.map(GrantId::as_str),
        };
        authorize(&self.ctx, &counting(), headers, any_of).await
    }

    /// Every item of the table whose sort key begins with `prefix`.
    pub(crate) async fn items<T: serde::de::DeserializeOwned>(&self, prefix: &str) -> Vec<T> {
        self.raw_items(prefix)
            .await
            .into_iter()
            .map(|item| serde_dynamo::from_item(item).unwrap())
            .collect()
    }

    pub(crate) async fn raw_items(&self, prefix: &str) -> Vec<HashMap<String, AttributeValue>> {
        let mut pages = self.dynamo.scan().table_name(TABLE).into_paginator().items().send();
        let mut found = Vec::new();
        while let Some(item) = pages.next().await {
            let item = item.unwrap();
            if item["sk"].as_s().unwrap().starts_with(prefix) {
                found.push(item);
            }
        }
        found
    }

    /// How many entries of the audit trails tell of a deed.
    pub(crate) async fn told_of(&self, action: Action) -> usize {
        let entries: Vec<AuditRecord> = self.items("aud_").await;
        entries.iter().filter(|entry| entry.action == action).count()
    }

    /// How many exchanges were counted.
    pub(crate) async fn exchanges(&self) -> usize {
        let counts: Vec<ExchangeCount> = self.items(keys::EXCHANGE).await;
        usize::try_from(counts.iter().map(|count| count.exchanges).sum::<u64>()).unwrap()
    }

    /// How many receipts of other access points are in the bucket.
    pub(crate) async fn receipts(&self) -> usize {
        let (ways, objects) = (self.items("TRANSMISSION").await, self.cloud.objects());
        let is_there = |way: &TransmissionRecord| {
            let payload = way.receipt.as_ref().and_then(Receipt::stored);
            payload.is_some_and(|it| objects.iter().any(|object| object.ends_with(&it.key)))
        };
        ways.iter().filter(|way| is_there(way)).count()
    }

    pub(crate) async fn documents(&self) -> Vec<DocumentRecord> {
        self.items("DOCUMENT").await
    }

    pub(crate) async fn events(&self) -> Vec<EventRecord> {
        self.items("EVENT").await
    }

    /// Every report to the authority.
    pub(crate) async fn tax_reports(&self) -> Vec<TaxReportRecord> {
        let mut items = self.raw_items(keys::FILING).await;
        // Their pace has a longer name.
        items.retain(|item| item["sk"].as_s().unwrap() == keys::FILING);
        items.into_iter().map(|item| serde_dynamo::from_item(item).unwrap()).collect()
    }

    pub(crate) async fn idempotency_records(&self) -> Vec<IdempotencyRecord> {
        self.items("IDEMPOTENCY").await
    }

    /// Does what the stream does: calls the relay for every marked item, until none is left.
    pub(crate) async fn stream(&self) {
        for _ in 0..10 {
            let marked = self.marked().await;
            if marked.is_empty() {
                return;
            }
            for job_id in marked {
                relay::relay(&self.relaying, &job_id).await.unwrap();
            }
        }
        panic!("the relay does not come to an end");
    }

    /// The same of what was changed since the last time alone, as the table's stream has it: also where the table is
    /// too large to be looked through.
    pub(crate) async fn stream_changes(&self) {
        for _ in 0..10 {
            let changed = self.cloud.take_changed();
            if changed.is_empty() {
                return;
            }
            for job_id in changed.iter().filter_map(|(pk, sk)| JobId::parse(pk, sk)) {
                relay::relay(&self.relaying, &job_id).await.unwrap();
            }
        }
        panic!("the relay does not come to an end");
    }

    /// Works off the queues of the stages; gives back how many messages there were.
    pub(crate) async fn work(&self) -> usize {
        let mut worked = 0;
        for message in self.cloud.receive("imports") {
            Box::pin(imports::work::work(&self.importing(), &message.read())).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("archives") {
            Box::pin(gather::gather(&self.archiving(), &message.read())).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("convert") {
            convert::convert(&self.sending, &message.read()).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("dispatch") {
            dispatch::dispatch(&self.sending, &message.read()).await.unwrap();
            worked += 1;
        }
        worked
    }

    /// Stream and stages, until everything is at rest.
    pub(crate) async fn settle(&self) {
        loop {
            self.stream().await;
            if self.work().await == 0 {
                return;
            }
        }
    }

    /// Lets time pass, sweeps, and lets everything come to rest.
    pub(crate) async fn pass(&self, time: SignedDuration) -> sweep::Swept {
        self.clock.advance(time);
        let swept = sweep::sweep(&self.relaying).await;
        self.settle().await;
        swept
    }

    /// Gives a taxpayer another profile.
    pub(crate) async fn change_profile(&self, taxpayer_id: &TaxpayerId, profile: Value) {
        let pk = format!("SANDBOX#TAXPAYER#{taxpayer_id}");
        self.set(&pk, "PROFILE", "profile", AttributeValue::S(profile.to_string())).await;
    }

    /// Puts a record as it would be stored, for tests of what reads it.
    pub(crate) async fn put<T: serde::Serialize>(&self, key: Key, record: &T) {
        let mut item: HashMap<String, AttributeValue> = serde_dynamo::to_item(record).unwrap();
        item.insert("pk".to_owned(), AttributeValue::S(key.pk));
        item.insert("sk".to_owned(), AttributeValue::S(key.sk));
        self.dynamo.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }

    /// Removes a record, as if it had never been written.
    pub(crate) async fn remove(&self, key: Key) {
        let delete = self.dynamo.delete_item().table_name(TABLE);
        let delete = delete.key("pk", AttributeValue::S(key.pk));
        delete.key("sk", AttributeValue::S(key.sk)).send().await.unwrap();
    }

    /// Sets an attribute of every item whose keys begin so, as another writer would.
    pub(crate) async fn set(&self, pk: &str, sk: &str, name: &str, value: AttributeValue) {
        let mut found = 0;
        for item in self.raw_items(sk).await {
            if !item["pk"].as_s().unwrap().starts_with(pk) {
                continue;
            }
            found += 1;
            self.dynamo
                .update_item()
                .table_name(TABLE)
                .key("pk", item["pk"].clone())
                .key("sk", item["sk"].clone())
                .update_expression("SET #name = :value")
                .expression_attribute_names("#name", name)
                .expression_attribute_values(":value", value.clone())
                .send()
                .await
                .unwrap();
        }
        assert!(found > 0, "nothing at {pk} {sk}");
    }

    /// Puts a filing where one is made, as no use case would, for the relay.
    pub(crate) async fn put_tax_report(&self, new: &NewTaxReport) {
        let key = Key::tax_report(&new.tax_report.taxpayer_id, &new.tax_report.report_id);
        let mut item: HashMap<String, AttributeValue> =
            serde_dynamo::to_item(&new.tax_report).unwrap();
        for (name, value) in [
            ("pk", key.pk),
            ("sk", key.sk),
            ("due_pk", "LIVE#DUE#0".to_owned()),
            ("due_at", instant(new.due.at)),
        ] {
            item.insert(name.to_owned(), AttributeValue::S(value));
        }
        if new.due.relayed {
            item.insert(keys::RELAY.to_owned(), AttributeValue::S("due".to_owned()));
        }
        self.dynamo.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }

    /// Makes an event such that nothing can read it, due long before every other.
    pub(crate) async fn spoil(&self, event: &EventRecord) {
        let key = Key::event(event.mode, &event.taxpayer_id, &event.event_id);
        self.dynamo
            .update_item()
            .table_name(TABLE)
            .key("pk", AttributeValue::S(key.pk))
            .key("sk", AttributeValue::S(key.sk))
            .update_expression("SET due_at = :long_ago REMOVE body")
            .expression_attribute_values(
                ":long_ago",
                AttributeValue::S(instant(Timestamp::UNIX_EPOCH)),
            )
            .send()
            .await
            .unwrap();
    }

    /// How many items were given up.
    pub(crate) async fn parked(&self) -> usize {
        let items = self.raw_items("").await;
        items.iter().filter(|item| item.contains_key("parked")).count()
    }

    /// The value of an attribute of every item that has it, for tests of the marks; but for tax reports,
    /// which wait for their verdict.
    pub(crate) async fn marks(&self, name: &str) -> Vec<String> {
        let mut items = self.raw_items("").await;
        items.retain(|item| item["sk"].as_s().unwrap() != keys::FILING);
        items.iter().filter_map(|item| item.get(name)?.as_s().ok().cloned()).collect()
    }
}

/// The key that seals the signing secrets of the demo data.
pub(crate) fn sealing_key() -> SealingKeys {
    SealingKeys::derive("0123456789abcdef0123456789abcdef").unwrap()
}

/// A secret as Secrets Manager would give it.
pub(crate) struct StoredSecret(pub(crate) &'static str);

impl SecretText for StoredSecret {
    fn fetch(&self) -> Boxed<'_, Result<String, BoxError>> {
        Box::pin(async { Ok(self.0.to_owned()) })
    }
}

type BoxError = Box<dyn std::error::Error + std::marker::Send + Sync>;

/// Starts a server in a thread of its own, where it stays: for whoever counts the work of his own thread.
pub(crate) async fn apart<T, F>(start: impl FnOnce() -> F + std::marker::Send + 'static) -> T
where
    T: std::marker::Send + 'static,
    F: Future<Output = T>,
{
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(async {
            assert!(sender.send(start().await).is_ok());
            std::future::pending::<()>().await;
        });
    });
    receiver.await.unwrap()
}

/// Sends a body as `caller`.
pub(crate) async fn send(
    sending: &Sending,
    caller: &Caller,
    operation: Operation,
    body: &Value,
    key: Option<&str>,
) -> Result<Sent, Failure> {
    let body = body.to_string();
    let send = Send {
        operation,
        body: body.as_bytes(),
        idempotency_key: key,
        respond_async: false,
        import: None,
    };
    submit::send(sending, caller, send, render).await
}

/// Sends an invoice through the queues.
pub(crate) async fn send_queued(
    sending: &Sending,
    caller: &Caller,
    body: &Value,
    key: Option<&str>,
) -> Result<Sent, Failure> {
    let body = body.to_string();
    let send = Send {
        operation: Operation::Invoice,
        body: body.as_bytes(),
        idempotency_key: key,
        respond_async: true,
        import: None,
    };
    submit::send(sending, caller, send, render).await
}

/// The bytes of a document's UBL, however large.
pub(crate) async fn ubl(
    sending: &Sending,
    caller: &Caller,
    document_id: &str,
) -> Result<Vec<u8>, Failure> {
    let method = PayloadMethod::Get;
    match documents::ubl(&sending.reading(), caller.reader(), document_id, usize::MAX, method)
        .await?
        .stored
    {
        Stored::Here(bytes) => Ok(bytes),
        Stored::Elsewhere(address) => panic!("{address}"),
    }
}

/// What a request for an import is answered.
pub(crate) fn render_import(record: &ImportRecord) -> Reply {
    let body = format!("{{\"import_id\":\"{}\"}}", record.import_id);
    Reply { status: 202, body: body.into_bytes() }
}

/// What a send is answered.
pub(crate) fn render(record: &DocumentRecord, warnings: &[Finding]) -> Reply {
    let body = json!({
        "document_id": record.document_id.as_str(),
        "status": record.status.as_str(),
        "updated_at": instant(record.updated_at),
        "warnings": warnings.len(),
    });
    let status = if record.status.as_str() == "accepted" { 202 } else { 201 };
    Reply { status, body: body.to_string().into_bytes() }
}

/// A party as a profile or as a counterparty.
pub(crate) fn party(name: &str, tin: &str) -> Value {
    json!({
        "electronic_address": {"id": tin},
        "address": {"line_1": "Corniche 1", "city": "Abu Dhabi", "country_subdivision": "AUH"},
        "vat_identifier": format!("{tin}00003"),
        "tax_registration_identifier": tin,
        "name": name,
        "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "ADDED"}
    })
}

/// A party as the customer of an invoice, which has no TIN field of its own.
pub(crate) fn customer(name: &str, tin: &str) -> Value {
    let mut party = party(name, tin);
    party.as_object_mut().unwrap().remove("tax_registration_identifier");
    party
}

/// A small invoice.
pub(crate) fn invoice(number: &str, customer_tin: &str) -> Value {
    json!({
        "invoice_number": number,
        "due_date": "2026-12-31",
        "customer": customer("Somebody", customer_tin),
        "line_items": [{
            "quantity": "2",
            "item": {"name": "Chair"},
            "vat": {"category_code": "S"},
            "price": {"net_price": "100"}
        }]
    })
}
