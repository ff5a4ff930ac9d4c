//! `access-point convert`: JSON bodies to UBL files, with the findings of the document checks.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::civil::Date;
use uuid::Uuid;

use super::{Error, complain, kind::instead_of_json, one_of, out::Documents};
use crate::{
    document::{self, Operation, Original, Profile, Unregistered},
    error::{Finding, Severity},
    types::{Clock, Random, SystemClock, SystemRandom, uae_date},
    ubl,
};

/// Convert JSON documents to PINT-AE UBL
///
/// Reads bodies of the send operations. Findings of the document checks go to standard error.
///
/// Exit status: 0 all converted, 1 some refused, 2 wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The send operation that the bodies are for
    #[arg(long, value_parser = one_of(Operation::ALL, Operation::as_str))]
    operation: Operation,
    /// Registered profile of the taxpayer; default: the supplier in the body
    #[arg(long, value_name = "PROFILE.json")]
    taxpayer: Option<PathBuf>,
    /// Number of the invoice that the body's previous_document_id names
    #[arg(long, value_name = "NUMBER", requires = "original_date")]
    original: Option<String>,
    /// Issue date of that invoice, YYYY-MM-DD
    #[arg(long, value_name = "DATE", requires = "original")]
    original_date: Option<Date>,
    /// Issue date of a body that has none; default: today in the UAE
    #[arg(long, value_name = "DATE")]
    today: Option<Date>,
    /// BTAE-07 of a body that has none; default: a new one
    #[arg(long)]
    uuid: Option<Uuid>,
    #[command(flatten)]
    bodies: Documents,
}

/// Converts every body.
pub(super) fn run(args: Args) -> Result<(), Error> {
    let original = args.original.zip(args.original_date);
    let options = Options {
        operation: args.operation,
        taxpayer: args.taxpayer.as_deref().map(read_taxpayer).transpose()?,
        original: original.map(|(number, issue_date)| Original { number, issue_date }),
        today: args.today.unwrap_or_else(|| uae_date(SystemClock.now())),
        uuid: args.uuid,
    };
    args.bodies.each("xml", |path, json| {
        if let Some(said) = instead_of_json(json) {
            complain(&format!("{}: {said}\n", path.display()));
            return None;
        }
        let (ubl, findings) = convert(&options, json);
        for finding in &findings {
            complain(&format!("{}: {}\n", path.display(), describe(finding)));
        }
        ubl
    })
}

struct Options {
    operation: Operation,
    taxpayer: Option<Profile>,
    original: Option<Original>,
    today: Date,
    uuid: Option<Uuid>,
}

/// The UBL, if the body can be converted, and all findings.
fn convert(options: &Options, json: &[u8]) -> (Option<Vec<u8>>, Vec<Finding>) {
    let random = || {
        let mut bytes = [0; 16];
        SystemRandom.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    };
    let beside = Unregistered {
        taxpayer: options.taxpayer.as_ref(),
        today: options.today,
        uuid: options.uuid.unwrap_or_else(random),
        original: options.original.as_ref(),
    };
    match document::complete_unregistered(options.operation, json, beside) {
        Ok((document, warnings)) => (Some(ubl::write(&document)), warnings),
        Err(findings) => (None, findings),
    }
}

/// `error AP-TOTAL-112 at /totals/… (IBT-112): what is wrong`
fn describe(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = if finding.pointer.is_empty() { "/" } else { &finding.pointer };
    let term = finding.term.as_ref().map(|term| format!(" ({term})")).unwrap_or_default();
    format!("{severity} {} at {place}{term}: {}", finding.rule, finding.message)
}

fn read_taxpayer(path: &Path) -> Result<Profile, Error> {
    let json = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
    Profile::from_json(&json).map_err(|error| {
        for finding in document::of_file(error) {
            complain(&format!("{}: {}\n", path.display(), describe(&finding)));
        }
        Error::Refused
    })
}
