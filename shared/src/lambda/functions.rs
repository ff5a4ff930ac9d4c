//! The functions whose events are not HTTP requests. `functions/` has a `main` for each that calls one of these. They
//! are in this crate because the body of an asynchronous function is compiled where it is awaited. In crates of their
//! own, all that they await would be compiled again for each.

use aws_lambda_events::{
    dynamodb::Event,
    sqs::{SqsBatchResponse, SqsEvent},
    streams::DynamoDbEventResponse,
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::{
    Deployment,
    batch::{each_group, each_message},
    block_on,
    stream::each_item,
    until,
};
use crate::{
    error::Failure,
    service::{
        Delivering, Mailing, PeppolReporting, Reconciling, RefreshingTrust, Registering, Relaying,
        Sending, SendingMls, TaxReporting, ValidatingInbound,
        archives::{Archiving, Describe},
        billing::reconcile::{Reconciled, reconcile as compare},
        convert::Convert,
        deliver::deliver_to_one,
        dispatch::Dispatch,
        imports::Importing,
        job::{self, Job},
        onboarding::{self, Admission, Registration},
        peppol_reports, relay,
        reply::Render,
        sweep, trust_refresh, usage,
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

/// The stage `dispatch`: processes its queues, one document for each message. `render` writes the response to a send
/// that ends here.
pub fn dispatch(render: Render) -> Result<(), Error> {
    start(async |deployment| each_job(Dispatch(Sending::connected(&deployment, render)?)).await)
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
    /// A monthly report to OpenPeppol.
    PeppolReport(PeppolReportMessage),
}

/// The stage `report`: processes its queue, one report to the tax authority or to OpenPeppol for each message. Its
/// schedule creates the OpenPeppol reports that are due.
pub fn report() -> Result<(), Error> {
    start(async |deployment| {
        let reporting = &TaxReporting::on(&deployment)?;
        let peppol_reporting = &PeppolReporting::on(&deployment)?;
        let work = |message: Reported| -> Boxed<'static, Result<(), Failure>> {
            let (reporting, peppol_reporting) = (reporting.clone(), peppol_reporting.clone());
            Box::pin(async move {
                match message {
                    Reported::TaxReport(message) => job::run(&reporting, &message).await,
                    Reported::PeppolReport(message) => job::run(&peppol_reporting, &message).await,
                }
            })
        };
        let handle = async |event: LambdaEvent<Value>| -> Result<SqsBatchResponse, Error> {
            let until = until(&event.context);
            // A queue's event has records. The schedule's event has none.
            if event.payload.get("Records").is_none() {
                peppol_reports::make_due(peppol_reporting).await?;
                return Ok(SqsBatchResponse::default());
            }
            Ok(each_message(serde_json::from_value(event.payload)?, until, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
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
        let handle = async |event: LambdaEvent<Value>| -> Result<SqsBatchResponse, Error> {
            let until = until(&event.context);
            // A queue's event has records. The schedule's event has none.
            if event.payload.get("Records").is_none() {
                // Boxed: the state of a request is large.
                let read = Box::pin(onboarding::read_changes(registering)).await;
                let read = read.map_err(|failure| failure.cause())?;
                let onboarding::ChangesRead { looked_at, failed } = read;
                tracing::info!(looked_at, failed, "the changes at the national portal were read");
                if failed > 0 {
                    return Err(format!("{failed} changes were passed over; see the log").into());
                }
                return Ok(SqsBatchResponse::default());
            }
            Ok(each_message(serde_json::from_value(event.payload)?, until, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The stage `imports`: processes its queues, one import for each message. `render` writes the responses to the sends.
pub fn imports(render: Render) -> Result<(), Error> {
    start(async |deployment| each_job(Importing::on(&deployment, render)?).await)
}

/// The stage `archives`: processes its queues, one archive for each message. `describe` writes the record of a
/// document.
pub fn archives(describe: Describe) -> Result<(), Error> {
    start(async |deployment| each_job(Archiving::on(&deployment, describe)?).await)
}

/// The stage `mail`: processes its queues, one mail for each message.
pub fn mail() -> Result<(), Error> {
    start(async |deployment| each_job(Mailing::on(&deployment)?).await)
}

/// Runs the jobs of a function's queues, one for each message.
async fn each_job<J: Job>(job: J) -> Result<(), Error> {
    let work = |message: J::Message| -> Boxed<'static, Result<(), Failure>> {
        let job = job.clone();
        Box::pin(async move { job::run(&job, &message).await })
    };
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        Ok(each_message(event.payload, until, work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// Webhook delivery: one attempt for each message. Messages for the same endpoint are processed together.
pub fn deliver() -> Result<(), Error> {
    start(async |deployment| {
        let delivering = &Delivering::on(&deployment).await?;
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
    })
}

/// The relay: sends the due items of the table's stream to their queues.
pub fn relay() -> Result<(), Error> {
    start(async |deployment| {
        let relaying = &Relaying::on(&deployment)?;
        let handle = async |event: LambdaEvent<Event>| -> Result<DynamoDbEventResponse, Error> {
            let until = until(&event.context);
            let work = |place| {
                let relaying = relaying.clone();
                async move { relay::relay(&relaying, &place).await }
            };
            Ok(each_item(event.payload, until, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The sweeper: every minute dispatches again the items that are due, whose lease has expired, or that were never
/// relayed.
pub fn sweeper() -> Result<(), Error> {
    start(async |deployment| {
        let relaying = &Relaying::on(&deployment)?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            let swept = sweep::sweep(relaying).await;
            let sweep::Swept { relayed, failed, held, .. } = swept;
            tracing::info!(relayed, failed, held, "swept");
            if swept.parked > 0 {
                // The template creates a metric from `parked`, at every log level.
                tracing::error!(parked = swept.parked, "items are parked until they are redriven");
            }
            Ok(())
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// Every half hour: fetches the revocation lists, and logs how long our certificates are valid. A list that cannot be
/// fetched is an error. The invocation is then repeated, and an alarm reports persistent errors.
pub fn trust_refresh() -> Result<(), Error> {
    start(async |deployment| {
        let refreshing = &RefreshingTrust::on(&deployment)?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            match trust_refresh::refresh_trust(refreshing).await? {
                Some(refreshed) if !refreshed.missing.is_empty() => {
                    Err(format!("no revocation list from {}", refreshed.missing.join(", ")).into())
                }
                _ => Ok(()),
            }
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The hourly work of billing: compares stored subscriptions with the provider's, and exports the usage of days that
/// have ended. A failure of either is an error. An alarm fires after six hours without a successful invocation.
pub fn billing_reconcile() -> Result<(), Error> {
    start(async |deployment| {
        let reconciling = &Reconciling::on(&deployment).await?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            let Reconciling { ctx, bucket, provider } = reconciling;
            // The two tasks are independent: a failed export does not prevent the comparison.
            let exported = usage::export_due(ctx, bucket).await;
            if let Err(error) = &exported {
                tracing::error!(%error, "usage was not exported");
            }
            if let Some(provider) = provider {
                log_reconciled(compare(ctx, &**provider).await.map_err(told)?);
            }
            exported?;
            Ok(())
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The template creates a metric from `corrected`: new subscriptions, and lost events.
fn log_reconciled(reconciled: Reconciled) {
    let Reconciled { confirmed, corrected, ended, outdated, unknown } = reconciled;
    tracing::info!(confirmed, corrected, ended, outdated, unknown, "reconciled");
}

/// The text of a failure in a function's own error.
fn told(Failure { message, source, .. }: Failure) -> String {
    match source {
        Some(why) => format!("{message} {why}"),
        None => message,
    }
}

/// Runs a function on its deployment.
fn start(function: impl AsyncFnOnce(Deployment) -> Result<(), Error>) -> Result<(), Error> {
    block_on(async { function(Deployment::start().await?).await })
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
