use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde::de::DeserializeOwned;

use crate::error::Failure;

/// Works on each message of a batch; those that fail come again, and after the queue's last
/// attempt go to its dead letters. A message that cannot be read fails too: a person must see it.
pub async fn each_message<M, W>(batch: SqsEvent, mut work: W) -> SqsBatchResponse
where
    M: DeserializeOwned,
    W: AsyncFnMut(M) -> Result<(), Failure>,
{
    let mut response = SqsBatchResponse::default();
    for record in batch.records {
        let id = record.message_id.unwrap_or_default();
        let failure = match serde_json::from_str(record.body.as_deref().unwrap_or_default()) {
            // Boxed: the state of the work is large, and deep for the compiler.
            Ok(message) => Box::pin(work(message))
                .await
                .err()
                .map(|failure| failure.source.map_or(failure.message, |source| source.to_string())),
            Err(error) => Some(format!("the message cannot be read: {error}")),
        };
        if let Some(error) = failure {
            tracing::error!(message.id = id, error, "a message was not worked off");
            response.add_failure(id);
        }
    }
    response
}
