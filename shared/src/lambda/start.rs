//! A function's cold start: its clients, built once, for what its configuration gives it.

use std::{sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use jiff::SignedDuration;

use crate::{
    config::{
        BucketConfig, ConfigError, DeliveryConfig, Environment, QueuesConfig, SendConfig,
        TableConfig,
    },
    service::{Context, Settings, deliver::Courier},
    store::{Queues, Store},
    types::{SystemClock, SystemRandom},
    webhook::{Client, EgressError, SealError, SealingKey},
};

/// Attempts at one call, with the SDK's exponential backoff between them.
const ATTEMPTS: u32 = 4;

/// Why a function does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The sealing key cannot be read.
    #[error("SEALING_KEY_SECRET_ARN cannot be read: {0}")]
    Secret(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The sealing key is none.
    #[error("the secret of SEALING_KEY_SECRET_ARN cannot be used: {0}")]
    SealingKey(#[from] SealError),
    /// The way out.
    #[error(transparent)]
    Egress(#[from] EgressError),
}

/// Region and credentials of the environment; a call that hangs is given up and repeated while the
/// request that waits for it still can be answered.
async fn aws() -> SdkConfig {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(4))
        .operation_timeout(Duration::from_secs(12))
        .build();
    aws_config::defaults(BehaviorVersion::latest())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .timeout_config(timeouts)
        .load()
        .await
}

impl Context {
    /// The table and the bucket: for `api`, `convert` and `dispatch`, which send to no queue.
    pub async fn with_bucket(environment: &Environment) -> Result<Self, ConfigError> {
        let bucket = BucketConfig::read(environment)?;
        let aws = aws().await;
        let context = Self::over(&aws, environment)?;
        let s3 = aws_sdk_s3::Client::new(&aws);
        Ok(Context { store: context.store.with_bucket(s3, &bucket.bucket_name), ..context })
    }

    /// The table and the queues: for `relay` and `sweep`.
    pub async fn with_queues(environment: &Environment) -> Result<Self, ConfigError> {
        let urls = QueuesConfig::read(environment)?;
        let aws = aws().await;
        let context = Self::over(&aws, environment)?;
        let queues = context
            .queues
            .with_convert(&urls.convert_queue_url)
            .with_dispatch(&urls.dispatch_queue_url)
            .with_deliver(&urls.deliver_queue_url);
        Ok(Context { queues, ..context })
    }

    /// The table, the deliver queue for the next attempt, and the way out: for `webhook`.
    pub async fn with_courier(environment: &Environment) -> Result<(Self, Courier), StartError> {
        let delivery = DeliveryConfig::read(environment)?;
        let aws = aws().await;
        let context = Self::over(&aws, environment)?;
        let queues = context.queues.with_deliver(&delivery.deliver_queue_url);
        let courier = Courier {
            client: Client::new(delivery.egress)?,
            sealing_key: sealing_key(&aws, &delivery.sealing_key_secret_arn).await?,
        };
        Ok((Context { queues, ..context }, courier))
    }

    fn over(aws: &SdkConfig, environment: &Environment) -> Result<Self, ConfigError> {
        let table = TableConfig::read(environment)?;
        let sending = SendConfig::read(environment)?;
        let random = Arc::new(SystemRandom);
        Ok(Context {
            store: Store::new(
                aws_sdk_dynamodb::Client::new(aws),
                &table.table_name,
                random.clone(),
            ),
            queues: Queues::new(aws_sdk_sqs::Client::new(aws)),
            clock: Arc::new(SystemClock),
            random,
            settings: Settings {
                queued_delivery: sending.queued_delivery,
                lease: SignedDuration::try_from(sending.lease)
                    .unwrap_or(SignedDuration::from_secs(60)),
            },
        })
    }
}

/// The key under which signing secrets are sealed.
async fn sealing_key(aws: &SdkConfig, arn: &str) -> Result<SealingKey, StartError> {
    let secret = aws_sdk_secretsmanager::Client::new(aws)
        .get_secret_value()
        .secret_id(arn)
        .send()
        .await
        .map_err(|error| StartError::Secret(error.into_service_error().into()))?;
    Ok(SealingKey::derive(secret.secret_string().unwrap_or_default())?)
}
