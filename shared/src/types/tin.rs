use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A tax identification number of the United Arab Emirates: ten digits, starting with 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Tin(String);

/// The text is not a TIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a TIN has ten digits and begins with 1")]
pub struct NoTin;

impl Tin {
    /// The ten digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tin {
    type Err = NoTin;

    fn from_str(text: &str) -> Result<Self, NoTin> {
        let is_tin = text.len() == 10
            && text.starts_with('1')
            && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_tin { Ok(Tin(text.to_owned())) } else { Err(NoTin) }
    }
}

impl TryFrom<String> for Tin {
    type Error = NoTin;

    fn try_from(text: String) -> Result<Self, NoTin> {
        text.parse()
    }
}

impl From<Tin> for String {
    fn from(tin: Tin) -> String {
        tin.0
    }
}

impl fmt::Display for Tin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ParticipantId;

    #[test]
    fn a_tin_has_ten_digits_and_begins_with_one() {
        for wrong in
            ["", "123", "2001234501", "10012345011", "100123450x", "١٠٠١٢٣٤٥٠١", " 1001234501"]
        {
            assert_eq!(wrong.parse::<Tin>(), Err(NoTin), "{wrong}");
        }
        let tin: Tin = "1001234501".parse().unwrap();
        let participant = ParticipantId::from(&tin);
        assert_eq!(
            (participant.to_string().as_str(), participant.tin()),
            ("0235:1001234501", Some(tin.as_str()))
        );
    }
}
