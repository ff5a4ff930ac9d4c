use std::{fmt, marker::PhantomData};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::types::{Mode, Random, sha256_hex};

/// 256 random bits in base64url without padding.
const SECRET_LENGTH: usize = 43;

/// Number of characters of an API key, after its prefix, that stay visible to its holder.
const SHOWN_LENGTH: usize = 5;

/// A kind of secret that callers present. Its prefix names the kind and the mode: for people, for this service, and
/// for tools that search code for leaked secrets.
pub trait Kind {
    /// The prefix in Live.
    const LIVE: &'static str;
    /// The prefix in Sandbox.
    const SANDBOX: &'static str;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $live:literal, $sandbox:literal => $presented:ident, $hash:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind {}

        impl Kind for $kind {
            const LIVE: &'static str = $live;
            const SANDBOX: &'static str = $sandbox;
        }

        $(#[$doc])*
        /// In plain text.
        pub type $presented = Presented<$kind>;

        $(#[$doc])*
        /// Its stored hash.
        pub type $hash = Hash<$kind>;
    )*};
}

kinds! {
    /// An organization's API key.
    KeyKind: "pk_live_", "pk_test_" => PresentedKey, KeyHash;
    /// The secret of an OAuth client (RFC 6749, section 2.3.1).
    ClientSecretKind: "cs_live_", "cs_test_" => PresentedClientSecret, ClientSecretHash;
    /// The handle of an authorization request, until the taxpayer decides.
    RequestKind: "ar_live_", "ar_test_" => PresentedRequest, RequestHash;
    /// An authorization code (RFC 6749, section 4.1).
    CodeKind: "ac_live_", "ac_test_" => PresentedCode, CodeHash;
    /// An access token (RFC 6749, section 1.4).
    AccessTokenKind: "at_live_", "at_test_" => PresentedAccessToken, AccessTokenHash;
    /// A refresh token (RFC 6749, section 1.5).
    RefreshTokenKind: "rt_live_", "rt_test_" => PresentedRefreshToken, RefreshTokenHash;
}

/// A secret in plain text: a prefix and 256 random bits in base64url.
///
/// It exists only in memory: between a request and its hash, or once after its creation. It has no `Display`, and its
/// `Debug` shows no secret.
pub struct Presented<K> {
    mode: Mode,
    text: String,
    kind: PhantomData<K>,
}

impl<K: Kind> Presented<K> {
    /// A new secret.
    pub fn generate(mode: Mode, random: &dyn Random) -> Self {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        let text = format!("{}{}", prefix::<K>(mode), URL_SAFE_NO_PAD.encode(secret));
        Presented { mode, text, kind: PhantomData }
    }

    /// Reads a text of the right form.
    pub fn parse(text: &str) -> Option<Self> {
        let modes = [Mode::Live, Mode::Sandbox];
        let mode = modes.into_iter().find(|mode| text.starts_with(prefix::<K>(*mode)))?;
        let secret = text.strip_prefix(prefix::<K>(mode))?;
        let well_formed = secret.len() == SECRET_LENGTH
            && secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        well_formed.then(|| Presented { mode, text: text.to_owned(), kind: PhantomData })
    }

    /// The mode that the prefix names.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The hash for storage.
    pub fn hash(&self) -> Hash<K> {
        Hash(sha256_hex(self.text.as_bytes()), PhantomData)
    }

    /// The secret itself, to show once after its creation.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

impl PresentedKey {
    /// Its prefix and the next five characters, by which its holder tells it from other keys with the same name. Each
    /// character has six bits: of 256 bits, 226 stay secret.
    pub fn beginning(&self) -> &str {
        &self.text[..prefix::<KeyKind>(self.mode).len() + SHOWN_LENGTH]
    }
}

impl PresentedCode {
    /// The authorization code for an authorization request; a repeated approval gives the same code. Only the browser
    /// knows the handle, and only this service knows `salt`. Therefore neither the table, which has the handle's
    /// hash, nor the page's address reveals the code.
    pub fn answering(handle: &PresentedRequest, salt: &str) -> Self {
        let digest = Sha256::new()
            .chain_update(b"authorization code\0")
            .chain_update(handle.text.as_bytes())
            .chain_update(b"\0")
            .chain_update(salt.as_bytes())
            .finalize();
        let text = format!("{}{}", prefix::<CodeKind>(handle.mode), URL_SAFE_NO_PAD.encode(digest));
        Presented { mode: handle.mode, text, kind: PhantomData }
    }
}

impl<K: Kind> fmt::Debug for Presented<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", prefix::<K>(self.mode))
    }
}

fn prefix<K: Kind>(mode: Mode) -> &'static str {
    match mode {
        Mode::Live => K::LIVE,
        Mode::Sandbox => K::SANDBOX,
    }
}

/// The SHA-256 of a secret, in hex. It needs no salt, because a secret has 256 random bits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Hash<K>(String, #[serde(skip)] PhantomData<K>);

impl<K: Kind> Hash<K> {
    /// The hash in hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a presented secret has this hash; in constant time.
    pub fn matches(&self, presented: &Presented<K>) -> bool {
        self.0.as_bytes().ct_eq(presented.hash().0.as_bytes()).into()
    }
}

impl<K> fmt::Debug for Hash<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hash(…)")
    }
}
