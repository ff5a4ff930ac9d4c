//! Documents as PDF: reads the configuration, builds the clients once, hands the router to the runtime. A function of its
//! own, so that no other carries the typesetter.

use access_point::{
    api::{self, DocsUrl},
    lambda::{self, Deployment, Error},
    pages,
    service::{Portal, Printing},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let docs = DocsUrl::read(deployment.environment())?;
    let printing = Printing::on(&deployment)?;
    let portal = Portal::of_documents(&deployment)?.map(pages::pdf);
    let api = api::documented(api::pdf(printing), docs);
    // What is not the API's is a page.
    lambda::serve(match portal {
        Some(portal) => api.fallback_service(portal),
        None => api,
    })
    .await
}
