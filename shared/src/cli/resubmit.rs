//! `access-point resubmit`: sends reports again that the tax authority rejected or never received.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{Error, block_on, common::context_with_bucket, one_of, print};
use crate::{
    service::resubmission::operate::{self, Found, Wanted},
    store::TaxReportOutcome,
    types::Mode,
};

/// Resubmit failed reports to the tax authority
///
/// Lists the reports of all Live taxpayers that the tax authority rejected or that did not reach it, with the planned
/// resubmission of each. With --yes, resubmits them: use it when the cause was ours and is fixed. Each resubmission is another
/// report of the same document and transaction: kind R, or S if the authority never received one. Reports of kind F or W keep
/// their kind. A report that a later one follows is skipped. Needs the environment of the functions (TABLE_NAME,
/// BUCKET_NAME), and access to table and bucket.
#[derive(clap::Args)]
pub(super) struct Args {
    /// First day on which the reports were created, in UTC (2026-11-01), or first instant (RFC 3339)
    #[arg(long, value_name = "DATE", value_parser = instant)]
    since: Timestamp,
    /// Only reports with this outcome
    #[arg(long, value_parser = one_of(OUTCOMES, TaxReportOutcome::as_str))]
    outcome: Option<TaxReportOutcome>,
    /// List only, and change nothing; the default
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Resubmit the reports
    #[arg(long)]
    yes: bool,
}

const OUTCOMES: [TaxReportOutcome; 2] = [TaxReportOutcome::NotCompliant, TaxReportOutcome::Failed];

/// Lists and resubmits.
pub(super) fn run(args: Args) -> Result<(), Error> {
    block_on(all(&wanted(args)))
}

fn wanted(Args { since, outcome, yes, .. }: Args) -> Wanted {
    let outcomes = outcome.map_or(OUTCOMES.to_vec(), |one| vec![one]);
    Wanted { since, outcomes, dry_run: !yes }
}

async fn all(wanted: &Wanted) -> Result<(), Error> {
    let context = context_with_bucket().await?;
    let table = |why| Error::failed("the table", why);
    let (mut found, mut again) = (0_u64, 0_u64);
    for taxpayer in context.store.scan_taxpayers(Mode::Live).await.map_err(table)? {
        let tell = |one: Found| {
            found += 1;
            again += u64::from(one.again.is_ok());
            print(line(&one).as_bytes())
        };
        operate::resubmit(&context, &taxpayer.taxpayer_id, wanted, tell).await.map_err(table)??;
    }
    let would = if wanted.dry_run { "would be resubmitted (add --yes)" } else { "resubmitted" };
    print(format!("{found} failed, {again} {would}\n").as_bytes())
}

fn line(Found { tax_report, again }: &Found) -> String {
    let outcome = tax_report.status.outcome().map_or("", TaxReportOutcome::as_str);
    let becomes = match again {
        Ok(kind) => format!("resubmit as {}", kind.as_str()),
        Err(why) => format!("left: {why}"),
    };
    let (document, report, kind) =
        (&tax_report.document_id, &tax_report.report_id, tax_report.kind.as_str());
    format!("{}\t{document}\t{report}\t{kind}\t{outcome}\t{becomes}\n", tax_report.taxpayer_id)
}

/// A day from its beginning in UTC, or an instant.
fn instant(text: &str) -> Result<Timestamp, &'static str> {
    let day = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    let found = text.parse().ok().or_else(|| text.parse().ok().and_then(day));
    found.ok_or("it must be a date, such as 2026-11-01")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    fn read(arguments: &[&str]) -> Result<Wanted, String> {
        read_line(arguments).map(wanted)
    }

    #[test]
    fn nothing_is_filed_unless_it_is_said() {
        let both = vec![TaxReportOutcome::NotCompliant, TaxReportOutcome::Failed];
        let since: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        let dry = Wanted { since, outcomes: both, dry_run: true };
        assert_eq!(read(&["--since", "2026-11-01"]), Ok(dry.clone()));
        assert_eq!(read(&["--since", "2026-11-01T04:00:00+04:00"]), Ok(dry.clone()));
        assert_eq!(read(&["--since", "2026-11-01", "--dry-run"]), Ok(dry.clone()));
        let done = Wanted { outcomes: vec![TaxReportOutcome::Failed], dry_run: false, ..dry };
        assert_eq!(read(&["--since", "2026-11-01", "--outcome", "FAILED", "--yes"]), Ok(done));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (arguments, why) in [
            (&[][..], "--since"),
            (&["--since", "yesterday"], "such as 2026-11-01"),
            (
                &["--since", "2026-11-01", "--outcome", "REPORTED"],
                "[possible values: NOT_COMPLIANT, FAILED]",
            ),
            (&["--since", "2026-11-01", "--yes", "--dry-run"], "cannot be used with"),
            (&["--since", "2026-11-01", "--all"], "--all"),
        ] {
            let said = read(arguments).unwrap_err();
            assert!(said.contains(why), "{arguments:?}: {said}");
        }
    }
}
