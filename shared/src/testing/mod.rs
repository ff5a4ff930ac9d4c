//! A small world for tests: the table in an in-process DynamoDB, a bucket and queues in memory,
//! real SDK clients over a connector that can fail, a clock that stands still, seeded chance.

mod aws;
mod clients;
mod meter;
mod simulated;

use std::{collections::HashMap, pin::Pin, sync::Arc};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

pub(crate) use aws::{Fault, Faults};
pub(crate) use meter::{Meter, Units, Usage};
pub(crate) use simulated::Simulated;

use crate::{
    access::{
        Actor, ApiKey, Caller, Credentials as Headers, KeyStatus, Organization, PresentedKey,
        Scope, Taxpayer, TaxpayerStatus,
    },
    document::{Operation, Profile},
    error::{Failure, Finding},
    service::{
        Context, Relaying, Sending, Serving, Settings, authorize, convert,
        demo::{self, Demo, Wish},
        dispatch,
        documents::{self, Ubl},
        grants::{self, Approval},
        page::{CursorKey, SecretText},
        relay,
        submit::{self, Reply, Send, Sent},
        sweep,
    },
    store::{
        Bucket, DocumentRecord, EndpointRecord, EndpointStatus, EventRecord, EventType,
        IdempotencyRecord, PayloadMethod, Store, instant,
        keys::{Key, Place},
    },
    types::{
        EndpointId, FixedClock, GrantId, KeyId, Mode, OrganizationId, Random, SeededRandom,
        TaxpayerId,
    },
    webhook::SealingKeys,
};

use clients::{BUCKET, TABLE, dynamo, make_table, over, relaying, relaying_over, s3, s3_over};

const MODE: Mode = Mode::Sandbox;

/// Everything that a test needs.
pub(crate) struct World {
    pub(crate) ctx: Context,
    pub(crate) sending: Sending,
    pub(crate) relaying: Relaying,
    pub(crate) cursors: CursorKey,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) cloud: aws::Cloud,
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

impl World {
    /// An empty world.
    pub(crate) async fn new() -> World {
        let cloud = aws::Cloud::start().await;
        let clock = Arc::new(FixedClock::at("2026-11-20T08:00:00Z".parse().unwrap()));
        let random: Arc<dyn Random> = Arc::new(SeededRandom::new(7));
        let dynamo = dynamo(&cloud, None);
        make_table(&dynamo).await;
        let store = Store::new(dynamo.clone(), TABLE, random.clone());
        let ctx = Context { store, clock: clock.clone(), random: random.clone() };
        let bucket = Bucket::new(s3(&cloud, None), BUCKET, random.clone());
        let settings = Settings { queued_delivery: true, lease: SignedDuration::from_secs(60) };
        let sending = Sending { ctx: ctx.clone(), bucket, settings };
        let relaying = relaying(&cloud, &ctx);
        let cursors = CursorKey::new(Secret("fedcba9876543210fedcba9876543210"));
        World { ctx, sending, relaying, cursors, clock, cloud, dynamo, random }
    }

    /// What the HTTP API works with.
    pub(crate) fn serving(&self) -> Serving {
        Serving { sending: self.sending.clone(), cursors: self.cursors.clone() }
    }

    /// A world with the demo data, whose webhooks go to `webhook_url`.
    pub(crate) async fn with_demo(webhook_url: &str) -> (World, Demo) {
        let world = World::new().await;
        let wish = Wish { webhook_url: webhook_url.to_owned(), ..Wish::default() };
        let demo = demo::make(&world.ctx, &sealing_key(), wish).await.unwrap();
        (world, demo)
    }

