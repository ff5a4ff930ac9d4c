//! How many requests are answered: of each organization in a mode, by keys and tokens together, and of each place in the
//! internet without a credential that works. Where the count cannot be written the request goes on without: a limit must
//! not be what stops the service.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use jiff::SignedDuration;

use super::Context;
use crate::{
    error::{Code, Failure},
    store::{self, Rate, Taken},
    types::{Mode, OrganizationId},
};

/// What a limit is counted over.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);

/// Of one place. Whose credential works is never held up by others of his place: it is the wrong ones that are counted.
const STRANGERS: Rate = Rate { what: "STRANGER", most: 600, window: WINDOW };

/// How long a request waits to be counted.
const PATIENCE: Duration = Duration::from_millis(200);

/// What came of counting a request, which its answer tells in headers: empty until it is counted.
pub type Counted = Arc<OnceLock<Taken>>;

/// How a request is counted.
#[derive(Debug, Clone)]
pub struct Counting {
    /// How many requests an organization has in a minute.
    pub most: u32,
    /// Where the count goes.
    pub counted: Counted,
}

impl Counting {
    /// Counts a request of an organization, which is refused when it is one too many.
    pub(super) async fn organization(
        &self,
        ctx: &Context,
        mode: Mode,
        id: &OrganizationId,
    ) -> Result<(), Failure> {
        let rate = Rate { what: "REQUEST", most: self.most, window: WINDOW };
        let what = "The organization has sent as many requests as it may in a minute";
        self.count(ctx, mode, rate, id.as_str(), what).await
    }

    /// Counts a request whose credential does not work, and gives what it is refused with.
    pub async fn stranger(
        &self,
        ctx: &Context,
        address: Option<IpAddr>,
        failure: Failure,
    ) -> Failure {
        // Whoever has no credential has no mode: all places are counted in one.
        let place = store::place(address);
        let what =
            "As many requests came from this address as may in a minute without a valid credential";
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
        let counted = ctx.store.take_one(mode, rate, whom, ctx.now());
        let taken = match tokio::time::timeout(PATIENCE, counted).await {
            Ok(Ok(taken)) => taken,
            Ok(Err(error)) => {
                tracing::warn!(error.cause = %error, "a request was not counted");
                return Ok(());
            }
            Err(_) => {
                tracing::warn!("a request was not counted in time");
                return Ok(());
            }
        };
        self.counted.get_or_init(|| taken);
        if taken.is_given {
            return Ok(());
        }
        let (most, wait) = (rate.most, taken.wait.as_secs());
        let message = format!("{what} ({most}): retry after {wait} seconds.");
        Err(Failure::new(Code::RateLimited, message).retry_after(taken.wait))
    }
}
