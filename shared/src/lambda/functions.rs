//! The functions whose events are not HTTP requests, whole: `functions/` holds a `main` for each that
//! calls one of these. They are here since the body of an asynchronous function is compiled where
//! it is awaited: in crates of their own all that they await would be compiled again for each.

use aws_lambda_events::{
    dynamodb::Event,
    sqs::{SqsBatchResponse, SqsEvent},
    streams::DynamoDbEventResponse,
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

use super::{
    batch::{cause, each_group, each_message},
    block_on,
    stream::each_item,
    until,
};
use crate::{
    config::{self, Environment},
    error::Failure,
    log,
    service::{
        Answering, Delivering, Filing, Judging, Mailing, Monthly, Reconciling, Registering,
        Relaying, Sending, Upkeeping,
        archives::{Archiving, Describe, gather},
        billing::reconcile::{Reconciled, reconcile as compare},
        deliver::deliver_to_one,
        imports::{Importing, work},
        monthly, onboarding,
        register::tell_register,
        relay,
        submit::Render,
        sweep, upkeep, usage,
    },
    store::{
        AnswerMessage, ApplicationMessage, ArchiveMessage, DeliverMessage, ImportMessage,
        JudgeMessage, MailMessage, MonthlyMessage, RegisterMessage, ReportMessage, StageMessage,
    },
    tasks::Boxed,
};

/// The stage `convert`: works off its queues, one document a message.
pub fn convert() -> Result<(), Error> {
    block_on(async {
        let sending = &Sending::start(&begin()?).await?;
        let work = |message: StageMessage| -> Boxed<'static, Result<(), Failure>> {
            let sending = sending.clone();
            Box::pin(async move { crate::service::convert::convert(&sending, &message).await })
        };
        stage(work).await
    })
}

/// The stage `dispatch`: works off its queues, one document a message. `render` writes the answer to a
/// send that ends here.
pub fn dispatch(render: Render) -> Result<(), Error> {
    block_on(async {
        let sending = &Sending::start_live(&begin()?, render).await?;
        let work = |message: StageMessage| -> Boxed<'static, Result<(), Failure>> {
            let sending = sending.clone();
            Box::pin(async move { crate::service::dispatch::dispatch(&sending, &message).await })
        };
        stage(work).await
    })
}

/// The stage `judge`: works off its queue, one message of another access point a message.
pub fn judge() -> Result<(), Error> {
    block_on(async {
        let judging = &Judging::start(&begin()?).await?;
        let work = |message: JudgeMessage| -> Boxed<'static, Result<(), Failure>> {
            let judging = judging.clone();
            Box::pin(async move { crate::service::judge::judge(&judging, &message).await })
        };
        stage(work).await
    })
}

/// The stage `answer`: works off its queue, one status that is owed a message.
pub fn answer() -> Result<(), Error> {
    block_on(async {
        let answering = &Answering::start(&begin()?).await?;
        let work = |message: AnswerMessage| -> Boxed<'static, Result<(), Failure>> {
            let answering = answering.clone();
            Box::pin(async move { crate::service::answer::answer(&answering, &message).await })
        };
        stage(work).await
    })
}

/// What is on the queue of the stage `report`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reported {
    /// A report to the tax authority.
    Filing(ReportMessage),
    /// A report of a month to OpenPeppol.
    Monthly(MonthlyMessage),
}

