use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::types::{Mode, Random, sha256_hex};

const LIVE_PREFIX: &str = "pk_live_";
const SANDBOX_PREFIX: &str = "pk_test_";
/// 256 random bits in base64url without padding.
const SECRET_LENGTH: usize = 43;

/// An organization API key in the clear: `pk_live_` or `pk_test_` and 256 random bits in base64url.
///
/// It exists in memory only, between a request's header and its hash, or once when it is made. It
/// has no `Display`, and its `Debug` shows no secret.
pub struct PresentedKey {
    mode: Mode,
    text: String,
}

impl PresentedKey {
    /// A new key.
    pub fn generate(mode: Mode, random: &dyn Random) -> Self {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        PresentedKey { mode, text: format!("{}{}", prefix(mode), URL_SAFE_NO_PAD.encode(secret)) }
    }

    /// The key in an `Authorization` header: `Api-Key <API_KEY>`. The scheme's name is compared
    /// without regard to case (RFC 9110, section 11.1).
    pub fn from_authorization(header: &str) -> Option<Self> {
        let (scheme, text) = header.split_once(' ')?;
        let text = text.trim_matches(' ');
        if !scheme.eq_ignore_ascii_case("Api-Key") {
            return None;
        }
        let mode =
            [Mode::Live, Mode::Sandbox].into_iter().find(|mode| text.starts_with(prefix(*mode)))?;
        let secret = text.strip_prefix(prefix(mode))?;
        let well_formed = secret.len() == SECRET_LENGTH
            && secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        well_formed.then(|| PresentedKey { mode, text: text.to_owned() })
    }

    /// The mode that the key's prefix names.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The key's hash, under which it is stored.
    pub fn hash(&self) -> KeyHash {
        KeyHash(sha256_hex(self.text.as_bytes()))
    }

    /// The key itself, to be shown once to the one who asked for it.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for PresentedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", prefix(self.mode))
    }
}

fn prefix(mode: Mode) -> &'static str {
    match mode {
        Mode::Live => LIVE_PREFIX,
        Mode::Sandbox => SANDBOX_PREFIX,
    }
}

/// The SHA-256 of an API key, in hex. A key has 256 random bits, so it needs no salt.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyHash(String);

impl KeyHash {
    /// The hash in hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a presented key has this hash; takes the same time wherever they differ.
    pub fn matches(&self, key: &PresentedKey) -> bool {
        self.0.as_bytes().ct_eq(key.hash().0.as_bytes()).into()
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}
