//! The regular expressions of official rules for times of day.

use super::xpath::is_digit;

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

/// `^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$`: a time of day with a zone.
/// Any character may separate the fraction of a second, because the official expression does not escape its `.`.
pub fn is_zoned_time(text: &str) -> bool {
    // The longest match has 24 characters; one more is enough to reject longer texts.
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
