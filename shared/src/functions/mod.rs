//! The Lambda functions, one public function for the `main` of each. They are in this crate because the body of an
//! asynchronous function is compiled where it is awaited. In crates of their own, everything that they await would be
//! compiled again for each.

mod http;
mod schedules;
mod stages;

#[cfg(feature = "pdf")]
pub use http::pdf;
pub use http::{api, billing, docs, inbound, oauth, portal, smp, webhook_api};
pub use lambda_runtime::Error;
pub use schedules::{billing_reconcile, sweeper, trust_refresh};
pub use stages::{
    archives, convert, deliver, dispatch, imports, mail, mls, register, relay, report,
    validate_inbound,
};

use crate::{
    config,
    environment::Environment,
    lambda::{Deployment, block_on},
    log,
};

/// Runs a function on its deployment.
fn start(function: impl AsyncFnOnce(Deployment) -> Result<(), Error>) -> Result<(), Error> {
    block_on(async { function(Deployment::of(start_log()?).await?).await })
}

/// Starts the log at the level of the environment, which it returns.
fn start_log() -> Result<Environment, Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    Ok(environment)
}
