//! `access-point cost`: the costs of documents at AWS.

mod bill;
mod counts;
mod prices;

use std::{fs, path::PathBuf};

use rust_decimal::Decimal;

use self::{
    bill::Part,
    counts::Counts,
    prices::{BUILT_IN, PriceFile},
};
use super::{
    Error, print,
    table::{aligned, line},
};

/// Compute the AWS costs of documents
///
/// Multiplies the calls and bytes of a Live document, which the tests of this version measured, by the prices of a region.
/// The document has one line, a report with its verdict, a status, and three webhooks if it is sent, two if it is received.
/// Needs no environment and no network.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of Live documents that are sent
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=MOST_DOCUMENTS))]
    sends: u64,
    /// Number of Live documents that are received
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=MOST_DOCUMENTS))]
    receives: Option<u64>,
    /// AWS region
    #[arg(long)]
    region: String,
    /// Months for which the documents are kept
    #[arg(long, value_name = "NUMBER", default_value_t = 84, value_parser = clap::value_parser!(u64).range(0..=1_200))]
    months: u64,
    /// Price file, such as shared/src/cli/cost/prices.json, instead of the program's own
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

const MOST_DOCUMENTS: u64 = 1_000_000_000_000;

/// Computes and prints.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    print(bill(args)?.as_bytes())
}

fn bill(Args { sends, receives, region, months, prices }: &Args) -> Result<String, Error> {
    let file = match prices {
        None => PriceFile::read("the program's price file", BUILT_IN)?,
        Some(path) => {
            let name = path.display().to_string();
            let text = fs::read_to_string(path).map_err(|why| Error::failed(&name, why))?;
            PriceFile::read(&name, &text)?
        }
    };
    let (Counts { sent, received, idle }, prices) = (Counts::measured()?, file.region(region)?);
    let mut parts = vec![
        bill::exchanging(&sent, prices, ("sending", *sends))?,
        bill::keeping(&sent, prices, *sends, *months)?,
        bill::infrequent(&sent, prices, *sends, *months)?,
        bill::provisioned(&sent, prices, *sends)?,
    ];
    if let Some(receives) = *receives {
        parts.push(bill::exchanging(&received, prices, ("receiving", receives))?);
        parts.push(bill::keeping(&received, prices, receives, *months)?);
    }
    parts.push(bill::idle(&idle, prices)?);
    let PriceFile { as_of, source, currency, .. } = &file;
    let mut text = format!("Prices of {region} in {currency}, {as_of}, {source}\n");
    for part in &parts {
        text.push('\n');
        text.push_str(&shown(part));
    }
    text.push('\n');
    text.push_str(&bill::assumptions());
    Ok(text)
}

fn shown(part: &Part) -> String {
    let cents = |usd: Decimal| format!("{:>12}", grouped(&format!("{usd:.2}")));
    let lines = part.lines.iter().map(|it| {
        let quantity = grouped(&it.quantity.round_dp(1).normalize().to_string());
        line([&it.what, &format!("{quantity:>22}"), &cents(it.usd)])
    });
    let mut lines: Vec<_> = lines.collect();
    lines.push(line(["sum", "", &cents(part.sum())]));
    format!("{}\n{}", part.title, aligned(&lines))
}

/// A number with a comma after each three digits.
fn grouped(number: &str) -> String {
    let (whole, decimals) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + decimals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    fn said(arguments: &[&str]) -> Result<String, String> {
        let args: Args = read_line(arguments)?;
        bill(&args).map_err(|why| match why {
            Error::Failed(why) => why,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_bill_has_its_parts_its_prices_and_its_assumptions() {
        let bill = said(&["--sends", "1000000", "--region", "us-east-1"]).unwrap();
        for words in [
            "Prices of us-east-1 in USD, 2025-07, https://aws.amazon.com/",
            "sending 1000000 documents",
            "keeping them for 84 months",
            "the table of the class STANDARD_INFREQUENT_ACCESS instead, for 84 months",
            "sending them with provisioned capacity instead, 52 % in use",
            "a month without documents",
            "Assumed: ",
            "Not included: data transfer",
        ] {
            assert!(bill.contains(words), "{words}\n{bill}");
        }
        assert_eq!(bill.matches("\nsum ").count(), 5);
        let both = said(&["--sends", "1", "--receives", "2000", "--region", "us-east-1"]).unwrap();
        assert!(both.contains("\nreceiving 2000 documents\n"), "{both}");
        assert_eq!(both.matches("\nkeeping them for 84 months\n").count(), 2, "{both}");
        assert_eq!(both.matches("\nsum ").count(), 7);
    }

    #[test]
    fn a_region_without_prices_is_named_with_those_that_have_some() {
        let why = said(&["--sends", "1", "--region", "me-central-1"]).unwrap_err();
        assert!(why.contains("no prices for me-central-1, only for us-east-1"), "{why}");
        assert!(why.contains("--prices"), "{why}");
    }

    #[test]
    fn the_operators_own_prices_count_and_a_wrong_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("prices.json");
        let own = BUILT_IN.replace("us-east-1", "me-central-1");
        fs::write(&path, &own).unwrap();
        let path = path.to_str().unwrap();
        let arguments = ["--sends", "1", "--region", "me-central-1", "--prices", path];
        assert!(said(&arguments).unwrap().starts_with("Prices of me-central-1"));
        for (was, is, why) in [
            ("\"0.625\"", "\"-1\"", "below zero"),
            ("\"0.625\"", "\"much\"", "Invalid decimal"),
            ("\"alarm_month\"", "\"alarms_month\"", "alarms_month"),
        ] {
            fs::write(path, own.replace(was, is)).unwrap();
            let said = said(&arguments).unwrap_err();
            assert!(said.contains(why) && said.contains("prices.json"), "{said}");
        }
        let why = said(&["--sends", "1", "--region", "x", "--prices", "/nowhere"]).unwrap_err();
        assert!(why.contains("/nowhere"), "{why}");
    }

    #[test]
    fn nonsense_is_refused() {
        for arguments in [
            &["--region", "us-east-1"][..],
            &["--sends", "0", "--region", "us-east-1"],
            &["--sends", "x", "--region", "us-east-1"],
            &["--sends", "1000000000001", "--region", "us-east-1"],
            &["--sends", "1"],
            &["--sends", "1", "--receives", "0", "--region", "us-east-1"],
        ] {
            assert!(said(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn digits_are_grouped() {
        for (number, shown) in [("1", "1"), ("1234.5", "1,234.5"), ("123456", "123,456")] {
            assert_eq!(grouped(number), shown);
        }
    }
}
