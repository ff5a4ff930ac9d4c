//! The addresses that requests may reach.

use http::Uri;

use crate::peppol::identifiers::quoted;

/// The addresses that requests may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Only https (Peppol Policy for Transport Security).
    #[default]
    Https,
    /// Also http on this machine, for local networks.
    Loopback,
}

/// An address that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address {address:?} {reason}")]
pub struct AddressError {
    /// The address, possibly cut.
    pub address: String,
    /// The reason.
    pub reason: &'static str,
}

/// Checks the form of an address from another party. The HTTP client checks the IP addresses of its host name.
pub fn check_address(address: &str, reach: Reach) -> Result<(), AddressError> {
    let wrong = |reason| AddressError { address: quoted(address), reason };
    let uri: Uri = address.parse().map_err(|_| wrong("is not a URL"))?;
    let authority = uri.authority().ok_or_else(|| wrong("is not a URL with a host"))?;
    if authority.as_str().contains('@') {
        return Err(wrong("has a user name"));
    }
    match (uri.scheme_str(), reach) {
        (Some("https"), _) => Ok(()),
        (Some("http"), Reach::Loopback) if is_loopback(authority.host()) => Ok(()),
        _ => Err(wrong("is not one of https")),
    }
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "[::1]" | "localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_alone_is_gone_to_and_http_on_this_machine_when_that_is_opened() {
        for (address, https, loopback) in [
            ("https://ap.example/as4", true, true),
            ("HTTPS://ap.example:8443/as4?x=1", true, true),
            ("https://127.0.0.1/as4", true, true),
            ("http://ap.example/as4", false, false),
            ("http://127.0.0.1:8080/as4", false, true),
            ("http://[::1]:8080/as4", false, true),
            ("http://localhost/as4", false, true),
            ("http://127.0.0.1.example/", false, false),
            ("http://127.0.0.1@ap.example/", false, false),
            ("https://user@ap.example/", false, false),
            ("ftp://ap.example/", false, false),
            ("//ap.example/as4", false, false),
            ("/as4", false, false),
            ("ap.example", false, false),
            ("https://", false, false),
            ("https:///as4", false, false),
            ("https://ap.example/a b", false, false),
            ("", false, false),
        ] {
            assert_eq!(check_address(address, Reach::Https).is_ok(), https, "{address}");
            assert_eq!(check_address(address, Reach::Loopback).is_ok(), loopback, "{address}");
        }
    }
}
