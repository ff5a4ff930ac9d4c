#[cfg(feature = "service")]
use std::pin::Pin;
use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::Offset};

/// The UAE keeps UTC+4 the whole year.
pub const UAE_OFFSET: Offset = Offset::constant(4);

/// A source of time. Every use case takes a clock, so it can be replayed.
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Waits for `time` on this clock. The default waits in real time.
    #[cfg(feature = "service")]
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// The calendar day in the UAE at an instant: the default issue date.
pub fn uae_date(instant: Timestamp) -> Date {
    UAE_OFFSET.to_datetime(instant).date()
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The result of some work and its duration. Use it for measurements, never for decisions.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the steady clock")]
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// A clock that moves only by [`FixedClock::advance`] or `sleep`; both move it at once.
#[derive(Debug)]
pub struct FixedClock(Mutex<Timestamp>);

impl FixedClock {
    /// A clock that shows `instant`.
    pub fn at(instant: Timestamp) -> Self {
        FixedClock(Mutex::new(instant))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *now = now.saturating_add(by).unwrap_or(Timestamp::MAX);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    #[cfg(feature = "service")]
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.advance(SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX));
        Box::pin(std::future::ready(()))
    }
}
