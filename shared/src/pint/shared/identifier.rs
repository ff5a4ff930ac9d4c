//! Identifiers of schemes with a check digit or a fixed form, in endpoints, parties and companies.

use std::ops::Range;

use super::Facts;
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::attr;

/// The contexts
/// `cbc:EndpointID[@schemeID = …] | cac:PartyIdentification/cbc:ID[@schemeID = …] | cbc:CompanyID[@schemeID = …]`, for
/// a node that is one of these elements.
pub(super) fn of_scheme(node: Node<'_>) -> Option<Group<Facts>> {
    Some(match node.attribute(attr::SCHEME_ID)? {
        "0088" => GLN,
        "0007" => SWEDEN,
        "0192" => NORWAY,
        "0184" => DENMARK,
        "0208" => BELGIUM,
        "0201" => ITALY_IPA,
        "0210" | "9907" => ITALY_FISCAL,
        "0211" | "9906" => ITALY_VAT,
        "0151" => AUSTRALIA,
        _ => return None,
    })
}

/// Scheme 0088.
pub(super) const GLN: Group<Facts> = &[Rule {
    id: "ibr-068",
    term: "",
    about: &[],
    message: "The identifier is not a valid Global Location Number (scheme 0088).",
    fix: "Give only the digits of the GLN with its check digit.",
    holds: |id, _| is_gln(&id.normalized()),
}];

/// Scheme 0007.
pub(super) const SWEDEN: Group<Facts> = &[Rule {
    id: "ibr-127",
    term: "",
    about: &[],
    message: "The identifier is not a Swedish organisation number (scheme 0007).",
    fix: "Give the ten digits of the number, without a hyphen.",
    holds: |id, _| {
        let id = id.normalized();
        id.chars().count() == 10 && !xpath::number(&id).is_nan()
    },
}];

/// Scheme 0192.
pub(super) const NORWAY: Group<Facts> = &[Rule {
    id: "ibr-069",
    term: "",
    about: &[],
    message: "The identifier is not a valid Norwegian organisation number (scheme 0192).",
    fix: "Give the nine digits of the number; the last one is a check digit.",
    holds: |id, _| is_norwegian(&id.normalized()),
}];

/// Scheme 0184.
pub(super) const DENMARK: Group<Facts> = &[Rule {
    id: "ibr-070",
    term: "",
    about: &[],
    message: "The identifier is not a Danish CVR number (scheme 0184).",
    fix: "Give `DK` and the eight digits of the number, without spaces.",
    holds: |id, _| {
        let digits = |text: &str| text.strip_prefix("DK").is_some_and(|rest| is_digits(rest, 8));
        xpath::own_text(std::iter::once(id)).is_ok_and(digits)
    },
}];

/// Scheme 0208.
pub(super) const BELGIUM: Group<Facts> = &[Rule {
    id: "ibr-113",
    term: "",
    about: &[],
    message: "The identifier is not a valid Belgian enterprise number (scheme 0208).",
    fix: "Give the ten digits of the number; the last two are check digits.",
    holds: |id, _| is_belgian(&id.normalized()),
}];

/// Scheme 0201.
pub(super) const ITALY_IPA: Group<Facts> = &[Rule {
    id: "ibr-114",
    term: "",
    about: &[],
    message: "The identifier is not an Italian IPA code (scheme 0201).",
    fix: "Give the six letters and digits of the code.",
    holds: |id, _| {
        let id = id.normalized();
        id.len() == 6 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    },
}];

/// Schemes 0210 and 9907.
pub(super) const ITALY_FISCAL: Group<Facts> = &[Rule {
    id: "ibr-115",
    term: "",
    about: &[],
    message: "The identifier is not an Italian fiscal code (scheme 0210 or 9907).",
    fix: "Give the 16 characters of a person's code, or the eleven digits of a company's.",
    holds: |id, _| is_italian_fiscal_code(&id.normalized()),
}];

