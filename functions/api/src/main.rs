//! The HTTP API: reads the configuration, builds the clients once, hands the router to the runtime.

use std::sync::Arc;

use access_point::{
    api::{self, DocsUrl},
    lambda::{self, Deployment, Error},
    service::Serving,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let serving = Serving::on(&deployment, api::render)?;
    let docs = DocsUrl::read(deployment.environment())?;
    lambda::serve(api::documented(api::router(Arc::new(serving)), docs)).await
}
