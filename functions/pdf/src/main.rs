//! Documents as PDF: reads the configuration, builds the clients once, hands the router to the runtime. A function of its
//! own, so that no other carries the typesetter.

use access_point::{
    api::{self, DocsUrl},
    config::{self, ApiOriginConfig, Environment},
    lambda::{self, Error},
    log, pages,
    service::{Portal, Printing},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let docs = ApiOriginConfig::read(&environment)?.origin.as_deref().map(DocsUrl::at);
    let printing = Printing::start(&environment).await?;
    let portal = Portal::printing(&printing, &environment).await?.map(pages::pdf);
    let api = api::documented(api::pdf(printing), docs);
    // What is not the API's is a page.
    lambda::serve(match portal {
        Some(portal) => api.fallback_service(portal),
        None => api,
    })
    .await
}
