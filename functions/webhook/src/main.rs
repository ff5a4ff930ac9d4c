//! Webhook delivery: one attempt a message, those about one endpoint together.

use access_point::{
    config::{self, Environment},
    lambda::{each_group, until},
    log,
    service::{Delivering, deliver::deliver_to_one},
    store::DeliverMessage,
};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let delivering = &Delivering::start(&environment).await?;
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        let work = |messages: Vec<DeliverMessage>| {
            let delivering = delivering.clone();
            async move {
                let outcomes = deliver_to_one(&delivering, &messages).await;
                outcomes.into_iter().map(|outcome| outcome.map(drop)).collect()
            }
        };
        Ok(each_group(event.payload, until, DeliverMessage::same_endpoint, work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
