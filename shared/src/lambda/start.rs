//! The cold start of the functions: clients are built once, from the function's configuration.

use std::{sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};

use serde::Deserialize;

use super::{
    connection,
    secret::{BoxError, Secret},
};
use crate::{
    config::{
        AddressesConfig, BillingConfig, BillingProviderConfig, BucketConfig, ConfigError,
        CursorConfig, DeliverQueuesConfig, DeliveryConfig, Environment, NationalPortalConfig,
        NetworkConfig, PeppolReportsConfig, PortalConfig, QueuesConfig, RegistryConfig,
        ReportConfig, RequestsConfig, SendConfig, TableConfig, billing_signing_secret_arn,
        sealing_key_secret_arn,
    },
    egress::{Client, roots_of_aws},
    peppol::identifiers::{SeatId, Spid},
    service::{
        Connecting, Context, Delivering, Live, Mailing, Notifying, PeppolReporting, Portal,
        Printing, Reading, Receiving, Reconciling, RefreshingTrust, Registering, Relaying, Sending,
        SendingMls, Serving, Settings, Subscribing, TaxReporting, ValidatingInbound,
        archives::{Archiving, Describe},
        billing::provider::{HttpProvider, Provider as BillingProvider},
        deliver::OpenBreakers,
        imports::{Importing, Pace},
        onboarding::{HttpPortal, NationalPortal},
        page::{CursorKey, SecretText},
        publish::Publishing,
        register::Registries,
        reply::Render,
    },
    store::{Bucket, Freshness, Mailer, Queue, Store},
    tasks::Boxed,
    types::{Addresses, SystemClock, SystemRandom},
    webhook::{self, SealingKeys},
};

/// How long a worker advances an import before it hands it over. A chunk that was begun by then still ends in time.
const IMPORT_SLICE: Duration = Duration::from_secs(10);

/// How long a worker advances an archive before it hands it over. A part that was begun by then still ends in time.
const ARCHIVE_SLICE: Duration = Duration::from_secs(10);

/// Attempts at one call, with the SDK's exponential backoff between them.
const ATTEMPTS: u32 = 4;

/// Region and credentials of the environment. A call that hangs is aborted and repeated while the waiting request can
/// still be answered.
pub async fn aws() -> SdkConfig {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(4))
        .operation_timeout(Duration::from_secs(12))
        .build();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(https(trusting(roots_of_aws())))
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .timeout_config(timeouts)
        .load()
        .await
}

/// TLS to AWS's own endpoints, or plain HTTP to local ones.
fn https(trusting: TlsContext) -> SharedHttpClient {
    let builder = Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc));
    builder.tls_context(trusting).build_https()
}

/// A trust store of root certificates in PEM.
#[expect(clippy::expect_used, reason = "a context of compiled-in roots is always complete")]
fn trusting(roots: impl Iterator<Item = String>) -> TlsContext {
    let mut trusted = TrustStore::empty();
    for root in roots {
        trusted.add_pem_certificate(root);
    }
    TlsContext::builder().with_trust_store(trusted).build().expect("a context of compiled-in roots")
}

impl Sending {
    /// For `convert` and `dispatch`, without queues.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        Self::over(&aws().await, environment)
    }

    fn over(aws: &SdkConfig, environment: &Environment) -> Result<Self, ConfigError> {
        let SendConfig { queued_delivery, lease, time } = SendConfig::read(environment)?;
        let ctx = Context::over(aws, environment)?;
        let bucket = bucket(aws, environment, &ctx)?;
        let BillingConfig { freshness, sandbox_daily_sends } = BillingConfig::read(environment)?;
        let settings = Settings {
            queued_delivery,
            lease,
            time,
            freshness: Freshness(freshness),
            sandbox_daily_sends,
        };
        Ok(Sending { ctx, bucket, settings, live: None })
    }

    /// For `dispatch`, with the network.
    pub async fn start_live(
        environment: &Environment,
        render: Render,
    ) -> Result<Self, ConfigError> {
        let aws = aws().await;
        Self::over(&aws, environment)?.connected(&aws, environment, render)
    }

    fn connected(
        self,
        aws: &SdkConfig,
        environment: &Environment,
        render: Render,
    ) -> Result<Self, ConfigError> {
        let Some(config) = NetworkConfig::read(environment)? else { return Ok(self) };
        let connection = connection::connection(aws, config, self.bucket.clone());
        Ok(Sending { live: Some(Live { connection, render }), ..self })
    }
}

