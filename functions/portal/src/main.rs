//! The portal of organizations: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    config::{self, Environment},
    lambda::{self, Error},
    log, pages,
    service::Portal,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    lambda::serve(pages::organization(Portal::start(&environment).await?)).await
}
