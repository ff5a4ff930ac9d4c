//! The arguments and the output that commands of an operator share.

use serde::Serialize;

use super::{Error, one_of, print, table::aligned};
use crate::{
    config::ConfigError, environment::Environment, lambda::Deployment, service::Context,
    types::Mode, webhook::SealingKeys,
};

pub(super) use super::table::line;

// A comment, since help would show a doc comment in the place of the command's own.
// Where a command acts, before or after its action.
#[derive(clap::Args)]
pub(super) struct InMode {
    /// Live or Sandbox
    #[arg(long, global = true, default_value = Mode::Live.as_str(), value_parser = one_of(MODES, Mode::as_str))]
    pub(super) mode: Mode,
}

/// The words of `--mode`.
pub(super) const MODES: [Mode; 2] = [Mode::Live, Mode::Sandbox];

// Where a command acts and how it shows what it found, before or after its action.
#[derive(clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    place: InMode,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

impl Common {
    /// Live or Sandbox.
    pub(super) fn mode(&self) -> Mode {
        self.place.mode
    }

    /// Shows what was found: as JSON, or as lines whose columns stand under each other.
    pub(super) fn show(&self, json: &impl Serialize, lines: &[Vec<String>]) -> Result<(), Error> {
        let text = match self.json {
            true => {
                let text = serde_json::to_string_pretty(json);
                text.map_err(|why| Error::failed("JSON", why))? + "\n"
            }
            false => aligned(lines),
        };
        print(text.as_bytes())
    }
}

/// The deployment whose environment the command has.
pub(super) async fn deployment() -> Result<Deployment, Error> {
    Deployment::of(Environment::of_process()).await.map_err(environment)
}

/// The table of that deployment.
pub(super) async fn context() -> Result<Context, Error> {
    Ok(deployment().await?.context())
}

/// The same, with the bucket that items are retired to.
pub(super) async fn context_with_bucket() -> Result<Context, Error> {
    let deployment = deployment().await?;
    deployment.bucket().map_err(environment)?;
    Ok(deployment.context())
}

/// The sealing keys of a deployment.
pub(super) async fn sealing_keys(deployment: &Deployment) -> Result<SealingKeys, Error> {
    deployment.sealing_keys().await.map_err(|why| Error::failed("the sealing keys", why))
}

/// The environment lacks a variable, or has an invalid one.
pub(super) fn environment(why: ConfigError) -> Error {
    Error::failed("the environment", why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{key, read_line};

    #[test]
    fn mode_and_form_stand_before_or_after_the_action() {
        let org = ["--org", "org_1"];
        for words in
            [["list", "--mode", "sandbox", "--json"], ["--mode", "sandbox", "--json", "list"]]
        {
            let args: key::Args = read_line(&[&words[..], &org].concat()).ok().unwrap();
            assert_eq!((args.common.mode(), args.common.json), (Mode::Sandbox, true), "{words:?}");
        }
        let live: key::Args = read_line(&[&["list"], &org[..]].concat()).ok().unwrap();
        assert_eq!((live.common.mode(), live.common.json), (Mode::Live, false));
    }

    #[test]
    fn what_is_wrong_with_a_command_line_names_the_argument() {
        for (words, why) in [
            (&["list"][..], "--org"),
            (&["list", "--org", "7"], "an identifier of this kind starts with org_"),
            (&["list", "--org", "org_1", "--mode", "test"], "[possible values: live, sandbox]"),
            (&["list", "--org", "org_1", "--x", "1"], "--x"),
            (&["revoke", "key_1", "key_2", "--org", "org_1"], "key_2"),
            (&["create", "--org", "org_1"], "--label"),
            (&["repair", "--org", "org_1"], "repair"),
        ] {
            let said = read_line::<key::Args>(words).err().unwrap();
            assert!(said.contains(why), "{words:?}: {said}");
        }
    }
}
