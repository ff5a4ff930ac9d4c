//! What organizations pay for, and who knows of it.

use jiff::SignedDuration;

use super::{
    ConfigError,
    egress::{egress, reach},
};
use crate::{
    egress::Egress,
    environment::Environment,
    peppol::smp::{AddressError, check_address},
};

/// What is asked of those who use the service, beside their grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BillingConfig {
    /// `BILLING_FRESHNESS_HOURS`: how long what the billing provider last said is relied on.
    pub freshness: SignedDuration,
    /// `SANDBOX_DAILY_SENDS`: how many documents an organization may send in Sandbox on a day.
    pub sandbox_daily_sends: u32,
}

impl BillingConfig {
    /// The longest that what a provider said may be relied on: a month, in hours.
    pub const MOST_HOURS: i64 = 744;

    /// The most documents of a day.
    pub const MOST_SENDS: u32 = 10_000_000;

    /// Reads `BILLING_FRESHNESS_HOURS` and `SANDBOX_DAILY_SENDS`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let hours = environment.whole("BILLING_FRESHNESS_HOURS", 1..=Self::MOST_HOURS, "hours")?;
        let sends =
            environment.whole("SANDBOX_DAILY_SENDS", 0..=Self::MOST_SENDS.into(), "documents")?;
        Ok(BillingConfig {
            freshness: SignedDuration::from_hours(hours),
            sandbox_daily_sends: u32::try_from(sends).unwrap_or(Self::MOST_SENDS),
        })
    }
}

/// Who knows what organizations have paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingProviderConfig {
    /// `BILLING_URL`: where the billing provider's API is; none where operators set subscriptions.
    pub url: Option<String>,
    /// `BILLING_TOKEN_SECRET_ARN`: the secret with the token that it knows us by.
    pub token_secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl BillingProviderConfig {
    /// Reads all of that.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let egress = egress(environment)?;
        let url = environment.get("BILLING_URL").map(|value| {
            let wrong = |error: AddressError| ConfigError::Invalid {
                variable: "BILLING_URL",
                value: value.to_owned(),
                expected: format!("an https address; {error}"),
            };
            check_address(value, reach(egress)).map_err(wrong)?;
            Ok(value.to_owned())
        });
        let token_secret_arn = environment.text("BILLING_TOKEN_SECRET_ARN")?.to_owned();
        Ok(BillingProviderConfig { url: url.transpose()?, token_secret_arn, egress })
    }
}

/// `BILLING_SIGNING_SECRET_ARN`: the secret with which the billing provider signs its events.
pub fn billing_signing_secret_arn(environment: &Environment) -> Result<&str, ConfigError> {
    environment.text("BILLING_SIGNING_SECRET_ARN")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_provider_said_is_relied_on_for_a_month_at_most() {
        let read = |hours: &str| {
            BillingConfig::read(&Environment::from_iter([
                ("BILLING_FRESHNESS_HOURS", hours),
                ("SANDBOX_DAILY_SENDS", "10000"),
            ]))
        };
        assert_eq!(read("24").unwrap().sandbox_daily_sends, 10_000);
        assert_eq!(read("24").unwrap().freshness, SignedDuration::from_hours(24));
        for wrong in ["0", "745", "1.5", "a day", "-1"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("BILLING_FRESHNESS_HOURS is "), "{error}");
            assert!(error.ends_with("a whole number of hours from 1 to 744"), "{error}");
        }
    }

    #[test]
    fn a_billing_provider_is_reached_over_tls_or_there_is_none() {
        let read = |url: &str| {
            BillingProviderConfig::read(&Environment::from_iter([
                ("BILLING_URL", url),
                ("BILLING_TOKEN_SECRET_ARN", "arn"),
                ("EGRESS", "public"),
            ]))
        };
        assert_eq!(read("").unwrap().url, None);
        let url = "https://billing.example/api";
        assert_eq!(read(url).unwrap().url.as_deref(), Some(url));
        for wrong in ["http://billing.example", "billing.example"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with(&format!("BILLING_URL is {wrong:?}: an https")), "{error}");
        }
    }
}
