//! `access-point peppol-report`: what a provider tells OpenPeppol about a month.

use std::{fs, path::PathBuf};

use lexopt::prelude::*;

use super::{Error, block_on, print, text};
use crate::{
    config::{ConfigError, MonthlyConfig},
    environment::Environment,
    lambda::{own_bucket, own_seat},
    peppol::statistics::{Kind, Month},
    service::{
        Context,
        exchanges::reports,
        monthly::{self, Filed, Files, Known, fault},
    },
    store::{MonthlyRecord, Receipt, instant},
};

pub(super) const USAGE: &str = "\
access-point peppol-report --month MONTH [--status | --dry-run [--out DIRECTORY] | --send [--again]]

The reports to OpenPeppol about a month, from the exchanges that were counted in it: Transaction Statistics (TSR 1.0)
and End User Statistics (EUSR 1.1). The service sends them by itself when the month is over, from its second hour to
the 15th of the next one, which is the last day on which OpenPeppol takes them. Needs the environment of the functions
(TABLE_NAME, BUCKET_NAME, NETWORK, NETWORK_SECRET_ARN, STATISTICS_RECEIVER and so on) and access to the table, the
bucket and the secret, whose certificate names the reporter.

  --month MONTH     in UTC, such as 2026-10
  --status          what was made and sent of it, when, with the receipt: so it is without an option
  --dry-run         shows both reports as they would be now, checked against their schemas and rules; sends nothing
  --out DIRECTORY   puts them there, as tsr-MONTH.xml and eusr-MONTH.xml, instead of printing both
  --send            makes both now and lets the service send them, also of a month that is not over: when it is, the
                    service reports it again. A month that has reports is left as it is
  --again           makes them again although there are some: OpenPeppol counts the latest of several
";

/// What is to be done about a month.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Status,
    Shown { out: Option<PathBuf> },
    Sent { again: bool },
}

/// Does it.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some((month, wanted)) = wanted(arguments)? else { return print(USAGE.as_bytes()) };
    match wanted {
        Wanted::Status => block_on(status(month)),
        Wanted::Shown { out } => show(month, out),
        Wanted::Sent { again } => block_on(send(month, again)),
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
    let environment = Environment::of_process();
    let context = context(&environment).await?;
    let reporter = own_seat(&environment).await;
    let reporter = reporter.map_err(|why| Error::failed("the network's secret", why))?;
    let reports = reports(&context.store, reporter, month).await.map_err(table)?;
    Ok(Kind::ALL.map(|kind| (kind, reports.write(kind))))
}

async fn status(month: Month) -> Result<(), Error> {
    let context = context(&Environment::of_process()).await?;
    let known = monthly::known(&context, month).await.map_err(table)?;
    if known.is_empty() {
        return print(format!("nothing was made of {month}\n").as_bytes());
    }
    known.iter().try_for_each(|known| print(described(known).as_bytes()))
}

async fn send(month: Month, again: bool) -> Result<(), Error> {
    let environment = Environment::of_process();
    let config = |why: ConfigError| Error::failed("the environment", why);
    let MonthlyConfig { receiver } = MonthlyConfig::read(&environment).map_err(config)?;
    let receiver = receiver.ok_or_else(|| config(ConfigError::Missing("STATISTICS_RECEIVER")))?;
    let ctx = &context(&environment).await?;
    let bucket = &own_bucket(&environment).await.map_err(config)?;
    let reporter = own_seat(&environment).await;
    let reporter = &reporter.map_err(|why| Error::failed("the network's secret", why))?;
    let files = Files { ctx, bucket, reporter, receiver: &receiver };
    let filed = monthly::report(&files, month, again).await;
    let filed = filed.map_err(|why| Error::failed("a report", why))?;
    filed.iter().try_for_each(|filed| print(line(filed).as_bytes()))?;
    // What could not be made is told, and its exit status says so, too.
    let refused = filed.iter().any(|filed| matches!(filed, Filed::OnItsWay(_)));
    if refused { Err(Error::Refused) } else { Ok(()) }
}

