//! `access-point seed`: demo data for a deployment, whose environment the command is given.

use crate::{access::PresentedKey, service::demo, types::Mode};
use clap::builder::NonEmptyStringValueParser;

use super::{
    Error, block_on,
    common::{deployment, sealing_keys},
    print,
};

/// Create demo data in a deployment
///
/// Creates an organization with a key of each mode, three Sandbox taxpayers and a webhook endpoint. With --live-tin one of the
/// businesses is a taxpayer in Live, too, with a subscription. A later run finds the data of an earlier one and does not
/// create it twice. Only hashes of keys are stored: a run without --keys creates new keys. Prints everything as JSON. Needs
/// the environment of the functions: TABLE_NAME, SEALING_KEY_SECRET_ARN and so on.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Address of the Sandbox webhook endpoint
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    webhook_url: String,
    /// Signing secret of the webhooks, whsec_…; default: a new one
    #[arg(long, value_name = "SECRET")]
    webhook_secret: Option<String>,
    /// The keys of an earlier run
    #[arg(long, value_name = "sandbox=KEY,live=KEY", value_delimiter = ',')]
    keys: Vec<String>,
    /// The business that is a taxpayer in Live, too
    #[arg(long, value_name = "TIN")]
    live_tin: Option<String>,
}

/// Creates the demo data and prints it.
pub(super) fn run(args: Args) -> Result<(), Error> {
    let wish = wish(args)?;
    let demo = block_on(async {
        let deployment = deployment().await?;
        let keys = sealing_keys(&deployment).await?;
        Ok(demo::make(&deployment.context(), &keys, wish).await?)
    })?;
    let text = serde_json::to_string_pretty(&demo).map_err(|why| Error::failed("JSON", why))?;
    print(format!("{text}\n").as_bytes())
}

/// Reads the secrets here, since a message about a value that is none would quote it.
fn wish(args: Args) -> Result<demo::Wish, Error> {
    let wrong = |message: &str| Error::Usage(message.to_owned());
    let secret = args.webhook_secret.map(|secret| secret.parse()).transpose();
    let mut wish = demo::Wish {
        webhook_url: args.webhook_url,
        webhook_secret: secret.map_err(|why| Error::Usage(format!("--webhook-secret: {why}")))?,
        live_tin: args.live_tin,
        ..demo::Wish::default()
    };
    for pair in &args.keys {
        let (mode, key) =
            pair.split_once('=').ok_or_else(|| wrong("--keys must be MODE=KEY,MODE=KEY"))?;
        let key = PresentedKey::parse(key);
        let key = key.ok_or_else(|| wrong("--keys contains an invalid key"))?;
        match (mode, key.mode()) {
            ("sandbox", Mode::Sandbox) => wish.sandbox_key = Some(key),
            ("live", Mode::Live) => wish.live_key = Some(key),
            _ => return Err(wrong("--keys names another mode than the key has")),
        }
    }
    Ok(wish)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    #[test]
    fn a_secret_that_is_none_is_never_quoted() {
        for (option, value) in [
            ("--webhook-secret", "whsec_hidden"),
            ("--keys", "hidden"),
            ("--keys", "sandbox=hidden"),
            ("--keys", "-hidden"),
        ] {
            let args = read_line(&["--webhook-url", "https://x.example", option, value]);
            let Err(Error::Usage(said)) = wish(args.ok().unwrap()) else { panic!("{value}") };
            assert!(said.contains(option) && !said.contains("hidden"), "{said}");
        }
    }
}
