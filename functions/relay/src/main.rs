//! The relay: puts on its queue whatever the table's stream says must go on its way.

use access_point::{
    config::{self, Environment},
    log,
    service::{Context, relay},
    store::keys::{PK, SK},
};
use aws_lambda_events::{
    dynamodb::{Event, EventRecord},
    streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse},
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_dynamo::AttributeValue;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let context = &Context::with_queues(&environment).await?;
    let handle = async |event: LambdaEvent<Event>| -> Result<DynamoDbEventResponse, Error> {
        let mut response = DynamoDbEventResponse::default();
        for record in event.payload.records {
            if !Box::pin(relay::handle(context, key(&record, PK), key(&record, SK))).await {
                // The stream comes again from the first record that failed.
                let mut failure = DynamoDbBatchItemFailure::default();
                failure.item_identifier = record.change.sequence_number;
                response.batch_item_failures.push(failure);
                break;
            }
        }
        Ok(response)
    };
    lambda_runtime::run(service_fn(handle)).await
}

fn key<'a>(record: &'a EventRecord, name: &str) -> &'a str {
    match record.change.keys.get(name) {
        Some(AttributeValue::S(text)) => text,
        _ => "",
    }
}
