//! How requests are answered: sends, lists and their limits.

use std::time::Duration;

use jiff::SignedDuration;

use super::ConfigError;
use crate::environment::Environment;

/// How sends are taken in and worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendConfig {
    /// `QUEUED_DELIVERY`: whether a send may ask for queued delivery.
    pub queued_delivery: bool,
    /// `RESERVATION_LEASE_SECONDS`: how long an attempt owns its idempotency key or its document
    /// before another may take over.
    pub lease: SignedDuration,
    /// `FUNCTION_TIMEOUT_SECONDS`: how long a request or a worker's turn may take.
    pub time: Duration,
}

impl SendConfig {
    /// Reads `QUEUED_DELIVERY` and `RESERVATION_LEASE_SECONDS`; the latter must be longer than
    /// `FUNCTION_TIMEOUT_SECONDS`, or an attempt that still runs could be taken for dead.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let queued_delivery = Self::queued_delivery(environment)?;
        let timeout = environment.seconds("FUNCTION_TIMEOUT_SECONDS")?;
        let lease = environment.seconds("RESERVATION_LEASE_SECONDS")?;
        if lease <= timeout {
            return Err(ConfigError::Invalid {
                variable: "RESERVATION_LEASE_SECONDS",
                value: lease.as_secs().to_string(),
                expected: format!(
                    "more than FUNCTION_TIMEOUT_SECONDS, which is {}",
                    timeout.as_secs()
                ),
            });
        }
        Ok(SendConfig { queued_delivery, lease, time: timeout.unsigned_abs() })
    }

    /// Reads `QUEUED_DELIVERY` alone, for what takes in what others send.
    pub fn queued_delivery(environment: &Environment) -> Result<bool, ConfigError> {
        environment.one_of("QUEUED_DELIVERY", &[("enabled", true), ("disabled", false)])
    }
}

/// How many requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestsConfig {
    /// `REQUESTS_PER_MINUTE`, of one organization: at most 60,000, since a counter takes 1,000 writes a second.
    pub per_minute: u32,
}

impl RequestsConfig {
    /// Reads `REQUESTS_PER_MINUTE`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let value = environment.text("REQUESTS_PER_MINUTE")?;
        match value.parse() {
            Ok(per_minute @ 1..=150_000) => Ok(RequestsConfig { per_minute }),
            _ => Err(ConfigError::Invalid {
                variable: "REQUESTS_PER_MINUTE",
                value: value.to_owned(),
                expected: "a whole number from 1 to 150000".to_owned(),
            }),
        }
    }
}

/// What lists go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorConfig {
    /// `CURSOR_KEY_SECRET_ARN`: the secret with which cursors are sealed.
    pub cursor_key_secret_arn: String,
}

impl CursorConfig {
    /// Reads `CURSOR_KEY_SECRET_ARN`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let cursor_key_secret_arn = environment.text("CURSOR_KEY_SECRET_ARN")?.to_owned();
        Ok(CursorConfig { cursor_key_secret_arn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sending(queued: &str, timeout: &str, lease: &str) -> Result<SendConfig, ConfigError> {
        SendConfig::read(&Environment::from_iter([
            ("QUEUED_DELIVERY", queued),
            ("FUNCTION_TIMEOUT_SECONDS", timeout),
            ("RESERVATION_LEASE_SECONDS", lease),
        ]))
    }

    #[test]
    fn a_lease_that_ends_before_the_function_does_is_refused() {
        assert_eq!(
            sending("enabled", "29", "30"),
            Ok(SendConfig {
                queued_delivery: true,
                lease: SignedDuration::from_secs(30),
                time: Duration::from_secs(29),
            })
        );
        for lease in ["29", "1"] {
            let error = sending("enabled", "29", lease).unwrap_err().to_string();
            assert!(error.contains("RESERVATION_LEASE_SECONDS"), "{error}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_what_it_may_be() {
        assert_eq!(
            sending("yes", "29", "60").unwrap_err().to_string(),
            "QUEUED_DELIVERY is \"yes\": one of enabled, disabled"
        );
        assert_eq!(sending("", "29", "60"), Err(ConfigError::Missing("QUEUED_DELIVERY")));
        assert!(sending("enabled", "soon", "60").is_err());
        assert!(sending("enabled", "0", "60").is_err());
    }
}
