//! The use cases, one file each. They know the store and the documents, and nothing of HTTP.

pub mod archives;
pub mod audit;
mod authorize;
pub mod billing;
pub mod business_cards;
pub mod convert;
mod corrections;
pub mod deliver;
pub mod demo;
pub mod dispatch;
pub mod documents;
mod events;
pub mod exchange_counts;
pub mod file_name;
mod give_up;
pub mod grants;
pub mod history;
pub mod imports;
pub(crate) mod inspect;
mod lease;
mod local_delivery;
pub mod mail;
pub mod members;
pub mod mls_outbound;
mod network;
pub mod oauth;
pub mod onboarding;
pub mod organizations;
pub mod overview;
pub mod page;
pub mod peppol_reports;
pub mod publish;
pub mod quotas;
pub mod receive;
pub(crate) mod record;
pub mod redrive;
pub(crate) mod references;
pub mod register;
pub mod relay;
pub(crate) mod repetition;
pub mod report;
pub mod reports;
pub mod requests;
pub mod reseal;
pub mod resubmission;
pub mod retry;
pub mod sessions;
pub mod sign_in;
pub mod submit;
pub mod subscriptions;
pub mod sweep;
pub mod taxpayers;
pub(crate) mod transmit;
pub mod trust_refresh;
pub mod usage;
pub mod validate_inbound;
pub mod webhooks;

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use self::{deliver::OpenBreakers, onboarding::NationalPortal, register::Registries};
use crate::{
    egress::Client,
    error::{Code, Failure},
    peppol::identifiers::Spid,
    store::{
        ApplicationMessage, ArchiveMessage, Bucket, DeliverMessage, Freshness, ImportMessage,
        MailMessage, Mailer, MlsOutboundMessage, PeppolReportMessage, Queue, RegisterMessage,
        ReportMessage, StageMessage, Store, StoreError, ValidateInboundMessage,
    },
    types::{Addresses, Clock, ParticipantId, Random},
    webhook::{SealingKeys, Secret},
};

pub use authorize::{Identity, authorize, authorize_organization, organization, whoami};
pub use network::{Connection, Dns, DnsError, Network, Parts};

/// What every use case works with: the table, the time and chance. Built once, at a function's cold
/// start, like everything below: a use case takes what it needs, and no function has more.
#[derive(Clone)]
pub struct Context {
    /// The table.
    pub store: Store,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where chance comes from.
    pub random: Arc<dyn Random>,
}

/// For what takes in sends, moves them on, or reads payloads back.
#[derive(Clone)]
pub struct Sending {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The payloads.
    pub bucket: Bucket,
    /// What the deployment decides.
    pub settings: Settings,
    /// For Live documents, where the deployment is connected to the network and this function goes there.
    pub live: Option<Live>,
}

impl Sending {
    /// The same for reading back.
    pub fn reading(&self) -> Reading {
        Reading { ctx: self.ctx.clone(), bucket: self.bucket.clone() }
    }

    /// The network, and how the answer to a send is written that ends with it.
    async fn network(&self) -> Result<(&Network, submit::Render), StoreError> {
        let live = self.live.as_ref().ok_or_else(|| {
            StoreError::Unavailable("this deployment is not connected to the network".into())
        })?;
        Ok((live.connection.network().await?, live.render))
    }
}

/// For what reads documents back.
#[derive(Clone)]
pub struct Reading {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The payloads.
    pub bucket: Bucket,
}

/// For sending Live documents.
#[derive(Clone)]
pub struct Live {
    /// The network that they go to.
    pub connection: Arc<Connection>,
    /// How the answer to a send is written that ends in the background.
    pub render: submit::Render,
}

/// For what takes messages from other access points.
#[derive(Clone)]
pub struct Receiving {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The messages.
    pub bucket: Bucket,
    /// The network that they come from; none where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
}

