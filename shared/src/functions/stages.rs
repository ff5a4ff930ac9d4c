//! The stages: functions that process the messages of queues, and the relay of the table's stream.

use aws_lambda_events::{
    dynamodb::Event,
    sqs::{SqsBatchResponse, SqsEvent},
    streams::DynamoDbEventResponse,
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::time::Instant;

use super::start;
use crate::{
    api,
    error::Failure,
    lambda::{Received, each_group, each_item, each_message, until},
    service::{
        Delivering, Mailing, PeppolReporting, Registering, Relaying, Sending, SendingMls,
        TaxReporting, ValidatingInbound,
        archives::Archiving,
        convert::Convert,
        deliver::deliver_to_one,
        dispatch::Dispatch,
        imports::Importing,
        job::{self, Job},
        onboarding::{self, Admission, Registration},
        peppol_reports, relay, retirement,
        sweep::Part,
    },
    store::{
        ApplicationMessage, DeliverMessage, PeppolReportMessage, RegisterMessage, ReportMessage,
    },
    tasks::Boxed,
};

/// The stage `convert`: processes its queues, one document for each message.
pub fn convert() -> Result<(), Error> {
    start(async |deployment| each_job(Convert(Sending::on(&deployment)?)).await)
}

/// The stage `dispatch`: processes its queues, one document for each message.
pub fn dispatch() -> Result<(), Error> {
    start(async |deployment| {
        each_job(Dispatch(Sending::connected(&deployment, api::render)?)).await
    })
}

/// The stage `validate_inbound`: validates the messages of other access points, one for each message of its queue.
pub fn validate_inbound() -> Result<(), Error> {
    start(async |deployment| each_job(ValidatingInbound::on(&deployment)?).await)
}

/// The stage `mls`: sends the Message Level Statuses that are owed, one for each message of its queue.
pub fn mls() -> Result<(), Error> {
    start(async |deployment| each_job(SendingMls::on(&deployment)?).await)
}

/// A message of the queue of the stage `report`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reported {
    /// A report to the tax authority.
    TaxReport(ReportMessage),
    /// An OpenPeppol report.
    PeppolReport(PeppolReportMessage),
}

/// The stage `report`: processes its queue, one report to the tax authority or to OpenPeppol for each message. Its
/// schedule creates the OpenPeppol reports that are due.
pub fn report() -> Result<(), Error> {
    start(async |deployment| {
        let reporting = &TaxReporting::on(&deployment)?;
        let peppol_reporting = &PeppolReporting::beside(reporting, &deployment)?;
        let work = |message: Reported| -> Boxed<'static, Result<(), Failure>> {
            let (reporting, peppol_reporting) = (reporting.clone(), peppol_reporting.clone());
            Box::pin(async move {
                match message {
                    Reported::TaxReport(message) => job::run(&reporting, &message).await,
                    Reported::PeppolReport(message) => job::run(&peppol_reporting, &message).await,
                }
            })
        };
        let tick = async |_, _| Ok(peppol_reports::make_due(peppol_reporting).await?);
        each_message_or_tick(work, tick).await
    })
}

/// A message of the queue of the stage `register`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Registered {
    /// A registration of a taxpayer that must be published to its register.
    Register(RegisterMessage),
    /// An application whose business must be registered.
    Application(ApplicationMessage),
}

/// The stage `register`: processes its queue, one registration or one application for each message. Its schedule reads
/// the changes at the national portal.
pub fn register() -> Result<(), Error> {
    start(async |deployment| {
        let registering = &Registering::on(&deployment).await?;
        let work = |message: Registered| -> Boxed<'static, Result<(), Failure>> {
            let registering = registering.clone();
            Box::pin(async move {
                match message {
                    Registered::Register(message) => {
                        job::run(&Registration(registering), &message).await
                    }
                    Registered::Application(message) => {
                        job::run(&Admission(registering), &message).await
                    }
                }
            })
        };
        let tick = async |_, _| {
            // Boxed: the state of a request is large.
            let read = Box::pin(onboarding::read_changes(registering)).await;
            let read = read.map_err(|failure| failure.cause())?;
            let onboarding::ChangesRead { looked_at, failed } = read;
            tracing::info!(looked_at, failed, "the changes at the national portal were read");
            match failed {
                0 => Ok(()),
                _ => Err(format!("{failed} changes were passed over; see the log").into()),
            }
        };
        each_message_or_tick(work, tick).await
    })
}

/// The stage `imports`: processes its queues, one import for each message.
pub fn imports() -> Result<(), Error> {
    start(async |deployment| each_job(Importing::on(&deployment, api::render)?).await)
}

