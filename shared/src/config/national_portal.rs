//! The national tax portal.

use super::{
    ConfigError,
    egress::{egress, reach},
};
use crate::{
    egress::Egress,
    environment::Environment,
    peppol::smp::{AddressError, check_address},
};

/// The national tax portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NationalPortalConfig {
    /// `NATIONAL_PORTAL_URL`: where it is, without a slash at its end.
    pub url: String,
    /// `NATIONAL_PORTAL_SECRET_ARN`: the secret with the bearer token that it knows us by.
    pub secret_arn: String,
    /// `EGRESS`
    pub egress: Egress,
}

impl NationalPortalConfig {
    /// Reads all of that; none where `NATIONAL_PORTAL_URL` is not set: then this deployment onboards by its operator.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        let variable = "NATIONAL_PORTAL_URL";
        let Some(value) = environment.get(variable) else { return Ok(None) };
        let egress = egress(environment)?;
        let wrong = |error: AddressError| ConfigError::Invalid {
            variable,
            value: value.to_owned(),
            expected: format!("an https address; {error}"),
        };
        check_address(value, reach(egress)).map_err(wrong)?;
        let secret_arn = environment.text("NATIONAL_PORTAL_SECRET_ARN")?.to_owned();
        let url = value.trim_end_matches('/').to_owned();
        Ok(Some(NationalPortalConfig { url, secret_arn, egress }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_national_portal_is_an_address_with_a_secret_or_none() {
        let read = |pairs: &[(&'static str, &str)]| {
            let local = [("EGRESS", "any"), ("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")];
            NationalPortalConfig::read(&local.into_iter().chain(pairs.iter().copied()).collect())
        };
        assert_eq!(read(&[]), Ok(None));
        let url = ("NATIONAL_PORTAL_URL", "https://portal.example/api/");
        let secret = ("NATIONAL_PORTAL_SECRET_ARN", "arn");
        let set = read(&[url, secret]).unwrap().unwrap();
        assert_eq!(
            (set.url.as_str(), set.secret_arn.as_str()),
            ("https://portal.example/api", "arn")
        );
        assert_eq!(read(&[url]), Err(ConfigError::Missing("NATIONAL_PORTAL_SECRET_ARN")));
        for wrong in ["portal.example", "ftp://portal.example", "http://portal.example"] {
            let error = read(&[("NATIONAL_PORTAL_URL", wrong), secret]).unwrap_err().to_string();
            assert!(error.starts_with("NATIONAL_PORTAL_URL is "), "{error}");
        }
    }
}
