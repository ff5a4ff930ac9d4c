//! Signing secrets at rest: AES-256-GCM under a key from Secrets Manager, bound to the endpoint
//! that they belong to.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::STANDARD};

use super::Secret;
use crate::types::{EndpointId, Mode, Random};

/// The key under which signing secrets are sealed.
pub struct SealingKey(LessSafeKey);

/// Why a secret could not be sealed or opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The configured string is too short to be a key.
    #[error("the sealing key needs a string of at least 32 characters")]
    WeakKey,
    /// Sealed under another key, for another endpoint, or damaged.
    #[error("the sealed secret does not open with this key for this endpoint")]
    Unopenable,
}

impl SealingKey {
    /// The key that a string from Secrets Manager stands for: its SHA-256.
    pub fn derive(text: &str) -> Result<Self, SealError> {
        if text.chars().count() < 32 {
            return Err(SealError::WeakKey);
        }
        let key = UnboundKey::new(&AES_256_GCM, digest(&SHA256, text.as_bytes()).as_ref())
            .map_err(|_| SealError::WeakKey)?;
        Ok(SealingKey(LessSafeKey::new(key)))
    }

    /// Seals a secret for one endpoint: base64 of a random nonce of 12 bytes, ciphertext and tag.
    pub fn seal(
        &self,
        secret: &Secret,
        mode: Mode,
        endpoint: &EndpointId,
        random: &dyn Random,
    ) -> Result<String, SealError> {
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce);
        let mut sealed = secret.expose().into_bytes();
        self.0
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                owner(mode, endpoint),
                &mut sealed,
            )
            .map_err(|_| SealError::Unopenable)?;
        Ok(STANDARD.encode([&nonce[..], &sealed].concat()))
    }

    /// Opens what [`SealingKey::seal`] made for the same endpoint.
    pub fn open(
        &self,
        sealed: &str,
        mode: Mode,
        endpoint: &EndpointId,
    ) -> Result<Secret, SealError> {
        let sealed = STANDARD.decode(sealed).map_err(|_| SealError::Unopenable)?;
        let (nonce, ciphertext) =
            sealed.split_at_checked(NONCE_LEN).ok_or(SealError::Unopenable)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Unopenable)?;
        let mut buffer = ciphertext.to_vec();
        let opened = self
            .0
            .open_in_place(nonce, owner(mode, endpoint), &mut buffer)
            .map_err(|_| SealError::Unopenable)?;
        let text = std::str::from_utf8(opened).map_err(|_| SealError::Unopenable)?;
        text.parse().map_err(|_| SealError::Unopenable)
    }
}

/// The owner is authenticated with the secret, so that a sealed secret moved to another endpoint
/// or mode does not open.
fn owner(mode: Mode, endpoint: &EndpointId) -> Aad<String> {
    Aad::from(format!("{}#ENDPOINT#{endpoint}", mode.key()))
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_secret_opens_for_its_own_endpoint_and_mode_alone() {
        let random = SeededRandom::new(3);
        let key = SealingKey::derive(KEY).unwrap();
        let [mine, other]: [EndpointId; 2] = ["we_1", "we_2"].map(|id| id.parse().unwrap());
        let secret = Secret::new(&random);
        let sealed = key.seal(&secret, Mode::Sandbox, &mine, &random).unwrap();

        assert_eq!(key.open(&sealed, Mode::Sandbox, &mine).unwrap(), secret);
        assert_eq!(key.open(&sealed, Mode::Live, &mine), Err(SealError::Unopenable));
        assert_eq!(key.open(&sealed, Mode::Sandbox, &other), Err(SealError::Unopenable));
        let another_key = SealingKey::derive(&KEY.replace('0', "f")).unwrap();
        assert_eq!(another_key.open(&sealed, Mode::Sandbox, &mine), Err(SealError::Unopenable));
    }

    #[test]
    fn damage_of_any_byte_is_noticed() {
        let random = SeededRandom::new(4);
        let key = SealingKey::derive(KEY).unwrap();
        let endpoint = "we_1".parse().unwrap();
        let sealed = key.seal(&Secret::new(&random), Mode::Live, &endpoint, &random).unwrap();
        let bytes = STANDARD.decode(&sealed).unwrap();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let damaged = STANDARD.encode(damaged);
            assert_eq!(key.open(&damaged, Mode::Live, &endpoint), Err(SealError::Unopenable));
        }
        for length in [0, 11, 12, 27] {
            let short = STANDARD.encode(&bytes[..length]);
            assert!(key.open(&short, Mode::Live, &endpoint).is_err());
        }
        assert!(key.open("not base64", Mode::Live, &endpoint).is_err());
    }

    #[test]
    fn the_same_secret_seals_differently_each_time() {
        let random = SeededRandom::new(5);
        let key = SealingKey::derive(KEY).unwrap();
        let (endpoint, secret) = ("we_1".parse().unwrap(), Secret::new(&random));
        let seal = || key.seal(&secret, Mode::Live, &endpoint, &random).unwrap();
        assert_ne!(seal(), seal());
    }

    #[test]
    fn a_short_string_is_no_key() {
        assert_eq!(SealingKey::derive(&KEY[1..]).unwrap_err(), SealError::WeakKey);
    }
}
