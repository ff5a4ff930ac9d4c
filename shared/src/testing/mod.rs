//! A small world for tests: the table in an in-process DynamoDB, a bucket and queues in memory, real SDK clients over a
//! connector that can fail, a clock that the test moves, and seeded randomness.

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
        archives::Archiving,
        authorize,
        convert::Convert,
        demo::{self, Demo, Wish},
        dispatch::Dispatch,
        documents::{self, Stored},
        grants::{self, Approval},
        imports::{Importing, Pace},
        job, organizations,
        page::{CursorKey, PageQuery, SecretText},
        register, relay,
        reply::{Reply, Sent},
        requests::{Counted, Counting},
        submit::{self, Send},
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

/// The rate limit of an organization, higher than any test needs.
pub(crate) const REQUESTS_PER_MINUTE: u32 = 60_000;

/// The counters of a request whose answer has no rate limit headers.
pub(crate) fn counting() -> Counting {
    Counting { most: REQUESTS_PER_MINUTE, counted: Counted::default() }
}
/// How long the billing provider's last answer is valid.
pub(crate) const FRESHNESS: Freshness = Freshness(SignedDuration::from_hours(24));

/// Everything that a test needs.
pub(crate) struct World {
    /// The mode of everything in this world.
    pub(crate) mode: Mode,
    pub(crate) ctx: Context,
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
    pub(crate) cursors: CursorKey,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) cloud: aws::Cloud,
    /// Only in Live.
    network: Option<TestNetwork>,
    dynamo: aws_sdk_dynamodb::Client,
    random: Arc<dyn Random>,
}

/// The dependencies of a process whose calls can fail.
pub(crate) struct Failing {
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
}

/// The dependencies of a process whose calls are counted.
pub(crate) struct Metered {
    pub(crate) meter: Meter,
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
}

