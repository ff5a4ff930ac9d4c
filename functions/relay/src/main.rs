//! The relay: puts on its queue whatever the table's stream says must go on its way.

use access_point::{
    config::{self, Environment},
    lambda::{each_item, until},
    log,
    service::{Relaying, relay::relay},
};
use aws_lambda_events::{dynamodb::Event, streams::DynamoDbEventResponse};
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let relaying = &Relaying::start(&environment).await?;
    let handle = async |event: LambdaEvent<Event>| -> Result<DynamoDbEventResponse, Error> {
        let until = until(&event.context);
        let work = |place| {
            let relaying = relaying.clone();
            async move { relay(&relaying, &place).await }
        };
        Ok(each_item(event.payload, until, work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
