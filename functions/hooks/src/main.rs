//! What organizations do about their webhooks: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api,
    config::{self, Environment},
    lambda::{self, Error},
    log,
    service::Notifying,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    lambda::serve(api::hooks(Notifying::start(&environment).await?)).await
}
