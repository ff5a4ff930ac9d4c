//! The functions of our SMP and of the registers that name it.

use std::sync::Arc;

use super::{aws, portal::national_portal, webhooks::sealing_keys};
use crate::{
    config::{Environment, NetworkConfig, RegistryConfig, SendConfig, sealing_key_secret_arn},
    lambda::{
        connection,
        secret::{BoxError, Secret},
    },
    peppol::identifiers::{SeatId, Spid},
    service::{Context, Registering, page::SecretText, publish::Publishing, register::Registries},
    tasks::Boxed,
};

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
