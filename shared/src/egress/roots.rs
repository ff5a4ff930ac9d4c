//! The trusted roots of outgoing TLS: Mozilla's list, compiled in. Reading the certificate files of the machine would
//! slow down cold starts.

#[cfg(feature = "service")]
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Certificate;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// The names of the roots of AWS endpoints (<https://www.amazontrust.com/repository/>).
#[cfg(feature = "service")]
const OF_AWS: [&[u8]; 2] =
    [b"Amazon Root CA ", b"Starfield Services Root Certificate Authority - G2"];

/// The roots for any public server.
pub(super) fn public() -> Result<Vec<Certificate>, reqwest::Error> {
    TLS_SERVER_ROOT_CERTS.iter().map(|der| Certificate::from_der(der)).collect()
}

/// The roots for AWS endpoints, in PEM: the SDK needs no others.
#[cfg(feature = "service")]
pub fn of_aws() -> impl Iterator<Item = String> {
    let names = |der: &[u8], name: &[u8]| der.windows(name.len()).any(|part| part == name);
    TLS_SERVER_ROOT_CERTS
        .iter()
        .filter(move |der| OF_AWS.iter().any(|name| names(der, name)))
        .map(|der| pem(der))
}

/// RFC 7468, section 5: lines of 64 characters.
#[cfg(feature = "service")]
fn pem(der: &[u8]) -> String {
    let mut pem = String::from("-----BEGIN CERTIFICATE-----\n");
    let text = STANDARD.encode(der);
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, others) = rest.split_at(rest.len().min(64));
        pem.push_str(line);
        pem.push('\n');
        rest = others;
    }
    pem.push_str("-----END CERTIFICATE-----\n");
    pem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_roots_of_amazon_trust_services_are_found() {
        let roots: Vec<_> = of_aws().collect();
        assert_eq!(roots.len(), 5);
        for root in roots {
            let parsed = Certificate::from_pem_bundle(root.as_bytes()).unwrap();
            assert_eq!(parsed.len(), 1);
        }
    }

    #[test]
    fn every_public_root_is_one_that_a_client_takes() {
        let roots = public().unwrap();
        assert!(roots.len() > 100, "{}", roots.len());
        let built = crate::egress::Client::new(crate::egress::Egress::Public);
        assert!(built.is_ok());
    }
}
