//! What changes who may act for whom: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, ClientAddress, RequestId},
    config::{self, Environment},
    log, pages,
    service::{Connecting, Portal},
};
use lambda_http::{
    Error, Request, RequestExt,
    request::RequestContext,
    tower::{ServiceBuilder, ServiceExt},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let connecting = Connecting::start(&environment).await?;
    let portal = Portal::beside(&connecting, &environment).await?.map(pages::portal);
    let api = api::oauth(connecting);
    // What is not the API's is a page.
    let router = match portal {
        Some(portal) => api.fallback_service(portal),
        None => api,
    };
    let router = ServiceExt::<Request>::map_err(router, Error::from);
    lambda_http::run(ServiceBuilder::new().map_request(identify).service(router)).await
}

/// Names the request after its invocation, which is in the platform's own log lines too, and notes where it came from.
fn identify(mut request: Request) -> Request {
    let id = request.lambda_context_ref().map(|context| context.request_id.clone());
    let ip = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.clone(),
        _ => None,
    };
    if let Some(id) = id {
        request.extensions_mut().insert(RequestId(id));
    }
    if let Some(ip) = ip.and_then(|ip| ip.parse().ok()) {
        request.extensions_mut().insert(ClientAddress(ip));
    }
    request
}
