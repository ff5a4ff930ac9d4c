use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

use super::{Random, sha256_hex};

/// Number of random bytes in a token: 256 bits.
const BYTES: usize = 32;

/// 256 random bits in base64url without padding: the token of a browser, a session or a link.
///
/// It exists only in memory, between its holder and its hash. It has no `Display`, and its `Debug` shows nothing.
#[derive(Clone)]
pub struct OpaqueToken(String);

impl OpaqueToken {
    /// A new token.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = [0; BYTES];
        random.fill(&mut bytes);
        OpaqueToken(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The hash for storage.
    pub fn hash(&self) -> TokenHash {
        TokenHash(sha256_hex(self.0.as_bytes()))
    }

    /// The token itself, for its holder.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// The text is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token is 256 bits in base64url without padding")]
pub struct NoToken;

impl FromStr for OpaqueToken {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        match URL_SAFE_NO_PAD.decode(text) {
            Ok(bytes) if bytes.len() == BYTES => Ok(OpaqueToken(text.to_owned())),
            _ => Err(NoToken),
        }
    }
}

impl fmt::Debug for OpaqueToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpaqueToken(…)")
    }
}

/// The SHA-256 of a token, in hex. It needs no salt, because a token has 256 random bits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(String);

impl TokenHash {
    /// The hash in hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TokenHash {
    type Err = NoToken;

    /// Reads a hash in hex, for example from a form that names its object by it.
    fn from_str(text: &str) -> Result<Self, NoToken> {
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 64 && text.bytes().all(is_hex) {
            true => Ok(TokenHash(text.to_owned())),
            false => Err(NoToken),
        }
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::types::SeededRandom;

    // ASVS 5, 7.2.3: "Verify that if reference tokens are used to represent user sessions, they are unique and
    // generated using a cryptographically secure pseudo-random number generator (CSPRNG) and possess at least 128 bits
    // of entropy."
    #[test]
    fn a_token_is_256_bits_and_none_is_like_another() {
        let random = SeededRandom::new(1);
        let tokens: Vec<_> = (0..1_000).map(|_| OpaqueToken::generate(&random)).collect();
        let hashes: BTreeSet<_> =
            tokens.iter().map(|token| token.hash().as_str().to_owned()).collect();
        assert_eq!(hashes.len(), 1_000);
        for token in tokens {
            assert_eq!(URL_SAFE_NO_PAD.decode(token.reveal()).unwrap().len() * 8, 256);
        }
    }

    #[test]
    fn what_is_no_token_is_refused_and_nothing_of_one_is_shown() {
        let token = OpaqueToken::generate(&SeededRandom::new(1));
        assert_eq!(token.reveal().parse::<OpaqueToken>().unwrap().hash(), token.hash());
        assert!(!format!("{token:?}{:?}", token.hash()).contains(&token.reveal()[..8]));
        let long = format!("{}A", token.reveal());
        for text in
            ["", "abc", &long, &token.reveal()[1..], &token.reveal().replace('_', "/")[..42]]
        {
            assert!(text.parse::<OpaqueToken>().is_err(), "{text}");
        }
    }
}
