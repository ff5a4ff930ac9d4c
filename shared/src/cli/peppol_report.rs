//! `access-point peppol-report`: what a provider tells OpenPeppol about a month.

use std::{fs, path::PathBuf};

use lexopt::prelude::*;

use super::{Error, block_on, print, text};
use crate::{
    environment::Environment,
    lambda::own_seat,
    peppol::statistics::Month,
    service::{
        Context,
        exchanges::{Reports, reports},
    },
    validate::validate,
};

const USAGE: &str = "\
access-point peppol-report --month MONTH --dry-run [--out DIRECTORY]

Makes the reports to OpenPeppol about a month from the exchanges that were counted in it: Transaction Statistics
(TSR 1.0) and End User Statistics (EUSR 1.1), checked against their schemas and rules. A month that is not over has
what was counted so far. Needs the environment of the functions (TABLE_NAME, NETWORK, NETWORK_SECRET_ARN and so on)
and access to the table and the secret, whose certificate names the reporter.

  --month MONTH     in UTC, such as 2026-10
  --dry-run         must be said: the reports are shown alone, and whoever operates the service sends them
  --out DIRECTORY   puts them there, as tsr-MONTH.xml and eusr-MONTH.xml, instead of printing both
";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    month: Month,
    out: Option<PathBuf>,
}

/// Makes the reports.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let documents = block_on(documents(options.month))?;
    for (name, document) in documents {
        let name = format!("{name}-{}.xml", options.month);
        // A report that breaks its own rules is a fault of ours, and never handed out as if it were none.
        if let Some(fault) = fault(&document) {
            return Err(Error::failed(name, fault));
        }
        match &options.out {
            None => print(&document)?,
            Some(directory) => {
                let path = directory.join(name);
                fs::write(&path, &document).map_err(|why| Error::failed(path.display(), why))?;
            }
        }
    }
    Ok(())
}

async fn documents(month: Month) -> Result<[(&'static str, Vec<u8>); 2], Error> {
    let environment = Environment::of_process();
    let config = |why| Error::failed("the environment", why);
    let context = Context::start(&environment).await.map_err(config)?;
    let reporter = own_seat(&environment).await;
    let reporter = reporter.map_err(|why| Error::failed("the network's secret", why))?;
    let reports = reports(&context.store, reporter, month).await;
    let Reports { transactions, end_users } =
        reports.map_err(|why| Error::failed("the table", why))?;
    Ok([("tsr", transactions.write()), ("eusr", end_users.write())])
}

/// The first thing that the official schema or rules find.
fn fault(document: &[u8]) -> Option<String> {
    match validate(document) {
        Ok(verdict) => {
            let found = verdict.findings.into_iter().next()?.finding;
            Some(format!("{}: {}", found.rule, found.message))
        }
        Err(why) => Some(why.to_string()),
    }
}

/// The command line; `None` when help was asked for.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let (mut month, mut out, mut dry_run) = (None, None, false);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("month") => {
                let given = text(&mut arguments).map_err(usage)?;
                let read = given.parse::<Month>();
                month = Some(read.map_err(|why| Error::Usage(format!("{given}: {why}"), USAGE))?);
            }
            Long("out") => out = Some(arguments.value().map_err(usage)?.into()),
            Long("dry-run") => dry_run = true,
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    let month = month.ok_or_else(|| Error::Usage("--month is missing".to_owned(), USAGE))?;
    if !dry_run {
        let why = "reports are sent by hand: say --dry-run to have them shown".to_owned();
        return Err(Error::Usage(why, USAGE));
    }
    Ok(Some(Options { month, out }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_month_and_that_nothing_is_sent_must_be_said() {
        let options = |arguments: &[&str]| options(lexopt::Parser::from_args(arguments));
        let asked = options(&["--month", "2026-10", "--dry-run", "--out", "reports"]).unwrap();
        let month = "2026-10".parse().unwrap();
        assert_eq!(asked, Some(Options { month, out: Some("reports".into()) }));
        for wrong in [
            &["--dry-run"][..],
            &["--month", "2026-10"],
            &["--month", "October", "--dry-run"],
            &["--month", "2026-10", "--dry-run", "--send"],
        ] {
            assert!(matches!(options(wrong), Err(Error::Usage(..))), "{wrong:?}");
        }
        assert!(matches!(options(&["--help"]), Ok(None)));
    }

    #[test]
    fn a_report_that_breaks_a_rule_is_named_with_it() {
        let good = include_str!("../statistics/samples/transactions.xml");
        assert_eq!(fault(good.as_bytes()), None);
        let bad = good.replacen("<Incoming>5<", "<Incoming>6<", 1);
        assert!(fault(bad.as_bytes()).unwrap().starts_with("SCH-TSR-04: "));
    }
}
