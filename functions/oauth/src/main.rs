//! What changes who may act for whom: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, DocsUrl},
    config::{self, ApiOriginConfig, Environment},
    lambda::{self, Error},
    log, pages,
    service::{Connecting, Portal},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let connecting = Connecting::start(&environment).await?;
    let portal = Portal::beside(&connecting, &environment).await?.map(pages::portal);
    let docs = ApiOriginConfig::read(&environment)?.origin.as_deref().map(DocsUrl::at);
    let api = api::documented(api::oauth(connecting), docs);
    // What is not the API's is a page.
    lambda::serve(match portal {
        Some(portal) => api.fallback_service(portal),
        None => api,
    })
    .await
}
