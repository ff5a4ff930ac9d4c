//! The retry schedule of failed deliveries. It is pure: time and randomness are parameters.

use jiff::{SignedDuration, Timestamp, fmt::rfc2822};

use crate::types::Random;

/// The wait before each attempt, from the previous attempt. This is the example schedule of Standard Webhooks 1.0.0
/// ("Retry schedule"): 10 attempts over 75 h 35 min 5 s.
pub const WAITS: [SignedDuration; 10] = [
    SignedDuration::ZERO,
    SignedDuration::from_secs(5),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(5),
    SignedDuration::from_hours(10),
    SignedDuration::from_hours(14),
    SignedDuration::from_hours(20),
    SignedDuration::from_hours(24),
];

/// Minimum wait before a retry at a receiver that is overloaded or too slow.
const OVERLOAD_PAUSE: SignedDuration = SignedDuration::from_secs(60);

/// Longest Retry-After that is honoured, or twice the schedule's own wait if that is longer. So a receiver cannot
/// postpone a delivery forever.
const LONGEST_ASKED: SignedDuration = SignedDuration::from_hours(1);

/// Information about the next attempt from the failure of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hint {
    /// The response was 429, 502 or 504, or there was none in time.
    pub overloaded: bool,
    /// The wait in a Retry-After header.
    pub retry_after: Option<SignedDuration>,
}

/// The wait after `attempts` failed attempts; `None` if no attempt is left.
///
/// Jitter of ±20 % prevents that deliveries which failed together are retried together.
pub fn wait(attempts: usize, hint: Hint, random: &dyn Random) -> Option<SignedDuration> {
    let base = *WAITS.get(attempts)?;
    let mut wait = jitter(base, random);
    if hint.overloaded {
        wait = wait.max(OVERLOAD_PAUSE);
    }
    let asked = hint.retry_after.unwrap_or_default().min(LONGEST_ASKED.max(base * 2));
    Some(wait.max(asked))
}

/// 80 % to 120 % of a duration.
fn jitter(base: SignedDuration, random: &dyn Random) -> SignedDuration {
    let mut bytes = [0; 4];
    random.fill(&mut bytes);
    let per_mille = 800 + i64::from(u32::from_be_bytes(bytes) % 401);
    let millis = i64::try_from(base.as_millis()).unwrap_or(i64::MAX);
    SignedDuration::from_millis(millis.saturating_mul(per_mille) / 1000)
}

/// Reads a Retry-After header: seconds or an HTTP date (RFC 9110, section 10.2.3). `None` for another format or a
/// time in the past.
pub fn retry_after(header: &str, now: Timestamp) -> Option<SignedDuration> {
    let header = header.trim();
    let wait = if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits mean a very long wait; the caller limits it.
        SignedDuration::from_secs(header.parse().unwrap_or(i64::MAX))
    } else {
        rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?.duration_since(now)
    };
    wait.is_positive().then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    const NO_HINT: Hint = Hint { overloaded: false, retry_after: None };

    #[test]
    fn there_are_ten_attempts_over_75_hours() {
        let total: SignedDuration =
            WAITS.iter().fold(SignedDuration::ZERO, |sum, wait| sum + *wait);
        assert_eq!(total, "75h 35m 5s".parse().unwrap());
        let random = SeededRandom::new(1);
        assert!(wait(9, NO_HINT, &random).is_some());
        assert_eq!(wait(10, NO_HINT, &random), None);
        assert_eq!(wait(usize::MAX, NO_HINT, &random), None);
    }

    #[test]
    fn every_wait_is_within_a_fifth_of_the_schedule() {
        let random = SeededRandom::new(2);
        for (attempts, base) in WAITS.iter().enumerate().skip(1) {
            let waits: Vec<_> =
                (0..200).map(|_| wait(attempts, NO_HINT, &random).unwrap()).collect();
            assert!(waits.iter().all(|w| *w >= *base * 8 / 10 && *w <= *base * 12 / 10));
            assert!(waits.iter().any(|w| w < base) && waits.iter().any(|w| w > base));
        }
    }

    #[test]
    fn an_overloaded_receiver_gets_a_minute() {
        let hint = Hint { overloaded: true, ..NO_HINT };
        assert_eq!(wait(1, hint, &SeededRandom::new(3)), Some(SignedDuration::from_secs(60)));
        assert!(wait(2, hint, &SeededRandom::new(3)).unwrap() >= SignedDuration::from_mins(4));
    }

    #[test]
    fn retry_after_is_honoured_within_bounds() {
        let random = SeededRandom::new(4);
        let asked = |attempts, seconds| {
            let retry_after = Some(SignedDuration::from_secs(seconds));
            wait(attempts, Hint { retry_after, ..NO_HINT }, &random).unwrap()
        };
        assert_eq!(asked(1, 90), SignedDuration::from_secs(90));
        assert!(asked(2, 1) >= SignedDuration::from_mins(4), "not sooner than the schedule");
        assert_eq!(asked(1, 1_000_000), SignedDuration::from_hours(1));
        assert_eq!(asked(9, 1_000_000), SignedDuration::from_hours(48));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = "2026-07-01T10:00:00Z".parse().unwrap();
        let cases = [
            ("120", Some(120)),
            (" 5 ", Some(5)),
            ("0", None),
            ("", None),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
            ("99999999999999999999", Some(i64::MAX)),
            ("Wed, 01 Jul 2026 10:01:30 GMT", Some(90)),
            ("Wed, 01 Jul 2026 09:00:00 GMT", None),
        ];
        for (header, seconds) in cases {
            assert_eq!(
                retry_after(header, now),
                seconds.map(SignedDuration::from_secs),
                "{header}"
            );
        }
    }
}
