//! The key for the migration of a participant to another SMP.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::types::Random;

/// Shortest and longest key, in characters (BDMSL, "prepareToMigrate").
const LENGTH: std::ops::RangeInclusive<usize> = 8..=24;
/// Minimum number of characters of each class.
const OF_EACH: usize = 2;

const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &[u8] = b"0123456789";
const SPECIAL: &[u8] = b"@#$%()[]{}*^-!~|+=";
const CLASSES: [&[u8]; 4] = [LOWER, UPPER, DIGITS, SPECIAL];

/// A migration key. Whoever has it can take over the participant, so it is never logged.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MigrationKey(String);

/// Why a text is not a migration key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a migration key has 8 to 24 characters: at least 2 each of small letters, capital letters, digits and @#$%()[]{{}}*^-!~|+= , and no others"
)]
pub struct MigrationKeyError;

impl MigrationKey {
    /// Generates a key of the maximum length.
    pub fn generate(random: &dyn Random) -> Self {
        let mut picks = [0; *LENGTH.end()];
        random.fill(&mut picks);
        // The classes alternate, so that each has enough characters.
        let characters = picks.iter().zip(CLASSES.iter().cycle());
        let pick = |(pick, class): (&u8, &&[u8])| {
            class.get(usize::from(*pick) % class.len()).copied().map(char::from)
        };
        MigrationKey(characters.filter_map(pick).collect())
    }

    /// The key's text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for MigrationKey {
    type Err = MigrationKeyError;

    fn from_str(text: &str) -> Result<Self, MigrationKeyError> {
        let of = |class: &[u8]| text.bytes().filter(|byte| class.contains(byte)).count();
        let counts = CLASSES.map(of);
        let fits = LENGTH.contains(&text.len())
            && counts.iter().sum::<usize>() == text.len()
            && counts.iter().all(|count| *count >= OF_EACH);
        if fits { Ok(MigrationKey(text.to_owned())) } else { Err(MigrationKeyError) }
    }
}

impl TryFrom<String> for MigrationKey {
    type Error = MigrationKeyError;

    fn try_from(text: String) -> Result<Self, MigrationKeyError> {
        text.parse()
    }
}

impl From<MigrationKey> for String {
    fn from(key: MigrationKey) -> String {
        key.0
    }
}

impl fmt::Debug for MigrationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MigrationKey(…)")
    }
}