fn bucket(
    aws: &SdkConfig,
    environment: &Environment,
    ctx: &Context,
) -> Result<Bucket, ConfigError> {
    let BucketConfig { bucket_name, lock } = BucketConfig::read(environment)?;
    // A custom endpoint, as on a local machine, has no host name for each bucket.
    let path_style = aws.endpoint_url().is_some();
    let s3 = aws_sdk_s3::config::Builder::from(aws).force_path_style(path_style).build();
    let s3 = aws_sdk_s3::Client::from_conf(s3);
    let bucket = Bucket::new(s3, &bucket_name, ctx.random.clone());
    Ok(match lock {
        Some(lock) => bucket.locking(lock, ctx.clock.clone()),
        None => bucket,
    })
}

impl Receiving {
    /// For `inbound`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            let bucket = bucket(&aws, environment, &ctx)?;
            let connection = NetworkConfig::read(environment)?
                .map(|config| connection::connection(&aws, config, bucket.clone()));
            Ok(Receiving { ctx, bucket, connection })
        })
    }
}

impl ValidatingInbound {
    /// For `validate_inbound`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        Ok(ValidatingInbound { ctx, bucket, lease })
    }
}

impl RefreshingTrust {
    /// For `trust_refresh`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket));
        Ok(RefreshingTrust { ctx, connection })
    }
}

impl SendingMls {
    /// For `mls`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let SendConfig { lease, time, .. } = SendConfig::read(environment)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket.clone()));
        Ok(SendingMls { ctx, bucket, connection, lease, time })
    }
}

impl TaxReporting {
    /// For `report`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let ReportConfig { authority, interval, queue } = ReportConfig::read(environment)?;
        let SendConfig { lease, time, .. } = SendConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let connection = NetworkConfig::read(environment)?
            .map(|config| connection::connection(&aws, config, bucket.clone()));
        let queue = Queue::of_live(aws_sdk_sqs::Client::new(&aws), queue);
        Ok(TaxReporting { ctx, bucket, connection, queue, authority, interval, lease, time })
    }
}

impl PeppolReporting {
    /// For `report`, with the clients of `reporting`.
    pub fn beside(
        reporting: &TaxReporting,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let PeppolReportsConfig { receiver } = PeppolReportsConfig::read(environment)?;
        let TaxReporting { ctx, bucket, connection, lease, time, .. } = reporting.clone();
        Ok(PeppolReporting { ctx, bucket, connection, receiver, lease, time })
    }
}

impl Registering {
    /// For `register`: the registers, our SMP's key from the secret of `NETWORK_SECRET_ARN`, and the key from the
    /// secret of `SEALING_KEY_SECRET_ARN`.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        let registries = match NetworkConfig::read(environment)? {
            None => None,
            Some(config) => {
                let registry = RegistryConfig::read(environment, config.network)?;
                let secret = Secret::of(&aws, &config.secret_arn).value().await?;
                Some(Arc::new(connection::registries(secret.as_deref(), &config, registry)?))
            }
        };
        let national_portal = national_portal(&aws, environment)?;
        let sealing_keys =
            Arc::new(sealing_keys(&aws, sealing_key_secret_arn(environment)?).await?);
        Ok(Registering { ctx, registries, national_portal, sealing_keys, lease })
    }
}

/// The registers and our own participant, for the command that announces our SMP.
pub async fn registries(environment: &Environment) -> Result<(Registries, Spid), BoxError> {
    let config = NetworkConfig::read(environment)?;
    let config =
        config.ok_or("NETWORK is none: there is no register in which to announce the SMP")?;
    let registry = RegistryConfig::read(environment, config.network)?;
    let secret = Secret::of(&aws().await, &config.secret_arn).fetch().await?;
    let registries = connection::registries(Some(&secret), &config, registry)?;
    Ok((registries, connection::own_seat(&secret)?.spid().clone()))
}

/// Our seat in the network, for the commands of the OpenPeppol reports.
pub async fn own_seat(environment: &Environment) -> Result<SeatId, BoxError> {
    let config = NetworkConfig::read(environment)?;
    let config = config.ok_or("NETWORK is none: a report needs a network")?;
    connection::own_seat(&Secret::of(&aws().await, &config.secret_arn).fetch().await?)
}

