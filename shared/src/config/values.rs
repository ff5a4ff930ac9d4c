//! How values are read. Each has its limits.

use std::{net::IpAddr, ops::RangeInclusive};

use jiff::SignedDuration;

use super::ConfigError;
use crate::environment::Environment;

/// How values are read; each has its limits.
impl Environment {
    pub(super) fn text(&self, variable: &'static str) -> Result<&str, ConfigError> {
        self.get(variable).ok_or(ConfigError::Missing(variable))
    }

    /// Whether the AWS services are stand-ins on this machine.
    pub(super) fn is_one_machine(&self) -> bool {
        let ignored = self.text("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS").is_ok_and(|value| {
            // As the SDKs read it.
            value.eq_ignore_ascii_case("true")
        });
        let endpoint = self.text("AWS_ENDPOINT_URL").ok();
        let uri = endpoint.and_then(|url| url.parse::<http::Uri>().ok());
        let host = uri.as_ref().and_then(http::Uri::host).unwrap_or_default();
        let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        !ignored && (host == "localhost" || address.is_some_and(|address| address.is_loopback()))
    }

    pub(super) fn seconds(&self, variable: &'static str) -> Result<SignedDuration, ConfigError> {
        self.whole(variable, 1..=900, "seconds").map(SignedDuration::from_secs)
    }

    /// A whole number of something, within bounds.
    pub(super) fn whole(
        &self,
        variable: &'static str,
        bounds: RangeInclusive<i64>,
        of: &str,
    ) -> Result<i64, ConfigError> {
        let value = self.text(variable)?;
        let number = value.parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected: format!("a whole number of {of} from {} to {}", bounds.start(), bounds.end()),
        })
    }

    pub(super) fn one_of<T: Copy>(
        &self,
        variable: &'static str,
        choices: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let value = self.text(variable)?;
        choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(
            || {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                ConfigError::Invalid {
                    variable,
                    value: value.to_owned(),
                    expected: format!("one of {}", names.join(", ")),
                }
            },
        )
    }
}
