//! How webhooks are delivered.

use super::{ConfigError, egress::egress};
use crate::{egress::Egress, environment::Environment};

/// How webhooks are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryConfig {
    /// `SEALING_KEY_SECRET_ARN`: the secret with which signing secrets are sealed.
    pub sealing_key_secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl DeliveryConfig {
    /// Reads `SEALING_KEY_SECRET_ARN` and `EGRESS`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(DeliveryConfig {
            sealing_key_secret_arn: sealing_key_secret_arn(environment)?.to_owned(),
            egress: egress(environment)?,
        })
    }
}

/// `SEALING_KEY_SECRET_ARN`: the secret with which signing secrets and migration keys are sealed.
pub fn sealing_key_secret_arn(environment: &Environment) -> Result<&str, ConfigError> {
    environment.text("SEALING_KEY_SECRET_ARN")
}
