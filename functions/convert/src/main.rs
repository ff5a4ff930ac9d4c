//! The stage `convert`: works off its queue, one document a message.

use access_point::{
    config::{self, Environment},
    lambda::each_message,
    log,
    service::{Sending, convert::convert},
};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let context = Sending::start(&environment).await?;
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        Ok(each_message(event.payload, async |message| convert(&context, &message).await).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
