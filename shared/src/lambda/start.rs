//! A function's cold start: its clients, built once, for what its configuration gives it.

use std::{sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};

use crate::{
    config::{
        BucketConfig, ConfigError, DeliverQueueConfig, Environment, QueuesConfig, SendConfig,
        TableConfig,
    },
    service::{Context, Sending, Settings},
    store::{Queues, Store},
    types::{SystemClock, SystemRandom},
};

/// Attempts at one call, with the SDK's exponential backoff between them.
const ATTEMPTS: u32 = 4;

/// Region and credentials of the environment; a call that hangs is given up and repeated while the
/// request that waits for it still can be answered.
pub async fn aws() -> SdkConfig {
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

impl Sending {
    /// The table and the bucket: for `api`, `convert` and `dispatch`, which send to no queue.
    pub async fn start(environment: &Environment) -> Result<Self, ConfigError> {
        let bucket = BucketConfig::read(environment)?;
        let SendConfig { queued_delivery, lease } = SendConfig::read(environment)?;
        let aws = aws().await;
        let context = Context::over(&aws, environment)?;
        // An endpoint of one's own, as on one machine, has no name for each bucket.
        let path_style = aws.endpoint_url().is_some();
        let s3 = aws_sdk_s3::config::Builder::from(&aws).force_path_style(path_style).build();
        let s3 = aws_sdk_s3::Client::from_conf(s3);
        let store = context.store.with_bucket(s3, &bucket.bucket_name);
        let settings = Settings { queued_delivery, lease };
        Ok(Sending { context: Context { store, ..context }, settings })
    }
}

impl Context {
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

    /// The table and the deliver queue, for next attempts: for `webhook`.
    pub async fn with_deliver_queue(environment: &Environment) -> Result<Self, ConfigError> {
        let queue = DeliverQueueConfig::read(environment)?;
        let context = Self::with_table(environment).await?;
        let queues = context.queues.with_deliver(&queue.deliver_queue_url);
        Ok(Context { queues, ..context })
    }

    /// The table alone: for demo data.
    pub async fn with_table(environment: &Environment) -> Result<Self, ConfigError> {
        Self::over(&aws().await, environment)
    }

    fn over(aws: &SdkConfig, environment: &Environment) -> Result<Self, ConfigError> {
        let table = TableConfig::read(environment)?;
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
        })
    }
}