/// A process with the dependencies of all functions.
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

    /// An empty world whose table runs in a separate thread, so that its work is not measured with the caller's.
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

    /// An empty world in Live without a network.
    pub(crate) async fn unconnected() -> World {
        World { mode: Mode::Live, ..World::new().await }
    }

    /// An empty world in Live with a network, at a time when the certificates of the test PKI are valid.
    pub(crate) async fn live() -> (World, TestNetwork) {
        let (world, network) = (World::new().await, TestNetwork::start().await);
        let live = network.live(&world.sending.bucket, render).await;
        (world.connected(live, &network), network)
    }

    /// A Live world with the settings of production: https, hard-fail, the key in KMS, and no revocation list in the
    /// bucket yet.
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

    /// The dependencies of the HTTP API.
    pub(crate) fn serving(&self) -> Serving {
        Serving {
            sending: self.sending.clone(),
            cursors: self.cursors.clone(),
            requests_per_minute: REQUESTS_PER_MINUTE,
        }
    }

    /// The dependencies of imports.
    pub(crate) fn importing(&self) -> Importing {
        let slice = Duration::from_secs(60);
        // Small chunks, so that an import has many, and one at a time, so that the order is known.
        let pace = Pace { chunk: 3, at_once: 1 };
        Importing { sending: self.sending.clone(), render, slice, pace }
    }

    /// The dependencies of archives.
    pub(crate) fn archiving(&self) -> Archiving {
        let Sending { ctx, bucket, settings, .. } = self.sending.clone();
        let slice = Duration::from_secs(60);
        Archiving { ctx, bucket, describe: crate::api::describe, lease: settings.lease, slice }
    }

    /// The dependencies of webhook management.
    pub(crate) fn notifying(&self) -> Notifying {
        Notifying {
            ctx: self.ctx.clone(),
            client: Client::new(Egress::Any).unwrap(),
            sealing_keys: sealing_key().into(),
            cursors: self.cursors.clone(),
            requests_per_minute: REQUESTS_PER_MINUTE,
        }
    }

    /// The dependencies of the pages at this origin.
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

    /// This world for a process whose calls to the table, the bucket and the queues can fail.
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

    /// This world for a process whose calls are counted.
    pub(crate) fn metered(&self) -> Metered {
        let meter = Meter::new(self.cloud.client(None), self.cloud.dynamodb_url());
        let dynamo = over(self.cloud.dynamodb_url(), meter.client());
        let ctx =
            Context { store: Store::new(dynamo, TABLE, self.random.clone()), ..self.ctx.clone() };
        let bucket = Bucket::new(s3_over(meter.client()), BUCKET, self.random.clone());
        let sending = Sending { ctx: ctx.clone(), bucket, ..self.sending.clone() };
        Metered { sending, relaying: relaying_over(meter.client(), &ctx), meter }
    }

    /// A process with these faults.
    pub(crate) fn process(&self, faults: &Arc<Faults>) -> Process {
        let Failing { sending, relaying } = self.failing(faults);
        let delivering = self.delivering(&sending.ctx, &relaying);
        Process { sending, relaying, delivering }
    }

    /// A process without faults.
    pub(crate) fn healthy(&self) -> Process {
        let (sending, relaying) = (self.sending.clone(), self.relaying.clone());
        let delivering = self.delivering(&sending.ctx, &relaying);
        Process { sending, relaying, delivering }
    }

    fn delivering(&self, ctx: &Context, relaying: &Relaying) -> Delivering {
        // Created once, since reading the trusted roots takes longer than a delivery.
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

    /// The items that the stream's relay must relay.
    pub(crate) async fn marked(&self) -> Vec<JobId> {
        self.waiting("relay").await.into_iter().map(|(_, job_id)| job_id).collect()
    }

    /// The next due item and its time. Tax reports are excluded; see [`World::next_filing`].
    pub(crate) async fn next_due(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| !matches!(job_id, JobId::TaxReport(..))).await
    }

    /// The next due tax report and its time.
    pub(crate) async fn next_filing(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::TaxReport(..))).await
    }

    /// The next receipt to move to the bucket, and its time.
    pub(crate) async fn next_receipt(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::Receipt(..))).await
    }

    async fn next(&self, wanted: impl Fn(&JobId) -> bool) -> Option<(Timestamp, JobId)> {
        let waiting = self.waiting("due_at").await.into_iter();
        let waiting = waiting.filter(|(_, job_id)| wanted(job_id));
        let due = waiting.min_by(|(a, _), (b, _)| a.cmp(b));
        due.map(|(due, job_id)| (due.parse().unwrap(), job_id))
    }

    /// The waiting items with the value of a mark.
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

    /// This world for a process that cannot reach the queues.
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

    /// A member with an arbitrary address.
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

    /// A taxpayer with an e-mail address.
    pub(crate) async fn registered(&self, name: &str, tin: &str, email: &EmailAddress) -> Taxpayer {
        let record = self.onboarded(name, tin).await;
        assert!(self.ctx.store.set_email(&record, Some(email)).await.unwrap());
        Taxpayer { email: Some(email.clone()), ..record }
    }

    /// The dependencies of mails, with a mail service that stores them.
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

    /// A taxpayer before its registration.
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

    /// An endpoint for all events at a URL.
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

    /// Begins an organization's subscription, as an operator does: without an end, with any number of seats.
    pub(crate) async fn subscribe(&self, organization_id: &OrganizationId) {
        subscriptions::set(&self.ctx, organization_id, None, &By::operator()).await.unwrap();
    }

    /// Lets an organization have sent something in Sandbox today, so that its next send counts with one call.
    pub(crate) async fn begin_day(&self, organization_id: &OrganizationId) {
        let store = &self.ctx.store;
        assert!(store.take_send(organization_id, u32::MAX, self.now()).await.unwrap().is_given);
    }

    /// The caller of an organization with every scope on a new taxpayer.
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

    /// The number of audit entries with an action.
    pub(crate) async fn told_of(&self, action: Action) -> usize {
        let entries: Vec<AuditRecord> = self.items("aud_").await;
        entries.iter().filter(|entry| entry.action == action).count()
    }

    /// The number of counted exchanges.
    pub(crate) async fn exchanges(&self) -> usize {
        let counts: Vec<ExchangeCount> = self.items(keys::EXCHANGE).await;
        usize::try_from(counts.iter().map(|count| count.exchanges).sum::<u64>()).unwrap()
    }

    /// The number of other access points' receipts in the bucket.
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

    /// All reports to the authority.
    pub(crate) async fn tax_reports(&self) -> Vec<TaxReportRecord> {
        let mut items = self.raw_items(keys::FILING).await;
        // Excludes the item of the report rate, whose key has the same beginning.
        items.retain(|item| item["sk"].as_s().unwrap() == keys::FILING);
        items.into_iter().map(|item| serde_dynamo::from_item(item).unwrap()).collect()
    }

    pub(crate) async fn idempotency_records(&self) -> Vec<IdempotencyRecord> {
        self.items("IDEMPOTENCY").await
    }

    /// Simulates the stream: calls the relay for every marked item, until none is left.
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

    /// Like [`World::stream`], only for items that changed since the last call. It also works with a table that is too
    /// large for a scan.
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

    /// Handles all messages of the stages' queues; returns their number.
    pub(crate) async fn work(&self) -> usize {
        let mut worked = 0;
        for message in self.cloud.receive("imports") {
            Box::pin(job::run(&self.importing(), &message.read())).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("archives") {
            Box::pin(job::run(&self.archiving(), &message.read())).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("convert") {
            job::run(&Convert(self.sending.clone()), &message.read()).await.unwrap();
            worked += 1;
        }
        for message in self.cloud.receive("dispatch") {
            job::run(&Dispatch(self.sending.clone()), &message.read()).await.unwrap();
            worked += 1;
        }
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

    /// Gives a taxpayer another profile.
    pub(crate) async fn change_profile(&self, taxpayer_id: &TaxpayerId, profile: Value) {
        let pk = format!("SANDBOX#TAXPAYER#{taxpayer_id}");
        self.set(&pk, "PROFILE", "profile", AttributeValue::S(profile.to_string())).await;
    }

    /// Stores a record directly, for tests of its readers.
    pub(crate) async fn put<T: serde::Serialize>(&self, key: Key, record: &T) {
        let mut item: HashMap<String, AttributeValue> = serde_dynamo::to_item(record).unwrap();
        item.insert("pk".to_owned(), AttributeValue::S(key.pk));
        item.insert("sk".to_owned(), AttributeValue::S(key.sk));
        self.dynamo.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }

    /// Removes a record.
    pub(crate) async fn remove(&self, key: Key) {
        let delete = self.dynamo.delete_item().table_name(TABLE);
        let delete = delete.key("pk", AttributeValue::S(key.pk));
        delete.key("sk", AttributeValue::S(key.sk)).send().await.unwrap();
    }

    /// Sets an attribute of every item with these keys, as another writer would.
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

    /// Stores a tax report outside of a use case, for the relay.
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

    /// Makes an event unreadable, and due before every other.
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

    /// The number of parked items.
    pub(crate) async fn parked(&self) -> usize {
        let items = self.raw_items("").await;
        items.iter().filter(|item| item.contains_key("parked")).count()
    }

    /// The values of an attribute of all items, for tests of the marks, except tax reports, which wait for their
    /// verdict.
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

/// A secret in the form of Secrets Manager.
pub(crate) struct StoredSecret(pub(crate) &'static str);

impl SecretText for StoredSecret {
    fn fetch(&self) -> Boxed<'_, Result<String, BoxError>> {
        Box::pin(async { Ok(self.0.to_owned()) })
    }
}

type BoxError = Box<dyn std::error::Error + std::marker::Send + Sync>;

/// Starts a server in a separate thread, for tests that measure the work of their own thread.
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

/// Sends a body for a caller.
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

/// The UBL of a document, of any size.
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

/// The answer to an import.
pub(crate) fn render_import(record: &ImportRecord) -> Reply {
    let body = format!("{{\"import_id\":\"{}\"}}", record.import_id);
    Reply { status: 202, body: body.into_bytes() }
}

/// The answer to a send.
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