/// A tick of the schedule of the stage `archives`.
#[derive(Deserialize)]
struct Retirement {
    /// The part of the documents whose items are retired; all of them where it is missing.
    retire: Option<Part>,
}

/// The stage `archives`: processes its queues, one archive for each message. Its schedule retires items of closed
/// documents from the table.
pub fn archives() -> Result<(), Error> {
    start(async |deployment| {
        let archiving = Archiving::on(&deployment, api::describe)?;
        let ctx = &deployment.context();
        let tick = async |event, until| {
            let Retirement { retire } = serde_json::from_value(event)?;
            let part = retire.unwrap_or(Part::WHOLE);
            let retired = retirement::retire_part(ctx, part, until).await?;
            let retirement::Retired { documents, kept, failed, days_behind } = retired;
            tracing::info!(
                documents,
                kept,
                failed,
                days_behind,
                "items of closed documents were retired"
            );
            Ok(())
        };
        each_message_or_tick(running(archiving), tick).await
    })
}

/// The stage `mail`: processes its queues, one mail for each message.
pub fn mail() -> Result<(), Error> {
    start(async |deployment| each_job(Mailing::on(&deployment)?).await)
}

/// Runs the jobs of a function's queues, one for each message.
async fn each_job<J: Job>(job: J) -> Result<(), Error> {
    let work = running(job);
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        Ok(each_message(event.payload, until, &work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// The work of a job on a message.
fn running<J: Job>(job: J) -> impl Fn(J::Message) -> Boxed<'static, Result<(), Failure>> {
    move |message| {
        let job = job.clone();
        Box::pin(async move { job::run(&job, &message).await })
    }
}

/// Processes the messages of a function's queue, and the events of its schedule until an instant.
async fn each_message_or_tick<M: DeserializeOwned>(
    work: impl Fn(M) -> Boxed<'static, Result<(), Failure>>,
    tick: impl AsyncFn(Value, Instant) -> Result<(), Error>,
) -> Result<(), Error> {
    let handle = async |event: LambdaEvent<Value>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        // A queue's event has records. The schedule's event has none.
        if event.payload.get("Records").is_none() {
            tick(event.payload, until).await?;
            return Ok(SqsBatchResponse::default());
        }
        Ok(each_message(serde_json::from_value(event.payload)?, until, &work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// Webhook delivery: one attempt for each message. Messages for the same endpoint are processed together.
pub fn deliver() -> Result<(), Error> {
    start(async |deployment| {
        let delivering = &Delivering::on(&deployment).await?;
        let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
            let until = until(&event.context);
            let work = |messages: Vec<Received<DeliverMessage>>| {
                let delivering = delivering.clone();
                let messages: Vec<_> = messages.into_iter().map(without_repetition).collect();
                async move {
                    let outcomes = deliver_to_one(&delivering, &messages).await;
                    outcomes.into_iter().map(|outcome| outcome.map(drop)).collect()
                }
            };
            Ok(each_group(event.payload, until, DeliverMessage::same_endpoint, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// A message that says what its first attempt needs only if its queue delivers it for the first time.
fn without_repetition(Received { message, again }: Received<DeliverMessage>) -> DeliverMessage {
    DeliverMessage { first: message.first.filter(|_| !again), ..message }
}

/// The relay: sends the due items of the table's stream to their queues.
pub fn relay() -> Result<(), Error> {
    start(async |deployment| {
        let relaying = &Relaying::on(&deployment)?;
        let handle = async |event: LambdaEvent<Event>| -> Result<DynamoDbEventResponse, Error> {
            let until = until(&event.context);
            let batch = &relay::Batch::new(relaying);
            let work = |job_id, image| {
                let batch = batch.clone();
                async move { batch.relay(&job_id, image).await }
            };
            Ok(each_item(event.payload, until, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_two_kinds_on_one_queue_are_told_apart() {
        let tax_report = r#"{"taxpayer_id": "txpay_1", "report_id": "rep_1"}"#;
        assert!(matches!(serde_json::from_str(tax_report).unwrap(), Reported::TaxReport(_)));
        let peppol_report = r#"{"monthly": {"month": "2026-10", "kind": "TSR", "number": 1}}"#;
        assert!(matches!(serde_json::from_str(peppol_report).unwrap(), Reported::PeppolReport(_)));
        assert!(serde_json::from_str::<Reported>("{}").is_err());
        let register = r#"{"mode": "live", "taxpayer_id": "txpay_1", "register": "network"}"#;
        assert!(matches!(serde_json::from_str(register).unwrap(), Registered::Register(_)));
        let application = r#"{"mode": "live", "application_id": "apl_1"}"#;
        assert!(matches!(serde_json::from_str(application).unwrap(), Registered::Application(_)));
        assert!(serde_json::from_str::<Registered>("{}").is_err());
    }
}
