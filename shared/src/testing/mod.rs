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
mod processes;
mod receiving;
mod recorded;
mod registers;
mod reported;
mod sends;
mod simulated;
mod stages;
mod straight;
mod table;
mod tenants;
mod tls;

pub(crate) use aws::{Fault, Faults, Mail, Message};
pub(crate) use crash::{
    Mishap, Scene, SendKind, Tally, befalls, enumerate, enumerate_at, enumerate_live, is_temporary,
};
pub(crate) use meter::{Meter, MeteredCall, Service, Units, Usage, kind};
pub(crate) use network::{
    AUTHORITY, Names, OPENPEPPOL, OUR_SEAT, Publishes, THEIR_SEAT, Taken, Takes, TestNetwork,
    default_of,
};
pub(crate) use peer::{Arrival, BUYER, Packed, Parcel, accepted};
pub(crate) use portal::{TaxPortal, business};
pub(crate) use processes::{Metered, Process};
pub(crate) use receiving::{Answers, Receiving};
pub(crate) use recorded::{Bare, Call, Recorder};
pub(crate) use registers::{Registers, SMP_URL, Tells};
pub(crate) use sends::{
    customer, invoice, party, render, render_import, send, send_queued, to_nobody, ubl,
};
pub(crate) use simulated::Simulated;
pub(crate) use straight::{spent, straight};
pub(crate) use table::StreamRecord;
pub(crate) use tls::TlsFront;

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

use self::clients::{BUCKET, TABLE, dynamo, make_table, relaying, s3};
use crate::{
    peppol::pki,
    service::{
        Context, Live, Relaying, Sending, Settings,
        demo::{self, Demo, Wish},
        page::{CursorKey, PageQuery, SecretText},
        requests::{Counted, Counting, RequestLimit},
    },
    store::{Bucket, Freshness, Store},
    tasks::Boxed,
    types::{FixedClock, Mode, Random, SeededRandom},
    webhook::SealingKeys,
};

/// The rate limit of an organization, higher than any test needs.
pub(crate) const REQUESTS_PER_MINUTE: u32 = 20_000;

/// The counters of a request whose answer has no rate limit headers.
pub(crate) fn counting() -> Counting {
    let limit = RequestLimit::new(REQUESTS_PER_MINUTE);
    Counting { limit, counted: Counted::default() }
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
    /// The records of the stream that were relayed.
    relayed: Mutex<HashSet<String>>,
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
        let bucket = Bucket::new(s3(&cloud, None), BUCKET, random.clone());
        let store = Store::new(dynamo.clone(), TABLE, random.clone());
        let store = store.with_cold_storage(bucket.clone(), clock.clone());
        let ctx = Context { store, clock: clock.clone(), random: random.clone() };
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
        World {
            mode,
            ctx,
            sending,
            relaying,
            cursors,
            clock,
            cloud,
            network,
            dynamo,
            random,
            relayed: Mutex::default(),
        }
    }

    /// An empty world in Live without a network.
    pub(crate) async fn unconnected() -> World {
        World { mode: Mode::Live, ..World::new().await }
    }

    /// An empty world in Live with a network, at a time when the certificates of the test PKI are valid.
    pub(crate) async fn live() -> (World, TestNetwork) {
        World::new().await.live_over(TestNetwork::start().await).await
    }

    /// [`World::live`], with its table as that of [`World::apart`].
    pub(crate) async fn live_apart() -> (World, TestNetwork) {
        World::apart().await.live_over(TestNetwork::start().await).await
    }

    async fn live_over(self, network: TestNetwork) -> (World, TestNetwork) {
        let live = network.live(&self.sending.bucket, render).await;
        (self.connected(live, &network), network)
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

    pub(crate) fn now(&self) -> Timestamp {
        self.ctx.now()
    }
}
