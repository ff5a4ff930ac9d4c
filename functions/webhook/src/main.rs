//! Webhook delivery: one attempt a message.

use access_point::{
    config::{self, Environment},
    lambda::each_message,
    log,
    service::{Delivering, deliver::deliver},
};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let delivering = &Delivering::start(&environment).await?;
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let attempt = async |message| deliver(delivering, &message).await.map(drop);
        Ok(each_message(event.payload, attempt).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
