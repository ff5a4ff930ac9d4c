//! `access-point peppol-report`: what a provider tells OpenPeppol about a month.

use std::{fs, path::PathBuf};

use super::{
    Error, block_on,
    common::{deployment, environment},
    print,
};
use crate::{
    config::{ConfigError, PeppolReportsConfig},
    lambda::Deployment,
    peppol::{
        identifiers::SeatId,
        statistics::{Kind, Month},
    },
    service::{
        exchange_counts::reports,
        peppol_reports::{self, Filed, Files, KnownPeppolReport, fault},
    },
    store::{PeppolReportRecord, Receipt, instant},
};

/// Show or send the monthly reports to OpenPeppol
///
/// The reports contain the exchanges that were counted in the month: Transaction Statistics (TSR 1.0) and End User Statistics
/// (EUSR 1.1). The service sends them automatically from the second hour of the next month to its 15th, the last day on which
/// OpenPeppol accepts them. Needs the environment of the functions (TABLE_NAME, BUCKET_NAME, NETWORK, NETWORK_SECRET_ARN,
/// STATISTICS_RECEIVER and so on) and access to the table, the bucket and the secret, whose certificate names the reporter.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Month in UTC, such as 2026-10
    #[arg(long)]
    month: Month,
    /// Show the created and sent reports with times and receipts; the default
    #[arg(long, conflicts_with_all = ["dry_run", "send"])]
    status: bool,
    /// Show both reports as they would be now, checked against their schemas and rules; sends nothing
    #[arg(long, conflicts_with = "send")]
    dry_run: bool,
    /// Write them into this directory, as tsr-MONTH.xml and eusr-MONTH.xml, instead of printing both
    #[arg(long, value_name = "DIRECTORY", requires = "dry_run")]
    out: Option<PathBuf>,
    /// Create both now, and let the service send them
    ///
    /// A month that is not over is reported again when it ends. A month that already has reports is not changed.
    #[arg(long)]
    send: bool,
    /// Create them again even if reports exist: OpenPeppol counts the latest
    #[arg(long, requires = "send")]
    again: bool,
}

/// Shows or sends the reports.
pub(super) fn run(
    Args { month, dry_run, out, send: is_sent, again, .. }: Args,
) -> Result<(), Error> {
    match (dry_run, is_sent) {
        (true, _) => show(month, out),
        (_, true) => block_on(send(month, again)),
        _ => block_on(status(month)),
    }
}

fn show(month: Month, out: Option<PathBuf>) -> Result<(), Error> {
    for (kind, document) in block_on(documents(month))? {
        let name = format!("{}-{month}.xml", kind.as_str().to_ascii_lowercase());
        // A report that breaks its own rules is a fault of ours, and never handed out as if it were none.
        if let Some(fault) = fault(&document) {
            return Err(Error::failed(name, fault));
        }
        match &out {
            None => print(&document)?,
            Some(directory) => {
                let path = directory.join(name);
                fs::write(&path, &document).map_err(|why| Error::failed(path.display(), why))?;
            }
        }
    }
    Ok(())
}

async fn documents(month: Month) -> Result<[(Kind, Vec<u8>); 2], Error> {
    let deployment = deployment().await?;
    let reporter = own_seat(&deployment).await?;
    let reports = reports(&deployment.context().store, reporter, month).await.map_err(table)?;
    Ok(Kind::ALL.map(|kind| (kind, reports.write(kind))))
}

async fn status(month: Month) -> Result<(), Error> {
    let context = deployment().await?.context();
    let known = peppol_reports::known(&context, month).await.map_err(table)?;
    if known.is_empty() {
        return print(format!("no reports of {month} exist\n").as_bytes());
    }
    known.iter().try_for_each(|known| print(described(known).as_bytes()))
}

