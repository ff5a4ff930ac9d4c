//! `access-point redrive`: what a deployment has parked goes on its way again.

use crate::{
    environment::Environment,
    service::{Context, redrive},
    types::Mode,
};
use lexopt::prelude::*;

use super::{Error, block_on, print, text};

pub(super) const USAGE: &str = "\
access-point redrive [OPTION…]

Lists what was parked because it could not succeed, with the reason and the time, and puts it on
its way again: the sweeper takes it up within a minute. What still cannot succeed is parked again.
Needs the environment of the functions: TABLE_NAME, and access to the table.

  --dry-run        lists and changes nothing
  --mode MODE      live or sandbox; both without it
  --kind KIND      document, event, delivery, message, answer, registration, application, filing or
                   monthly; all without it
";

/// The kinds that can be asked for.
const KINDS: [&str; 9] = [
    "document",
    "event",
    "delivery",
    "message",
    "answer",
    "registration",
    "application",
    "filing",
    "monthly",
];

/// Lists and redrives.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some((wanted, dry_run)) = wanted(arguments)? else { return print(USAGE.as_bytes()) };
    block_on(all(&wanted, dry_run))
}

async fn all(wanted: &redrive::Wanted, dry_run: bool) -> Result<(), Error> {
    let context = Context::start(&Environment::of_process())
        .await
        .map_err(|why| Error::failed("the environment", why))?;
    let table = |why| Error::failed("the table", why);
    let parked = redrive::parked(&context, wanted).await.map_err(table)?;
    let mut redriven = 0;
    for (place, why) in &parked {
        print(format!("{place}\t{}\t{}\n", why.at, why.reason).as_bytes())?;
        if !dry_run && redrive::redrive(&context, place).await.map_err(table)? {
            redriven += 1;
        }
    }
    print(format!("{} parked, {redriven} on their way again\n", parked.len()).as_bytes())
}

/// The command line; `None` when help was asked for.
fn wanted(mut arguments: lexopt::Parser) -> Result<Option<(redrive::Wanted, bool)>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let (mut wanted, mut dry_run) = (redrive::Wanted::default(), false);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("dry-run") => dry_run = true,
            Long("mode") => {
                wanted.mode = Some(match text(&mut arguments).map_err(usage)?.as_str() {
                    "live" => Mode::Live,
                    "sandbox" => Mode::Sandbox,
                    _ => return Err(Error::Usage("--mode is live or sandbox".into(), USAGE)),
                });
            }
            Long("kind") => {
                let kind = text(&mut arguments).map_err(usage)?;
                if !KINDS.contains(&kind.as_str()) {
                    return Err(Error::Usage(
                        format!("--kind is one of {}", KINDS.join(", ")),
                        USAGE,
                    ));
                }
                wanted.kind = Some(kind);
            }
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    Ok(Some((wanted, dry_run)))
}
