//! Encryption of stored signing secrets and other keys: AES-256-GCM under a key from Secrets Manager. The owner, such
//! as the endpoint, is authenticated with the text.
//!
//! A sealed text is `v1.<key id>.<nonce>.<ciphertext and tag>`; the last two parts are base64url. It names its key,
//! so Secrets Manager can hold several keys. New texts are sealed under the current key. Texts under earlier keys can
//! be opened until they are sealed again.

use std::{collections::BTreeMap, fmt};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};

use super::Secret;
use crate::types::{EndpointId, Mode, Random};

const VERSION: &str = "v1";
/// The id of a single key without a name.
const UNNAMED: &str = "k0";
/// The JSON member with the id of the current key.
const CURRENT: &str = "current";

/// The keys that seal signing secrets and other secret values in the table.
pub struct SealingKeys {
    current: String,
    keys: BTreeMap<String, LessSafeKey>,
}

/// Why a secret could not be sealed or opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// A key is too short.
    #[error("the sealing key {0} needs a string of at least 32 characters")]
    WeakKey(String),
    /// The configured text does not name its keys correctly.
    #[error(
        "the sealing keys must be one string, or a JSON object with a string of at least 32 \
         characters for each key id (1 to 32 lower-case letters and digits) and with \"current\", \
         the id of one of them"
    )]
    Keys,
    /// The text is sealed under a key that is not configured.
    #[error("the text is sealed under the key {0}, which the secret does not hold")]
    UnknownKey(String),
    /// The text is sealed under another key with that id or for another owner, or is damaged.
    #[error("the sealed text does not open with this key for its owner")]
    Unopenable,
}

impl SealingKeys {
    /// Derives the keys from the text in Secrets Manager. A plain string is the key `k0`; a JSON object has several
    /// named keys. Each key is the SHA-256 of its string.
    pub fn derive(text: &str) -> Result<Self, SealError> {
        if !text.trim_start().starts_with('{') {
            let keys = BTreeMap::from([(UNNAMED.to_owned(), derive_one(UNNAMED, text)?)]);
            return Ok(SealingKeys { current: UNNAMED.to_owned(), keys });
        }
        let mut texts: BTreeMap<String, String> =
            serde_json::from_str(text).map_err(|_| SealError::Keys)?;
        let current = texts.remove(CURRENT).ok_or(SealError::Keys)?;
        if !texts.contains_key(&current) || !texts.keys().all(|id| is_key_id(id)) {
            return Err(SealError::Keys);
        }
        let keys = texts.into_iter().map(|(id, text)| {
            let key = derive_one(&id, &text)?;
            Ok((id, key))
        });
        Ok(SealingKeys { current, keys: keys.collect::<Result<_, SealError>>()? })
    }

    /// Seals a secret for one endpoint under the current key.
    pub fn seal(
        &self,
        secret: &Secret,
        mode: Mode,
        endpoint: &EndpointId,
        random: &dyn Random,
    ) -> Result<String, SealError> {
        self.seal_text(secret.expose(), &owner(mode, endpoint), random)
    }

