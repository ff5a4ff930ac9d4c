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
            let ctx = Context { store, clock: clock.clone(), random };
            let mut deployment = Deployment { environment, aws, ctx, sqs: OnceLock::new() };
            // A function without the bucket works on open documents alone.
            if deployment.environment.get("BUCKET_NAME").is_some() {
                let bucket = deployment.bucket()?;
                deployment.ctx.store = deployment.ctx.store.with_cold_storage(bucket, clock);
            }
            Ok(deployment)
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
        let BucketConfig { bucket_name, lock } = BucketConfig::read(&self.environment)?;
        // A custom endpoint, as on a local machine, has no host name for each bucket.
        let path_style = self.aws.endpoint_url().is_some();
        let s3 = aws_sdk_s3::config::Builder::from(&self.aws).force_path_style(path_style).build();
        let s3 = aws_sdk_s3::Client::from_conf(s3);
        let bucket = Bucket::new(s3, &bucket_name, self.ctx.random.clone());
        Ok(match lock {
            Some(lock) => bucket.locking(lock, self.ctx.clock.clone()),
            None => bucket,
        })
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
