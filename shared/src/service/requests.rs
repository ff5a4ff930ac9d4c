//! Rate limits for requests. There is one limit for each organization and mode, over keys and tokens together. There is
//! another one for each network address without a valid credential.
//!
//! A process remembers until the end of the window whom it refuses, and refuses further requests without a write. If the
//! count cannot be written, the request continues, since a limit must not stop the service. But each process answers only
//! few requests of a window without a count, so that a flood that no partition can count is refused too.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use jiff::SignedDuration;

use super::Context;
use crate::{
    error::{Code, Failure},
    store::{self, Rate, Share, Taken},
    types::{Mode, OrganizationId, Random},
};

/// The time span of a limit.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);

/// The limit of one network address. Only invalid credentials are counted, so that a valid credential is never affected
/// by others at its address.
const STRANGERS: Rate = Rate { what: "STRANGER", most: 600, window: WINDOW };

/// Requests in a minute that one counter counts. A partition of the table takes 1,000 writes a second, three times as many.
const MOST_OF_A_SHARE: u32 = 20_000;

/// How many refused callers a process remembers.
const REMEMBERED: usize = 10_000;

/// How long a request waits for its count.
const PATIENCE: Duration = Duration::from_millis(200);

/// The result of counting a request, for the headers of its answer. Empty until it is counted.
pub type Counted = Arc<OnceLock<Taken>>;

/// The limit of requests of a deployment, with what this process knows of the current windows. Clones share that.
#[derive(Debug, Clone)]
pub struct RequestLimit {
    /// Maximum requests of an organization in a minute.
    per_minute: u32,
    windows: Arc<Mutex<HashMap<Counter, Window>>>,
}

/// Whose requests are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Counter {
    mode: Mode,
    what: &'static str,
    whom: String,
}

/// What this process knows of a window in which something was refused or not counted.
#[derive(Debug, Clone)]
struct Window {
    /// Its end, in seconds since 1970.
    ends: i64,
    /// The shares that are used up.
    full: Vec<u8>,
    /// Requests that were answered without a count.
    uncounted: u32,
}

impl RequestLimit {
    /// A limit of an organization in a minute.
    pub fn new(per_minute: u32) -> Self {
        RequestLimit { per_minute, windows: Arc::default() }
    }

    /// The shares that are known to be used up in the window with this end.
    fn full(&self, counter: &Counter, ends: i64) -> Vec<u8> {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.get(counter).filter(|window| window.ends == ends);
        window.map(|window| window.full.clone()).unwrap_or_default()
    }

    /// Changes what is known of the window with this end. It is forgotten at once where too much is remembered.
    fn note<T>(&self, counter: &Counter, ends: i64, change: impl FnOnce(&mut Window) -> T) -> T {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let new = Window { ends, full: Vec::new(), uncounted: 0 };
        if windows.len() >= REMEMBERED {
            windows.retain(|_, window| window.ends >= ends);
        }
        if windows.len() >= REMEMBERED && !windows.contains_key(counter) {
            return change(&mut { new });
        }
        let window = windows.entry(counter.clone()).or_insert_with(|| new.clone());
        if window.ends != ends {
            *window = new;
        }
        change(window)
    }
}

/// A share of a limit that is not used up, by chance. So no partition of the table counts more than its part of a flood.
fn share(rate: Rate, full: &[u8], random: &dyn Random) -> Option<Share> {
    let of = shares(rate.most);
    let left: Vec<u8> = (0..of).filter(|number| !full.contains(number)).collect();
    let number = match left[..] {
        [] => return None,
        [only] => only,
        ref several => {
            let mut byte = [0];
            random.fill(&mut byte);
            several[usize::from(byte[0]) % several.len()]
        }
    };
    Some(Share { number, of })
}

/// How many counters a limit has.
fn shares(most: u32) -> u8 {
    u8::try_from(most.div_ceil(MOST_OF_A_SHARE)).unwrap_or(u8::MAX).max(1)
}

/// How to count a request.
#[derive(Debug, Clone)]
pub struct Counting {
    /// The limit.
    pub limit: RequestLimit,
    /// Receives the count.
    pub counted: Counted,
}

impl Counting {
    /// Counts a request of an organization, and refuses it beyond the limit.
    pub(super) async fn organization(
        &self,
        ctx: &Context,
        mode: Mode,
        id: &OrganizationId,
    ) -> Result<(), Failure> {
        let rate = Rate { what: "REQUEST", most: self.limit.per_minute, window: WINDOW };
        let what = "The organization has sent its maximum number of requests in a minute";
        self.count(ctx, mode, rate, id.as_str(), what).await
    }

    /// Counts a request with an invalid credential, and returns its failure.
    pub async fn stranger(
        &self,
        ctx: &Context,
        address: Option<IpAddr>,
        failure: Failure,
    ) -> Failure {
        // Without a credential there is no mode, so all network addresses are counted in Live.
        let place = store::place(address);
        let what = "This address has sent its maximum number of requests without a valid credential in a minute";
        let counted = self.count(ctx, Mode::Live, STRANGERS, &place, what).await;
        counted.err().unwrap_or(failure)
    }

    async fn count(
        &self,
        ctx: &Context,
        mode: Mode,
        rate: Rate,
        whom: &str,
        what: &str,
    ) -> Result<(), Failure> {
        let (limit, now) = (&self.limit, ctx.now());
        let counter = Counter { mode, what: rate.what, whom: whom.to_owned() };
        let ends = rate.end_of_window(now);
        let mut full = limit.full(&counter, ends);
        while let Some(share) = share(rate, &full, &*ctx.random) {
            let counted = ctx.store.take_of_share(mode, rate, share, whom, now);
            match tokio::time::timeout(PATIENCE, counted).await {
                Ok(Ok(taken)) if taken.is_given => {
                    self.counted.get_or_init(|| taken);
                    return Ok(());
                }
                Ok(Ok(_)) => {
                    full.push(share.number);
                    limit.note(&counter, ends, |window| window.full.push(share.number));
                }
                uncounted => {
                    let error = uncounted.ok().and_then(Result::err);
                    let cause = error.as_ref().map(tracing::field::display);
                    let answered = limit.note(&counter, ends, |window| {
                        window.uncounted += 1;
                        window.uncounted <= most_uncounted(rate.most)
                    });
                    tracing::warn!(error.cause = cause, answered, "a request was not counted");
                    if answered {
                        return Ok(());
                    }
                    break;
                }
            }
        }
        let taken = Taken { is_given: false, rate, remaining: 0, wait: rate.until_next(now) };
        self.counted.get_or_init(|| taken);
        let (most, wait) = (rate.most, taken.wait.as_secs());
        let message = format!("{what} ({most}): retry after {wait} seconds.");
        Err(Failure::new(Code::RateLimited, message).retry_after(taken.wait))
    }
}

/// How many requests of a window a process answers without a count: a hundredth of the limit, and some in any case.
fn most_uncounted(most: u32) -> u32 {
    (most / 100).max(10)
}
