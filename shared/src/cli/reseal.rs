//! `access-point reseal`: signing secrets and migration keys under the current sealing key.

use crate::service::reseal::{Resealed, reseal};

use super::{
    Error, block_on,
    common::{deployment, sealing_keys},
    complain, print,
};

/// Seal secrets under the current sealing key
///
/// Seals the signing secrets of all webhook endpoints, and the migration keys of registrations, under the current sealing
/// key. After that, earlier keys can be removed from the secret. Reads the whole table once. Run the command again if it was
/// interrupted: it skips secrets that the current key seals. Needs the environment of the webhook function:
/// TABLE_NAME, SEALING_KEY_SECRET_ARN and EGRESS.
///
/// Exit status: 0 done, 1 no key opens a secret, 2 wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Count only, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Continue at the place that an interrupted run printed
    #[arg(long, value_name = "PLACE")]
    from: Option<String>,
}

/// Seals again and prints the counts.
pub(super) fn run(Args { dry_run, from }: Args) -> Result<(), Error> {
    let total = block_on(all(from, dry_run))?;
    let done = if dry_run { "to be sealed again" } else { "sealed again" };
    let text = format!(
        "{} {done}, {} already under the current key, {} changed meanwhile, {} that no key opens\n",
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
    let deployment = deployment().await?;
    let (context, keys) = (deployment.context(), sealing_keys(&deployment).await?);
    let mut total = Resealed::default();
    loop {
        match reseal(&context, &keys, from.as_deref(), dry_run, &mut total).await {
            Ok(None) => return Ok(total),
            Ok(next) => from = next,
            Err(failure) => {
                if let Some(from) = from {
                    complain(&format!("access-point: continue with --from '{from}'\n"));
                }
                return Err(failure.into());
            }
        }
    }
}
