//! Finds slow inputs: those that take more than a hundred times the median for their size.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// What an input may take, in medians of its size.
const FACTOR: u64 = 100;
/// So many inputs of a size make a median.
const ENOUGH: u64 = 500;

/// Times of inputs whose sizes have the same number of binary digits.
#[derive(Clone)]
struct Size {
    /// How many took so long, by eighths of a doubling of the nanoseconds.
    times: [u32; 512],
    count: u64,
}

struct Watch {
    sizes: Vec<Size>,
    /// The slowest so far, in medians of its size.
    slowest: u64,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::new(Watch {
        sizes: vec![Size { times: [0; 512], count: 0 }; 64],
        slowest: 1,
    });
}

/// Runs `work` on an input of that many bytes. `work` says whether the input got to the end of it:
/// the medians are of those, as an input that is refused at its first byte tells nothing.
///
/// # Panics
/// When the input is slow, also when it is tried again: the first time another process may have
/// had the processor.
pub fn watch(bytes: usize, work: impl Fn() -> bool) {
    let (mut time, complete) = timed(&work);
    WATCH.with_borrow_mut(|watch| {
        let size = &mut watch.sizes[bytes.max(1).ilog2() as usize];
        if complete {
            size.times[place(time)] += 1;
            size.count += 1;
        }
        if size.count < ENOUGH {
            return;
        }
        let median = size.median();
        let mut tries = 0;
        while tries < 20 && time > median * (watch.slowest + 1) {
            time = time.min(timed(&work).0);
            tries += 1;
        }
        let medians = time.checked_div(median).unwrap_or_default();
        assert!(medians <= FACTOR, "slow: {medians} times the {median} ns of {bytes} bytes");
        if medians > watch.slowest {
            watch.slowest = medians;
            eprintln!("slowest: {medians} medians, {time} ns for {bytes} bytes");
        }
    });
}

fn timed(work: &impl Fn() -> bool) -> (u64, bool) {
    let start = Instant::now();
    let complete = work();
    (nanoseconds(start.elapsed()), complete)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1)
}

/// Eight places for each doubling.
fn place(time: u64) -> usize {
    let log = time.max(8).ilog2();
    (log as usize * 8 + (time.max(8) >> (log - 3)) as usize % 8).min(511)
}

impl Size {
    fn median(&self) -> u64 {
        let mut below = 0;
        for (place, count) in self.times.iter().enumerate() {
            below += u64::from(*count);
            if below * 2 >= self.count {
                return (8 + place as u64 % 8) << (place / 8) >> 3;
            }
        }
        u64::MAX
    }
}
