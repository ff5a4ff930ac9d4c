//! Where the portal and the API are.

use super::ConfigError;
use crate::{environment::Environment, types::Addresses};

/// Where the pages are that people see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalConfig {
    /// `PORTAL_URL`: their origin, as browsers write it.
    pub origin: String,
}

impl PortalConfig {
    /// Reads `PORTAL_URL`: scheme, host and port alone, of `https`, or of `http` on loopback.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let value = environment.text("PORTAL_URL")?;
        let origin = origin(value).ok_or_else(|| ConfigError::Invalid {
            variable: "PORTAL_URL",
            value: value.to_owned(),
            expected:
                "the address of the portal without a path, such as https://portal.example.com; http only on loopback"
                    .to_owned(),
        })?;
        Ok(PortalConfig { origin })
    }
}

/// `SANDBOX_SIGN_UP`: whether a person may make an organization in Sandbox.
pub fn sandbox_sign_up(environment: &Environment) -> Result<bool, ConfigError> {
    environment.one_of("SANDBOX_SIGN_UP", &[("enabled", true), ("disabled", false)])
}

/// What the links of papers to their verification are made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationConfig {
    /// `PORTAL_URL`: the origin that the links lead to.
    pub origin: String,
    /// `VERIFICATION_KEY_SECRET_ARN`: the secret with the key of the links.
    pub key_secret_arn: String,
}

impl VerificationConfig {
    /// Reads `PORTAL_URL`, and with it `VERIFICATION_KEY_SECRET_ARN`; none where the first is not set.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        if environment.get("PORTAL_URL").is_none() {
            return Ok(None);
        }
        let PortalConfig { origin } = PortalConfig::read(environment)?;
        let key_secret_arn = environment.text("VERIFICATION_KEY_SECRET_ARN")?.to_owned();
        Ok(Some(VerificationConfig { origin, key_secret_arn }))
    }
}

/// Where the service is: what the function `oauth` tells the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressesConfig {
    /// `PORTAL_URL` and `BASE_URL`; none where the first is not set: then nobody can connect yet.
    pub addresses: Option<Addresses>,
}

impl AddressesConfig {
    /// Reads `PORTAL_URL`, and with it `BASE_URL`: the address of the API with its version, such as
    /// `https://api.example.com/v1`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        if environment.get("PORTAL_URL").is_none() {
            return Ok(AddressesConfig { addresses: None });
        }
        let PortalConfig { origin: portal_url } = PortalConfig::read(environment)?;
        let known = api_origin(environment.text("BASE_URL")?)?;
        let addresses = Addresses { portal_url, base_url: format!("{known}{VERSION}") };
        Ok(AddressesConfig { addresses: Some(addresses) })
    }
}

/// Where the API is, for the links of its errors into its documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiOriginConfig {
    /// The origin of `BASE_URL`; none where that is not set.
    pub origin: Option<String>,
}

impl ApiOriginConfig {
    /// Reads `BASE_URL`.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let origin = environment.get("BASE_URL").map(api_origin).transpose()?;
        Ok(ApiOriginConfig { origin })
    }
}

/// The origin of a versioned base address.
fn api_origin(base_url: &str) -> Result<String, ConfigError> {
    let known = base_url.strip_suffix(VERSION).and_then(origin);
    known.ok_or_else(|| ConfigError::Invalid {
        variable: "BASE_URL",
        value: base_url.to_owned(),
        expected: format!(
            "the address of the API with {VERSION} at its end, such as https://api.example.com{VERSION}; http only on \
             loopback"
        ),
    })
}

/// What the versioned base address ends with (specification 9).
const VERSION: &str = "/v1";

/// An address without a path as an origin (RFC 6454, section 6.2): in lower case, without the scheme's own port.
fn origin(url: &str) -> Option<String> {
    let uri: http::Uri = url.trim_end_matches('/').parse().ok()?;
    let authority = uri.authority()?;
    let is_plain = matches!(uri.path(), "" | "/") && uri.query().is_none();
    let host = authority.host().to_ascii_lowercase();
    let is_loopback = matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
    let (scheme, usual) = match uri.scheme_str()? {
        "https" => ("https", 443),
        "http" if is_loopback => ("http", 80),
        _ => return None,
    };
    if !is_plain || authority.as_str().contains('@') {
        return None;
    }
    Some(match authority.port_u16() {
        Some(port) if port != usual => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portal_is_an_origin_over_tls_or_on_this_machine() {
        for (value, expected) in [
            ("https://portal.example.com", Some("https://portal.example.com")),
            ("https://Portal.Example.com:443/", Some("https://portal.example.com")),
            ("https://portal.example.com:8443", Some("https://portal.example.com:8443")),
            ("http://127.0.0.1:8400", Some("http://127.0.0.1:8400")),
            ("http://localhost:80", Some("http://localhost")),
            ("http://portal.example.com", None),
            ("https://portal.example.com/app", None),
            ("https://portal.example.com?x", None),
            ("https://user@portal.example.com", None),
            ("portal.example.com", None),
            ("/", None),
        ] {
            let read = PortalConfig::read(&Environment::from_iter([("PORTAL_URL", value)]));
            assert_eq!(read.as_ref().ok().map(|read| read.origin.as_str()), expected, "{value}");
        }
    }

    #[test]
    fn the_addresses_are_known_together_or_not_at_all() {
        let read = |pairs: &[(&'static str, &str)]| {
            let environment = Environment::from_iter(pairs.iter().copied());
            AddressesConfig::read(&environment).map(|read| read.addresses)
        };
        let portal = ("PORTAL_URL", "https://portal.example.com");
        assert_eq!(read(&[]), Ok(None));
        let known = Addresses {
            portal_url: "https://portal.example.com".to_owned(),
            base_url: "https://api.example.com/v1".to_owned(),
        };
        assert_eq!(
            read(&[portal, ("BASE_URL", "https://API.example.com:443/v1")]),
            Ok(Some(known))
        );
        assert_eq!(read(&[portal]), Err(ConfigError::Missing("BASE_URL")));
        for base in
            ["https://api.example.com", "http://api.example.com/v1", "/v1", "https://a/b/v1"]
        {
            assert!(read(&[portal, ("BASE_URL", base)]).is_err(), "{base}");
        }
    }

    #[test]
    fn the_api_knows_its_origin_by_its_base_address_or_not_at_all() {
        let read = |pairs: &[(&'static str, &str)]| {
            let environment = Environment::from_iter(pairs.iter().copied());
            ApiOriginConfig::read(&environment).map(|read| read.origin)
        };
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("BASE_URL", "")]), Ok(None));
        let base = ("BASE_URL", "https://API.example.com:443/v1");
        assert_eq!(read(&[base]), Ok(Some("https://api.example.com".to_owned())));
        assert!(read(&[("BASE_URL", "https://api.example.com")]).is_err());
    }
}
