//! Where requests may go.

use super::ConfigError;
use crate::{egress::Egress, environment::Environment, peppol::smp::Reach};

/// `EGRESS`: where requests may go. It may be `any` on one machine alone: in AWS it would open the account's own
/// network to whoever names a destination.
pub fn egress(environment: &Environment) -> Result<Egress, ConfigError> {
    let egress =
        environment.one_of("EGRESS", &[("public", Egress::Public), ("any", Egress::Any)])?;
    if egress == Egress::Any && !environment.is_one_machine() {
        return Err(ConfigError::Invalid {
            variable: "EGRESS",
            value: "any".to_owned(),
            expected: "public, since the AWS services are the real ones; any is for a \
                       deployment on one machine, whose AWS_ENDPOINT_URL is on loopback"
                .to_owned(),
        });
    }
    Ok(egress)
}

/// Which addresses of the network are taken where requests may go so far.
pub(crate) fn reach(egress: Egress) -> Reach {
    match egress {
        Egress::Public => Reach::Https,
        Egress::Any => Reach::Loopback,
    }
}

/// Which addresses an operator may name: `EGRESS` alone.
pub(crate) fn nameable(environment: &Environment) -> Result<Reach, ConfigError> {
    egress(environment).map(reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_egress_is_refused_where_aws_is_the_real_one() {
        let read = |egress: &str, endpoint: &str, ignore: &str| {
            super::egress(&Environment::from_iter([
                ("EGRESS", egress),
                ("AWS_ENDPOINT_URL", endpoint),
                ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", ignore),
            ]))
        };
        for local in ["http://127.0.0.1:4566", "http://localhost:4566/", "http://[::1]:4566"] {
            assert_eq!(read("any", local, "").unwrap(), Egress::Any, "{local}");
            assert!(read("any", local, "true").is_err(), "{local}");
        }
        for real in [
            "",
            "https://dynamodb.me-central-1.amazonaws.com",
            "http://169.254.169.254",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://localhost@example.com",
            "127.0.0.1.",
        ] {
            let error = read("any", real, "").unwrap_err().to_string();
            assert!(error.starts_with("EGRESS is \"any\": public, since"), "{real}: {error}");
            assert_eq!(read("public", real, "").unwrap(), Egress::Public);
        }
    }
}
