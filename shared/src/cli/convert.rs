//! `access-point convert`: JSON bodies to UBL files, with the findings of the document checks.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    document::{self, Operation, Original, Profile, Unregistered},
    error::{Finding, Severity},
    types::{Clock, Random, SystemClock, SystemRandom, uae_date},
    ubl,
};
use jiff::civil::Date;
use lexopt::prelude::*;
use uuid::Uuid;

use super::{Error, complain, out::Out, print};

pub(super) const USAGE: &str = "\
access-point convert --operation OPERATION [OPTION…] BODY.json…

Converts the body of a send to PINT-AE UBL, on standard output or as a file. What the document
checks find goes to standard error. Exit status: 0 converted, 1 refused, 2 wrong usage.

  --operation OPERATION   invoice, credit_note, self_billed_invoice or self_billed_credit_note
  --taxpayer PROFILE.json   registered profile of the taxpayer; without it the body's own supplier
  --original NUMBER       number of the invoice that the body's previous_document_id names
  --original-date DATE    its issue date, YYYY-MM-DD; goes with --original
  --today DATE            issue date of a body that names none; today in the UAE without it
  --uuid UUID             BTAE-07 of a body that names none; a new one without it
  --out DIRECTORY         writes DIRECTORY/BODY.xml instead of standard output
";

struct Options {
    operation: Operation,
    taxpayer: Option<Profile>,
    original: Option<Original>,
    today: Date,
    uuid: Option<Uuid>,
    out: Out,
    bodies: Vec<PathBuf>,
}

/// Converts every body; a refused one does not keep the others back.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let mut refused = false;
    for path in &options.bodies {
        let json = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
        let (ubl, findings) = convert(&options, &json);
        for finding in &findings {
            complain(&format!("{}: {}\n", path.display(), describe(finding)));
        }
        match ubl {
            None => refused = true,
            Some(ubl) => options.out.write(path, &ubl)?,
        }
    }
    if refused { Err(Error::Refused) } else { Ok(()) }
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

/// The command line; none when it asks for help.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let usage = |message: String| Error::Usage(message, USAGE);
    let wrong = |error: lexopt::Error| usage(error.to_string());
    let (mut operation, mut number, mut date) = (None, None, None);
    let (mut taxpayer, mut today, mut uuid, mut out) = (None, None, None, None);
    let mut bodies = Vec::new();
    while let Some(argument) = arguments.next().map_err(wrong)? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("operation") => operation = Some(value(&mut arguments, parse_operation)?),
            Long("taxpayer") => {
                taxpayer = Some(read_taxpayer(&value(&mut arguments, str::parse::<PathBuf>)?)?);
            }
            Long("original") => number = Some(value(&mut arguments, str::parse)?),
            Long("original-date") => date = Some(value(&mut arguments, str::parse)?),
            Long("today") => today = Some(value(&mut arguments, str::parse)?),
            Long("uuid") => uuid = Some(value(&mut arguments, str::parse)?),
            Long("out") => out = Some(value(&mut arguments, str::parse)?),
            Value(path) => bodies.push(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    if bodies.is_empty() {
        return Err(usage("a BODY.json is missing".to_owned()));
    }
    let original = match (number, date) {
        (Some(number), Some(issue_date)) => Some(Original { number, issue_date }),
        (None, None) => None,
        _ => return Err(usage("--original and --original-date go together".to_owned())),
    };
    Ok(Some(Options {
        operation: operation.ok_or_else(|| usage("--operation is missing".to_owned()))?,
        taxpayer,
        original,
        today: today.unwrap_or_else(|| uae_date(SystemClock.now())),
        uuid,
        out: Out::new(out, "xml", &bodies).map_err(usage)?,
        bodies,
    }))
}

/// An option's value.
fn value<T, E: std::error::Error + Send + Sync + 'static>(
    arguments: &mut lexopt::Parser,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, Error> {
    arguments
        .value()
        .and_then(|value| value.parse_with(parse))
        .map_err(|error| Error::Usage(error.to_string(), USAGE))
}

fn parse_operation(text: &str) -> Result<Operation, lexopt::Error> {
    Operation::from_name(text).ok_or_else(|| format!("there is no operation {text}").into())
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
