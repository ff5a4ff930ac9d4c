//! `access-point redrive`: what a deployment has parked goes on its way again.

use crate::{service::redrive, store::keys::JobId, types::Mode};
use clap::builder::PossibleValuesParser;

use super::{
    Error, block_on,
    common::{MODES, context},
    one_of, print,
};

/// Retry parked items
///
/// Lists the items that were parked because they could not succeed, with the reason and the time. Releases them: the sweeper
/// claims them within a minute. An item that still cannot succeed is parked again. Needs the environment of the functions:
/// TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    /// List only, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Only items of this mode
    #[arg(long, value_parser = one_of(MODES, Mode::as_str))]
    mode: Option<Mode>,
    /// Only items of this kind
    #[arg(long, value_parser = PossibleValuesParser::new(JobId::KINDS))]
    kind: Option<String>,
}

/// Lists and redrives.
pub(super) fn run(Args { dry_run, mode, kind }: Args) -> Result<(), Error> {
    block_on(all(&redrive::ParkedFilter { mode, kind }, dry_run))
}

async fn all(wanted: &redrive::ParkedFilter, dry_run: bool) -> Result<(), Error> {
    let context = context().await?;
    let table = |why| Error::failed("the table", why);
    let parked = redrive::parked(&context, wanted).await.map_err(table)?;
    let mut redriven = 0;
    for (job_id, why) in &parked {
        print(format!("{job_id}\t{}\t{}\n", why.at, why.reason).as_bytes())?;
        if !dry_run && redrive::redrive(&context, job_id).await.map_err(table)? {
            redriven += 1;
        }
    }
    print(format!("{} parked, {redriven} released\n", parked.len()).as_bytes())
}
