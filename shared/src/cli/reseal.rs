//! `access-point reseal`: signing secrets and migration keys under the current sealing key.

use crate::service::reseal::{Resealed, reseal};
use lexopt::prelude::*;

use super::{Error, block_on, complain, print, table_and_keys, text};

pub(super) const USAGE: &str = "\
access-point reseal [OPTION…]

Seals the signing secrets of all webhook endpoints, and the migration keys of registrations, under the
current sealing key, so that an earlier key can be taken out of the secret. Reads the whole table once. What is sealed under the current key
is left alone: run it again when it broke off. Needs the environment of the webhook function:
TABLE_NAME, SEALING_KEY_SECRET_ARN and EGRESS. Exit status 1 when a secret opens under no key.

  --dry-run      count, and write nothing
  --from PLACE   go on at the place that a run that broke off printed
";

/// Seals again and prints the counts.
pub(super) fn run(mut arguments: lexopt::Parser) -> Result<(), Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let (mut dry_run, mut from) = (false, None);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("dry-run") => dry_run = true,
            Long("from") => from = Some(text(&mut arguments).map_err(usage)?),
            Long("help") | Short('h') => return print(USAGE.as_bytes()),
            other => return Err(usage(other.unexpected())),
        }
    }
    let total = block_on(all(from, dry_run))?;
    let done = if dry_run { "to be sealed again" } else { "sealed again" };
    let text = format!(
        "{} {done}, {} under the current key before, {} changed meanwhile, {} that do not open\n",
        total.resealed,
        total.current,
        total.changed,
        total.failed.len()
    );
    print(text.as_bytes())?;
    for failed in &total.failed {
        complain(&format!("access-point: {failed}\n"));
    }
    if total.failed.is_empty() { Ok(()) } else { Err(Error::Refused) }
}

async fn all(mut from: Option<String>, dry_run: bool) -> Result<Resealed, Error> {
    let (context, keys) = table_and_keys().await?;
    let mut total = Resealed::default();
    loop {
        match reseal(&context, &keys, from.as_deref(), dry_run, &mut total).await {
            Ok(None) => return Ok(total),
            Ok(next) => from = next,
            Err(failure) => {
                if let Some(from) = from {
                    complain(&format!("access-point: go on with --from '{from}'\n"));
                }
                return Err(failure.into());
            }
        }
    }
}