/// Schemes 0211 and 9906.
pub(super) const ITALY_VAT: Group<Facts> = &[Rule {
    id: "ibr-116",
    term: "",
    about: &[],
    message: "The identifier is not a valid Italian VAT number (scheme 0211 or 9906).",
    fix: "Give `IT` and the eleven digits of the number; the last one is a check digit.",
    holds: |id, _| {
        let id = id.normalized();
        let digits = id.strip_prefix("IT").or_else(|| id.strip_prefix("it"));
        digits.is_none_or(is_italian_vat_number)
    },
}];

/// Scheme 0151.
pub(super) const AUSTRALIA: Group<Facts> = &[Rule {
    id: "ibr-120",
    term: "",
    about: &[],
    message: "The identifier is not a valid Australian Business Number (scheme 0151).",
    fix: "Give the eleven digits of the number; the first two are check digits.",
    holds: |id, _| is_australian(&id.normalized()),
}];

fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(text: &str) -> impl DoubleEndedIterator<Item = u64> + Clone {
    text.bytes().map(|byte| u64::from(byte.wrapping_sub(b'0')))
}

/// GS1 General Specifications, 7.9: weights 3 and 1 from the right, modulo 10.
fn is_gln(id: &str) -> bool {
    let weights = [1, 3].into_iter().cycle();
    let sum: u64 = digits(id).rev().zip(weights).map(|(digit, weight)| digit * weight).sum();
    !id.is_empty() && is_digits(id, id.len()) && sum.is_multiple_of(10)
}

/// Weights 2 to 7 from the right, modulo 11. A number whose check digit would be ten does not exist.
fn is_norwegian(id: &str) -> bool {
    let weights = [1, 2, 3, 4, 5, 6, 7, 2, 3];
    let sum: u64 = digits(id).rev().zip(weights).map(|(digit, weight)| digit * weight).sum();
    is_digits(id, 9) && digits(id).any(|digit| digit > 0) && sum.is_multiple_of(11)
}

/// The last two digits are 97 minus the remainder of the first eight digits modulo 97.
fn is_belgian(id: &str) -> bool {
    let value = |digits: &str| digits.parse::<u64>().ok();
    is_digits(id, 10)
        && value(&id[..8])
            .zip(value(&id[8..]))
            .is_some_and(|(number, check)| check == 97 - number % 97)
}

/// A company has a whole number, a person a mask of letters and digits. The number may have a leading sign or space, as
/// the official cast allows.
fn is_italian_fiscal_code(id: &str) -> bool {
    let is_integer = |text: &str| {
        let text = xpath::trim(text);
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && is_digits(digits, digits.len())
    };
    if id.chars().count() == 11 {
        return is_integer(id);
    }
    let characters: Vec<char> = id.chars().collect();
    let letters = |range: Range<usize>| characters[range].iter().all(char::is_ascii_alphabetic);
    let integer = |range: Range<usize>| is_integer(&characters[range].iter().collect::<String>());
    characters.len() == 16
        && letters(0..6)
        && integer(6..8)
        && letters(8..9)
        && integer(9..11)
        && integer(14..15)
        && letters(15..16)
}

/// Every second digit is doubled, and the digits of the double are added, modulo 10.
fn is_italian_vat_number(number: &str) -> bool {
    let doubled = |(place, digit): (usize, u64)| match place % 2 {
        0 => digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    let sum: u64 = digits(number).enumerate().map(doubled).sum();
    is_digits(number, 11) && sum.is_multiple_of(10)
}

/// Weights 10, 1, 3, 5, … after subtracting 1 from the first digit, modulo 89.
fn is_australian(id: &str) -> bool {
    let weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
    let sum: u64 = digits(id).zip(weights).map(|(digit, weight)| digit * weight).sum();
    // Adding 89 keeps the remainder and avoids a negative number.
    is_digits(id, 11) && (sum + 89 - 10).is_multiple_of(89)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_pass_where_the_official_expression_lets_them() {
        assert!(is_gln("0") && !is_gln("") && !is_gln("1"));
        assert!(!is_norwegian("000000000"));
        assert!(is_italian_fiscal_code("+1234567890") && is_italian_fiscal_code("12345678901"));
        assert!(!is_italian_fiscal_code("1234567890X") && !is_italian_fiscal_code("+"));
        assert!(is_belgian("0000000097") && !is_belgian("0000000000"));
        assert!(!is_italian_vat_number("+0743110157"));
    }
}