    /// Seals a text under the current key, bound to `owner`. [`SealingKeys::open_text`] needs the same `owner`.
    pub fn seal_text(
        &self,
        text: String,
        owner: &str,
        random: &dyn Random,
    ) -> Result<String, SealError> {
        let key = self.key(&self.current)?;
        let head = format!("{VERSION}.{}", self.current);
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce);
        let mut sealed = text.into_bytes();
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(format!("{head}.{owner}")),
            &mut sealed,
        )
        .map_err(|_| SealError::Unopenable)?;
        let [nonce, sealed] = [&nonce[..], &sealed].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
        Ok(format!("{head}.{nonce}.{sealed}"))
    }

    /// Opens a secret that [`SealingKeys::seal`] sealed for the same endpoint, under the current or an earlier key.
    pub fn open(
        &self,
        sealed: &str,
        mode: Mode,
        endpoint: &EndpointId,
    ) -> Result<Secret, SealError> {
        let text = self.open_text(sealed, &owner(mode, endpoint))?;
        text.parse().map_err(|_| SealError::Unopenable)
    }

    /// Opens a text that [`SealingKeys::seal_text`] sealed for the same owner, under the current or an earlier key.
    pub fn open_text(&self, sealed: &str, owner: &str) -> Result<String, SealError> {
        let parts: Vec<&str> = sealed.split('.').collect();
        match *parts.as_slice() {
            [VERSION, id, nonce, ciphertext] => {
                let [nonce, ciphertext] =
                    [nonce, ciphertext].map(|text| URL_SAFE_NO_PAD.decode(text));
                let (Ok(nonce), Ok(ciphertext)) = (nonce, ciphertext) else {
                    return Err(SealError::Unopenable);
                };
                open_with(self.key(id)?, &nonce, &ciphertext, format!("{VERSION}.{id}.{owner}"))
            }
            // The format before keys had ids: nonce and ciphertext together, under any of the keys.
            [text] => {
                let bytes = STANDARD.decode(text).map_err(|_| SealError::Unopenable)?;
                let (nonce, ciphertext) =
                    bytes.split_at_checked(NONCE_LEN).ok_or(SealError::Unopenable)?;
                let owner = || owner.to_owned();
                let mut opened =
                    self.keys.values().map(|key| open_with(key, nonce, ciphertext, owner()));
                opened.find(Result::is_ok).unwrap_or(Err(SealError::Unopenable))
            }
            _ => Err(SealError::Unopenable),
        }
    }

    /// Whether a text is sealed under the current key in the current format.
    pub fn is_current(&self, sealed: &str) -> bool {
        let mut parts = sealed.split('.');
        parts.next() == Some(VERSION) && parts.next() == Some(&self.current)
    }

    fn key(&self, id: &str) -> Result<&LessSafeKey, SealError> {
        // A damaged text may have anything instead of the key id.
        let shown = || id.chars().take(32).collect();
        self.keys.get(id).ok_or_else(|| SealError::UnknownKey(shown()))
    }
}

fn derive_one(id: &str, text: &str) -> Result<LessSafeKey, SealError> {
    let weak = || SealError::WeakKey(id.to_owned());
    if text.chars().count() < 32 {
        return Err(weak());
    }
    let key = UnboundKey::new(&AES_256_GCM, digest(&SHA256, text.as_bytes()).as_ref());
    key.map(LessSafeKey::new).map_err(|_| weak())
}

fn is_key_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

fn open_with(
    key: &LessSafeKey,
    nonce: &[u8],
    ciphertext: &[u8],
    owner: String,
) -> Result<String, SealError> {
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Unopenable)?;
    let mut buffer = ciphertext.to_vec();
    let opened = key
        .open_in_place(nonce, Aad::from(owner), &mut buffer)
        .map_err(|_| SealError::Unopenable)?;
    std::str::from_utf8(opened).map(str::to_owned).map_err(|_| SealError::Unopenable)
}

/// The authenticated owner of a secret. A sealed secret that is moved to another endpoint or mode does not open.
fn owner(mode: Mode, endpoint: &EndpointId) -> String {
    format!("{}#ENDPOINT#{endpoint}", mode.key())
}

