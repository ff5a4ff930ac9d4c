//! The relay: puts on its queue whatever the table's stream says must go on its way.

use access_point::{
    config::{self, Environment},
    log,
    service::{Relaying, relay::relay},
    store::keys::{PK, Place, SK},
};
use aws_lambda_events::dynamodb::{Event, EventRecord};
use aws_lambda_events::streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse};
use lambda_runtime::{Error, LambdaEvent, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let relaying = Relaying::start(&environment).await?;
    let handle = async |event: LambdaEvent<Event>| -> Result<DynamoDbEventResponse, Error> {
        let mut response = DynamoDbEventResponse::default();
        for record in event.payload.records {
            let Some(place) = place(&record) else { continue };
            if let Err(failure) = Box::pin(relay(&relaying, &place)).await {
                tracing::error!(?place, error = ?failure.source, "an item was not relayed");
                // The first failure is where the stream goes on: order is kept in a shard.
                let mut item = DynamoDbBatchItemFailure::default();
                item.item_identifier = record.change.sequence_number;
                response.batch_item_failures.push(item);
                break;
            }
        }
        Ok(response)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// Which item a stream record is about; none when nothing of that kind goes on its way.
fn place(record: &EventRecord) -> Option<Place> {
    let key = |name| match record.change.keys.get(name) {
        Some(serde_dynamo::AttributeValue::S(text)) => Some(text.as_str()),
        _ => None,
    };
    Place::parse(key(PK)?, key(SK)?)
}
