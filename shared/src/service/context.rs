//! What use cases need: the table, the clock, and for each kind of use case what else it takes.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{
    billing,
    deliver::OpenBreakers,
    documents,
    network::{self, Connection, Network},
    onboarding::NationalPortal,
    page,
    register::Registries,
    relay::KnownEndpoints,
    reply, report,
    requests::RequestLimit,
};
use crate::{
    access::Taxpayer,
    egress::Client,
    peppol::identifiers::Spid,
    store::{
        ApplicationMessage, ArchiveMessage, Bucket, DeliverMessage, Freshness, ImportMessage,
        MailMessage, Mailer, MlsOutboundMessage, PeppolReportMessage, Queue, RegisterMessage,
        ReportMessage, StageMessage, Store, StoreError, ValidateInboundMessage,
    },
    types::{Addresses, Brand, Clock, Mode, ParticipantId, Random, TaxpayerId},
    webhook::{SealingKeys, Secret},
};

/// What every use case needs: the table, the clock and the random source. A function builds it once, at its cold start.
///
/// Each struct below is built in the same way, for one kind of use case. No function gets more than its use cases need.
#[derive(Clone)]
pub struct Context {
    /// The table.
    pub store: Store,
    /// The source of the current time.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes.
    pub random: Arc<dyn Random>,
}

/// For use cases that accept sends, advance them, or read payloads.
#[derive(Clone)]
pub struct Sending {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The payloads.
    pub bucket: Bucket,
    /// The deployment's settings for sends.
    pub settings: Settings,
    /// For Live documents. `None` where the deployment is not connected, or where this function does not use the
    /// network.
    pub live: Option<Live>,
}

impl Sending {
    /// The part that reads documents.
    pub fn reading(&self) -> Reading {
        let letterheads = documents::Letterheads::default();
        Reading { ctx: self.ctx.clone(), bucket: self.bucket.clone(), letterheads }
    }

    /// The network, and the renderer of the reply to a send that ends in the background.
    pub(super) async fn network(&self) -> Result<(&Network, reply::Render), StoreError> {
        let live = self.live.as_ref().ok_or_else(network::not_connected)?;
        Ok((live.connection.network().await?, live.render))
    }
}

/// For use cases that read documents.
#[derive(Clone)]
pub struct Reading {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The payloads.
    pub bucket: Bucket,
    /// The logos and links that renderings show.
    pub letterheads: documents::Letterheads,
}

/// For sending Live documents.
#[derive(Clone)]
pub struct Live {
    /// The network that Live documents are sent through.
    pub connection: Arc<Connection>,
    /// Renders the reply to a send that ends in the background.
    pub render: reply::Render,
    /// The tax authority's identifier, for a report that is stored beside its document. `None` where none is configured.
    pub authority: Option<Spid>,
}

/// For use cases that receive messages from other access points.
#[derive(Clone)]
pub struct Receiving {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The received messages.
    pub bucket: Bucket,
    /// The network that the messages come from. `None` where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
}

