//! Our SMP: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    api::{self, RawPath},
    config::{self, Environment},
    log,
    service::publish::Publishing,
};
use lambda_http::{
    Error, Request, RequestExt,
    tower::{ServiceBuilder, ServiceExt},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let publishing = Publishing::start(&environment).await?;
    let router = ServiceExt::<Request>::map_err(api::smp(publishing), Error::from);
    lambda_http::run(ServiceBuilder::new().map_request(keep_path).service(router)).await
}

/// Keeps the path as API Gateway gives it: made a URI, a decoded one would end at the first `#`.
fn keep_path(mut request: Request) -> Request {
    let path = RawPath(request.raw_http_path().to_owned());
    request.extensions_mut().insert(path);
    request
}
