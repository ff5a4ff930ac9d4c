//! The operations on webhook endpoints and events: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, DocsUrl},
    config::{self, ApiOriginConfig, Environment},
    lambda::{self, Error},
    log,
    service::Notifying,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let docs = ApiOriginConfig::read(&environment)?.origin.as_deref().map(DocsUrl::at);
    let hooks = api::hooks(Notifying::start(&environment).await?);
    lambda::serve(api::documented(hooks, docs)).await
}