impl fmt::Debug for SealingKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealingKeys").field("current", &self.current).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    const KEY: &str = "0123456789abcdef0123456789abcdef";
    const NEW: &str = "fedcba9876543210fedcba9876543210";

    fn endpoint() -> EndpointId {
        "we_1".parse().unwrap()
    }

    #[test]
    fn a_secret_opens_for_its_own_endpoint_and_mode_alone() {
        let random = SeededRandom::new(3);
        let keys = SealingKeys::derive(KEY).unwrap();
        let [mine, other]: [EndpointId; 2] = ["we_1", "we_2"].map(|id| id.parse().unwrap());
        let secret = Secret::new(&random);
        let sealed = keys.seal(&secret, Mode::Sandbox, &mine, &random).unwrap();

        assert_eq!(keys.open(&sealed, Mode::Sandbox, &mine).unwrap(), secret);
        assert_eq!(keys.open(&sealed, Mode::Live, &mine), Err(SealError::Unopenable));
        assert_eq!(keys.open(&sealed, Mode::Sandbox, &other), Err(SealError::Unopenable));
        let another_key = SealingKeys::derive(NEW).unwrap();
        assert_eq!(another_key.open(&sealed, Mode::Sandbox, &mine), Err(SealError::Unopenable));
    }

    #[test]
    fn a_text_names_its_key_and_opens_while_the_secret_holds_that_key() {
        let random = SeededRandom::new(6);
        let secret = Secret::new(&random);
        let old = SealingKeys::derive(KEY).unwrap();
        let sealed = old.seal(&secret, Mode::Live, &endpoint(), &random).unwrap();
        assert!(sealed.starts_with("v1.k0."), "{sealed}");

        let both = format!(r#"{{"current": "k1", "k1": "{NEW}", "k0": "{KEY}"}}"#);
        let both = SealingKeys::derive(&both).unwrap();
        assert!(old.is_current(&sealed) && !both.is_current(&sealed));
        assert_eq!(both.open(&sealed, Mode::Live, &endpoint()).unwrap(), secret);
        let again = both.seal(&secret, Mode::Live, &endpoint(), &random).unwrap();
        assert!(again.starts_with("v1.k1.") && both.is_current(&again), "{again}");

        let new = SealingKeys::derive(&format!(r#"{{"current": "k1", "k1": "{NEW}"}}"#)).unwrap();
        assert_eq!(new.open(&again, Mode::Live, &endpoint()).unwrap(), secret);
        let failure = new.open(&sealed, Mode::Live, &endpoint());
        assert_eq!(failure, Err(SealError::UnknownKey("k0".to_owned())));
        // The key id is authenticated: a text cannot pass as sealed under another key.
        let renamed = again.replacen("v1.k1.", "v1.k0.", 1);
        assert_eq!(both.open(&renamed, Mode::Live, &endpoint()), Err(SealError::Unopenable));
    }

    #[test]
    fn a_text_of_before_keys_had_names_opens_under_any_of_them() {
        // The earlier format: base64 of nonce, ciphertext and tag; only the owner is authenticated.
        let key = derive_one("k0", KEY).unwrap();
        let secret = Secret::new(&SeededRandom::new(7));
        let nonce = [7; NONCE_LEN];
        let mut sealed = secret.expose().into_bytes();
        let owner = Aad::from("LIVE#ENDPOINT#we_1");
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), owner, &mut sealed)
            .unwrap();
        let sealed = STANDARD.encode([&nonce[..], &sealed].concat());

        let both = format!(r#"{{"current": "k1", "k1": "{NEW}", "k0": "{KEY}"}}"#);
        for keys in [KEY, &both] {
            let keys = SealingKeys::derive(keys).unwrap();
            assert_eq!(keys.open(&sealed, Mode::Live, &endpoint()).unwrap(), secret);
            assert!(!keys.is_current(&sealed));
        }
        let without = SealingKeys::derive(NEW).unwrap();
        assert_eq!(without.open(&sealed, Mode::Live, &endpoint()), Err(SealError::Unopenable));
    }

    #[test]
    fn damage_of_any_character_is_noticed() {
        let random = SeededRandom::new(4);
        let keys = SealingKeys::derive(KEY).unwrap();
        let sealed = keys.seal(&Secret::new(&random), Mode::Live, &endpoint(), &random).unwrap();
        for place in 0..sealed.len() {
            for other in ["A", "B", "."] {
                let mut damaged = sealed.clone();
                damaged.replace_range(place..=place, other);
                let opened = keys.open(&damaged, Mode::Live, &endpoint());
                assert!(damaged == sealed || opened.is_err(), "{damaged}");
            }
            assert!(keys.open(&sealed[..place], Mode::Live, &endpoint()).is_err());
        }
        for text in ["", "not base64", "v1", "v2.k0.AAAA.AAAA", "v1.k0.AAAA.AAAA.AAAA"] {
            assert!(keys.open(text, Mode::Live, &endpoint()).is_err(), "{text}");
        }
    }

    #[test]
    fn the_same_secret_seals_differently_each_time() {
        let random = SeededRandom::new(5);
        let keys = SealingKeys::derive(KEY).unwrap();
        let secret = Secret::new(&random);
        let seal = || keys.seal(&secret, Mode::Live, &endpoint(), &random).unwrap();
        assert_ne!(seal(), seal());
    }

    #[test]
    fn keys_that_are_short_or_misnamed_are_refused() {
        let weak = |id: &str| SealError::WeakKey(id.to_owned());
        for (text, error) in [
            (KEY[1..].to_owned(), weak("k0")),
            (format!(r#"{{"current": "k1", "k1": "{}"}}"#, &KEY[1..]), weak("k1")),
            (format!(r#"{{"k1": "{KEY}"}}"#), SealError::Keys),
            (format!(r#"{{"current": "k2", "k1": "{KEY}"}}"#), SealError::Keys),
            (format!(r#"{{"current": "k.1", "k.1": "{KEY}"}}"#), SealError::Keys),
            (format!(r#"{{"current": "k1", "k1": ["{KEY}"]}}"#), SealError::Keys),
            ("{}".to_owned(), SealError::Keys),
            ("{".to_owned(), SealError::Keys),
        ] {
            assert_eq!(SealingKeys::derive(&text).unwrap_err(), error, "{text}");
        }
    }
}
