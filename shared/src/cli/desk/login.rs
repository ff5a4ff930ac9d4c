//! `access-point login`: the file of credentials.

use std::io;

use super::{
    Error, Given,
    api::Api,
    cell,
    credentials::{Credentials, Kept, keep, kept},
    credentials_usage, print,
};
use crate::{cli::block_on, environment::Environment};

pub(in crate::cli) const USAGE: &str = concat!(
    "\
access-point login --url URL [--taxpayer txpay_…]

Reads an API key from standard input, asks the service whose it is, and writes it into a file that nobody else can read.

  --url URL          address of the API
  --taxpayer ID      for whom the organization acts, unless something else is said
",
    credentials_usage!()
);

/// Writes the file once the key has proven to work.
pub(in crate::cli) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["url", "taxpayer"], &[], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    given.at_most(0)?;
    let url = given.option("url").ok_or_else(|| given.wrong("--url is missing"))?.to_owned();
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(|why| Error::failed("standard input", why))?;
    let api_key = line.trim().to_owned();
    if !["pk_live_", "pk_test_"].iter().any(|prefix| api_key.starts_with(prefix)) {
        let why = "standard input has no API key: it starts with pk_live_ or pk_test_";
        return Err(Error::Unreadable(why.to_owned()));
    }
    let environment = Environment::of_process();
    let taxpayer_id = given.option("taxpayer").map(str::to_owned);
    let credentials = Credentials { url, api_key, taxpayer_id };
    let me = block_on(async { Ok(Api::new(&credentials)?.get("/me", &[]).await?) })?;
    let Credentials { url, api_key, taxpayer_id } = credentials;
    // A file that cannot be read is replaced all the same.
    let listen_secret = kept(&environment).ok().flatten().and_then(|kept| kept.listen_secret);
    let new = Kept { url: Some(url), api_key: Some(api_key), taxpayer_id, listen_secret };
    let path = keep(&environment, &new)?;
    let (name, mode) = (cell(&me["organization_name"]), cell(&me["environment"]));
    print(format!("{name}, {mode}: kept in {}\n", path.display()).as_bytes())
}