/// The bucket of payloads, for commands.
pub async fn own_bucket(environment: &Environment) -> Result<Bucket, ConfigError> {
    let aws = aws().await;
    bucket(&aws, environment, &Context::over(&aws, environment)?)
}

impl Publishing {
    /// For `smp`. `None` when the deployment is not connected to the network, or has no SMP yet; the log names what is
    /// missing. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Option<Self>, BoxError>> {
        Box::pin(async move {
            let Some(config) = NetworkConfig::read(environment)? else { return Ok(None) };
            let registry = RegistryConfig::read(environment, config.network)?;
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            let secret = Secret::of(&aws, &config.secret_arn).value().await?;
            match connection::publisher(secret.as_deref(), registry) {
                Ok(publisher) => Ok(Some(Publishing { ctx, publisher: Arc::new(publisher) })),
                Err(error) => {
                    tracing::error!(%error, "the SMP has nothing to publish");
                    Ok(None)
                }
            }
        })
    }
}

impl Serving {
    /// For `api`: everything that a send needs, and the key of cursors from the secret of `CURSOR_KEY_SECRET_ARN`.
    /// Boxed, so that it is not compiled again where it is awaited.
    pub fn start(
        environment: &Environment,
        render: Render,
    ) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let aws = aws().await;
            let cursors = cursors(&aws, environment)?;
            let sending = Sending::over(&aws, environment)?.connected(&aws, environment, render)?;
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            Ok(Serving { sending, cursors, requests_per_minute: per_minute })
        })
    }
}

/// The key of cursors, from the secret of `CURSOR_KEY_SECRET_ARN`. It is fetched with the first list.
fn cursors(aws: &SdkConfig, environment: &Environment) -> Result<CursorKey, ConfigError> {
    let CursorConfig { cursor_key_secret_arn } = CursorConfig::read(environment)?;
    Ok(CursorKey::new(Secret::of(aws, &cursor_key_secret_arn)))
}

impl Connecting {
    /// For `oauth`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let AddressesConfig { addresses } = AddressesConfig::read(environment)?;
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let ctx = Context::start(environment).await?;
            let freshness = Freshness(freshness);
            Ok(Connecting { ctx, addresses, requests_per_minute: per_minute, freshness })
        })
    }
}

/// The content of the secret of `BILLING_SIGNING_SECRET_ARN`: the billing provider's signing secrets.
#[derive(Deserialize)]
struct BillingSigning {
    secrets: Vec<String>,
}

impl Subscribing {
    /// For `billing`: the provider's signing secrets from the secret of `BILLING_SIGNING_SECRET_ARN`. Boxed, so that it
    /// is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, BoxError>> {
        Box::pin(async move {
            let arn = billing_signing_secret_arn(environment)?;
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            // Without a value no signature is valid, and every event is refused.
            let text = Secret::of(&aws, arn).value().await?;
            // The error must not quote the secret.
            let read = text.map(|text| serde_json::from_str::<BillingSigning>(&text)).transpose();
            let read = read.map_err(
                |_| r#"BillingSigning is not {"secrets": ["whsec_…"]}: see infra/OPERATE.md, "Billing""#,
            )?;
            let secrets = read.iter().flat_map(|read| &read.secrets).map(|secret| secret.parse());
            let secrets: Vec<webhook::Secret> = secrets.collect::<Result<_, _>>()?;
            Ok(Subscribing { ctx, secrets: secrets.into() })
        })
    }
}

/// The content of the secret of `BILLING_TOKEN_SECRET_ARN`: our token for the billing provider's API.
#[derive(Deserialize)]
struct BillingToken {
    token: String,
}

impl Reconciling {
    /// For `billing_reconcile`: the provider at `BILLING_URL` (`None` when that is not set), with the token from the
    /// secret of `BILLING_TOKEN_SECRET_ARN`.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let BillingProviderConfig { url, token_secret_arn, egress } =
            BillingProviderConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let provider: Option<Arc<dyn BillingProvider>> = match url {
            None => None,
            Some(url) => {
                // The error must not quote the secret.
                let wrong =
                    r#"BillingToken is not {"token": "…"}: see infra/OPERATE.md, "Billing""#;
                let text = Secret::of(&aws, &token_secret_arn).value().await?.ok_or(wrong)?;
                let BillingToken { token } = serde_json::from_str(&text).map_err(|_| wrong)?;
                let client = Client::new(egress)?;
                Some(Arc::new(HttpProvider::new(client, &url, &token).ok_or(wrong)?))
            }
        };
        Ok(Reconciling { ctx, bucket, provider })
    }
}

