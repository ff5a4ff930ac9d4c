//! International bank account numbers (ISO 13616).

/// Removes the blanks of the printed form.
pub(super) fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether an account without a scheme must be an IBAN of the UAE.
pub(super) fn looks_like_one_of_the_uae(id: &str) -> bool {
    id.strip_prefix("AE").is_some_and(|digits| {
        digits.len() == 21 && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Checks an IBAN: country, check digits, up to 30 letters and digits; the remainder modulo 97 is 1.
pub(super) fn is_valid(id: &str) -> bool {
    let bytes = id.as_bytes();
    let [a, b, c, d, account @ ..] = bytes else { return false };
    let is_formed = a.is_ascii_uppercase()
        && b.is_ascii_uppercase()
        && c.is_ascii_digit()
        && d.is_ascii_digit()
        && (11..=30).contains(&account.len())
        && account.iter().all(u8::is_ascii_alphanumeric);
    if !is_formed || (id.starts_with("AE") && !looks_like_one_of_the_uae(id)) {
        return false;
    }
    let digits = account.iter().chain([a, b, c, d]).map(|byte| match byte {
        b'0'..=b'9' => (10, u32::from(byte - b'0')),
        // A is 10, Z is 35.
        letter => (100, u32::from(letter.to_ascii_uppercase() - b'A') + 10),
    });
    digits.fold(0, |rest, (shift, value)| (rest * shift + value) % 97) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digits_tell_an_iban_from_a_slip() {
        for good in [
            "AE070331234567890123456",
            "GB82WEST12345698765432",
            "DE89370400440532013000",
            "NO9386011117947",
            "MT84MALT011000012345MTLCAST001S",
        ] {
            assert!(is_valid(good), "{good}");
        }
        for bad in [
            "AE070331234567890123465",
            "AE080331234567890123456",
            "AE07033123456789012345",
            "AE0000000001",
            "GB82WEST1234569876543é",
            "de89370400440532013000",
            "AE07",
            "",
        ] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert!(is_valid(&compact("AE07 0331 2345 6789 0123 456")));
    }
}
