//! The HTTP API: reads the configuration, builds the clients once, hands the router to the runtime.

use std::sync::Arc;

use access_point::{
    api::{self, DocsUrl},
    config::{self, ApiOriginConfig, Environment},
    lambda::{self, Error},
    log,
    service::Serving,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let serving = Serving::start(&environment, api::render).await?;
    let docs = ApiOriginConfig::read(&environment)?.origin.as_deref().map(DocsUrl::at);
    lambda::serve(api::documented(api::router(Arc::new(serving)), docs)).await
}
