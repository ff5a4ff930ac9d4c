//! `access-point refile`: reports to the tax authority that did not hold are filed again.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use lexopt::prelude::*;

use super::{Error, block_on, print, text};
use crate::{
    environment::Environment,
    service::{
        Context,
        refile::operate::{self, Found, Wanted},
    },
    store::FilingOutcome,
    types::Mode,
};

pub(super) const USAGE: &str = "\
access-point refile --since DATE [OPTION…]

Lists the reports of all Live taxpayers that the tax authority refused, or that did not reach it, made on
that day or later, and what would become of each; with --yes files them again. For when the cause was ours
and has been mended. Each is one more report of its document (kind R, or S where the authority never had one; of
an F or W the same kind), about the same transaction. A report after which there is another is left alone. Needs the environment of the
functions: TABLE_NAME, and access to the table.

  --since DATE        the first day, in UTC (2026-11-01), or the first instant (RFC 3339)
  --outcome OUTCOME   NOT_COMPLIANT or FAILED; both without it
  --dry-run           lists and changes nothing: so it is without --yes
  --yes               files them again
";

/// Lists and files.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(wanted) = wanted(arguments)? else { return print(USAGE.as_bytes()) };
    block_on(all(&wanted))
}

async fn all(wanted: &Wanted) -> Result<(), Error> {
    let context = Context::start(&Environment::of_process())
        .await
        .map_err(|why| Error::failed("the environment", why))?;
    let table = |why| Error::failed("the table", why);
    let (mut found, mut again) = (0_u64, 0_u64);
    for taxpayer in context.store.scan_taxpayers(Mode::Live).await.map_err(table)? {
        let tell = |one: Found| {
            found += 1;
            again += u64::from(one.again.is_ok());
            print(line(&one).as_bytes())
        };
        operate::file_again(&context, &taxpayer.taxpayer_id, wanted, tell)
            .await
            .map_err(table)??;
    }
    let would = if wanted.dry_run { "would be filed again (--yes does it)" } else { "filed again" };
    print(format!("{found} did not hold, {again} {would}\n").as_bytes())
}

fn line(Found { filing, again }: &Found) -> String {
    let outcome = filing.status.outcome().map_or("", FilingOutcome::as_str);
    let becomes = match again {
        Ok(kind) => format!("again as {}", kind.as_str()),
        Err(why) => format!("left: {why}"),
    };
    let (document, report, kind) = (&filing.document_id, &filing.report_id, filing.kind.as_str());
    format!("{}\t{document}\t{report}\t{kind}\t{outcome}\t{becomes}\n", filing.taxpayer_id)
}

/// The command line; `None` when help was asked for.
fn wanted(mut arguments: lexopt::Parser) -> Result<Option<Wanted>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let wrong = |why: &str| Error::Usage(why.to_owned(), USAGE);
    let mut since = None;
    let mut outcomes = vec![FilingOutcome::NotCompliant, FilingOutcome::Failed];
    let (mut dry_run, mut yes) = (false, false);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("since") => {
                let given = instant(&text(&mut arguments).map_err(usage)?);
                since = Some(given.ok_or_else(|| wrong("--since is a date, such as 2026-11-01"))?);
            }
            Long("outcome") => {
                let given = text(&mut arguments).map_err(usage)?;
                outcomes.retain(|outcome| outcome.as_str() == given);
                if outcomes.is_empty() {
                    return Err(wrong("--outcome is NOT_COMPLIANT or FAILED, once"));
                }
            }
            Long("dry-run") => dry_run = true,
            Long("yes") => yes = true,
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    if dry_run && yes {
        return Err(wrong("--dry-run and --yes exclude each other"));
    }
    let since = since.ok_or_else(|| wrong("--since says from which day on"))?;
    Ok(Some(Wanted { since, outcomes, dry_run: !yes }))
}

/// A day from its beginning in UTC, or an instant.
fn instant(text: &str) -> Option<Timestamp> {
    let day = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    text.parse().ok().or_else(|| text.parse().ok().and_then(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Option<Wanted>, String> {
        let parser = lexopt::Parser::from_args(arguments);
        wanted(parser).map_err(|error| match error {
            Error::Usage(why, _) => why,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn nothing_is_filed_unless_it_is_said() {
        let both = vec![FilingOutcome::NotCompliant, FilingOutcome::Failed];
        let since: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        let dry = Wanted { since, outcomes: both, dry_run: true };
        assert_eq!(read(&["--since", "2026-11-01"]), Ok(Some(dry.clone())));
        assert_eq!(read(&["--since", "2026-11-01T04:00:00+04:00"]), Ok(Some(dry.clone())));
        assert_eq!(read(&["--since", "2026-11-01", "--dry-run"]), Ok(Some(dry.clone())));
        let done = Wanted { outcomes: vec![FilingOutcome::Failed], dry_run: false, ..dry };
        assert_eq!(
            read(&["--since", "2026-11-01", "--outcome", "FAILED", "--yes"]),
            Ok(Some(done))
        );
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (arguments, why) in [
            (&[][..], "--since says"),
            (&["--since", "yesterday"], "--since is"),
            (&["--since", "2026-11-01", "--outcome", "REPORTED"], "--outcome is"),
            (&["--since", "2026-11-01", "--yes", "--dry-run"], "exclude"),
            (&["--since", "2026-11-01", "--all"], "--all"),
        ] {
            let said = read(arguments).unwrap_err();
            assert!(said.contains(why), "{arguments:?}: {said}");
        }
    }
}