/// For the judgement of what came from other access points.
#[derive(Clone)]
pub struct ValidatingInbound {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The messages, and the documents in them.
    pub bucket: Bucket,
    /// How long a worker owns a message before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For what the network asks of us without any message.
#[derive(Clone)]
pub struct RefreshingTrust {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The network; none where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
}

/// For the statuses that are owed for what other access points sent.
#[derive(Clone)]
pub struct SendingMls {
    /// The table, the time and chance.
    pub ctx: Context,
    /// What is sent, and the receipts for it.
    pub bucket: Bucket,
    /// The network that it is sent through; none where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// How long a worker owns an answer before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker has for it.
    pub time: Duration,
}

/// For reports to the tax authority.
#[derive(Clone)]
pub struct TaxReporting {
    /// The table, the time and chance.
    pub ctx: Context,
    /// What is reported, and the evidence for it.
    pub bucket: Bucket,
    /// The network that it is sent through; none where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// Where a filing comes again at its turn.
    pub queue: Queue<ReportMessage>,
    /// The authority; none where none is set: then filings wait.
    pub authority: Option<Spid>,
    /// The least time from one filing to the next, of all that are sent.
    pub interval: SignedDuration,
    /// How long a worker owns a filing before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker has for it.
    pub time: Duration,
}

/// For the reports of a month to OpenPeppol.
#[derive(Clone)]
pub struct PeppolReporting {
    /// What was counted, the time and chance.
    pub ctx: Context,
    /// What is reported, and the receipts for it.
    pub bucket: Bucket,
    /// The network that it is sent through; none where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// OpenPeppol; none where none is set: then no report is made.
    pub receiver: Option<ParticipantId>,
    /// How long a worker owns a report before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker has for it.
    pub time: Duration,
}

/// For what tells the registers of the network of taxpayers.
#[derive(Clone)]
pub struct Registering {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The registers; none where the deployment is not connected to the network.
    pub registries: Option<Arc<Registries>>,
    /// The national tax portal; none where this deployment onboards by its operator.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// Opens the migration keys.
    pub sealing_keys: Arc<SealingKeys>,
    /// How long a worker owns a registration before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For what changes who may act for whom.
#[derive(Clone)]
pub struct Connecting {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Where the service is; none as long as the deployment does not know: then nobody can connect.
    pub addresses: Option<Addresses>,
    /// How many requests an organization has in a minute.
    pub requests_per_minute: u32,
    /// How long what the billing provider last said is relied on.
    pub freshness: Freshness,
}

/// For what answers the requests of integrators.
#[derive(Clone)]
pub struct Serving {
    /// Sends, and what was sent.
    pub sending: Sending,
    /// What lists go on with.
    pub cursors: page::CursorKey,
    /// How many requests an organization has in a minute.
    pub requests_per_minute: u32,
}

/// For what makes PDFs of documents.
#[derive(Clone)]
pub struct Printing {
    /// Reads documents.
    pub reading: Reading,
    /// How many requests an organization has in a minute.
    pub requests_per_minute: u32,
}

/// For what organizations do about their webhooks.
#[derive(Clone)]
pub struct Notifying {
    /// The table, the time and chance.
    pub ctx: Context,
    /// The way out, by which the URLs of endpoints are judged.
    pub client: Client,
    /// Seals the signing secrets.
    pub sealing_keys: Arc<SealingKeys>,
    /// What lists go on with.
    pub cursors: page::CursorKey,
    /// How many requests an organization has in a minute.
    pub requests_per_minute: u32,
}

/// For what the billing provider tells.
#[derive(Clone)]
pub struct Subscribing {
    /// The table, the time and chance.
    pub ctx: Context,
    /// By which the provider signs its events: two while it changes one for another, none as long as there is no provider.
    pub secrets: Arc<[Secret]>,
}

/// For what is done about billing every hour.
#[derive(Clone)]
pub struct Reconciling {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Where usage is exported to.
    pub bucket: Bucket,
    /// The billing provider; none where operators set subscriptions.
    pub provider: Option<Arc<dyn billing::provider::Provider>>,
}

/// For the pages that people see.
#[derive(Clone)]
pub struct Portal {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Where the pages are: scheme, host and port, as browsers write an origin.
    pub origin: String,
    /// How long what the billing provider last said is relied on.
    pub freshness: Freshness,
    /// Whether sends may be queued.
    pub queued_delivery: bool,
    /// The national tax portal; none where this deployment onboards by its operator.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// The payloads of documents.
    pub bucket: Bucket,
    /// What lists go on with.
    pub cursors: page::CursorKey,
    /// What webhook endpoints are worked on with; none where no pages of organizations are.
    pub notifying: Option<Arc<Notifying>>,
}

impl Portal {
    /// For what reads documents back.
    pub fn reading(&self) -> Reading {
        Reading { ctx: self.ctx.clone(), bucket: self.bucket.clone() }
    }
}

/// For what puts on its way whatever the table says must go.
#[derive(Clone)]
pub struct Relaying {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Documents that must be converted.
    pub convert: Queue<StageMessage>,
    /// Documents that must be dispatched.
    pub dispatch: Queue<StageMessage>,
    /// Attempts at deliveries.
    pub deliver: Queue<DeliverMessage>,
    /// Messages of other access points that must be judged.
    pub validate_inbound: Queue<ValidateInboundMessage>,
    /// Statuses that are owed for them.
    pub mls_outbound: Queue<MlsOutboundMessage>,
    /// Taxpayers of whom a register must be told.
    pub register: Queue<RegisterMessage>,
    /// Applications whose businesses must be registered, on the same queue.
    pub application: Queue<ApplicationMessage>,
    /// Reports that must go to the tax authority.
    pub report: Queue<ReportMessage>,
    /// Reports of a month that must go to OpenPeppol, on the same queue.
    pub peppol_reports: Queue<PeppolReportMessage>,
    /// Imports whose documents are to be sent.
    pub imports: Queue<ImportMessage>,
    /// Archives whose documents are to be gathered.
    pub archives: Queue<ArchiveMessage>,
    /// Mails that somebody is to get.
    pub mail: Queue<MailMessage>,
}

/// For mails.
#[derive(Clone)]
pub struct Mailing {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Who hands mails over; none where no sender is set: then they wait.
    pub mailer: Option<Mailer>,
    /// Where the pages are that mails lead to.
    pub origin: String,
    /// The national tax portal; none where this deployment onboards by its operator.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// How long a worker owns a mail before another may take over. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For attempts at deliveries.
#[derive(Clone)]
pub struct Delivering {
    /// The table, the time and chance.
    pub ctx: Context,
    /// Next attempts.
    pub queue: Queue<DeliverMessage>,
    /// The way out.
    pub client: Client,
    /// Opens the signing secrets.
    pub sealing_key: Arc<SealingKeys>,
    /// The breakers that refused this process.
    pub open_breakers: OpenBreakers,
}

/// What the deployment decides about sends.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Whether a send may ask for queued delivery.
    pub queued_delivery: bool,
    /// How long an attempt owns its idempotency key, or a worker its document, before another may
    /// take over. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a request, or a worker's turn at a document, may take.
    pub time: Duration,
    /// How long what the billing provider last said is relied on.
    pub freshness: Freshness,
    /// How many documents an organization may send in Sandbox on a day, unless something else was said of it.
    pub sandbox_daily_sends: u32,
}

/// How long the stream's relay has before the sweeper takes up what it should have relayed.
pub const RELAY_GRACE: SignedDuration = SignedDuration::from_secs(60);
/// How long a message in a queue has before the sweeper sends it again. It covers a queue's
/// redelivery after a worker's failure; what comes twice does nothing twice.
pub const QUEUE_GRACE: SignedDuration = SignedDuration::from_mins(15);

impl Context {
    /// The present, to the millisecond: as it is stored.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    /// A name for an attempt: a random UUID (RFC 9562, version 4).
    pub(crate) fn new_uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.random.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

/// An instant some time later.
pub(crate) fn later(instant: Timestamp, by: SignedDuration) -> Timestamp {
    instant.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// The store could not do a read, or a write without an idempotency key.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt(_) => Failure::new(
                Code::InternalError,
                "Something went wrong on our side; the request id leads to the cause.",
            ),
            StoreError::Unavailable(_) | StoreError::Unknown(_) => Failure::new(
                Code::ServiceUnavailable,
                "A part of the service cannot be reached: retry, with the same Idempotency-Key if \
                 there was one.",
            ),
        }
        .because(error)
    }
}

#[cfg(test)]
mod tests;
