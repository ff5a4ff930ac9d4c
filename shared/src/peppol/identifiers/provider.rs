use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::quoted;
use crate::types::ParticipantId;

/// Digits in a provider's main identifier.
const MAIN_DIGITS: usize = 6;

/// The seat of a service provider, such as `PAE000123`. It is the subject of the access point's certificate and the
/// party in AS4.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeatId {
    text: String,
    spid: Spid,
}

/// Why a text is not a seat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a seat id: P, two capital letters and six digits")]
pub struct SeatIdError(String);

impl SeatId {
    /// The seat's text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The provider as a participant. It is the default address for statuses.
    pub fn spid(&self) -> &Spid {
        &self.spid
    }
}

impl FromStr for SeatId {
    type Err = SeatIdError;

    fn from_str(text: &str) -> Result<Self, SeatIdError> {
        let error = || SeatIdError(quoted(text));
        let (country, number) =
            text.strip_prefix('P').and_then(|rest| rest.split_at_checked(2)).ok_or_else(error)?;
        if !country.bytes().all(|byte| byte.is_ascii_uppercase()) || number.len() != MAIN_DIGITS {
            return Err(error());
        }
        // `Spid::new` checks that the number has only digits.
        let spid = Spid::new(number).map_err(|_| error())?;
        Ok(SeatId { text: text.to_owned(), spid })
    }
}

/// A service provider as a participant (scheme 0242, SPIS): `000306`. With a use case and a part of it:
/// `000306-MLS.PART`. Comparison ignores case; the text keeps its case.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Spid {
    value: String,
    participant: ParticipantId,
}

/// Why a text is not a service provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpidError {
    /// The participant has another scheme.
    #[error("{0:?} is not a service provider: its scheme is not 0242")]
    Scheme(String),
    /// The value does not match the pattern of SPIS.
    #[error(
        "{0:?} is no service provider: six digits, then perhaps - and a use case of 3 to 12 letters, digits or _, then perhaps . and 3 to 24 letters, digits or -._~"
    )]
    Value(String),
}

impl Spid {
    /// The scheme of service providers (SPIS).
    pub const SCHEME: &'static str = "0242";

    /// Reads a value of the scheme, such as `000306-MLS`.
    pub fn new(value: &str) -> Result<Self, SpidError> {
        let error = || SpidError::Value(quoted(value));
        if !is_spid(value) {
            return Err(error());
        }
        let participant = ParticipantId::new(Self::SCHEME, value).map_err(|_| error())?;
        Ok(Spid { value: value.to_owned(), participant })
    }

    /// The value within the scheme.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The six digits that identify the provider in every use case.
    pub fn main_id(&self) -> &str {
        self.value.get(..MAIN_DIGITS).unwrap_or_default()
    }

    /// The provider as a participant, for lookups and as a receiver.
    pub fn participant(&self) -> &ParticipantId {
        &self.participant
    }
}

impl PartialEq for Spid {
    fn eq(&self, other: &Self) -> bool {
        self.participant == other.participant
    }
}

impl Eq for Spid {}

impl Hash for Spid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.participant.hash(state);
    }
}

impl Ord for Spid {
    fn cmp(&self, other: &Self) -> Ordering {
        self.participant.cmp(&other.participant)
    }
}

impl PartialOrd for Spid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The pattern of SPIS, ignoring case: `[0-9]{6}(-[0-9A-Z_]{3,12}(\.[0-9A-Z\-._~]{3,24})?)?`.
fn is_spid(value: &str) -> bool {
    let Some((main, rest)) = value.split_at_checked(MAIN_DIGITS) else { return false };
    if !main.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    let Some(rest) = rest.strip_prefix('-') else { return false };
    let (use_case, part) = match rest.split_once('.') {
        Some((use_case, part)) => (use_case, Some(part)),
        None => (rest, None),
    };
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let use_case_fits = (3..=12).contains(&use_case.len()) && use_case.bytes().all(letter);
    let part_fits = part.is_none_or(|part| {
        (3..=24).contains(&part.len())
            && part.bytes().all(|byte| letter(byte) || matches!(byte, b'-' | b'.' | b'~'))
    });
    use_case_fits && part_fits
}

