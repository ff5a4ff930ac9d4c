use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Error, LambdaEvent, service_fn};

use super::each_message;
use crate::{
    config::{self, Environment},
    error::Failure,
    log,
    service::Sending,
    store::StageMessage,
};

/// The whole of a function that is a stage of queued delivery: works off its queue, one document a
/// message.
pub async fn run_stage<W>(stage: W) -> Result<(), Error>
where
    W: AsyncFn(&Sending, &StageMessage) -> Result<(), Failure>,
{
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let sending = &Sending::start(&environment).await?;
    let stage = &stage;
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        Ok(each_message(event.payload, async |message| stage(sending, &message).await).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
