//! What other access points send to: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use std::time::Duration;

use access_point::{
    api::{self, Bounds},
    config::{self, Environment},
    log,
    service::Receiving,
};
use lambda_http::{Error, Request, tower::ServiceExt};

/// Lambda takes 6 MiB a request, in which a message is Base64: what is larger is answered before it comes here
/// (AWS Lambda developer guide, "Lambda quotas"). An invocation has one, whole.
const BOUNDS: Bounds =
    Bounds { bytes: 6 * 1024 * 1024 / 4 * 3, at_once: 1, body_within: Duration::from_secs(1) };

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let receiving = Receiving::start(&environment).await?;
    lambda_http::run(ServiceExt::<Request>::map_err(api::as4(receiving, BOUNDS), Error::from)).await
}
