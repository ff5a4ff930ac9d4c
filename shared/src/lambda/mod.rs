//! The runtime of the functions: cold start, HTTP requests, and batches with partial failures.

mod batch;
mod connection;
mod deployment;
mod http;
mod kms;
mod secret;
mod stream;

use std::time::Duration;

use tokio::time::Instant;

use crate::types::{Clock, SystemClock};

pub use batch::{Received, each_group, each_message};
#[cfg(test)]
pub(crate) use connection::network;
pub use deployment::Deployment;
pub use http::serve;
use lambda_runtime::Error;
pub use stream::each_item;

/// Runs a future to completion on a single-threaded runtime.
pub fn block_on<T, E: From<std::io::Error>>(
    future: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future)
}

/// How long before its deadline an invocation stops working, so that it can report the unprocessed messages.
const MARGIN: Duration = Duration::from_secs(1);

/// The instant at which an invocation stops working.
pub fn until(context: &lambda_runtime::Context) -> Instant {
    Instant::now() + left(context.deadline, SystemClock.now().as_millisecond())
}

/// The remaining time of an invocation, from two instants in milliseconds since 1970.
fn left(deadline: u64, now: i64) -> Duration {
    let now = u64::try_from(now).unwrap_or_default();
    Duration::from_millis(deadline.saturating_sub(now)).saturating_sub(MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invocation_works_until_a_second_before_its_deadline() {
        assert_eq!(left(1_030_000, 1_000_000), Duration::from_secs(29));
        assert_eq!(left(1_000_500, 1_000_000), Duration::ZERO);
        assert_eq!(left(1_000_000, 1_030_000), Duration::ZERO, "too late");
    }
}
