//! `access-point taxdata`: what would be filed with the tax authority about UBL documents.

use std::{error, fs, path::PathBuf, str::FromStr};

use lexopt::prelude::*;

use super::{Error, complain, out::Out, print};
use crate::{
    taxdata::{
        check,
        write::{Kind, Report, Role, reporter, write},
    },
    types::{Clock, ParticipantId, SystemClock},
};

pub(super) const USAGE: &str = "\
access-point taxdata --kind KIND --role ROLE --authority SPID --representative SPID [OPTION…] FILE…

Makes the Tax Data Document that reports an invoice or credit note of PINT-AE, checks it by XML Schema and the
official rules, and writes it on standard output or as a file. Nothing is sent. Exit status: 0 all made,
1 some refused, 2 wrong usage.

  --kind KIND            S (submit), R (resubmit), W (withdraw) or F (the document failed validation)
  --role ROLE            01 (the taxpayer sent the document) or 02 (received it)
  --authority SPID       service provider identifier of the tax authority, such as 000773
  --representative SPID  service provider identifier of the provider that reports
  --reporter PARTICIPANT the taxpayer that reports, such as 0235:1001234501; without it the document's party in
                         that role: the sender is the seller, in self-billing the buyer
  --transport-id ID      instance identifier of the envelope that carried the document
  --out DIRECTORY        writes DIRECTORY/FILE.xml instead of standard output
";

struct Options {
    kind: Kind,
    role: Role,
    authority: String,
    representative: String,
    reporter: Option<ParticipantId>,
    transport_id: Option<String>,
    out: Out,
    files: Vec<PathBuf>,
}

/// Makes every report; a document that cannot be reported does not keep the others back.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let mut refused = false;
    for path in &options.files {
        let source = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
        match report(&options, &source) {
            Ok(made) => options.out.write(path, &made)?,
            Err(why) => {
                complain(&format!("{}: {why}\n", path.display()));
                refused = true;
            }
        }
    }
    if refused { Err(Error::Refused) } else { Ok(()) }
}

fn report(options: &Options, source: &[u8]) -> Result<Vec<u8>, String> {
    let reporting_party = match &options.reporter {
        Some(given) => given.clone(),
        None => reporter(source, options.role)
            .map_err(|why| format!("{why}; --reporter says who reports it"))?,
    };
    let report = Report {
        kind: options.kind,
        role: options.role,
        reporting_party: &reporting_party,
        authority: &options.authority,
        representative: &options.representative,
        issued_at: SystemClock.now(),
        transport_header_id: options.transport_id.as_deref(),
    };
    let made = write(&report, source).map_err(|why| why.to_string())?;
    check(&made).map_err(|why| why.to_string())?;
    Ok(made)
}

/// The command line; none when it asks for help.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let missing = |option: &str| Error::Usage(format!("{option} is missing"), USAGE);
    let (mut kind, mut role, mut authority, mut representative) = (None, None, None, None);
    let (mut reporter, mut transport_id, mut out, mut files) = (None, None, None, Vec::new());
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("kind") => kind = Some(value(&mut arguments)?),
            Long("role") => role = Some(value(&mut arguments)?),
            Long("authority") => authority = Some(value(&mut arguments)?),
            Long("representative") => representative = Some(value(&mut arguments)?),
            Long("reporter") => reporter = Some(value(&mut arguments)?),
            Long("transport-id") => transport_id = Some(value(&mut arguments)?),
            Long("out") => out = Some(arguments.value().map_err(usage)?.into()),
            Value(path) => files.push(path.into()),
            other => return Err(usage(other.unexpected())),
        }
    }
    if files.is_empty() {
        return Err(missing("a FILE"));
    }
    Ok(Some(Options {
        kind: kind.ok_or_else(|| missing("--kind"))?,
        role: role.ok_or_else(|| missing("--role"))?,
        authority: authority.ok_or_else(|| missing("--authority"))?,
        representative: representative.ok_or_else(|| missing("--representative"))?,
        reporter,
        transport_id,
        out: Out::new(out, "xml", &files).map_err(|why| Error::Usage(why, USAGE))?,
        files,
    }))
}

/// What an option is given.
fn value<T>(arguments: &mut lexopt::Parser) -> Result<T, Error>
where
    T: FromStr,
    T::Err: Into<Box<dyn error::Error + Send + Sync>>,
{
    arguments.value().and_then(|given| given.parse()).map_err(usage)
}

fn usage(error: lexopt::Error) -> Error {
    Error::Usage(error.to_string(), USAGE)
}
