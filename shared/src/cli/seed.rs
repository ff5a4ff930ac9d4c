//! `access-point seed`: demo data for a deployment, whose environment the command is given.

use crate::{access::PresentedKey, service::demo, types::Mode};
use lexopt::prelude::*;

use super::{Error, block_on, print, table_and_keys, text};

pub(super) const USAGE: &str = "\
access-point seed --webhook-url URL [OPTION…]

Makes demo data: an organization with a key of each mode, three Sandbox taxpayers and a webhook
endpoint; with --live-tin one of the businesses in Live, too, with a subscription. What an earlier run made is found again and not made twice, but keys are stored as hashes
alone: a run that is not given them makes new ones. Prints everything as JSON. Needs the
environment of the functions: TABLE_NAME, SEALING_KEY_SECRET_ARN and so on.

  --webhook-url URL           where webhooks of the Sandbox go
  --webhook-secret whsec_…    their signing secret; a new one without it
  --keys sandbox=KEY,live=KEY the keys of an earlier run
  --live-tin TIN              the business that is a taxpayer in Live, too
";

/// Makes the demo data and prints it.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(wish) = wish(arguments)? else { return print(USAGE.as_bytes()) };
    let demo = block_on(async {
        let (context, keys) = table_and_keys().await?;
        Ok(demo::make(&context, &keys, wish).await?)
    })?;
    let text = serde_json::to_string_pretty(&demo).map_err(|why| Error::failed("JSON", why))?;
    print(format!("{text}\n").as_bytes())
}

/// The command line; `None` when help was asked for.
fn wish(mut arguments: lexopt::Parser) -> Result<Option<demo::Wish>, Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let wrong = |message: &str| Error::Usage(message.to_owned(), USAGE);
    let mut wish = demo::Wish::default();
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("webhook-url") => wish.webhook_url = text(&mut arguments).map_err(usage)?,
            Long("webhook-secret") => {
                let secret = text(&mut arguments).map_err(usage)?.parse();
                wish.webhook_secret =
                    Some(secret.map_err(|why| Error::failed("--webhook-secret", why))?);
            }
            Long("keys") => {
                for pair in text(&mut arguments).map_err(usage)?.split(',') {
                    let (mode, key) =
                        pair.split_once('=').ok_or_else(|| wrong("--keys is MODE=KEY,MODE=KEY"))?;
                    let key = PresentedKey::parse(key);
                    let key = key.ok_or_else(|| wrong("--keys holds what is not a key"))?;
                    match (mode, key.mode()) {
                        ("sandbox", Mode::Sandbox) => wish.sandbox_key = Some(key),
                        ("live", Mode::Live) => wish.live_key = Some(key),
                        _ => return Err(wrong("--keys names a mode that the key does not have")),
                    }
                }
            }
            Long("live-tin") => wish.live_tin = Some(text(&mut arguments).map_err(usage)?),
            Long("help") | Short('h') => return Ok(None),
            other => return Err(usage(other.unexpected())),
        }
    }
    if wish.webhook_url.is_empty() {
        return Err(wrong("--webhook-url is missing"));
    }
    Ok(Some(wish))
}
