//! Message ids, and the digests of signed content.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use serde::{Deserialize, Serialize};

use crate::peppol::dom::unwrap_base64;

/// Longest message id, in characters.
const LONGEST_ID: usize = 255;

/// An `eb:MessageId`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MessageId(String);

/// Why a text is not a message id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a message id is 1 to {LONGEST_ID} printable characters without white space")]
pub struct MessageIdError;

impl MessageId {
    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MessageId {
    type Err = MessageIdError;

    // ebMS 3.0 core, 5.2.2.1 requires the form of RFC 2822. phase4 accepts any form, so the form is not checked here.
    fn from_str(text: &str) -> Result<Self, MessageIdError> {
        let fits = (1..=LONGEST_ID).contains(&text.chars().count());
        let printable = text.chars().all(|c| !c.is_whitespace() && !c.is_control());
        if fits && printable { Ok(MessageId(text.to_owned())) } else { Err(MessageIdError) }
    }
}

impl TryFrom<String> for MessageId {
    type Error = MessageIdError;

    fn try_from(text: String) -> Result<Self, MessageIdError> {
        text.parse()
    }
}

impl From<MessageId> for String {
    fn from(id: MessageId) -> String {
        id.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A SHA-256 digest; its text form is base64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// Why a text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 digest is 32 bytes in base64")]
pub struct DigestError;

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes);
        let mut own = [0; 32];
        own.iter_mut().zip(digest.as_ref()).for_each(|(own, byte)| *own = *byte);
        Digest(own)
    }

    /// The 32 bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let bytes = unwrap_base64(text).ok_or(DigestError)?;
        bytes.try_into().map(Digest).map_err(|_| DigestError)
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Self, DigestError> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One reference of a message's signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// `#id` of an element or `cid:` of an attachment.
    pub uri: String,
    /// The signed digest.
    pub digest: Digest,
}

/// All references of a message's signature. Its receipt must repeat them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct References(pub Vec<Reference>);

impl References {
    /// Whether `other` has the same references, in any order.
    pub fn same_as(&self, other: &References) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|own| other.0.contains(own))
    }
}
