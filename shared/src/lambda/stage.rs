use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Error, LambdaEvent, service_fn};

use super::{each_message, until};
use crate::{
    config::{self, Environment},
    error::Failure,
    log,
    service::Sending,
    store::StageMessage,
};

/// The whole of a function that is a stage of queued delivery: works off its queues, one document a
/// message.
pub async fn run_stage<W, F>(stage: W) -> Result<(), Error>
where
    W: Fn(Sending, StageMessage) -> F,
    F: Future<Output = Result<(), Failure>> + Send + 'static,
{
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    let (sending, stage) = (&Sending::start(&environment).await?, &stage);
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        Ok(each_message(event.payload, until, |message| stage(sending.clone(), message)).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}
