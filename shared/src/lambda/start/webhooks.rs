//! The functions of webhooks.

use std::sync::Arc;

use aws_config::SdkConfig;

use super::{aws, cursors};
use crate::{
    config::{DeliverQueuesConfig, DeliveryConfig, Environment, RequestsConfig},
    egress::Client,
    lambda::secret::{BoxError, Secret},
    service::{Context, Delivering, Notifying, deliver::OpenBreakers, page::SecretText},
    store::Queue,
    tasks::Boxed,
    webhook::SealingKeys,
};

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

/// The keys that seal signing secrets, derived from a secret of Secrets Manager.
pub async fn sealing_keys(aws: &SdkConfig, arn: &str) -> Result<SealingKeys, BoxError> {
    let client = aws_sdk_secretsmanager::Client::new(aws);
    let text = Secret { client, arn: arn.to_owned() }.fetch().await?;
    Ok(SealingKeys::derive(&text)?)
}
