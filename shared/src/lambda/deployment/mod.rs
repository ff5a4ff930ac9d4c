//! The cold start: one [`Deployment`] builds each part of a function from its environment, once.

mod aws;
mod billing;
mod network;
#[cfg(feature = "pdf")]
mod pdf;
mod portal;
mod registers;
mod sending;
mod webhooks;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use aws_config::SdkConfig;

use super::{connection, secret::Secret};
use crate::{
    config::{
        self, BucketConfig, ConfigError, CursorConfig, Environment, NetworkConfig, TableConfig,
        VerificationConfig,
    },
    service::{
        Connection, Context,
        documents::Letterheads,
        page::{CursorKey, SecretText},
        verification_links::VerificationLinks,
    },
    store::{Bucket, Message, Queue, Store},
    tasks::Boxed,
    types::{ByMode, SystemClock, SystemRandom},
    webhook::SealingKeys,
};

pub(super) use super::secret::BoxError;

/// A deployment, as the environment of one of its functions describes it. Clients are built from it. A function reads
/// only the variables of the parts that it builds, and does not start if one is missing or invalid.
pub struct Deployment {
    environment: Environment,
    aws: SdkConfig,
    ctx: Context,
    /// The bucket of payloads, for functions that have it.
    bucket: Option<Bucket>,
    /// The client of all queues, for functions that have any.
    sqs: OnceLock<aws_sdk_sqs::Client>,
}

impl Deployment {
    /// The deployment that an environment names. Boxed, so that it is not compiled again where it is awaited.
    pub fn of(environment: Environment) -> Boxed<'static, Result<Self, ConfigError>> {
        Box::pin(async {
            let TableConfig { table_name } = TableConfig::read(&environment)?;
            let aws = aws::sdk().await;
            let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
            let store =
                Store::new(aws_sdk_dynamodb::Client::new(&aws), &table_name, random.clone());
            let mut ctx = Context { store, clock, random };
            // A function without the bucket works on open documents alone.
            let bucket = match environment.get("BUCKET_NAME") {
                Some(_) => Some(bucket_of(&aws, BucketConfig::read(&environment)?, &ctx)),
                None => None,
            };
            if let Some(bucket) = &bucket {
                ctx.store = ctx.store.with_cold_storage(bucket.clone(), ctx.clock.clone());
            }
            Ok(Deployment { environment, aws, ctx, bucket, sqs: OnceLock::new() })
        })
    }

    /// The variables.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The table, the clock and the randomness.
    pub fn context(&self) -> Context {
        self.ctx.clone()
    }

    /// The bucket of payloads.
    pub fn bucket(&self) -> Result<Bucket, ConfigError> {
        self.bucket.clone().ok_or(ConfigError::Missing("BUCKET_NAME"))
    }

    /// The keys that seal signing secrets, derived from the secret of `SEALING_KEY_SECRET_ARN`.
    pub async fn sealing_keys(&self) -> Result<SealingKeys, BoxError> {
        let text = self.secret(config::sealing_key_secret_arn(&self.environment)?).fetch().await?;
        Ok(SealingKeys::derive(&text)?)
    }

    /// The key of cursors, from the secret of `CURSOR_KEY_SECRET_ARN`. It is fetched with the first list.
    fn cursors(&self) -> Result<CursorKey, ConfigError> {
        let CursorConfig { cursor_key_secret_arn } = CursorConfig::read(&self.environment)?;
        Ok(CursorKey::new(self.secret(&cursor_key_secret_arn)))
    }

    /// The logos and links that renderings show. Links lead to `PORTAL_URL`, and there are none while it is not set.
    fn letterheads(&self) -> Result<Letterheads, ConfigError> {
        let config = VerificationConfig::read(&self.environment)?;
        Ok(Letterheads::new(config.map(|VerificationConfig { origin, key_secret_arn }| {
            VerificationLinks::new(origin, self.secret(&key_secret_arn))
        })))
    }

    /// The connection to the network; `None` when `NETWORK` is none.
    fn connection(&self, bucket: &Bucket) -> Result<Option<Arc<Connection>>, ConfigError> {
        let config = NetworkConfig::read(&self.environment)?;
        Ok(config.map(|config| connection::connection(&self.aws, config, bucket.clone())))
    }

    /// A queue of each mode.
    fn queue<M: Message>(&self, urls: ByMode<String>) -> Queue<M> {
        Queue::new(self.sqs(), urls)
    }

    /// A queue of Live alone.
    fn live_queue<M: Message>(&self, url: String) -> Queue<M> {
        Queue::of_live(self.sqs(), url)
    }

    fn sqs(&self) -> aws_sdk_sqs::Client {
        self.sqs.get_or_init(|| aws_sdk_sqs::Client::new(&self.aws)).clone()
    }

    fn secret(&self, arn: &str) -> Secret {
        Secret::of(&self.aws, arn)
    }
}

fn bucket_of(
    aws: &SdkConfig,
    BucketConfig { bucket_name, lock }: BucketConfig,
    ctx: &Context,
) -> Bucket {
    // A custom endpoint, as on a local machine, has no host name for each bucket.
    let path_style = aws.endpoint_url().is_some();
    let s3 = aws_sdk_s3::config::Builder::from(aws).force_path_style(path_style).build();
    let bucket = Bucket::new(aws_sdk_s3::Client::from_conf(s3), &bucket_name, ctx.random.clone());
    match lock {
        Some(lock) => bucket.locking(lock, ctx.clock.clone()),
        None => bucket,
    }
}