async fn context(environment: &Environment) -> Result<Context, Error> {
    Context::start(environment).await.map_err(|why| Error::failed("the environment", why))
}

fn table(why: crate::store::StoreError) -> Error {
    Error::failed("the table", why)
}

/// What came of making a report, in a line.
fn line(filed: &Filed) -> String {
    let (record, what) = match filed {
        Filed::Made(record) => (record, "made, and goes on its way".to_owned()),
        Filed::Stands(record) => {
            (record, format!("there is one, {} (--again makes another)", record.status.as_str()))
        }
        Filed::OnItsWay(record) => {
            (record, "still on its way: nothing may replace it before that ends".to_owned())
        }
    };
    format!("{}\t{what}\n", record.id)
}

/// All that is known of a report: a line of its own, and one for each thing that became of it.
fn described(Known { record, transmission, parked, statuses }: &Known) -> String {
    let MonthlyRecord { id, status, receiver, instance_id, report, created_at, .. } = record;
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

/// The command line; `None` when help was asked for.
fn wanted(mut arguments: lexopt::Parser) -> Result<Option<(Month, Wanted)>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let wrong = |why: &str| Error::Usage(why.to_owned(), USAGE);
    let (mut month, mut out) = (None, None);
    let (mut status, mut dry_run, mut send, mut again) = (false, false, false, false);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("month") => {
                let given = text(&mut arguments).map_err(usage)?;
                let read = given.parse::<Month>();
                month = Some(read.map_err(|why| Error::Usage(format!("{given}: {why}"), USAGE))?);
            }
            Long("out") => out = Some(arguments.value().map_err(usage)?.into()),
            Long("status") => status = true,
            Long("dry-run") => dry_run = true,
            Long("send") => send = true,
            Long("again") => again = true,
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    let month = month.ok_or_else(|| wrong("--month is missing"))?;
    if [status, dry_run, send].into_iter().filter(|asked| *asked).count() > 1 {
        return Err(wrong("--status, --dry-run and --send exclude each other"));
    }
    if out.is_some() && !dry_run {
        return Err(wrong("--out belongs to --dry-run"));
    }
    if again && !send {
        return Err(wrong("--again belongs to --send"));
    }
    let wanted = match (dry_run, send) {
        (true, _) => Wanted::Shown { out },
        (_, true) => Wanted::Sent { again },
        _ => Wanted::Status,
    };
    Ok(Some((month, wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Option<Wanted>, Error> {
        let wanted = wanted(lexopt::Parser::from_args(arguments))?;
        Ok(wanted.map(|(month, wanted)| {
            assert_eq!(month.to_string(), "2026-10");
            wanted
        }))
    }

    #[test]
    fn nothing_is_sent_unless_it_is_said() {
        let month = ["--month", "2026-10"];
        for (rest, expected) in [
            (&[][..], Wanted::Status),
            (&["--status"], Wanted::Status),
            (&["--dry-run"], Wanted::Shown { out: None }),
            (&["--dry-run", "--out", "x"], Wanted::Shown { out: Some("x".into()) }),
            (&["--send"], Wanted::Sent { again: false }),
            (&["--send", "--again"], Wanted::Sent { again: true }),
        ] {
            assert_eq!(read(&[&month[..], rest].concat()).unwrap(), Some(expected));
        }
        assert_eq!(read(&["--help"]).unwrap(), None);
    }

    #[test]
    fn what_contradicts_itself_is_said() {
        for (arguments, why) in [
            (&["--dry-run"][..], "--month is missing"),
            (&["--month", "October"], "a month is written"),
            (&["--month", "2026-10", "--dry-run", "--send"], "exclude"),
            (&["--month", "2026-10", "--out", "x"], "--dry-run"),
            (&["--month", "2026-10", "--again"], "--send"),
        ] {
            let Err(Error::Usage(said, _)) = read(arguments) else { panic!("{arguments:?}") };
            assert!(said.contains(why), "{arguments:?}: {said}");
        }
    }
}
