//! The DNS name of a participant (Peppol SML specification).

use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};

use crate::{
    peppol::{identifiers::PARTICIPANT_SCHEME, pki::Network},
    types::ParticipantId,
};

/// The zone of a public network's participants. A local network configures its own zone.
pub fn zone(network: Network) -> Option<&'static str> {
    match network {
        Network::Production => Some("participant.sml.prod.tech.peppol.org"),
        Network::Test => Some("participant.sml.test.tech.peppol.org"),
        Network::Local => None,
    }
}

/// The absolute name of a participant; its final dot keeps resolvers from adding a search domain.
pub fn dns_name(participant: &ParticipantId, zone: &str) -> String {
    // The hash covers the value alone, in lower case.
    let digest = Sha256::digest(participant.to_string().to_ascii_lowercase());
    let zone = zone.trim_matches('.');
    let label = BASE32_NOPAD.encode(&digest).to_ascii_lowercase();
    format!("{label}.{PARTICIPANT_SCHEME}.{zone}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_participant_has_one_name_in_a_zone() {
        for (participant, label) in [
            ("0088:5790002590993", "2m2ufgzngss25joomov2s4vgg7pw64kivynondsvzsrt4eazvclq"),
            ("0235:1234567890", "fqkzxddxq72l2t6oc4himrezyxut6b2qc3ywzjpjakkhax3aelia"),
            ("0242:000306", "ruslvhnsd3wsiewze5l6zqlggde6pvkp4ewan2v4ellildm6pvka"),
        ] {
            let name = dns_name(&participant.parse().unwrap(), "sml.example");
            assert_eq!(name, format!("{label}.iso6523-actorid-upis.sml.example."));
        }
        let [one, other] = ["0242:000306-MLS", "0242:000306-mls"].map(|text| text.parse().unwrap());
        assert_eq!(dns_name(&one, "sml.example."), dns_name(&other, ".sml.example"));
    }

    #[test]
    fn published_networks_have_their_zones() {
        assert_eq!(zone(Network::Production), Some("participant.sml.prod.tech.peppol.org"));
        assert_eq!(zone(Network::Test), Some("participant.sml.test.tech.peppol.org"));
        assert_eq!(zone(Network::Local), None);
    }
}