    /// The same world seen by a process whose calls to the table and the bucket can fail.
    pub(crate) fn failing(&self, faults: &Arc<Faults>) -> Failing {
        let dynamo = dynamo(&self.cloud, Some(faults.clone()));
        let s3 = s3(&self.cloud, Some(faults.clone()));
        let store = Store::new(dynamo, TABLE, self.random.clone());
        let ctx = Context { store, ..self.ctx.clone() };
        let bucket = Bucket::new(s3, BUCKET, self.random.clone());
        Failing {
            sending: Sending { ctx: ctx.clone(), bucket, ..self.sending.clone() },
            relaying: Relaying { ctx, ..self.relaying.clone() },
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

    pub(crate) fn now(&self) -> Timestamp {
        self.ctx.now()
    }

    pub(crate) async fn organization(&self, name: &str) -> OrganizationId {
        let organization_id = OrganizationId::new(self.now(), &*self.random);
        let record = Organization {
            organization_id: organization_id.clone(),
            mode: MODE,
            name: name.to_owned(),
            created_at: self.now(),
        };
        assert!(self.ctx.store.create_organization(&record).await.unwrap());
        organization_id
    }

    pub(crate) async fn api_key(&self, organization_id: &OrganizationId) -> PresentedKey {
        self.api_key_with(organization_id, KeyStatus::Active).await
    }

    pub(crate) async fn api_key_with(
        &self,
        organization_id: &OrganizationId,
        status: KeyStatus,
    ) -> PresentedKey {
        let key = PresentedKey::generate(MODE, &*self.random);
        let record = ApiKey {
            key_id: KeyId::new(self.now(), &*self.random),
            hash: key.hash(),
            mode: MODE,
            organization_id: organization_id.clone(),
            label: "Test".to_owned(),
            status,
            created_by: Actor::Operator,
            created_at: self.now(),
            last_used_at: None,
        };
        assert!(self.ctx.store.create_api_key(&record).await.unwrap());
        key
    }

    /// An active taxpayer with a TIN of 10 digits.
    pub(crate) async fn taxpayer(&self, name: &str, tin: &str) -> Taxpayer {
        let record = Taxpayer {
            taxpayer_id: TaxpayerId::new(self.now(), &*self.random),
            mode: MODE,
            participant_id: format!("0235:{tin}").parse().unwrap(),
            name: name.to_owned(),
            status: TaxpayerStatus::Active,
            profile: party(name, tin).to_string(),
            metadata: Default::default(),
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
            mode: MODE,
            taxpayer_id: taxpayer_id.clone(),
            organization_id: organization_id.clone(),
            scopes: scopes.iter().copied().collect(),
            grant_label: None,
            external_id: None,
        };
        grants::seed(&self.ctx, &approval).await.unwrap();
        grant_id
    }

    pub(crate) async fn endpoint(
        &self,
        organization_id: &OrganizationId,
        event_types: &[EventType],
    ) -> EndpointId {
        let endpoint_id = EndpointId::new(self.now(), &*self.random);
        let record = EndpointRecord {
            endpoint_id: endpoint_id.clone(),
            mode: MODE,
            organization_id: organization_id.clone(),
            url: "https://example.com/hook".to_owned(),
            event_types: event_types.to_vec(),
            status: EndpointStatus::Enabled,
            sealed_secret: "sealed".to_owned(),
            created_at: self.now(),
        };
        assert!(self.ctx.store.create_endpoint(&record).await.unwrap());
        endpoint_id
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
        authorize(&self.ctx, headers, any_of).await
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

    pub(crate) async fn documents(&self) -> Vec<DocumentRecord> {
        self.items("DOCUMENT").await
    }

    pub(crate) async fn events(&self) -> Vec<EventRecord> {
        self.items("EVENT").await
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
            for place in marked {
                relay::relay(&self.relaying, &place).await.unwrap();
            }
        }
        panic!("the relay does not come to an end");
    }

    /// What the stream has for the relay: every marked item.
    pub(crate) async fn marked(&self) -> Vec<Place> {
        let scan = self.dynamo.scan().table_name(TABLE);
        let scan = scan.filter_expression("attribute_exists(relay)");
        let scan = scan.projection_expression("pk, sk").into_paginator().items();
        let marked = scan.send().collect::<Result<Vec<_>, _>>().await.unwrap();
        let text =
            |item: &HashMap<String, AttributeValue>, name: &str| item[name].as_s().unwrap().clone();
        let place = |item| Place::parse(&text(item, "pk"), &text(item, "sk")).unwrap();
        marked.iter().map(place).collect()
    }

    /// Works off the queues of the stages; gives back how many messages there were.
    pub(crate) async fn work(&self) -> usize {
        let mut worked = 0;
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
        self.dynamo
            .update_item()
            .table_name(TABLE)
            .key("pk", AttributeValue::S(format!("SANDBOX#TAXPAYER#{taxpayer_id}")))
            .key("sk", AttributeValue::S("PROFILE".to_owned()))
            .update_expression("SET profile = :profile")
            .expression_attribute_values(":profile", AttributeValue::S(profile.to_string()))
            .send()
            .await
            .unwrap();
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

    /// The value of an attribute of every item that has it, for tests of the marks.
    pub(crate) async fn marks(&self, name: &str) -> Vec<String> {
        let items = self.raw_items("").await;
        items.iter().filter_map(|item| item.get(name)?.as_s().ok().cloned()).collect()
    }
}

/// The key that seals the signing secrets of the demo data.
pub(crate) fn sealing_key() -> SealingKeys {
    SealingKeys::derive("0123456789abcdef0123456789abcdef").unwrap()
}

/// A secret as Secrets Manager would give it.
pub(crate) struct Secret(pub(crate) &'static str);

impl SecretText for Secret {
    fn fetch(
        &self,
    ) -> Pin<Box<dyn Future<Output = Result<String, BoxError>> + std::marker::Send + '_>> {
        Box::pin(async { Ok(self.0.to_owned()) })
    }
}

type BoxError = Box<dyn std::error::Error + std::marker::Send + Sync>;

/// Sends a body as `caller`.
pub(crate) async fn send(
    sending: &Sending,
    caller: &Caller,
    operation: Operation,
    body: &Value,
    key: Option<&str>,
) -> Result<Sent, Failure> {
    let body = body.to_string();
    let send =
        Send { operation, body: body.as_bytes(), idempotency_key: key, respond_async: false };
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
    match documents::ubl(sending, caller, document_id, usize::MAX, method).await? {
        Ubl::Here(bytes) => Ok(bytes),
        Ubl::Elsewhere(address) => panic!("{address}"),
    }
}

fn render(record: &DocumentRecord, warnings: &[Finding]) -> Reply {
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
