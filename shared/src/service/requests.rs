//! Rate limits for requests. There is one limit for each organization and mode, over keys and tokens together. There is
//! another one for each network address without a valid credential. If the count cannot be written, the request
//! continues: a limit must not stop the service.

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

/// The time span of a limit.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);

/// The limit of one network address. Only invalid credentials are counted, so that a valid credential is never affected
/// by others at its address.
const STRANGERS: Rate = Rate { what: "STRANGER", most: 600, window: WINDOW };

/// How long a request waits for its count.
const PATIENCE: Duration = Duration::from_millis(200);

/// The result of counting a request, for the headers of its answer. Empty until it is counted.
pub type Counted = Arc<OnceLock<Taken>>;

/// How to count a request.
#[derive(Debug, Clone)]
pub struct Counting {
    /// Maximum requests of an organization in a minute.
    pub most: u32,
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
        let rate = Rate { what: "REQUEST", most: self.most, window: WINDOW };
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
