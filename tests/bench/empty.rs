//! A function that does nothing: what a cold start of any function costs at least.

use lambda_http::{Body, Error, Request, Response, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let answer = async |_: Request| Ok::<_, Error>(Response::new(Body::Empty));
    lambda_http::run(service_fn(answer)).await
}
