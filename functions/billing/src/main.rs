//! The events of the billing provider: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    api::{self, RequestId},
    config::{self, Environment},
    log,
    service::Subscribing,
};
use lambda_http::{
    Error, Request, RequestExt,
    tower::{ServiceBuilder, ServiceExt},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let subscribing = Subscribing::start(&environment).await?;
    let router = ServiceExt::<Request>::map_err(api::billing(subscribing), Error::from);
    lambda_http::run(ServiceBuilder::new().map_request(identify).service(router)).await
}

/// Names the request after its invocation, which is in the platform's own log lines too.
fn identify(mut request: Request) -> Request {
    let id = request.lambda_context_ref().map(|context| context.request_id.clone());
    if let Some(id) = id {
        request.extensions_mut().insert(RequestId(id));
    }
    request
}
