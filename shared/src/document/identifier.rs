//! The forms of identifiers in some schemes. The shared rules check them wherever such an identifier appears.

use super::field::is_digits;
use crate::{codes::PREDEFINED_ENDPOINTS, types::ParticipantId};

/// Whether the participant is a predefined endpoint. It represents a buyer outside the network, so nothing is sent to
/// it.
pub(crate) fn is_predefined(participant: &ParticipantId) -> bool {
    participant.scheme() == ParticipantId::TIN_SCHEME
        && PREDEFINED_ENDPOINTS.contains(participant.value())
}

/// Returns the expected form if the identifier is malformed; `None` for schemes without a form.
pub(super) fn malformed(scheme: &str, id: &str) -> Option<&'static str> {
    let (ok, expected) = match scheme {
        "0088" => (is_gln(id), "a GLN with its check digit (ibr-068)"),
        "0007" => (is_digits(id, 10), "a Swedish organization number of 10 digits (ibr-127)"),
        "0192" => (is_norwegian(id), "a Norwegian organization number (ibr-069)"),
        "0184" => {
            let digits = id.strip_prefix("DK").unwrap_or_default();
            (is_digits(digits, 8), "DK and 8 digits (ibr-070)")
        }
        "0208" => (is_belgian(id), "a Belgian enterprise number (ibr-113)"),
        "0201" => (
            id.len() == 6 && id.bytes().all(|b| b.is_ascii_alphanumeric()),
            "an Italian IPA code of 6 letters and digits (ibr-114)",
        ),
        "0210" | "9907" => (is_italian_person(id), "an Italian tax code (ibr-115)"),
        "0211" | "9906" => (is_italian_vat(id), "an Italian VAT number (ibr-116)"),
        "0151" => (is_australian(id), "an Australian Business Number (ibr-120)"),
        _ => return None,
    };
    (!ok).then_some(expected)
}

fn digits(id: &str) -> impl DoubleEndedIterator<Item = u32> {
    id.bytes().map(|byte| u32::from(byte.saturating_sub(b'0')))
}

/// Checks a GS1 number: weights 3 and 1 from the right, modulo 10.
fn is_gln(id: &str) -> bool {
    let Some((check, body)) = id.as_bytes().split_last() else { return false };
    let weighted = body.iter().rev().zip([3, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(byte, weight)| u32::from(byte.wrapping_sub(b'0')) * weight).sum();
    id.bytes().all(|b| b.is_ascii_digit()) && (10 - sum % 10) % 10 == u32::from(check - b'0')
}

/// Checks a number with weights 2 to 7 from the right, modulo 11.
fn is_norwegian(id: &str) -> bool {
    if !is_digits(id, 9) || id == "000000000" {
        return false;
    }
    let sum: u32 = digits(&id[..8]).rev().zip((2..=7).cycle()).map(|(d, weight)| d * weight).sum();
    digits(&id[8..]).next() == Some((11 - sum % 11) % 11)
}

fn is_belgian(id: &str) -> bool {
    is_digits(id, 10)
        && match (id[..8].parse::<u32>(), id[8..].parse::<u32>()) {
            (Ok(number), Ok(check)) => 97 - number % 97 == check,
            _ => false,
        }
}

fn is_italian_person(id: &str) -> bool {
    let shape = |id: &str| {
        id.bytes().enumerate().all(|(i, byte)| match i {
            0..=5 | 8 | 15 => byte.is_ascii_alphabetic(),
            6 | 7 | 9 | 10 | 14 => byte.is_ascii_digit(),
            _ => byte.is_ascii_graphic(),
        })
    };
    is_digits(id, 11) || (id.len() == 16 && shape(id))
}

/// Checks a number that starts with IT. Every second digit is doubled, and the digits of the double are added.
fn is_italian_vat(id: &str) -> bool {
    let Some(number) = id.strip_prefix("IT").or(id.strip_prefix("it")) else { return true };
    let value = |(i, digit): (usize, u32)| match i % 2 {
        0 => digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    is_digits(number, 11) && digits(number).enumerate().map(value).sum::<u32>() % 10 == 0
}

fn is_australian(id: &str) -> bool {
    const WEIGHTS: [u32; 11] = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
    // The first digit counts one less than written.
    let sum: u32 = digits(id).zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    is_digits(id, 11) && !id.starts_with('0') && (sum - WEIGHTS[0]).is_multiple_of(89)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_identifiers_of_every_scheme_pass() {
        for (scheme, id) in [
            ("0088", "7300010000001"),
            ("0007", "5562345678"),
            ("0192", "974760673"),
            ("0184", "DK12345678"),
            ("0208", "0202239951"),
            ("0201", "UFY9MH"),
            ("0210", "RSSMRA85T10A562S"),
            ("9907", "12345678903"),
            ("0211", "IT00743110157"),
            ("9906", "XX1"),
            ("0151", "51824753556"),
            ("0235", "anything"),
        ] {
            assert_eq!(malformed(scheme, id), None, "{scheme} {id}");
        }
    }

    #[test]
    fn bad_identifiers_of_every_scheme_are_named() {
        for (scheme, id) in [
            ("0088", "7300010000002"),
            ("0088", "73000A0000001"),
            ("0088", ""),
            ("0007", "556234567"),
            ("0192", "974760674"),
            ("0192", "000000000"),
            ("0184", "12345678"),
            ("0208", "0202239952"),
            ("0208", "02022399é"),
            ("0201", "UFY9M"),
            ("0210", "RSSMRA85T10A562"),
            ("0211", "IT00743110158"),
            ("0151", "51824753557"),
            ("0151", "5182475355"),
            ("0151", "01824753556"),
        ] {
            assert!(malformed(scheme, id).is_some(), "{scheme} {id}");
        }
    }
}
