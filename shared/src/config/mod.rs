//! What a function reads from its environment. One struct a concern; a function reads only those
//! that it needs, at its cold start, and does not start with a value that is missing or wrong.

mod addresses;
mod billing;
mod brand;
mod egress;
mod national_portal;
mod network;
mod reports;
mod requests;
mod storage;
mod values;
mod webhooks;

pub use self::{
    addresses::{
        AddressesConfig, ApiOriginConfig, PortalConfig, VerificationConfig, sandbox_sign_up,
    },
    billing::{BillingConfig, BillingProviderConfig, billing_signing_secret_arn},
    brand::BrandConfig,
    egress::egress,
    national_portal::NationalPortalConfig,
    network::{NetworkConfig, RegistryConfig},
    reports::{PeppolReportsConfig, ReportConfig, tax_authority},
    requests::{CursorConfig, RequestsConfig, SendConfig},
    storage::{BucketConfig, DeliverQueuesConfig, QueuesConfig, TableConfig},
    webhooks::sealing_key_secret_arn,
};
pub use crate::environment::Environment;

pub(crate) use self::egress::{nameable, reach};

/// Why a function does not start: names the variable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The variable is not set, or empty.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// The variable has a value that it cannot have.
    #[error("{variable} is {value:?}: {expected}")]
    Invalid {
        /// The variable.
        variable: &'static str,
        /// Its value; no variable holds a secret.
        value: String,
        /// What it may be.
        expected: String,
    },
}

/// `LOG_LEVEL`: error, warn or info (when not set). Nothing of ours is finer, and what libraries say below has the
/// bodies of requests in it.
pub fn log_level(environment: &Environment) -> Result<tracing::Level, ConfigError> {
    use tracing::Level;
    if environment.text("LOG_LEVEL").is_err() {
        return Ok(Level::INFO);
    }
    environment.one_of(
        "LOG_LEVEL",
        &[("error", Level::ERROR), ("warn", Level::WARN), ("info", Level::INFO)],
    )
}