impl Relaying {
    /// For `relay` and `sweeper`.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let queues = QueuesConfig::read(environment)?;
        let aws = aws().await;
        let sqs = aws_sdk_sqs::Client::new(&aws);
        Ok(Relaying {
            ctx: Context::over(&aws, environment)?,
            convert: Queue::new(sqs.clone(), queues.convert),
            dispatch: Queue::new(sqs.clone(), queues.dispatch),
            deliver: Queue::new(sqs.clone(), queues.deliver),
            validate_inbound: Queue::of_live(sqs.clone(), queues.judge),
            mls_outbound: Queue::of_live(sqs.clone(), queues.answer),
            register: Queue::of_live(sqs.clone(), queues.register.clone()),
            application: Queue::of_live(sqs.clone(), queues.register),
            report: Queue::of_live(sqs.clone(), queues.report.clone()),
            peppol_reports: Queue::of_live(sqs.clone(), queues.report),
            imports: Queue::new(sqs.clone(), queues.imports),
            archives: Queue::new(sqs.clone(), queues.archives),
            mail: Queue::new(sqs, queues.mail),
        })
    }
}

impl Importing {
    /// For `imports`. It sends nothing to the network. It only checks whether there is a network, because Live sends
    /// need one.
    pub async fn start(environment: &Environment, render: Render) -> Result<Self, ConfigError> {
        let sending = Sending::start_live(environment, render).await?;
        Ok(Importing { sending, render, slice: IMPORT_SLICE, pace: Pace::default() })
    }
}

impl Archiving {
    /// For `archives`. `describe` writes the record of a document.
    pub async fn start(environment: &Environment, describe: Describe) -> Result<Self, ConfigError> {
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let bucket = bucket(&aws, environment, &ctx)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        Ok(Archiving { ctx, bucket, describe, lease, slice: ARCHIVE_SLICE })
    }
}

impl Mailing {
    /// For `mail`: `MAIL_FROM` is the sender. While it is not set, mails stay unsent.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let PortalConfig { origin } = PortalConfig::read(environment)?;
        let aws = aws().await;
        let ctx = Context::over(&aws, environment)?;
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        let mailer = environment
            .get("MAIL_FROM")
            .map(|from| Mailer::new(aws_sdk_sesv2::Client::new(&aws), from));
        let national_portal = national_portal(&aws, environment)?;
        Ok(Mailing { ctx, mailer, origin, national_portal, lease })
    }
}

impl Portal {
    /// For `portal`, which requires `PORTAL_URL`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, BoxError>> {
        Box::pin(async move {
            let PortalConfig { origin } = PortalConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let notifying = Notifying::start(environment).await?;
            let ctx = notifying.ctx.clone();
            Ok(Portal {
                origin,
                freshness: Freshness(freshness),
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal: None,
                bucket: bucket(&aws().await, environment, &ctx)?,
                cursors: notifying.cursors.clone(),
                ctx,
                notifying: Some(Arc::new(notifying)),
            })
        })
    }

    /// For `pdf`, which has no lists. `None` while the deployment's own URL is not set. Boxed, so that it is not
    /// compiled again where it is awaited.
    pub fn printing<'a>(
        printing: &Printing,
        environment: &'a Environment,
    ) -> Boxed<'a, Result<Option<Self>, BoxError>> {
        let Reading { ctx, bucket } = printing.reading.clone();
        Box::pin(async move {
            if environment.get("PORTAL_URL").is_none() {
                return Ok(None);
            }
            let PortalConfig { origin } = PortalConfig::read(environment)?;
            let BillingConfig { freshness, .. } = BillingConfig::read(environment)?;
            let cursors = cursors(&aws().await, environment)?;
            Ok(Some(Portal {
                ctx,
                origin,
                freshness: Freshness(freshness),
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal: None,
                bucket,
                cursors,
                notifying: None,
            }))
        })
    }

    /// For `oauth`, together with `connecting`. `None` while the deployment's own URL is not set. Boxed, so that it is
    /// not compiled again where it is awaited.
    pub fn beside<'a>(
        connecting: &Connecting,
        environment: &'a Environment,
    ) -> Boxed<'a, Result<Option<Self>, BoxError>> {
        let Connecting { ctx, addresses, freshness, .. } = connecting.clone();
        Box::pin(async move {
            let Some(Addresses { portal_url: origin, .. }) = addresses else { return Ok(None) };
            let aws = aws().await;
            let national_portal = national_portal(&aws, environment)?;
            let (bucket, cursors) = (bucket(&aws, environment, &ctx)?, cursors(&aws, environment)?);
            Ok(Some(Portal {
                ctx,
                origin,
                freshness,
                queued_delivery: SendConfig::queued_delivery(environment)?,
                national_portal,
                bucket,
                cursors,
                notifying: None,
            }))
        })
    }
}

