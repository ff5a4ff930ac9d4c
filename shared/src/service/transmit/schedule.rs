//! When a transmission is tried again.

use jiff::{SignedDuration, Timestamp};

use crate::{
    service::{later, part},
    types::Random,
};

/// The waits after the first attempts.
const FIRST: [SignedDuration; 4] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(15),
    SignedDuration::from_mins(30),
];
/// The wait after each further one.
const THEN: SignedDuration = SignedDuration::from_hours(1);
/// No attempt at a document or a status begins later after the first one than this.
pub(super) const LONGEST: SignedDuration = SignedDuration::from_hours(24);
/// A wait is longer by up to this part of it, by chance: what failed together is not tried together.
const JITTER: i32 = 10;

/// When the next attempt is due after `tried` attempts, the first of which began at `first`; none when
/// that is longer after it than `longest`: it is time to abandon the exchange.
pub(super) fn next(
    tried: u32,
    (first, longest): (Timestamp, SignedDuration),
    now: Timestamp,
    random: &dyn Random,
) -> Option<Timestamp> {
    let index = usize::try_from(tried.saturating_sub(1)).unwrap_or(usize::MAX);
    let wait = FIRST.get(index).copied().unwrap_or(THEN);
    let next = later(later(now, wait), part(wait / JITTER, random));
    (next <= later(first, longest)).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    #[test]
    fn a_transmission_is_tried_after_1_5_15_and_30_minutes_and_then_hourly_for_a_day() {
        let (first, random) = (Timestamp::UNIX_EPOCH, SeededRandom::new(7));
        let (mut now, mut waits) = (first, Vec::new());
        while let Some(next) = {
            let tried = u32::try_from(waits.len()).unwrap() + 1;
            next(tried, (first, LONGEST), now, &random)
        } {
            waits.push(next.duration_since(now).as_mins());
            now = next;
        }
        for (wait, least) in waits.iter().zip([1, 5, 15, 30, 60]) {
            assert!((least..=least + least / 10).contains(wait), "{waits:?}");
        }
        assert!((24..=27).contains(&waits.len()), "{waits:?}");
        assert!(now.duration_since(first) <= LONGEST);
    }
}
