//! `access-point logout`: the end of the credentials file.

use std::{fs, io::ErrorKind};

use super::{Error, credentials::place, print};
use crate::environment::Environment;

/// Delete the credentials file
///
/// Deletes the API key on this machine. The key itself stays active: revoke it in the portal, at Developer, API keys.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {}

/// Deletes the file, if it is there.
pub(super) fn run() -> Result<(), Error> {
    let Some(path) = place(&Environment::of_process()) else {
        return print(b"There are no credentials: neither XDG_CONFIG_HOME nor HOME is set\n");
    };
    let path_shown = path.display();
    match fs::remove_file(&path) {
        Ok(()) => print(format!("Deleted {path_shown}\n").as_bytes()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            print(format!("There is no {path_shown}\n").as_bytes())
        }
        Err(error) => Err(Error::failed(path_shown, error)),
    }
}