async fn send(month: Month, again: bool) -> Result<(), Error> {
    let deployment = deployment().await?;
    let PeppolReportsConfig { receiver } =
        PeppolReportsConfig::read(deployment.environment()).map_err(environment)?;
    let missing = || environment(ConfigError::Missing("STATISTICS_RECEIVER"));
    let receiver = receiver.ok_or_else(missing)?;
    let (ctx, bucket) = (&deployment.context(), &deployment.bucket().map_err(environment)?);
    let reporter = &own_seat(&deployment).await?;
    let files = Files { ctx, bucket, reporter, receiver: &receiver };
    let filed = peppol_reports::report(&files, month, again).await;
    let filed = filed.map_err(|why| Error::failed("a report", why))?;
    filed.iter().try_for_each(|filed| print(line(filed).as_bytes()))?;
    // What could not be made is reported, and its exit status says so, too.
    let refused = filed.iter().any(|filed| matches!(filed, Filed::OnItsWay(_)));
    if refused { Err(Error::Refused) } else { Ok(()) }
}

async fn own_seat(deployment: &Deployment) -> Result<SeatId, Error> {
    deployment.own_seat().await.map_err(|why| Error::failed("the network's secret", why))
}

fn table(why: crate::store::StoreError) -> Error {
    Error::failed("the table", why)
}

/// The result of creating a report, in one line.
fn line(filed: &Filed) -> String {
    let (record, what) = match filed {
        Filed::Made(record) => (record, "created, and is being sent".to_owned()),
        Filed::Existing(record) => (
            record,
            format!("already exists, {} (--again creates another)", record.status.as_str()),
        ),
        Filed::OnItsWay(record) => {
            (record, "still being sent: it cannot be replaced before that ends".to_owned())
        }
    };
    format!("{}\t{what}\n", record.id)
}

/// Everything known about a report: one line for the report, and one for each later event.
fn described(
    KnownPeppolReport { record, transmission, parked, statuses }: &KnownPeppolReport,
) -> String {
    let PeppolReportRecord { id, status, receiver, instance_id, report, created_at, .. } = record;
    let (status, made) = (status.as_str(), instant(*created_at));
    let mut text = format!("{id}\t{status}\n\tmade\t{made}\t{}\n", report.key);
    let mut add = |what: &str, of: String| text.push_str(&format!("\t{what}\t{of}\n"));
    add("to", format!("{receiver}\t{instance_id}"));
    if let Some(transmission) = transmission {
        let message = transmission.message.as_ref().map_or("none", |message| &*message.message_id);
        add("tried", format!("{}\t{message}", transmission.tried));
        if let Some(receipt) = &transmission.receipt {
            add(
                "receipt",
                match receipt {
                    Receipt::Stored(payload) => payload.key.clone(),
                    Receipt::Inline(bytes) => {
                        format!("{} bytes, not in the bucket yet", bytes.len())
                    }
                },
            );
        }
    }
    if let Some(ended_at) = record.ended_at {
        add(status, instant(ended_at));
    }
    if let Some(reason) = &record.reason {
        add("reason", reason.clone());
    }
    if let Some(parked) = parked {
        add("parked", format!("{}\t{}", instant(parked.at), parked.reason));
    }
    for said in statuses {
        add(
            "status message",
            format!("{}\t{} of {}", instant(said.received_at), said.code, said.sender),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    #[test]
    fn nothing_is_sent_unless_it_is_said() {
        let month = ["--month", "2026-10"];
        for (rest, expected) in [
            (&[][..], (false, false, false)),
            (&["--status"], (false, false, false)),
            (&["--dry-run"], (true, false, false)),
            (&["--dry-run", "--out", "x"], (true, false, false)),
            (&["--send"], (false, true, false)),
            (&["--send", "--again"], (false, true, true)),
        ] {
            let args: Args = read_line(&[&month[..], rest].concat()).ok().unwrap();
            assert_eq!((args.dry_run, args.send, args.again), expected, "{rest:?}");
            assert_eq!(args.out.is_some(), rest.contains(&"--out"), "{rest:?}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_said() {
        for (arguments, why) in [
            (&["--dry-run"][..], "--month"),
            (&["--month", "October"], "a month is written"),
            (
                &["--month", "2026-10", "--dry-run", "--send"],
                "'--dry-run' cannot be used with '--send'",
            ),
            (&["--month", "2026-10", "--out", "x"], "--dry-run"),
            (&["--month", "2026-10", "--again"], "--send"),
        ] {
            let said = read_line::<Args>(arguments).err().unwrap();
            assert!(said.contains(why), "{arguments:?}: {said}");
        }
    }
}
