use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::is_printable;
use crate::types::MessageId;

/// Longest envelope identifier accepted. A UUID has 36 characters.
const LONGEST: usize = 255;

/// The identifier of an envelope (SBDH InstanceIdentifier), to which a status refers. Our identifiers are
/// [`MessageId`]s. Those of other providers should be UUIDs, but need not be.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InstanceId(String);

/// Why a text is not an envelope identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstanceIdError {
    /// The text is empty.
    #[error("an InstanceIdentifier must not be empty")]
    Empty,
    /// The text is too long, or has characters outside printable ASCII.
    #[error("an InstanceIdentifier has at most {LONGEST} printable ASCII characters, no spaces")]
    Form,
}

impl InstanceId {
    /// The identifier's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&MessageId> for InstanceId {
    fn from(id: &MessageId) -> Self {
        InstanceId(id.to_string())
    }
}

impl FromStr for InstanceId {
    type Err = InstanceIdError;

    fn from_str(text: &str) -> Result<Self, InstanceIdError> {
        if text.is_empty() {
            Err(InstanceIdError::Empty)
        } else if text.len() > LONGEST || !is_printable(text) {
            Err(InstanceIdError::Form)
        } else {
            Ok(InstanceId(text.to_owned()))
        }
    }
}

impl TryFrom<String> for InstanceId {
    type Error = InstanceIdError;

    fn try_from(text: String) -> Result<Self, InstanceIdError> {
        text.parse()
    }
}

impl From<InstanceId> for String {
    fn from(id: InstanceId) -> String {
        id.0
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_is_called_by_any_printable_text() {
        for text in ["123123", "3739db04-7e4e-4c89-b170-c543dd252249", "uuid:1@host"] {
            assert_eq!(text.parse::<InstanceId>().unwrap().as_str(), text);
        }
        let long = "1".repeat(LONGEST + 1);
        for (text, error) in [
            ("", InstanceIdError::Empty),
            (" ", InstanceIdError::Form),
            ("a b", InstanceIdError::Form),
            ("\u{e9}", InstanceIdError::Form),
            (&long, InstanceIdError::Form),
        ] {
            assert_eq!(text.parse::<InstanceId>(), Err(error), "{text:?}");
        }
    }
}
