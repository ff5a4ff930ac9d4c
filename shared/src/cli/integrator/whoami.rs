//! `access-point whoami`: whom the commands act for.

use super::{
    CREDENTIALS, Error,
    api::Api,
    cell,
    credentials::{Credentials, credentials},
    print,
};
use crate::{
    cli::{block_on, table::aligned},
    environment::Environment,
};

/// Show whom the commands act for
///
/// Asks the service which organization and mode the API key belongs to. Shows the taxpayer that the commands name.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

/// Shows the organization, its mode, the taxpayer and the address.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let credentials = credentials(&Environment::of_process())?;
    let mut me = block_on(async { Ok(Api::new(&credentials)?.get("/me", &[]).await?) })?;
    let Credentials { url, taxpayer_id, .. } = &credentials;
    if args.json {
        me["url"] = url.as_str().into();
        me["taxpayer_id"] = taxpayer_id.as_deref().into();
        return print(format!("{me}\n").as_bytes());
    }
    let lines = [
        ["organization", &cell(&me["organization_name"])],
        ["organization_id", &cell(&me["organization_id"])],
        ["mode", &cell(&me["environment"])],
        ["taxpayer", taxpayer_id.as_deref().unwrap_or("-")],
        ["url", url],
    ];
    print(aligned(&lines.map(|line| line.map(str::to_owned).to_vec())).as_bytes())
}
