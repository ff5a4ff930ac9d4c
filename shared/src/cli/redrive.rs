//! `access-point redrive`: what a deployment has parked goes on its way again.

use crate::{
    environment::Environment,
    service::{Context, redrive},
    store::keys::Place,
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
  --kind KIND      document, event, delivery, message, answer, registration, application, filing,
                   monthly, archive, import, receipt or mail; all without it
";

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
                if !Place::KINDS.contains(&kind.as_str()) {
                    return Err(Error::Usage(
                        format!("--kind is one of {}", Place::KINDS.join(", ")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_item_that_can_be_parked_can_be_asked_for() {
        let told: Vec<_> = USAGE.split(|it: char| !it.is_alphabetic()).collect();
        for kind in Place::KINDS {
            let (asked, _) = wanted(lexopt::Parser::from_args(["--kind", kind])).unwrap().unwrap();
            assert_eq!(asked.kind.as_deref(), Some(*kind));
            assert!(told.contains(kind), "{kind} is not explained");
        }
        assert!(wanted(lexopt::Parser::from_args(["--kind", "documents"])).is_err());
    }
}
