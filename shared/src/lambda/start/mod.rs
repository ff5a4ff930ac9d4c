//! The cold start of the functions: clients are built once, from the function's configuration.

mod billing;
mod network;
mod portal;
mod registers;
mod webhooks;

#[cfg(test)]
mod tests;

pub use self::{
    registers::{own_seat, registries},
    webhooks::sealing_keys,
};

use std::{sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};

use super::{connection, secret::Secret};
use crate::{
    config::{
        BillingConfig, BucketConfig, ConfigError, CursorConfig, Environment, NetworkConfig,
        QueuesConfig, RequestsConfig, SendConfig, TableConfig,
    },
    egress::roots_of_aws,
    service::{
        Context, Live, Relaying, Sending, Serving, Settings,
        archives::{Archiving, Describe},
        imports::{Importing, Pace},
        page::CursorKey,
        reply::Render,
    },
    store::{Bucket, Freshness, Queue, Store},
    tasks::Boxed,
    types::{SystemClock, SystemRandom},
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

/// The bucket of payloads, for commands.
pub async fn own_bucket(environment: &Environment) -> Result<Bucket, ConfigError> {
    let aws = aws().await;
    bucket(&aws, environment, &Context::over(&aws, environment)?)
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
