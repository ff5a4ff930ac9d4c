//! The regular expressions of official rules that ordinary code says no better: digits of every
//! script, and times of day.

/// The digit zero of each script, in order; the digits one to nine follow it. Unicode 15, as the
/// referee has it.
const ZEROS: [u32; 68] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66,
    0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650,
    0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
];

/// `\d`: a decimal digit of any script (the Unicode category `Nd`).
pub fn is_digit(character: char) -> bool {
    let code = u32::from(character);
    let after = ZEROS.partition_point(|zero| *zero <= code);
    after.checked_sub(1).is_some_and(|at| code - ZEROS[at] < 10)
}

/// `([+-]\d{2}:\d{2}|Z)$`: whether the text ends in a time zone.
pub fn ends_in_zone(text: &str) -> bool {
    let mut end: Vec<char> = text.chars().rev().take(6).collect();
    end.reverse();
    match *end.as_slice() {
        [.., 'Z'] => true,
        ['+' | '-', h1, h2, ':', m1, m2] => [h1, h2, m1, m2].into_iter().all(is_digit),
        _ => false,
    }
}

/// `^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$`: a time of
/// day with a zone. What parts the fraction of a second from it may be any character.
pub fn is_zoned_time(text: &str) -> bool {
    // The longest that fits, and one more.
    let characters: Vec<char> = text.chars().take(25).collect();
    let time = match characters.as_slice() {
        [time @ .., 'Z'] => time,
        [time @ .., '+' | '-', '0', h, ':', '0'..='5', m] if is_digit(*h) && is_digit(*m) => time,
        [time @ .., '+' | '-', '1', '0'..='4', ':', '0'..='5', m] if is_digit(*m) => time,
        _ => return false,
    };
    let [h1, h2, ':', '0'..='5', m2, ':', '0'..='5', s2, fraction @ ..] = time else {
        return false;
    };
    let hour = match (h1, h2) {
        ('0' | '1', h2) => is_digit(*h2),
        (h1, h2) => *h1 == '2' && matches!(h2, '0'..='3'),
    };
    let fraction = match fraction {
        [] => true,
        [point, digits @ ..] => {
            !matches!(point, '\n' | '\r')
                && (1..=9).contains(&digits.len())
                && digits.iter().copied().all(is_digit)
        }
    };
    hour && is_digit(*m2) && is_digit(*s2) && fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_every_script_and_nothing_else() {
        let digits = ('\0'..=char::MAX).filter(|c| is_digit(*c));
        assert_eq!(digits.clone().count(), 680);
        assert!(digits.clone().all(char::is_numeric));
        for c in ['/', ':', '²', 'Ⅳ', '五', '\u{665}', '\u{1D7FF}'] {
            assert_eq!(is_digit(c), matches!(c, '\u{665}' | '\u{1D7FF}'), "{c}");
        }
    }

    #[test]
    fn a_time_has_a_zone() {
        for time in [
            "12:00:00Z",
            "23:59:59+14:59",
            "00:00:00-04:00",
            "08:30:00.1Z",
            "08:30:00.123456789+04:00",
            "08:30:00+1Z",
            "08:30:00 5Z",
            "0\u{665}:30:00Z",
        ] {
            assert!(is_zoned_time(time), "{time}");
        }
        for time in [
            "",
            "Z",
            "12:00:00",
            "12:00Z",
            "24:00:00Z",
            "12:60:00Z",
            "12:00:60Z",
            "12:00:00z",
            "12:00:00.Z",
            "12:00:00.1234567890Z",
            "12:00:00.123456789+04:000",
            "12:00:00+15:00",
            "12:00:00+4:00",
            "12:00:00+04:60",
            "12:00:00\n1Z",
            " 12:00:00Z",
            "12:00:00ZZ",
        ] {
            assert!(!is_zoned_time(time), "{time}");
        }
    }

    #[test]
    fn a_zone_may_stand_behind_anything() {
        for text in ["Z", "noon+04:00", "-99:99", "\u{665}-0\u{665}:00"] {
            assert!(ends_in_zone(text), "{text}");
        }
        for text in ["", "z", "12:00:00", "+4:00", "+04-00", "+04:00 "] {
            assert!(!ends_in_zone(text), "{text}");
        }
    }
}