impl Printing {
    /// For `pdf`. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, ConfigError>> {
        Box::pin(async move {
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            let aws = aws().await;
            let ctx = Context::over(&aws, environment)?;
            let bucket = bucket(&aws, environment, &ctx)?;
            Ok(Printing { reading: Reading { ctx, bucket }, requests_per_minute: per_minute })
        })
    }
}

/// The national tax portal; `None` when none is configured. Its secret is fetched with the first request to it.
fn national_portal(
    aws: &SdkConfig,
    environment: &Environment,
) -> Result<Option<Arc<dyn NationalPortal>>, BoxError> {
    let Some(config) = NationalPortalConfig::read(environment)? else { return Ok(None) };
    let secret = Secret::of(aws, &config.secret_arn);
    Ok(Some(Arc::new(HttpPortal::new(Client::new(config.egress)?, &config.url, secret))))
}

impl Notifying {
    /// For `webhook_api`: the egress rules of `EGRESS`, by which endpoint URLs are checked, the key from the secret of
    /// `SEALING_KEY_SECRET_ARN`, and the key of cursors. Boxed, so that it is not compiled again where it is awaited.
    pub fn start(environment: &Environment) -> Boxed<'_, Result<Self, BoxError>> {
        Box::pin(async move {
            let RequestsConfig { per_minute } = RequestsConfig::read(environment)?;
            let DeliveryConfig { sealing_key_secret_arn, egress } =
                DeliveryConfig::read(environment)?;
            let aws = aws().await;
            Ok(Notifying {
                ctx: Context::over(&aws, environment)?,
                client: Client::new(egress)?,
                sealing_keys: Arc::new(sealing_keys(&aws, &sealing_key_secret_arn).await?),
                cursors: cursors(&aws, environment)?,
                requests_per_minute: per_minute,
            })
        })
    }
}

impl Delivering {
    /// For `deliver`: the egress rules of `EGRESS`, and the key from the secret of `SEALING_KEY_SECRET_ARN`.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let queues = DeliverQueuesConfig::read(environment)?;
        let config = DeliveryConfig::read(environment)?;
        let aws = aws().await;
        Ok(Delivering {
            ctx: Context::over(&aws, environment)?,
            queue: Queue::new(aws_sdk_sqs::Client::new(&aws), queues.deliver),
            client: Client::keeping(config.egress)?,
            sealing_key: Arc::new(sealing_keys(&aws, &config.sealing_key_secret_arn).await?),
            open_breakers: OpenBreakers::default(),
        })
    }
}

impl Context {
    /// The table alone, for demo data.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        Self::over(&aws().await, environment)
    }

    fn over(aws: &SdkConfig, environment: &Environment) -> Result<Self, ConfigError> {
        let table = TableConfig::read(environment)?;
        let dynamo = aws_sdk_dynamodb::Client::new(aws);
        let random = Arc::new(SystemRandom);
        let store = Store::new(dynamo, &table.table_name, random.clone());
        Ok(Context { store, clock: Arc::new(SystemClock), random })
    }
}

/// The keys that seal signing secrets, derived from a secret of Secrets Manager.
pub async fn sealing_keys(aws: &SdkConfig, arn: &str) -> Result<SealingKeys, BoxError> {
    let client = aws_sdk_secretsmanager::Client::new(aws);
    let text = Secret { client, arn: arn.to_owned() }.fetch().await?;
    Ok(SealingKeys::derive(&text)?)
}

#[cfg(test)]
mod tests;
