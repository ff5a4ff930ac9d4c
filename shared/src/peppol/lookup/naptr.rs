//! The SMP in a participant's NAPTR records (RFC 3403; Peppol SML specification).

use crate::peppol::{
    identifiers::quoted,
    smp::{AddressError, Reach, check_address},
};

/// The service of an SMP.
const SERVICE: &str = "Meta:SMP";
/// The flag of a record whose outcome is a URI (RFC 3404).
const FLAG: &str = "U";

/// A NAPTR record from DNS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naptr {
    /// The record with the lowest order is used first.
    pub order: u16,
    /// Among records of the same order, the lowest preference is used first.
    pub preference: u16,
    /// The kind of outcome.
    pub flags: String,
    /// The service.
    pub services: String,
    /// The rule that produces the outcome.
    pub regexp: String,
}

/// Why the records lead to no SMP.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NaptrFault {
    /// Records exist, but none is for an SMP.
    #[error("DNS has records, but none of service {SERVICE} with flag {FLAG}")]
    NoPublisher,
    /// The rule is not a literal address for every participant.
    #[error("DNS has the rule {0:?}, which does not give one address")]
    Rule(String),
    /// The address is invalid.
    #[error("DNS names an SMP of which {0}")]
    Address(#[from] AddressError),
}

/// The address of the SMP, without a slash at its end.
pub fn publisher(records: &[Naptr], reach: Reach) -> Result<String, NaptrFault> {
    let fits = |one: &&Naptr| {
        one.flags.eq_ignore_ascii_case(FLAG) && one.services.eq_ignore_ascii_case(SERVICE)
    };
    let first = records.iter().filter(fits).min_by_key(|one| (one.order, one.preference));
    let first = first.ok_or(NaptrFault::NoPublisher)?;
    let address = literal(&first.regexp).ok_or_else(|| NaptrFault::Rule(quoted(&first.regexp)))?;
    let address = address.trim_end_matches('/');
    check_address(address, reach)?;
    Ok(address.to_owned())
}

/// The replacement of a rule that replaces everything: `!.*!https://smp.example!`. The first character is the
/// delimiter (RFC 3402, section 3.2). A backreference is rejected: the address would depend on the participant.
fn literal(rule: &str) -> Option<&str> {
    let delimiter = rule.chars().next()?;
    let mut parts = rule.split(delimiter).skip(1);
    let (pattern, replacement, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let everything = matches!(pattern, ".*" | "^.*$" | "^.*" | ".*$");
    let plain = !replacement.contains('\\') && matches!(flags, "" | "i");
    (everything && plain && parts.next().is_none()).then_some(replacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(order: u16, preference: u16, flags: &str, services: &str, regexp: &str) -> Naptr {
        let [flags, services, regexp] = [flags, services, regexp].map(str::to_owned);
        Naptr { order, preference, flags, services, regexp }
    }

    #[test]
    fn the_first_record_for_an_smp_is_taken() {
        let records = [
            record(100, 20, "U", "Meta:SMP", "!.*!https://second.example!"),
            record(100, 10, "u", "meta:smp", "!.*!https://first.example/smp/!"),
            record(200, 1, "U", "Meta:SMP", "!.*!https://third.example!"),
            record(1, 1, "S", "Meta:SMP", "!.*!https://other.example!"),
            record(1, 1, "U", "E2U+sip", "!.*!sip:a@b.example!"),
        ];
        assert_eq!(publisher(&records, Reach::Https).unwrap(), "https://first.example/smp");
        assert_eq!(publisher(&records[3..], Reach::Https), Err(NaptrFault::NoPublisher));
    }

    #[test]
    fn a_rule_is_a_literal_address() {
        for (regexp, expected) in [
            ("!.*!https://smp.example!", Some("https://smp.example")),
            ("!^.*$!https://smp.example!i", Some("https://smp.example")),
            ("#.*#https://smp.example/!#", Some("https://smp.example/!")),
            ("/.*/https:..smp.example/", None),
            ("!(.*)!https://\\1.example!", None),
            ("!.*!https://\\0!", None),
            ("!^a!https://smp.example!", None),
            ("!.*!https://smp.example", None),
            ("!.*!https://smp.example!g", None),
            ("!.*!https://smp.example!!", None),
            ("!.*!http://smp.example!", None),
            ("!.*!!", None),
            ("", None),
            ("https://smp.example", None),
        ] {
            let found = publisher(&[record(1, 1, "U", "Meta:SMP", regexp)], Reach::Https);
            assert_eq!(found.ok().as_deref(), expected, "{regexp}");
        }
        let local = [record(1, 1, "U", "Meta:SMP", "!.*!http://127.0.0.1:8080!")];
        assert!(matches!(publisher(&local, Reach::Https), Err(NaptrFault::Address(_))));
        assert_eq!(publisher(&local, Reach::Loopback).unwrap(), "http://127.0.0.1:8080");
    }
}
