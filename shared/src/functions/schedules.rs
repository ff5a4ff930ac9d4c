//! The functions that a schedule invokes.

use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::{Deserialize, de::IgnoredAny};

use super::start;
use crate::{
    error::Failure,
    service::{
        Reconciling, RefreshingTrust, Relaying,
        billing::reconcile::{Reconciled, reconcile},
        sweep::{self, Part},
        trust_refresh as trust, usage,
    },
};

/// A tick of the sweeper's schedule.
#[derive(Deserialize)]
struct Tick {
    /// The part of the index to sweep; the whole one where it is missing.
    part: Option<Part>,
}

/// The sweeper: every minute dispatches again the items that are due, whose lease has expired, or that were never
/// relayed.
pub fn sweeper() -> Result<(), Error> {
    start(async |deployment| {
        let relaying = &Relaying::on(&deployment)?;
        let handle = async |event: LambdaEvent<Tick>| -> Result<(), Error> {
            let part = event.payload.part.unwrap_or(Part::WHOLE);
            let swept = sweep::sweep_part(relaying, part).await;
            let sweep::Swept { relayed, failed, held, .. } = swept;
            tracing::info!(relayed, failed, held, "swept");
            if swept.parked > 0 {
                // The template creates a metric from `parked`, at every log level.
                tracing::warn!(parked = swept.parked, "items are parked until they are redriven");
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
            match trust::refresh_trust(refreshing).await? {
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
                log_reconciled(reconcile(ctx, &**provider).await.map_err(text)?);
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
fn text(Failure { message, source, .. }: Failure) -> String {
    match source {
        Some(why) => format!("{message} {why}"),
        None => message,
    }
}
