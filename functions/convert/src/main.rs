//! The stage `convert`: works off its queue, one document a message.

use access_point::{lambda::run_stage, service::convert::convert};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    run_stage(convert).await
}
