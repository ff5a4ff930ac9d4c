//! The functions of our SMP and of the registers that name it.

use std::sync::Arc;

use super::{BoxError, Deployment};
use crate::{
    config::{NetworkConfig, RegistryConfig, SendConfig},
    lambda::connection,
    peppol::identifiers::{SeatId, Spid},
    service::{Registering, page::SecretText, publish::Publishing, register::Registries},
};

impl Registering {
    /// For `register`: the registers, and our SMP's key from the secret of `NETWORK_SECRET_ARN`.
    pub async fn on(deployment: &Deployment) -> Result<Self, BoxError> {
        let environment = deployment.environment();
        let SendConfig { lease, .. } = SendConfig::read(environment)?;
        let registries = match NetworkConfig::read(environment)? {
            None => None,
            Some(config) => {
                let registry = RegistryConfig::read(environment, config.network)?;
                let secret = deployment.secret(&config.secret_arn).value().await?;
                Some(Arc::new(connection::registries(secret.as_deref(), &config, registry)?))
            }
        };
        let national_portal = deployment.national_portal()?;
        let sealing_keys = Arc::new(deployment.sealing_keys().await?);
        Ok(Registering {
            ctx: deployment.context(),
            registries,
            national_portal,
            sealing_keys,
            lease,
        })
    }
}

impl Deployment {
    /// The registers and our own participant, for the command that announces our SMP.
    pub async fn registries(&self) -> Result<(Registries, Spid), BoxError> {
        let config = NetworkConfig::read(&self.environment)?;
        let config =
            config.ok_or("NETWORK is none: there is no register in which to announce the SMP")?;
        let registry = RegistryConfig::read(&self.environment, config.network)?;
        let secret = self.secret(&config.secret_arn).fetch().await?;
        let registries = connection::registries(Some(&secret), &config, registry)?;
        Ok((registries, connection::own_seat(&secret)?.spid().clone()))
    }

    /// Our seat in the network, for the commands of the OpenPeppol reports.
    pub async fn own_seat(&self) -> Result<SeatId, BoxError> {
        let config = NetworkConfig::read(&self.environment)?;
        let config = config.ok_or("NETWORK is none: a report needs a network")?;
        connection::own_seat(&self.secret(&config.secret_arn).fetch().await?)
    }
}

impl Publishing {
    /// For `smp`. `None` when the deployment is not connected to the network, or has no SMP yet; the log names what is
    /// missing.
    pub async fn on(deployment: &Deployment) -> Result<Option<Self>, BoxError> {
        let environment = deployment.environment();
        let Some(config) = NetworkConfig::read(environment)? else { return Ok(None) };
        let registry = RegistryConfig::read(environment, config.network)?;
        let secret = deployment.secret(&config.secret_arn).value().await?;
        match connection::publisher(secret.as_deref(), registry) {
            Ok(publisher) => {
                let (ctx, publisher) = (deployment.context(), Arc::new(publisher));
                Ok(Some(Publishing { ctx, publisher }))
            }
            Err(error) => {
                tracing::error!(%error, "the SMP has nothing to publish");
                Ok(None)
            }
        }
    }
}
