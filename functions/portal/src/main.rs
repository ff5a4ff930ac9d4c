//! The portal of organizations: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    lambda::{self, Deployment, Error},
    pages,
    service::Portal,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    lambda::serve(pages::organization(Portal::of_organizations(&deployment).await?)).await
}
