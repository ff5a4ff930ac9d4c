//! The secret that seals signing secrets.

use super::ConfigError;
use crate::environment::Environment;

/// `SEALING_KEY_SECRET_ARN`: the secret with which signing secrets and migration keys are sealed.
pub fn sealing_key_secret_arn(environment: &Environment) -> Result<&str, ConfigError> {
    environment.text("SEALING_KEY_SECRET_ARN")
}
