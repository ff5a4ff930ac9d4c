//! Our SMP: reads the configuration, builds the clients once, hands the router to the runtime.

use access_point::{
    api::{self, RawPath},
    lambda::{self, Deployment, Error},
    service::publish::Publishing,
};
use lambda_http::{RequestExt, http::Request, tower::util::MapRequestLayer};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let deployment = Deployment::start().await?;
    let publishing = Publishing::on(&deployment).await?;
    lambda::serve(api::smp(publishing).layer(MapRequestLayer::new(keep_path))).await
}

/// Keeps the path as API Gateway gives it: made a URI, a decoded one would end at the first `#`.
fn keep_path<B>(mut request: Request<B>) -> Request<B> {
    let path = RawPath(request.raw_http_path().to_owned());
    request.extensions_mut().insert(path);
    request
}
