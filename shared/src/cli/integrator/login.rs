//! `access-point login`: the file of credentials.

use std::io::{self, IsTerminal};

use super::{
    CREDENTIALS, Error,
    api::Api,
    cell,
    credentials::{Credentials, Kept, keep, kept},
    print,
};
use crate::{cli::block_on, environment::Environment};

/// Save an API key to the credentials file
///
/// Asks for an API key on a terminal, or reads it from standard input. Asks the service which organization it belongs to,
/// and writes it to a file that nobody else can read.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Address of the API
    #[arg(long)]
    url: String,
    /// The taxpayer that the organization acts for by default, txpay_…
    #[arg(long, value_name = "ID")]
    taxpayer: Option<String>,
}

/// The API key: asked for on a terminal, which does not show it; otherwise a line of standard input.
fn api_key() -> Result<String, Error> {
    let failed = |why| Error::failed("standard input", why);
    let line = match io::stdin().is_terminal() {
        true => rpassword::prompt_password("API key (it is not shown): ").map_err(failed)?,
        false => {
            let mut line = String::new();
            io::stdin().read_line(&mut line).map_err(failed)?;
            line
        }
    };
    let key = line.trim();
    if ["pk_live_", "pk_test_"].iter().any(|prefix| key.starts_with(prefix)) {
        return Ok(key.to_owned());
    }
    let why = "this is no API key: a key starts with pk_live_ or pk_test_";
    Err(Error::Unreadable(why.to_owned()))
}

/// Writes the file once the key has proven to work.
pub(super) fn run(args: Args) -> Result<(), Error> {
    let api_key = api_key()?;
    let environment = Environment::of_process();
    let credentials = Credentials { url: args.url, api_key, taxpayer_id: args.taxpayer };
    let me = block_on(async { Ok(Api::new(&credentials)?.get("/me", &[]).await?) })?;
    let Credentials { url, api_key, taxpayer_id } = credentials;
    // A file that cannot be read is replaced all the same.
    let listen_secret = kept(&environment).ok().flatten().and_then(|kept| kept.listen_secret);
    let new = Kept { url: Some(url), api_key: Some(api_key), taxpayer_id, listen_secret };
    let path = keep(&environment, &new)?;
    let (name, mode) = (cell(&me["organization_name"]), cell(&me["environment"]));
    print(format!("{name}, {mode}: saved in {}\n", path.display()).as_bytes())
}