/// For the validation of received messages.
#[derive(Clone)]
pub struct ValidatingInbound {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The messages, and the documents in them.
    pub bucket: Bucket,
    /// How long a worker owns a message before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For the scheduled refresh of revocation lists.
#[derive(Clone)]
pub struct RefreshingTrust {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The network. `None` where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
}

/// For sending the Message Level Statuses that we owe for received documents.
#[derive(Clone)]
pub struct SendingMls {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The sent messages and their receipts.
    pub bucket: Bucket,
    /// The network that a status is sent through. `None` where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// How long a worker owns a status before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker may take for one status.
    pub time: Duration,
}

/// For reports to the tax authority.
#[derive(Clone)]
pub struct TaxReporting {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The sent reports and their evidence.
    pub bucket: Bucket,
    /// The network that a report is sent through. `None` where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// The queue that brings a report again at its turn.
    pub queue: Queue<ReportMessage>,
    /// The authority's identifier. `None` where none is configured: then reports wait.
    pub authority: Option<Spid>,
    /// The rate of reports over all processes, and the turns that this process has leased.
    pub pace: report::Pace,
    /// How long a worker owns a report before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker may take for one report.
    pub time: Duration,
}

/// For the OpenPeppol reports.
#[derive(Clone)]
pub struct PeppolReporting {
    /// The exchange counts, the clock and the random source.
    pub ctx: Context,
    /// The sent reports and their receipts.
    pub bucket: Bucket,
    /// The network that a report is sent through. `None` where the deployment is not connected.
    pub connection: Option<Arc<Connection>>,
    /// OpenPeppol's participant identifier. `None` where none is configured: then no report is made.
    pub receiver: Option<ParticipantId>,
    /// How long a worker owns a report before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
    /// How long a worker may take for one report.
    pub time: Duration,
}

/// For publishing taxpayers in the registers of the network.
#[derive(Clone)]
pub struct Registering {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The registers. `None` where the deployment is not connected to the network.
    pub registries: Option<Arc<Registries>>,
    /// The national tax portal. `None` where the operator onboards businesses.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// Opens the migration keys.
    pub sealing_keys: Arc<SealingKeys>,
    /// How long a worker owns a registration before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For use cases that change who may act for which taxpayer.
#[derive(Clone)]
pub struct Connecting {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The addresses of the service. `None` as long as the deployment does not know them: then nobody can connect.
    pub addresses: Option<Addresses>,
    /// The limit of requests.
    pub request_limit: RequestLimit,
}

/// For requests of integrators.
#[derive(Clone)]
pub struct Serving {
    /// Sends and sent documents.
    pub sending: Sending,
    /// The logos and links that renderings show.
    pub letterheads: documents::Letterheads,
    /// Signs the cursors of lists.
    pub cursors: page::CursorKey,
    /// The limit of requests.
    pub request_limit: RequestLimit,
}

impl Serving {
    /// The part that reads documents.
    pub fn reading(&self) -> Reading {
        Reading { letterheads: self.letterheads.clone(), ..self.sending.reading() }
    }
}

/// For making PDFs of documents.
#[cfg(feature = "pdf")]
#[derive(Clone)]
pub struct Printing {
    /// Reads documents.
    pub reading: Reading,
    /// The limit of requests.
    pub request_limit: RequestLimit,
}

/// For use cases that manage webhooks.
#[derive(Clone)]
pub struct Notifying {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The HTTP client that checks the URLs of endpoints.
    pub client: Client,
    /// Seals the signing secrets.
    pub sealing_keys: Arc<SealingKeys>,
    /// Signs the cursors of lists.
    pub cursors: page::CursorKey,
    /// The limit of requests.
    pub request_limit: RequestLimit,
}

/// For events of the billing provider.
#[derive(Clone)]
pub struct Subscribing {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The secrets that the provider signs its events with. There are two during a rotation, and none without a
    /// provider.
    pub secrets: Arc<[Secret]>,
}

/// For the hourly billing work.
#[derive(Clone)]
pub struct Reconciling {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The bucket that usage is exported to.
    pub bucket: Bucket,
    /// The billing provider. `None` where operators set subscriptions.
    pub provider: Option<Arc<dyn billing::provider::Provider>>,
}

/// For the portal's pages.
#[derive(Clone)]
pub struct Portal {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The origin of the pages: scheme, host and port, as browsers write it.
    pub origin: String,
    /// The name and the look of the service.
    pub brand: Brand,
    /// How long the last answer of the billing provider stays valid.
    pub freshness: Freshness,
    /// Whether sends may be queued.
    pub queued_delivery: bool,
    /// Whether a person may make an organization in Sandbox.
    pub sign_up: bool,
    /// The national tax portal. `None` where the operator onboards businesses.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// The payloads of documents.
    pub bucket: Bucket,
    /// The logos and links that renderings show.
    pub letterheads: documents::Letterheads,
    /// Signs the cursors of lists.
    pub cursors: page::CursorKey,
    /// For the pages about webhooks. `None` where the deployment has no pages for organizations.
    pub notifying: Option<Arc<Notifying>>,
}

impl Portal {
    /// The part that reads documents.
    pub fn reading(&self) -> Reading {
        Reading {
            ctx: self.ctx.clone(),
            bucket: self.bucket.clone(),
            letterheads: self.letterheads.clone(),
        }
    }
}

/// For relaying due jobs from the table to their queues.
#[derive(Clone)]
pub struct Relaying {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// Documents that must be converted.
    pub convert: Queue<StageMessage>,
    /// Documents that must be dispatched.
    pub dispatch: Queue<StageMessage>,
    /// Attempts at deliveries.
    pub deliver: Queue<DeliverMessage>,
    /// Messages of other access points that must be validated.
    pub validate_inbound: Queue<ValidateInboundMessage>,
    /// Message Level Statuses that we owe for those messages.
    pub mls_outbound: Queue<MlsOutboundMessage>,
    /// Taxpayers that must be published in a register.
    pub register: Queue<RegisterMessage>,
    /// Applications whose businesses must be registered, on the same queue.
    pub application: Queue<ApplicationMessage>,
    /// Reports that must go to the tax authority.
    pub report: Queue<ReportMessage>,
    /// OpenPeppol reports that must be sent, on the same queue.
    pub peppol_reports: Queue<PeppolReportMessage>,
    /// Imports whose documents are to be sent.
    pub imports: Queue<ImportMessage>,
    /// Archives whose documents must be gathered.
    pub archives: Queue<ArchiveMessage>,
    /// Mails that must be sent.
    pub mail: Queue<MailMessage>,
    /// The endpoints that this process knows.
    pub endpoints: KnownEndpoints,
}

/// For mails.
#[derive(Clone)]
pub struct Mailing {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// Hands mails over. `None` where no sender is configured: then mails wait.
    pub mailer: Option<Mailer>,
    /// The origin of the pages that mails link to.
    pub origin: String,
    /// The name and the look of the service.
    pub brand: Brand,
    /// The national tax portal. `None` where the operator onboards businesses.
    pub national_portal: Option<Arc<dyn NationalPortal>>,
    /// How long a worker owns a mail before another may claim it. Longer than any function runs.
    pub lease: SignedDuration,
}

/// For attempts at deliveries.
#[derive(Clone)]
pub struct Delivering {
    /// The table, the clock and the random source.
    pub ctx: Context,
    /// The queue of the next attempts.
    pub queue: Queue<DeliverMessage>,
    /// The HTTP client that calls endpoints.
    pub client: Client,
    /// Opens the signing secrets.
    pub sealing_key: Arc<SealingKeys>,
    /// The breakers that refused deliveries of this process.
    pub open_breakers: OpenBreakers,
}

/// The deployment's settings for sends.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Whether a send may ask for queued delivery.
    pub queued_delivery: bool,
    /// How long an attempt owns its idempotency key, or a worker its document, before another may claim it. Longer than
    /// any function runs.
    pub lease: SignedDuration,
    /// How long a request or a worker may take for a document.
    pub time: Duration,
    /// How long the last answer of the billing provider stays valid.
    pub freshness: Freshness,
    /// How many Sandbox documents an organization may send in a day, unless it has a limit of its own.
    pub sandbox_daily_sends: u32,
}

impl Context {
    /// The current time in milliseconds, which is the precision of the store.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    /// The taxpayer of a job. A job without a taxpayer is corrupt.
    pub(crate) async fn taxpayer_of_job(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Taxpayer, StoreError> {
        let taxpayer = self.store.get_taxpayer_lately(mode, taxpayer_id).await?;
        taxpayer.ok_or_else(|| StoreError::Corrupt("the job's taxpayer no longer exists".into()))
    }

    /// A name for an attempt: a random UUID (RFC 9562, version 4).
    pub(crate) fn new_uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.random.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}
