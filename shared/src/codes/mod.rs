//! The code lists of PINT-AE, the Tax Data Document and the Message Level Status, each one sorted
//! text.

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
pub struct CodeList(&'static str);

impl CodeList {
    /// Whether the list has the code: a binary search over the text.
    pub fn contains(self, code: &str) -> bool {
        let mut rest = self.0.as_bytes();
        while !rest.is_empty() {
            let middle = rest.len() / 2;
            let start = rest[..middle].iter().rposition(|b| *b == b' ').map_or(0, |at| at + 1);
            let length = rest[start..].iter().position(|b| *b == b' ');
            let end = length.map_or(rest.len(), |length| start + length);
            match code.as_bytes().cmp(&rest[start..end]) {
                std::cmp::Ordering::Equal => return !code.is_empty(),
                std::cmp::Ordering::Less => rest = &rest[..start.saturating_sub(1)],
                std::cmp::Ordering::Greater => rest = rest.get(end + 1..).unwrap_or_default(),
            }
        }
        false
    }

    /// Whether the codes fit into a message.
    pub fn is_short(self) -> bool {
        self.0.len() < 250
    }

    /// The codes, for messages about short lists.
    pub fn text(self) -> String {
        self.0.replace(' ', ", ")
    }

    /// The codes in their order.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ')
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
                assert!(!list.contains(&format!("{code} ")), "{code}");
                assert!(!list.contains(&code.to_lowercase()) || code == code.to_lowercase());
            }
            for code in ["", " ", "A B", "ZZZZ", "\u{0}"] {
                assert!(!list.contains(code), "{code:?}");
            }
        }
    }
}