impl TryFrom<&ParticipantId> for Spid {
    type Error = SpidError;

    fn try_from(participant: &ParticipantId) -> Result<Self, SpidError> {
        if participant.scheme() != Self::SCHEME {
            return Err(SpidError::Scheme(participant.to_string()));
        }
        Self::new(participant.value())
    }
}

/// The participant, `0242:000306`.
impl fmt::Display for Spid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Self::SCHEME, self.value)
    }
}

impl FromStr for Spid {
    type Err = SpidError;

    fn from_str(text: &str) -> Result<Self, SpidError> {
        match text.split_once(':') {
            Some((Self::SCHEME, value)) => Self::new(value),
            _ => Err(SpidError::Scheme(quoted(text))),
        }
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Serde reads and writes both identifiers as text.
macro_rules! as_text {
    ($name:ident, $error:ident) => {
        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, $error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }
    };
}

as_text!(SeatId, SeatIdError);
as_text!(Spid, SpidError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_names_its_provider() {
        let seat: SeatId = "POP000306".parse().unwrap();
        assert_eq!(seat.spid().to_string(), "0242:000306");
        assert_eq!(seat.spid().participant().to_string(), "0242:000306");
        assert_eq!(seat.to_string(), "POP000306");
    }

    #[test]
    fn what_is_no_seat_is_refused() {
        for text in [
            "",
            "P",
            "POP",
            "POP00030",
            "POP0003060",
            "pop000306",
            "XOP000306",
            "P1P000306",
            "POP00030A",
            "POP-00306",
            "POP000306 ",
            "P\u{e9}000306",
            "PO\u{e9}00306",
            "POP٠٠٠٣٠٦",
        ] {
            assert!(text.parse::<SeatId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_pattern_of_providers_is_the_official_one() {
        for good in [
            "000306",
            "000306-MLS",
            "000306-mls",
            "000306-A_9",
            "000306-ABCDEFGHIJKL",
            "123456-MLS.ANYTHING",
            "234567-mls.P12345.99",
            "000306-MLS.a-._~",
            "000306-MLS.ABCDEFGHIJKLMNOPQRSTUVWX",
        ] {
            let spid = Spid::new(good).unwrap();
            assert_eq!(spid.main_id(), &good[..6]);
            assert_eq!(spid.value(), good);
            assert_eq!(Spid::new(&good.to_uppercase()), Ok(spid.clone()));
            assert_eq!(Spid::try_from(spid.participant()), Ok(spid.clone()));
            assert_eq!(spid.to_string().parse(), Ok(spid));
        }
        for bad in [
            "",
            "00030",
            "0003060",
            "00030A",
            "000306-",
            "000306-ML",
            "000306-ABCDEFGHIJKLM",
            "000306-ML-S",
            "000306.MLS",
            "000306-MLS.",
            "000306-MLS.AB",
            "000306-MLS.A B",
            "000306-MLS.ABCDEFGHIJKLMNOPQRSTUVWXY",
            "00030\u{e9}",
            "000306-ÄÖÜ",
            " 000306",
        ] {
            assert_eq!(Spid::new(bad), Err(SpidError::Value(bad.to_owned())));
        }
    }

    #[test]
    fn providers_are_equal_without_regard_to_case() {
        assert_eq!(Spid::new("000306-mls.abc"), Spid::new("000306-MLS.ABC"));
    }

    #[test]
    fn a_participant_of_another_scheme_is_no_provider() {
        let participant: ParticipantId = "9915:000306".parse().unwrap();
        assert!(matches!(Spid::try_from(&participant), Err(SpidError::Scheme(_))));
        assert!(matches!("9915:000306".parse::<Spid>(), Err(SpidError::Scheme(_))));
        assert!(matches!("000306".parse::<Spid>(), Err(SpidError::Scheme(_))));
    }
}
