use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::sha256_hex;

/// The longest address (RFC 5321, section 4.5.3.1.3, less the angle brackets).
const MAX_LENGTH: usize = 254;
/// The longest part before the at sign (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL: usize = 64;
/// The longest label of a domain (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;

/// A normalized e-mail address: a dot-atom at a domain name of at least two labels (RFC 5322, section 3.4.1), in
/// lower case. RFC 5321, section 2.4 lets the receiver decide about the case of the local part, but no common
/// receiver distinguishes it. The address is personal data, so its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EmailAddress(String);

/// The text is not an e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an e-mail address is name@domain, in ASCII, of at most {MAX_LENGTH} characters")]
pub struct NoAddress;

impl EmailAddress {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// SHA-256 of the address in hex, the key for lookups.
    pub fn hash(&self) -> String {
        sha256_hex(self.0.as_bytes())
    }
}

impl FromStr for EmailAddress {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim_matches([' ', '\t']);
        let (local, domain) = text.rsplit_once('@').ok_or(NoAddress)?;
        // RFC 5322, section 3.2.3: atext.
        let atext =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        let is_atom = |atom: &str| !atom.is_empty() && atom.bytes().all(atext);
        let is_label = |label: &str| {
            (1..=MAX_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let good = text.len() <= MAX_LENGTH
            && local.len() <= MAX_LOCAL
            && local.split('.').all(is_atom)
            && domain.contains('.')
            && domain.split('.').all(is_label);
        if good { Ok(EmailAddress(text.to_ascii_lowercase())) } else { Err(NoAddress) }
    }
}

impl TryFrom<String> for EmailAddress {
    type Error = NoAddress;

    fn try_from(text: String) -> Result<Self, NoAddress> {
        text.parse()
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> String {
        address.0
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_however_its_letters_are_written() {
        let [a, b] = ["Accounts@Example.COM", " accounts@example.com\t"]
            .map(|text| text.parse::<EmailAddress>().unwrap());
        assert_eq!(a, b);
        assert_eq!(a.hash(), sha256_hex(b"accounts@example.com"));
        assert!(!format!("{a:?}").contains("accounts"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(65));
        let longer = format!("a@{}.com", ["a".repeat(60).as_str(); 5].join("."));
        for text in [
            "",
            "@",
            "a",
            "a@b",
            "@example.com",
            "a@example..com",
            "a@-example.com",
            "a..b@example.com",
            ".a@example.com",
            "a b@example.com",
            "a@exa mple.com",
            "a@example.com\nBcc: b@example.com",
            "a@example.com,b@example.com",
            "<a@example.com>",
            "\"a\"@example.com",
            "a@[127.0.0.1]",
            "عربي@example.com",
            &long,
            &longer,
        ] {
            assert!(text.parse::<EmailAddress>().is_err(), "{text}");
        }
        assert!("o'neil+tag@sub.example.co".parse::<EmailAddress>().is_ok());
    }
}
