//! The documentation of the API: reads the configuration, hands the router to the runtime. It needs nothing else.

use access_point::{
    config::{self, BrandConfig, Environment},
    docs,
    lambda::{self, Error},
    log,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let BrandConfig { brand } = BrandConfig::read(&environment)?;
    lambda::serve(docs::router(&brand)).await
}
