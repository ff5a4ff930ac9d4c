use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A Peppol participant (iso6523-actorid-upis): `scheme:value`, such as `0235:1345678901`.
///
/// Scheme 0235 is AE:TIN; its value is a TIN (10 digits). The network compares participant identifiers without regard
/// to case, so values are stored in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ParticipantId {
    scheme: String,
    value: String,
}

/// Why a string is not a participant identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a participant identifier is a 4-digit scheme, a colon and up to 50 printable characters")]
pub struct ParticipantError;

impl ParticipantId {
    /// The scheme of UAE tax identification numbers (AE:TIN).
    pub const TIN_SCHEME: &'static str = "0235";

    /// Combines a scheme and a value.
    pub fn new(scheme: &str, value: &str) -> Result<Self, ParticipantError> {
        let scheme_ok = scheme.len() == 4 && scheme.bytes().all(|b| b.is_ascii_digit());
        let value_ok =
            (1..=50).contains(&value.len()) && value.bytes().all(|b| (0x21..=0x7e).contains(&b));
        if scheme_ok && value_ok {
            Ok(ParticipantId { scheme: scheme.to_owned(), value: value.to_ascii_lowercase() })
        } else {
            Err(ParticipantError)
        }
    }

    /// The ISO 6523 scheme, 4 digits.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The value within the scheme.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The tax identification number: the first 10 digits of a 0235 value. Some businesses use their 15-digit TRN as
    /// the value.
    pub fn tin(&self) -> Option<&str> {
        let digits = self.value.get(..10)?;
        (self.scheme == Self::TIN_SCHEME && self.value.bytes().all(|b| b.is_ascii_digit()))
            .then_some(digits)
    }
}

#[cfg(feature = "service")]
impl From<&super::Tin> for ParticipantId {
    fn from(tin: &super::Tin) -> Self {
        ParticipantId { scheme: Self::TIN_SCHEME.to_owned(), value: tin.to_string() }
    }
}

impl FromStr for ParticipantId {
    type Err = ParticipantError;

    fn from_str(text: &str) -> Result<Self, ParticipantError> {
        let (scheme, value) = text.split_once(':').ok_or(ParticipantError)?;
        Self::new(scheme, value)
    }
}

impl TryFrom<String> for ParticipantId {
    type Error = ParticipantError;

    fn try_from(text: String) -> Result<Self, ParticipantError> {
        text.parse()
    }
}

impl From<ParticipantId> for String {
    fn from(id: ParticipantId) -> String {
        id.to_string()
    }
}

impl fmt::Display for ParticipantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.value)
    }
}
