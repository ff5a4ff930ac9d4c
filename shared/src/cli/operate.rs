//! What the commands have in common by which a deployment is operated: where they act, and how they show what they
//! found.

use serde::Serialize;

use crate::{environment::Environment, service::Context, types::Mode};

pub(super) use super::table::line;
use super::{
    Error, client, grant, key, member, mls_sla, one_of, openapi, org, peppol_report, print,
    redrive, refile, register, render, reseal, seed, serve, smp_register, subscription,
    table::aligned, taxpayer,
};

/// The commands of an operator, and those that need what the service needs.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    Client(client::Args),
    Grant(grant::Args),
    Key(key::Args),
    Member(member::Args),
    MlsSla(mls_sla::Args),
    Openapi(openapi::Args),
    Org(org::Args),
    PeppolReport(peppol_report::Args),
    Redrive(redrive::Args),
    Refile(refile::Args),
    Register(register::Args),
    Render(render::Args),
    Reseal(reseal::Args),
    Seed(seed::Args),
    Serve(serve::Args),
    SmpRegister(smp_register::Args),
    Subscription(subscription::Args),
    Taxpayer(taxpayer::Args),
}

impl Command {
    /// Runs the command.
    pub(super) fn run(self) -> Result<(), Error> {
        match self {
            Command::Client(args) => client::run(args),
            Command::Grant(args) => grant::run(args),
            Command::Key(args) => key::run(args),
            Command::Member(args) => member::run(args),
            Command::MlsSla(args) => mls_sla::run(args),
            Command::Openapi(args) => openapi::run(args),
            Command::Org(args) => org::run(args),
            Command::PeppolReport(args) => peppol_report::run(args),
            Command::Redrive(args) => redrive::run(args),
            Command::Refile(args) => refile::run(args),
            Command::Register(args) => register::run(args),
            Command::Render(args) => render::run(&args),
            Command::Reseal(args) => reseal::run(args),
            Command::Seed(args) => seed::run(args),
            Command::Serve(args) => serve::run(args),
            Command::SmpRegister(args) => smp_register::run(args),
            Command::Subscription(args) => subscription::run(args),
            Command::Taxpayer(args) => taxpayer::run(args),
        }
    }
}

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

/// The table of the deployment whose environment the command has.
pub(super) async fn context() -> Result<Context, Error> {
    let context = Context::start(&Environment::of_process()).await;
    context.map_err(|why| Error::failed("the environment", why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

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
            (&["mend", "--org", "org_1"], "mend"),
        ] {
            let said = read_line::<key::Args>(words).err().unwrap();
            assert!(said.contains(why), "{words:?}: {said}");
        }
    }
}
