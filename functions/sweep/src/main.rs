//! The sweeper: every minute sends on its way again what is due, was leased too long or was never
//! relayed.

use access_point::{
    config::{self, Environment},
    log,
    service::{Relaying, sweep::sweep},
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::de::IgnoredAny;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let relaying = Relaying::start(&environment).await?;
    let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
        let swept = sweep(&relaying).await;
        tracing::info!(relayed = swept.relayed, failed = swept.failed, "swept");
        if swept.parked > 0 {
            // The template makes a metric of `parked`, whatever the level of the logs.
            tracing::error!(parked = swept.parked, "items are parked until they are redriven");
        }
        Ok(())
    };
    lambda_runtime::run(service_fn(handle)).await
}
