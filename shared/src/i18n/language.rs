use serde::{Deserialize, Serialize};

/// A language of the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Arabic.
    Arabic,
}

/// Maximum number of preferences that are read from an `Accept-Language` header.
const PREFERENCES: usize = 20;

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::Arabic];

    /// The language tag (BCP 47).
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Arabic => "ar",
        }
    }

    /// The writing direction, as an HTML attribute value.
    pub fn direction(self) -> &'static str {
        match self {
            Language::English => "ltr",
            Language::Arabic => "rtl",
        }
    }

    /// The name of the language in that language.
    pub fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Arabic => "العربية",
        }
    }

    /// The other language.
    pub fn other(self) -> Self {
        match self {
            Language::English => Language::Arabic,
            Language::Arabic => Language::English,
        }
    }

    /// The language for a tag, such as `ar` or `ar-AE`; `None` if it is not supported.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }

    /// Returns the supported language with the highest weight in an `Accept-Language` header (RFC 9110, section
    /// 12.5.4). For equal weights, the first one wins.
    pub fn of_preferences(header: &str) -> Option<Self> {
        let liked = header.split(',').take(PREFERENCES).filter_map(|preference| {
            let mut parts = preference.split(';').map(str::trim);
            let language = Self::of_tag(parts.next()?)?;
            let weight = parts.next().and_then(|weight| weight.strip_prefix("q="));
            let weight = weight.map_or(Some(1000), thousandths)?;
            (weight > 0).then_some((weight, language))
        });
        // `max_by_key` returns the last of equal elements.
        let liked: Vec<_> = liked.collect();
        liked.into_iter().rev().max_by_key(|(weight, _)| *weight).map(|(_, language)| language)
    }
}

/// A weight, `0` to `1` with up to three decimals (RFC 9110, section 12.4.2), in thousandths.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, decimals) = weight.split_once('.').unwrap_or((weight, ""));
    let is_number = decimals.len() <= 3 && decimals.bytes().all(|digit| digit.is_ascii_digit());
    let decimals: u16 = is_number.then(|| format!("{decimals:0<3}").parse().ok()).flatten()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

/// A language that a newer version stored is read as English.
impl From<String> for Language {
    fn from(tag: String) -> Self {
        Self::of_tag(&tag).unwrap_or_default()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> String {
        language.tag().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_that_is_liked_best_is_chosen() {
        use Language::{Arabic, English};
        for (header, expected) in [
            ("ar", Some(Arabic)),
            ("AR-ae,en;q=0.8", Some(Arabic)),
            ("en-GB,ar;q=0.9", Some(English)),
            ("fr,ar;q=0.5,en;q=0.7", Some(English)),
            ("en;q=0.5, ar;q=0.500", Some(English)),
            ("en;q=0,ar;q=0.1", Some(Arabic)),
            ("fr,de", None),
            ("", None),
            ("en;q=7", None),
            ("en;q=0.1234,ar;q=x", None),
            ("*", None),
        ] {
            assert_eq!(Language::of_preferences(header), expected, "{header}");
        }
    }

    #[test]
    fn a_language_of_a_newer_version_is_read_as_english() {
        let read: Language = serde_json::from_str("\"ur\"").unwrap();
        assert_eq!(read, Language::English);
        assert_eq!(serde_json::to_string(&Language::Arabic).unwrap(), "\"ar\"");
    }
}
