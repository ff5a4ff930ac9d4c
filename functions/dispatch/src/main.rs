//! The stage `dispatch`: works off its queues, one document a message.

use access_point::{lambda::run_stage, service::dispatch::dispatch};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    run_stage(|sending, message| async move { dispatch(&sending, &message).await }).await
}
