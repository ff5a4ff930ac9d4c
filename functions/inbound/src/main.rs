//! What other access points send to: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use std::time::Duration;

use access_point::{
    api::{self, Bounds, Pace, Spool},
    lambda::Deployment,
    service::Receiving,
};
use lambda_http::{Error, Request, tower::ServiceExt};

/// Lambda takes 6 MiB a request, in which a message is Base64: what is larger is answered before it comes here
/// (AWS Lambda developer guide, "Lambda quotas"). An invocation has one, whole.
const MOST_BYTES: usize = 6 * 1024 * 1024 / 4 * 3;

/// For one message that is there already.
fn bounds() -> Bounds {
    let second = Duration::from_secs(1);
    Bounds {
        bytes: MOST_BYTES,
        pace: Pace { grace: second, bytes_per_second: u32::MAX, within: second },
        spool: Spool { memory_bytes: MOST_BYTES, directory: None },
        spool_bytes: u64::MAX,
        spool_bytes_of_address: u64::MAX,
        of_address: usize::MAX,
        at_once: 1,
        place_within: second,
        forwarded: false,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let receiving = Receiving::on(&deployment)?;
    lambda_http::run(ServiceExt::<Request>::map_err(api::as4(receiving, bounds()), Error::from))
        .await
}
