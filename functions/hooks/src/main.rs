//! What organizations do about their webhooks: reads the configuration, builds the clients once, hands the router to the
//! runtime.

use access_point::{
    api::{self, ClientAddress, RequestId},
    config::{self, Environment},
    log,
    service::Notifying,
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
    let router = api::hooks(Notifying::start(&environment).await?);
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
