//! The faults of calls.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::testing::crash::{Crash, Mishap};

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call never arrives.
    Before,
    /// The call succeeds, and the answer gets lost.
    After,
    /// The call is throttled.
    Throttled,
    /// The call conflicts with a transaction on the same item; calls that cannot conflict succeed.
    Conflict,
}

/// The calls that fail. Calls are counted from 0, including retries of the SDK.
#[derive(Debug)]
pub(crate) struct Faults {
    fault: Fault,
    /// Only calls of this operation are counted, and fail.
    only: Option<&'static str>,
    from: usize,
    until: usize,
    calls: AtomicUsize,
    /// A crash at one effect instead.
    pub(in crate::testing) crash: Option<Crash>,
}

impl Faults {
    /// `count` calls from number `from` on fail.
    pub(crate) fn new(fault: Fault, from: usize, count: usize) -> Arc<Faults> {
        let until = from.saturating_add(count);
        let calls = AtomicUsize::new(0);
        Arc::new(Faults { fault, only: None, from, until, calls, crash: None })
    }

    /// The effect number `point` has this mishap, with all retries of the SDK.
    pub(crate) fn crash(point: usize, mishap: Mishap) -> Arc<Faults> {
        let (fault, calls) = (Fault::Before, AtomicUsize::new(0));
        let crash = Some(Crash::new(point, mishap));
        Arc::new(Faults { fault, only: None, from: 0, until: 0, calls, crash })
    }

    /// Every call of one operation of DynamoDB fails.
    pub(crate) fn only(operation: &'static str, fault: Fault) -> Arc<Faults> {
        let (only, calls) = (Some(operation), AtomicUsize::new(0));
        Arc::new(Faults { fault, only, from: 0, until: usize::MAX, calls, crash: None })
    }

    /// Waits until the crash has killed the process.
    pub(crate) async fn died(&self) {
        match &self.crash {
            Some(crash) => crash.died().await,
            None => std::future::pending().await,
        }
    }

    /// The number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    pub(super) fn next(&self, target: &str) -> Option<Fault> {
        if self.only.is_some_and(|only| target.rsplit('.').next() != Some(only)) {
            return None;
        }
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        (self.from..self.until).contains(&call).then_some(self.fault)
    }
}
