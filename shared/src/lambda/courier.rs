//! What deliveries need beside the context, at a cold start.

use std::error::Error;

use aws_config::SdkConfig;

use super::aws;
use crate::{
    config::{DeliveryConfig, Environment},
    service::deliver::Courier,
    webhook::{Client, SealingKey},
};

type BoxError = Box<dyn Error + Send + Sync>;

impl Courier {
    /// The way out that `EGRESS` allows, and the key in the secret that `SEALING_KEY_SECRET_ARN`
    /// names.
    pub async fn start(environment: &Environment) -> Result<Self, BoxError> {
        let config = DeliveryConfig::read(environment)?;
        let client = Client::new(config.egress)?;
        let sealing_key = sealing_key(&aws().await, &config.sealing_key_secret_arn).await?;
        Ok(Courier { client, sealing_key })
    }
}

/// The key that seals signing secrets: derived from the text of a secret of Secrets Manager.
pub async fn sealing_key(aws: &SdkConfig, arn: &str) -> Result<SealingKey, BoxError> {
    let secrets = aws_sdk_secretsmanager::Client::new(aws);
    let output = secrets.get_secret_value().secret_id(arn).send().await?;
    let text =
        output.secret_string().ok_or("SEALING_KEY_SECRET_ARN names a secret without text")?;
    Ok(SealingKey::derive(text)?)
}
