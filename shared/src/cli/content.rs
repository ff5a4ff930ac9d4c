//! `access-point content`: what UBL documents say, in the vocabulary of the send bodies.

use std::{fs, path::PathBuf};

use crate::{
    document::Party,
    ubl::{self, Content},
    xml,
};
use lexopt::prelude::*;
use serde_json::json;

use super::{Error, complain, out::Out, print};

pub(super) const USAGE: &str = "\
access-point content [--out DIRECTORY] FILE…

Reads invoices and credit notes of PINT-AE, and writes what each says as JSON, on standard output or
as a file: type (the operation whose body it is), content (the body), customer (the buyer of a
self-billed document, of whom a body says nothing), unmapped (path and value of what no field says)
and unmapped_cut (whether there is more of it). Exit status: 0 all read, 1 some refused, 2 wrong usage.

  --out DIRECTORY   writes DIRECTORY/FILE.json instead of standard output
";

struct Options {
    out: Out,
    files: Vec<PathBuf>,
}

/// Reads every document; one that cannot be read does not keep the others back.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(options) = options(arguments)? else { return print(USAGE.as_bytes()) };
    let mut refused = false;
    for path in &options.files {
        let bytes = fs::read(path).map_err(|why| Error::failed(path.display(), why))?;
        match read(&bytes) {
            Ok(content) => {
                let text = format!("{:#}\n", shown(&content));
                options.out.write(path, text.as_bytes())?;
            }
            Err(why) => {
                complain(&format!("{}: {why}\n", path.display()));
                refused = true;
            }
        }
    }
    if refused { Err(Error::Refused) } else { Ok(()) }
}

fn read(bytes: &[u8]) -> Result<Content, String> {
    let tree = xml::parse(bytes).map_err(|error| format!("it is no XML: {error}"))?;
    ubl::content(&tree).map_err(|error| error.to_string())
}

fn shown(content: &Content) -> serde_json::Value {
    let unmapped = content.unmapped.values.iter();
    let unmapped = unmapped.map(|of| json!({ "path": of.path, "value": of.value }));
    json!({
        "type": content.operation.as_str(),
        "content": content.body.to_json(),
        "customer": content.customer.as_ref().map(Party::to_json),
        "unmapped": unmapped.collect::<serde_json::Value>(),
        "unmapped_cut": content.unmapped.is_cut,
    })
}

/// The command line; none when it asks for help.
fn options(mut arguments: lexopt::Parser) -> Result<Option<Options>, Error> {
    let usage = |error: lexopt::Error| Error::Usage(error.to_string(), USAGE);
    let (mut out, mut files) = (None, Vec::new());
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("help") | Short('h') => return Ok(None),
            Long("out") => out = Some(arguments.value().map_err(usage)?.into()),
            Value(path) => files.push(path.into()),
            other => return Err(usage(other.unexpected())),
        }
    }
    if files.is_empty() {
        return Err(Error::Usage("a FILE is missing".to_owned(), USAGE));
    }
    let out = Out::new(out, "json", &files).map_err(|why| Error::Usage(why, USAGE))?;
    Ok(Some(Options { out, files }))
}
