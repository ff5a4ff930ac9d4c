//! The operations on webhook endpoints and events: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, DocsUrl},
    lambda::{self, Deployment, Error},
    service::Notifying,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let docs = DocsUrl::read(deployment.environment())?;
    let hooks = api::hooks(Notifying::on(&deployment).await?);
    lambda::serve(api::documented(hooks, docs)).await
}
