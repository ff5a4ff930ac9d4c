//! The dependencies of functions, in a process with faults or without.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{
    FRESHNESS, Fault, Faults, Meter, REQUESTS_PER_MINUTE, StoredSecret, World,
    clients::{self, BUCKET, TABLE, dynamo, over, relaying, relaying_over, s3, s3_over},
    render, sealing_key,
};
use crate::{
    egress::{Client, Egress},
    service::{
        Context, Delivering, Mailing, Notifying, Portal, Relaying, Sending, Serving,
        archives::Archiving,
        documents::Letterheads,
        imports::{Importing, Pace},
        requests::RequestLimit,
        verification_links::VerificationLinks,
    },
    store::{Bucket, Mailer, Store},
    types::Brand,
};

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
    /// The dependencies of the HTTP API.
    pub(crate) fn serving(&self) -> Serving {
        Serving {
            sending: self.sending.clone(),
            letterheads: self.letterheads(),
            cursors: self.cursors.clone(),
            request_limit: RequestLimit::new(REQUESTS_PER_MINUTE),
        }
    }

    /// The logos and links of renderings, as every function of a deployment has them.
    pub(crate) fn letterheads(&self) -> Letterheads {
        let secret = StoredSecret("00112233445566778899aabbccddeeff");
        let origin = "https://portal.example.com".to_owned();
        Letterheads::new(Some(VerificationLinks::new(origin, secret)))
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
            request_limit: RequestLimit::new(REQUESTS_PER_MINUTE),
        }
    }

    /// The dependencies of the pages at this origin.
    pub(crate) fn portal(&self, origin: &str) -> Portal {
        Portal {
            ctx: self.ctx.clone(),
            origin: origin.to_owned(),
            brand: Brand::default(),
            freshness: FRESHNESS,
            queued_delivery: self.sending.settings.queued_delivery,
            sign_up: true,
            national_portal: None,
            bucket: self.sending.bucket.clone(),
            letterheads: self.letterheads(),
            cursors: self.cursors.clone(),
            notifying: Some(Arc::new(self.notifying())),
        }
    }

    /// The dependencies of mails, with a mail service that stores them.
    pub(crate) fn mailing(&self, origin: &str) -> Mailing {
        let ses = clients::ses_over(self.cloud.client(None));
        Mailing {
            ctx: self.ctx.clone(),
            mailer: Some(Mailer::new(ses, "E-invoicing <no-reply@portal.example.com>")),
            origin: origin.to_owned(),
            brand: Brand::default(),
            national_portal: None,
            lease: self.sending.settings.lease,
        }
    }

    /// This world for a process whose calls to the table, the bucket and the queues can fail.
    pub(crate) fn failing(&self, faults: &Arc<Faults>) -> Failing {
        let dynamo = dynamo(&self.cloud, Some(faults.clone()));
        let s3 = s3(&self.cloud, Some(faults.clone()));
        let bucket = Bucket::new(s3, BUCKET, self.random.clone());
        let store = Store::new(dynamo, TABLE, self.random.clone());
        let store = store.with_cold_storage(bucket.clone(), self.clock.clone());
        let ctx = Context { store, ..self.ctx.clone() };
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
        let bucket = Bucket::new(s3_over(meter.client()), BUCKET, self.random.clone());
        let store = Store::new(dynamo, TABLE, self.random.clone());
        let store = store.with_cold_storage(bucket.clone(), self.clock.clone());
        let ctx = Context { store, ..self.ctx.clone() };
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

    /// This world for a process that cannot reach the queues.
    pub(crate) fn without_queues(&self) -> Relaying {
        relaying(&self.cloud, &self.ctx, Some(Faults::new(Fault::Before, 0, usize::MAX)))
    }
}
