//! The events of the billing provider: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    api::{self, DocsUrl},
    lambda::{self, Deployment, Error},
    service::Subscribing,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let docs = DocsUrl::read(deployment.environment())?;
    let billing = api::billing(Subscribing::on(&deployment).await?);
    lambda::serve(api::documented(billing, docs)).await
}
