//! The HTTP API: reads the configuration, builds the clients once, hands the router to the runtime.

use std::sync::Arc;

use access_point::{
    api,
    config::{self, Environment},
    lambda::{self, Error},
    log,
    service::Serving,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let serving = Serving::start(&environment, api::render).await?;
    lambda::serve(api::router(Arc::new(serving))).await
}
