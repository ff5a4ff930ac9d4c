//! The network and its registers.

use std::net::SocketAddr;

use super::{
    ConfigError,
    egress::{egress, nameable},
};
use crate::{
    egress::Egress,
    environment::Environment,
    peppol::{
        lookup,
        pki::{Network, RevocationPolicy},
        smp::{AddressError, check_address},
    },
};

/// The network that Live documents go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkConfig {
    /// `NETWORK`: which one.
    pub network: Network,
    /// `NETWORK_SECRET_ARN`: the secret with our certificates, their keys, and the authorities of a
    /// network of our own.
    pub secret_arn: String,
    /// `SML_ZONE`: where the network keeps its participants.
    pub zone: String,
    /// `DNS_SERVER`: who is asked for them; the system's own name servers when not set.
    pub dns_server: Option<SocketAddr>,
    /// `REVOCATION`: what becomes of a certificate of which nobody says whether it is revoked.
    pub revocation: RevocationPolicy,
    /// `EGRESS`
    pub egress: Egress,
}

impl NetworkConfig {
    /// Reads all of that; none when `NETWORK` is `none`.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        let choices = [
            ("none", None),
            ("production", Some(Network::Production)),
            ("test", Some(Network::Test)),
            ("local", Some(Network::Local)),
        ];
        let Some(network) = environment.one_of("NETWORK", &choices)? else { return Ok(None) };
        let zone = match (environment.get("SML_ZONE"), lookup::zone(network)) {
            (Some(zone), _) => zone.to_owned(),
            (None, Some(zone)) => zone.to_owned(),
            (None, None) => return Err(ConfigError::Missing("SML_ZONE")),
        };
        let dns_server = match environment.get("DNS_SERVER") {
            None => None,
            Some(server) => Some(server.parse().map_err(|_| ConfigError::Invalid {
                variable: "DNS_SERVER",
                value: server.to_owned(),
                expected: "an address and a port, such as 10.0.0.2:53".to_owned(),
            })?),
        };
        let policies =
            [("hard-fail", RevocationPolicy::HardFail), ("soft-fail", RevocationPolicy::SoftFail)];
        Ok(Some(NetworkConfig {
            network,
            secret_arn: environment.text("NETWORK_SECRET_ARN")?.to_owned(),
            zone,
            dns_server,
            revocation: environment.one_of("REVOCATION", &policies)?,
            egress: egress(environment)?,
        }))
    }
}

/// The registers of the network, and what is ours there. What is not set is none: what needs it waits, and says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryConfig {
    /// `SMP_URL`: the public address of our SMP.
    pub smp_url: Option<String>,
    /// `SMP_ID`: by what the SML knows it.
    pub smp_id: Option<String>,
    /// `AS4_URL`: the public address of our access point, which metadata names.
    pub as4_url: Option<String>,
    /// `SML_URL`: where the services of the SML are.
    pub sml_url: Option<String>,
    /// `DIRECTORY_URL`: where the Peppol Directory is.
    pub directory_url: Option<String>,
}

impl RegistryConfig {
    /// Reads all of that; the SML and the Directory of a published network are known.
    pub fn read(environment: &Environment, network: Network) -> Result<Self, ConfigError> {
        let reach = nameable(environment)?;
        let url = |variable, default: Option<&str>| {
            let Some(value) = environment.get(variable).or(default) else { return Ok(None) };
            let wrong = |error: AddressError| ConfigError::Invalid {
                variable,
                value: value.to_owned(),
                expected: format!("an https address; {error}"),
            };
            check_address(value, reach).map_err(wrong)?;
            Ok(Some(value.trim_end_matches('/').to_owned()))
        };
        let (sml, directory) = match network {
            Network::Production => (
                Some("https://api.sml.prod.tech.peppol.org/edelivery-sml"),
                Some("https://directory.peppol.eu"),
            ),
            Network::Test => (
                Some("https://api.sml.test.tech.peppol.org/edelivery-sml"),
                Some("https://test-directory.peppol.eu"),
            ),
            Network::Local => (None, None),
        };
        Ok(RegistryConfig {
            smp_url: url("SMP_URL", None)?,
            smp_id: environment.get("SMP_ID").map(str::to_owned),
            as4_url: url("AS4_URL", None)?,
            sml_url: url("SML_URL", sml)?,
            directory_url: url("DIRECTORY_URL", directory)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registers_of_a_published_network_are_known_and_the_rest_is_configured() {
        let read = |network, pairs: &[(&str, &str)]| {
            let local = [("EGRESS", "any"), ("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")];
            RegistryConfig::read(&local.iter().chain(pairs).copied().collect(), network)
        };
        let test = read(Network::Test, &[("SMP_URL", "https://smp.example/"), ("SMP_ID", "S")]);
        let test = test.unwrap();
        let sml = "https://api.sml.test.tech.peppol.org/edelivery-sml";
        assert_eq!(test.sml_url.as_deref(), Some(sml));
        assert_eq!(test.directory_url.as_deref(), Some("https://test-directory.peppol.eu"));
        assert_eq!(test.smp_url.as_deref(), Some("https://smp.example"));
        assert_eq!((test.smp_id.as_deref(), test.as4_url), (Some("S"), None));
        let local = read(Network::Local, &[("SML_URL", "http://127.0.0.1:9/sml")]).unwrap();
        assert_eq!(local.sml_url.as_deref(), Some("http://127.0.0.1:9/sml"));
        assert_eq!(local.directory_url, None);
        for wrong in ["http://sml.example", "sml.example", "ftp://sml.example"] {
            let error = read(Network::Production, &[("SML_URL", wrong)]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("SML_URL is {wrong:?}: an https")), "{error}");
        }
    }
}
