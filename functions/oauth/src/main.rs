//! What changes who may act for whom: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, DocsUrl},
    lambda::{self, Deployment, Error},
    pages,
    service::{Connecting, Portal},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let connecting = Connecting::on(&deployment)?;
    let portal = Portal::of_taxpayers(&deployment)?.map(pages::portal);
    let docs = DocsUrl::read(deployment.environment())?;
    let api = api::documented(api::oauth(connecting), docs);
    // What is not the API's is a page.
    lambda::serve(match portal {
        Some(portal) => api.fallback_service(portal),
        None => api,
    })
    .await
}