/// The stage `report`: works off its queue, one report to the tax authority or to OpenPeppol a message. Its schedule makes
/// those to OpenPeppol that are due.
pub fn report() -> Result<(), Error> {
    block_on(async {
        let environment = begin()?;
        let filing = &Filing::start(&environment).await?;
        let monthly = &Monthly::beside(filing, &environment)?;
        let work = |message: Reported| -> Boxed<'static, Result<(), Failure>> {
            let (filing, monthly) = (filing.clone(), monthly.clone());
            Box::pin(async move {
                match message {
                    Reported::Filing(message) => {
                        crate::service::report::file(&filing, &message).await
                    }
                    Reported::Monthly(message) => monthly::send(&monthly, &message).await,
                }
            })
        };
        let handle = async |event: LambdaEvent<Value>| -> Result<SqsBatchResponse, Error> {
            let until = until(&event.context);
            // A queue's event has records; the schedule's has none, and asks for nothing.
            if event.payload.get("Records").is_none() {
                monthly::make_due(monthly).await?;
                return Ok(SqsBatchResponse::default());
            }
            Ok(each_message(serde_json::from_value(event.payload)?, until, work).await)
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// What is on the queue of the stage `register`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Registered {
    /// A taxpayer of whom a register must be told.
    Register(RegisterMessage),
    /// An application whose business must be registered.
    Application(ApplicationMessage),
}

/// The stage `register`: works off its queue, one taxpayer and register, or one application, a message. Its schedule reads
/// what changed at the national portal.
pub fn register() -> Result<(), Error> {
    block_on(async {
        let registering = &Registering::start(&begin()?).await?;
        let work = |message: Registered| -> Boxed<'static, Result<(), Failure>> {
            let registering = registering.clone();
            Box::pin(async move {
                match message {
                    Registered::Register(message) => tell_register(&registering, &message).await,
                    Registered::Application(message) => {
                        onboarding::admit(&registering, &message).await
                    }
                }
            })
        };
        let handle = async |event: LambdaEvent<Value>| -> Result<SqsBatchResponse, Error> {
            let until = until(&event.context);
            // A queue's event has records; the schedule's has none.
            if event.payload.get("Records").is_none() {
                // Boxed: the state of a request is large.
                let read = Box::pin(onboarding::read_changes(registering)).await;
                let read = read.map_err(|failure| cause(&failure))?;
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

/// The stage `imports`: works off its queues, one import a message. `render` writes the answers to the sends.
pub fn imports(render: Render) -> Result<(), Error> {
    block_on(async {
        let importing = &Importing::start(&begin()?, render).await?;
        let work = |message: ImportMessage| -> Boxed<'static, Result<(), Failure>> {
            let importing = importing.clone();
            Box::pin(async move { work::work(&importing, &message).await })
        };
        stage(work).await
    })
}

/// The stage `archives`: works off its queues, one archive a message. `describe` writes what is known of a document.
pub fn archives(describe: Describe) -> Result<(), Error> {
    block_on(async {
        let archiving = &Archiving::start(&begin()?, describe).await?;
        let work = |message: ArchiveMessage| -> Boxed<'static, Result<(), Failure>> {
            let archiving = archiving.clone();
            Box::pin(async move { gather::gather(&archiving, &message).await })
        };
        stage(work).await
    })
}

/// The stage `mail`: works off its queues, one mail a message.
pub fn mail() -> Result<(), Error> {
    block_on(async {
        let mailing = &Mailing::start(&begin()?).await?;
        let work = |message: MailMessage| -> Boxed<'static, Result<(), Failure>> {
            let mailing = mailing.clone();
            Box::pin(async move { crate::service::mail::send(&mailing, &message).await })
        };
        stage(work).await
    })
}

async fn stage<M: DeserializeOwned>(
    work: impl Fn(M) -> Boxed<'static, Result<(), Failure>> + Copy,
) -> Result<(), Error> {
    let handle = async |event: LambdaEvent<SqsEvent>| -> Result<SqsBatchResponse, Error> {
        let until = until(&event.context);
        Ok(each_message(event.payload, until, work).await)
    };
    lambda_runtime::run(service_fn(handle)).await
}

/// Webhook delivery: one attempt a message, those about one endpoint together.
pub fn webhook() -> Result<(), Error> {
    block_on(async {
        let delivering = &Delivering::start(&begin()?).await?;
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

/// The relay: puts on its queue whatever the table's stream says must go on its way.
pub fn relay() -> Result<(), Error> {
    block_on(async {
        let relaying = &Relaying::start(&begin()?).await?;
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

/// The sweeper: every minute sends on its way again what is due, was leased too long or was never
/// relayed.
pub fn sweep() -> Result<(), Error> {
    block_on(async {
        let relaying = &Relaying::start(&begin()?).await?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            let swept = sweep::sweep(relaying).await;
            let sweep::Swept { relayed, failed, held, .. } = swept;
            tracing::info!(relayed, failed, held, "swept");
            if swept.parked > 0 {
                // The template makes a metric of `parked`, whatever the level of the logs.
                tracing::error!(parked = swept.parked, "items are parked until they are redriven");
            }
            Ok(())
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The upkeep: every half hour has the revocation lists at hand, and says how long our certificates
/// hold. A list that cannot be had is an error: the invocation is repeated, and an alarm watches.
pub fn upkeep() -> Result<(), Error> {
    block_on(async {
        let upkeeping = &Upkeeping::start(&begin()?).await?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            match upkeep::upkeep(upkeeping).await? {
                Some(upkept) if !upkept.missing.is_empty() => {
                    Err(format!("no revocation list from {}", upkept.missing.join(", ")).into())
                }
                _ => Ok(()),
            }
        };
        lambda_runtime::run(service_fn(handle)).await
    })
}

/// The hourly work of billing: what is known of subscriptions is compared with what the provider knows, and the usage of
/// days that are over is exported. That either fails is an error: an alarm watches for six hours without an invocation
/// that had none.
pub fn reconcile() -> Result<(), Error> {
    block_on(async {
        let reconciling = &Reconciling::start(&begin()?).await?;
        let handle = async |_: LambdaEvent<IgnoredAny>| -> Result<(), Error> {
            let Reconciling { ctx, bucket, provider } = reconciling;
            // What is wrong with the one keeps the other from nothing.
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

/// The template makes a metric of `corrected`: new ones, and events that were lost.
fn log_reconciled(reconciled: Reconciled) {
    let Reconciled { confirmed, corrected, ended, outdated, unknown } = reconciled;
    tracing::info!(confirmed, corrected, ended, outdated, unknown, "reconciled");
}

/// What a function's own error says of a failure.
fn told(Failure { message, source, .. }: Failure) -> String {
    match source {
        Some(why) => format!("{message} {why}"),
        None => message,
    }
}

/// The first thing that a function does: has what goes wrong logged.
fn begin() -> Result<Environment, Error> {
    let environment = Environment::of_process();
    log::start(config::log_level(&environment)?);
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_two_kinds_on_one_queue_are_told_apart() {
        let filing = r#"{"taxpayer_id": "txpay_1", "report_id": "rep_1"}"#;
        assert!(matches!(serde_json::from_str(filing).unwrap(), Reported::Filing(_)));
        let monthly = r#"{"monthly": {"month": "2026-10", "kind": "TSR", "number": 1}}"#;
        assert!(matches!(serde_json::from_str(monthly).unwrap(), Reported::Monthly(_)));
        assert!(serde_json::from_str::<Reported>("{}").is_err());
        let register = r#"{"mode": "live", "taxpayer_id": "txpay_1", "register": "network"}"#;
        assert!(matches!(serde_json::from_str(register).unwrap(), Registered::Register(_)));
        let application = r#"{"mode": "live", "application_id": "apl_1"}"#;
        assert!(matches!(serde_json::from_str(application).unwrap(), Registered::Application(_)));
        assert!(serde_json::from_str::<Registered>("{}").is_err());
    }
}
