//! The documentation of the API: reads the configuration, hands the router to the runtime. It needs nothing else.

use access_point::{
    config::{self, Environment},
    docs,
    lambda::{self, Error},
    log,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    lambda::serve(docs::router()).await
}
