//! The code lists of PINT-AE, the Tax Data Document and the Message Level Status. Each list is one sorted text.

mod classification;
mod item;
mod report;
mod small;
mod world;

pub use classification::*;
pub use item::*;
pub use report::*;
pub use small::*;
pub use world::*;

/// The codes of a list: sorted by their bytes, one space between two.
#[derive(Debug, Clone, Copy)]
pub struct CodeList {
    text: &'static str,
    /// Each code as a number, in the same order; empty if a code is longer than [`LONGEST_KEY`].
    keys: &'static [u64],
}

/// Builds a list from one text.
macro_rules! code_list {
    ($text:expr $(,)?) => {
        $crate::codes::CodeList {
            text: $text,
            keys: &$crate::codes::keys::<{ $crate::codes::count_keys($text) }>($text),
        }
    };
}
use code_list;

/// Number of bytes of a code that fit into a number beside its length.
const LONGEST_KEY: usize = 7;

/// The number of keys of a list: one for each code, or 0.
const fn count_keys(text: &str) -> usize {
    let mut rest = text.as_bytes();
    let mut count = 0;
    while !rest.is_empty() {
        let (code, others) = split_first(rest);
        if code.len() > LONGEST_KEY {
            return 0;
        }
        count += 1;
        rest = others;
    }
    count
}

const fn keys<const COUNT: usize>(text: &str) -> [u64; COUNT] {
    let mut rest = text.as_bytes();
    let mut keys = [0; COUNT];
    let mut place = 0;
    while place < COUNT {
        let (code, others) = split_first(rest);
        keys[place] = key(code);
        place += 1;
        rest = others;
    }
    keys
}

/// The first code and the following ones.
const fn split_first(text: &[u8]) -> (&[u8], &[u8]) {
    let mut end = 0;
    while end < text.len() && text[end] != b' ' {
        end += 1;
    }
    match text.split_at(end) {
        (code, [_, others @ ..]) => (code, others),
        (code, []) => (code, &[]),
    }
}

/// The bytes of a short code followed by its length. These numbers sort like the texts.
const fn key(code: &[u8]) -> u64 {
    let mut key = 0;
    let mut place = 0;
    while place < LONGEST_KEY {
        key = key << 8 | if place < code.len() { code[place] as u64 } else { 0 };
        place += 1;
    }
    key << 8 | code.len() as u64
}

impl CodeList {
    /// Whether the list has the code.
    pub fn contains(self, code: &str) -> bool {
        match code.len() {
            _ if self.keys.is_empty() => self.iter().any(|known| known == code),
            0..=LONGEST_KEY => self.keys.binary_search(&key(code.as_bytes())).is_ok(),
            _ => false,
        }
    }

    /// Whether the codes are short enough for an error message.
    pub fn is_short(self) -> bool {
        self.text.len() < 250
    }

    /// The codes, for error messages about short lists.
    pub fn text(self) -> String {
        self.text.replace(' ', ", ")
    }

    /// The codes in sorted order.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.text.split(' ')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_sorted_and_as_long_as_the_official_one() {
        let lists = [
            (CURRENCIES, 178),
            (COUNTRIES, 251),
            (ICD, 243),
            (ITEM_CLASSIFICATIONS, 185),
            (EAS, 90),
            (REFERENCE_QUALIFIERS, 818),
            (PAYMENT_MEANS, 91),
            (ALLOWANCE_REASONS, 19),
            (CHARGE_REASONS, 178),
            (UNITS, 2162),
            (CREDIT_REASONS, 6),
            (FREQUENCIES, 10),
            (RCM_TYPES, 5),
            (ITEM_TYPES, 3),
            (EXEMPTIONS, 4),
            (UAE_PAYMENT_MEANS, 9),
            (PREDEFINED_ENDPOINTS, 3),
            (EMIRATES, 7),
            (MIME_CODES, 7),
            (SELLER_REGISTRATION_TYPES, 4),
            (BUYER_REGISTRATION_TYPES, 5),
            (LINE_CATEGORIES, 6),
            (ALLOWANCE_CATEGORIES, 5),
            (REPORT_TYPES, 4),
            (REPORT_SCOPES, 3),
            (REPORTER_ROLES, 2),
            (TAX_DATA_CURRENCIES, 179),
            (STATUS_RESPONSES, 3),
            (STATUS_REASONS, 4),
        ];
        for (list, size) in lists {
            let codes: Vec<_> = list.iter().collect();
            assert!(codes.is_sorted_by(|a, b| a < b), "{list:?}");
            assert_eq!(codes.len(), size, "{list:?}");
            for code in codes {
                assert!(list.contains(code), "{code}");
                for more in [" ", "\0", "longer"] {
                    assert!(!list.contains(&format!("{code}{more}")), "{code}{more:?}");
                }
                assert!(!list.contains(&code.to_lowercase()) || code == code.to_lowercase());
            }
            for code in ["", " ", "A B", "ZZZZ", "\0"] {
                assert!(!list.contains(code), "{code:?}");
            }
        }
    }
}
