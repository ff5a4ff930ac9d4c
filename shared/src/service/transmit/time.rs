//! How long each part of an attempt may take, of the time that its function has: an attempt ends before its function
//! does, with what is known by then written down.

use std::time::Duration;

use tokio::time::Instant;

/// How long a message and its answer may take while somebody waits for it.
const OF_A_REQUEST: Duration = Duration::from_secs(15);
/// How long in the background. Some access points validate a document before they answer.
const IN_THE_BACKGROUND: Duration = Duration::from_secs(25);
/// How long a message waits for a place at an access point while somebody waits for it.
const PATIENCE_OF_A_REQUEST: Duration = Duration::from_millis(7_500);
/// How long in the background. There it comes again later, and others need the execution.
const PATIENCE_IN_THE_BACKGROUND: Duration = Duration::from_millis(2_500);

/// The time of a request, or of a worker's turn.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Time {
    begun: Instant,
    whole: Duration,
    /// The longest that a message and its answer may take.
    longest: Duration,
    /// How long a message waits for a place.
    patience: Duration,
}

impl Time {
    /// Of a request that begins now, and may take so long.
    pub(in crate::service) fn of_request(whole: Duration) -> Self {
        let patience = PATIENCE_OF_A_REQUEST;
        Time { begun: Instant::now(), whole, longest: OF_A_REQUEST, patience }
    }

    /// Of a worker's turn that began at this instant, and may take so long.
    pub(in crate::service) fn of_turn(begun: Instant, whole: Duration) -> Self {
        let patience = PATIENCE_IN_THE_BACKGROUND;
        Time { begun, whole, longest: IN_THE_BACKGROUND, patience }
    }

    /// Until when the access point must be found and have room: two thirds of the time.
    pub(super) fn to_begin(self) -> Instant {
        self.begun + self.whole * 2 / 3
    }

    /// How long a message may wait for a place now.
    pub(super) fn for_a_place(self) -> Duration {
        self.to_begin().saturating_duration_since(Instant::now()).min(self.patience)
    }

    /// Until when its answer must be there and proven. What is left of the time is for what must be written down.
    pub(super) fn to_end(self) -> Instant {
        self.begun + self.whole * 9 / 10
    }

    /// How long a message that leaves now, and its answer, may take.
    pub(super) fn of_message(self) -> Duration {
        self.to_end().saturating_duration_since(Instant::now()).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_message_has_15_seconds_of_a_request_and_25_in_the_background_where_so_many_are_left() {
        let whole = 29 * SECOND;
        let (request, turn) = (Time::of_request(whole), Time::of_turn(Instant::now(), whole));
        assert_eq!((request.of_message(), turn.of_message()), (15 * SECOND, 25 * SECOND));
        // Whatever was done before, there is time to try, and to write down what came of it.
        for time in [request, turn] {
            assert!(time.to_end() - time.to_begin() > 6 * SECOND);
            assert!(time.begun + whole - time.to_end() > 2 * SECOND);
            let later = Time { begun: time.begun - 20 * SECOND, ..time };
            assert!(later.of_message() > 5 * SECOND && later.of_message() < 7 * SECOND);
            let over = Time { begun: time.begun - whole, ..time };
            assert_eq!(over.of_message(), Duration::ZERO);
        }
    }
}
