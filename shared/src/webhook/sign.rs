//! Webhook signatures: Standard Webhooks 1.0.0, section "Webhook signature", symmetric scheme `v1`.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use sha2::Sha256;

use crate::types::Random;

/// The User-Agent of our requests.
const USER_AGENT: &str = concat!("access-point/", env!("CARGO_PKG_VERSION"));
/// The prefix of a symmetric signature.
pub(super) const SCHEME: &str = "v1,";

/// A signing secret: 24 to 64 random bytes, written `whsec_` and base64.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// Why a string is not a signing secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a signing secret is whsec_ and the standard base64 of 24 to 64 bytes")]
pub struct SecretError;

impl Secret {
    /// The prefix of a secret in text form.
    pub const PREFIX: &'static str = "whsec_";

    /// A new secret of 32 bytes.
    pub fn new(random: &dyn Random) -> Self {
        let mut bytes = vec![0; 32];
        random.fill(&mut bytes);
        Secret(bytes)
    }

    /// The secret in its text form, for its owner only.
    pub fn expose(&self) -> String {
        format!("{}{}", Self::PREFIX, STANDARD.encode(&self.0))
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(Self::PREFIX).ok_or(SecretError)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SecretError)?;
        // "between 24 bytes (192 bits) and 64 bytes (512 bits)" (Standard Webhooks, symmetric keys)
        if (24..=64).contains(&bytes.len()) { Ok(Secret(bytes)) } else { Err(SecretError) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The `webhook-signature` header of one attempt: a `v1,` signature for each secret, separated by spaces. During a
/// rotation, a receiver accepts it with the old or the new secret.
///
/// `at` is the time of the attempt, and `body` must be exactly the bytes that are sent.
pub fn signature(secrets: &[Secret], id: &str, at: Timestamp, body: &[u8]) -> String {
    let timestamp = at.as_second().to_string();
    let sign = |secret| STANDARD.encode(mac(secret, id, &timestamp, body).finalize().into_bytes());
    let signatures: Vec<String> =
        secrets.iter().map(|secret| format!("{SCHEME}{}", sign(secret))).collect();
    signatures.join(" ")
}

/// The headers of one attempt (Standard Webhooks 1.0.0, "Webhook headers"), with its [`signature`].
pub fn headers(secrets: &[Secret], id: &str, at: Timestamp, body: &[u8]) -> HeaderMap {
    let texts = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::USER_AGENT, USER_AGENT.to_owned()),
        (HeaderName::from_static("webhook-id"), id.to_owned()),
        (HeaderName::from_static("webhook-timestamp"), at.as_second().to_string()),
        (HeaderName::from_static("webhook-signature"), signature(secrets, id, at, body)),
    ];
    let valid = texts.into_iter().filter_map(|(name, text)| {
        // All of these are ASCII.
        HeaderValue::try_from(text).ok().map(|value| (name, value))
    });
    valid.collect()
}

/// HMAC-SHA256 over `{id}.{timestamp}.{body}`.
#[expect(clippy::expect_used, reason = "HMAC takes keys of every length (RFC 2104, section 2)")]
pub(super) fn mac(secret: &Secret, id: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret.0).expect("HMAC takes every key");
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    mac
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const ID: &str = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
    const BODY: &[u8] = br#"{"email":"test@example.com","username":"test_user"}"#;
    const SIGNATURE: &str = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";

    fn at() -> Timestamp {
        Timestamp::from_second(1_649_367_553).unwrap()
    }

    #[test]
    fn the_test_vector_of_the_specification_is_met() {
        assert_eq!(signature(&[SECRET.parse().unwrap()], ID, at(), BODY), SIGNATURE);
    }

    #[test]
    fn every_secret_gives_its_own_signature() {
        let secrets = [SECRET.parse().unwrap(), Secret::new(&SeededRandom::new(7))];
        let header = signature(&secrets, ID, at(), BODY);
        let parts: Vec<&str> = header.split(' ').collect();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0], SIGNATURE);
        assert!(parts[1].starts_with("v1,") && parts[1] != SIGNATURE);
    }

    #[test]
    fn a_fraction_of_a_second_is_not_signed() {
        let late = Timestamp::from_millisecond(1_649_367_553_999).unwrap();
        assert_eq!(signature(&[SECRET.parse().unwrap()], ID, late, BODY), SIGNATURE);
    }

    #[test]
    fn secrets_are_24_to_64_bytes_in_standard_base64() {
        for (bytes, good) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            let text = format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
            assert_eq!(text.parse::<Secret>().is_ok(), good, "{bytes} bytes");
        }
        for text in ["", "whsec_", "C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "whsec_!!!!"] {
            assert_eq!(text.parse::<Secret>(), Err(SecretError), "{text:?}");
        }
    }

    #[test]
    fn a_secret_reads_back_and_does_not_show_itself() {
        let secret = Secret::new(&SeededRandom::new(1));
        assert_eq!(secret.expose().parse::<Secret>().unwrap(), secret);
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
