use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};

/// Works on each message of a batch. Those for which `work` says `false` come again, and go to the
/// queue's dead letters after its last attempt.
pub async fn each_message<W>(batch: SqsEvent, mut work: W) -> SqsBatchResponse
where
    W: AsyncFnMut(&str) -> bool,
{
    let mut response = SqsBatchResponse::default();
    for record in batch.records {
        if !work(record.body.as_deref().unwrap_or_default()).await {
            response.add_failure(record.message_id.unwrap_or_default());
        }
    }
    response
}
