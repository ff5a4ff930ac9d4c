//! The commands of integrators: clients of the HTTP interface.

mod api;
mod completions;
mod credentials;
mod documents;
mod events;
mod forward;
mod import;
mod init;
mod listen;
mod login;
mod logout;
mod open;
mod sample;
mod send;
mod tail;
mod trigger;
mod whoami;

use serde_json::Value;

use super::{Error, print, table::aligned};

/// Where the commands find whom they act for; a part of their help.
const CREDENTIALS: &str = "\
The API key comes from the environment, or from a file of mode 600 that `access-point login` writes
($XDG_CONFIG_HOME/access-point/credentials.json, else ~/.config/…). The environment has priority:

  ACCESS_POINT_URL        address of the API, such as https://api.example.com
  ACCESS_POINT_API_KEY    pk_live_… or pk_test_…
  ACCESS_POINT_TAXPAYER   txpay_…, the taxpayer that the organization acts for

Exit status: 0 done, 1 refused, 2 wrong usage or credentials, 3 the service did not answer: try again.";

/// The commands of an integrator.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    Login(login::Args),
    Logout(logout::Args),
    Whoami(whoami::Args),
    Init(init::Args),
    Send(send::Args),
    Import(import::Args),
    Documents(documents::Args),
    Events(events::Args),
    Listen(listen::Args),
    Trigger(trigger::Args),
    Open(open::Args),
    Completions(completions::Args),
}

impl Command {
    /// Runs the command.
    pub(super) fn run(self) -> Result<(), Error> {
        match self {
            Command::Login(args) => login::run(args),
            Command::Logout(logout::Args {}) => logout::run(),
            Command::Whoami(args) => whoami::run(&args),
            Command::Init(args) => init::run(&args),
            Command::Send(args) => send::run(&args),
            Command::Import(args) => import::run(&args),
            Command::Documents(args) => documents::run(&args),
            Command::Events(args) => events::run(&args),
            Command::Listen(args) => listen::run(args),
            Command::Trigger(args) => trigger::run(&args),
            Command::Open(args) => open::run(&args),
            Command::Completions(args) => completions::run(args),
        }
    }
}

/// Shows a list: a table for people, a line of JSON each for programs.
fn show(json: bool, heading: &[&str], items: &[Value], columns: &[&str]) -> Result<(), Error> {
    if json {
        let lines: String = items.iter().map(|item| format!("{item}\n")).collect();
        return print(lines.as_bytes());
    }
    let heading = heading.iter().map(|cell| (*cell).to_owned()).collect();
    let row = |item: &Value| columns.iter().map(|name| cell(&item[*name])).collect();
    let lines: Vec<Vec<String>> = std::iter::once(heading).chain(items.iter().map(row)).collect();
    print(aligned(&lines).as_bytes())
}

/// A value as it is shown in a table. What could move the cursor of a terminal does not get there.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(value) => (if *value { "yes" } else { "no" }).to_owned(),
        other => other.to_string(),
    };
    plain(&text)
}

/// A text without control characters.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests;
