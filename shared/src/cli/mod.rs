//! The commands of `access-point`, one file each. A command's `Args` declare its command line. Their doc comments are its
//! help. The commands are part of the crate, and not of the program, for the same reason as the functions (see
//! [`functions`](crate::functions)).

#[cfg(feature = "service")]
mod client;
#[cfg(feature = "service")]
mod common;
mod content;
mod convert;
#[cfg(feature = "service")]
mod cost;
#[cfg(feature = "service")]
mod grant;
#[cfg(feature = "client")]
mod integrator;
#[cfg(feature = "service")]
mod key;
mod kind;
#[cfg(feature = "service")]
mod member;
#[cfg(feature = "service")]
mod mls_sla;
#[cfg(feature = "service")]
mod openapi;
#[cfg(feature = "service")]
mod operate;
#[cfg(feature = "service")]
mod org;
mod out;
#[cfg(feature = "service")]
mod peppol_report;
#[cfg(feature = "service")]
mod redrive;
#[cfg(feature = "service")]
mod register;
#[cfg(feature = "service")]
mod render;
#[cfg(feature = "service")]
mod reseal;
#[cfg(feature = "service")]
mod restore;
#[cfg(feature = "service")]
mod resubmit;
mod rules_drift;
#[cfg(feature = "service")]
mod seed;
#[cfg(feature = "service")]
mod serve;
#[cfg(feature = "service")]
mod smp_register;
#[cfg(feature = "service")]
mod subscription;
#[cfg(feature = "client")]
mod table;
mod taxdata;
#[cfg(feature = "service")]
mod taxpayer;
mod validate;

use std::{
    ffi::OsString,
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};

#[cfg(feature = "service")]
use crate::error::Failure;

/// Commands of a UAE e-invoicing access point.
#[derive(Parser)]
#[command(
    name = "access-point",
    bin_name = "access-point",
    version,
    args_override_self = true,
    after_help = "Commands of an integrator, with an API key: login, logout, whoami, init, send, import, documents, events,
listen, trigger, open.
Commands that operate a deployment take its environment. All others need neither."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "client")]
    #[command(flatten)]
    Integrator(integrator::Command),
    Content(content::Args),
    Convert(convert::Args),
    RulesDrift(rules_drift::Args),
    Taxdata(taxdata::Args),
    Validate(validate::Args),
    #[cfg(feature = "service")]
    #[command(flatten)]
    Operate(operate::Command),
}

impl Command {
    fn run(self) -> Result<(), Error> {
        match self {
            #[cfg(feature = "client")]
            Command::Integrator(command) => command.run(),
            Command::Content(args) => content::run(args),
            Command::Convert(args) => convert::run(args),
            Command::RulesDrift(args) => rules_drift::run(&args),
            Command::Taxdata(args) => taxdata::run(&args),
            Command::Validate(args) => validate::run(&args),
            #[cfg(feature = "service")]
            Command::Operate(command) => command.run(),
        }
    }
}

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line is wrong, in what its declaration cannot say: exit status 2, with the command's usage.
    Usage(String),
    /// The work was done and its result is negative, already reported: exit status 1.
    Refused,
    /// Something else went wrong: exit status 1.
    Failed(String),
    /// What is to be validated, or whom a command acts for, cannot be read: exit status 2.
    Unreadable(String),
    /// A service did not answer, or said to come again: exit status 3.
    #[cfg(feature = "client")]
    Away(String),
}

impl Error {
    /// What cannot be read, written or understood, and why.
    pub(crate) fn failed(what: impl fmt::Display, why: impl fmt::Display) -> Self {
        Error::Failed(format!("{what}: {why}"))
    }
}

#[cfg(feature = "service")]
impl From<Failure> for Error {
    fn from(Failure { message, findings, source, .. }: Failure) -> Self {
        let lines =
            findings.iter().map(|it| format!("\n{}: {} ({})", it.pointer, it.message, it.rule));
        let message = message + &lines.collect::<String>();
        match source {
            Some(source) => Error::failed(message, source),
            None => Error::Failed(message),
        }
    }
}

#[cfg(feature = "client")]
impl From<io::Error> for Error {
    fn from(why: io::Error) -> Self {
        Error::failed("the runtime", why)
    }
}

/// Runs the command that the arguments name. The first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut declared = declared(CommandLine::command());
    let read = declared.try_get_matches_from_mut(arguments);
    let read = read.and_then(|found| Ok((CommandLine::from_arg_matches(&found)?, found)));
    let (line, found) = match read {
        Ok(read) => read,
        Err(answer) => return show(&answer),
    };
    match line.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Refused) => ExitCode::from(1),
        Err(Error::Failed(message)) => fail(&message, 1),
        Err(Error::Unreadable(message)) => fail(&message, 2),
        #[cfg(feature = "client")]
        Err(Error::Away(message)) => fail(&message, 3),
        Err(Error::Usage(message)) => {
            let (mut command, mut found) = (&declared, &found);
            while let Some((name, below)) = found.subcommand()
                && let Some(named) = command.find_subcommand(name)
            {
                (command, found) = (named, below);
            }
            show(&command.clone().error(ErrorKind::ValueValidation, message))
        }
    }
}

/// Ends with a message on standard error and this exit status.
fn fail(message: &str, status: u8) -> ExitCode {
    complain(&format!("access-point: {message}\n"));
    ExitCode::from(status)
}

/// Shows help on standard output, or what is wrong with a command line on standard error.
fn show(answer: &clap::Error) -> ExitCode {
    // When even that fails there is nobody left to tell.
    let _ = answer.print();
    ExitCode::from(if answer.use_stderr() { 2 } else { 0 })
}

/// A command whose options take what follows them as their value, even if it starts with a hyphen: a migration key may.
fn declared(command: clap::Command) -> clap::Command {
    let takes_any = |arg: clap::Arg| match arg.is_positional() || !arg.get_action().takes_values() {
        true => arg,
        false => arg.allow_hyphen_values(true),
    };
    command.mut_args(takes_any).mut_subcommands(declared)
}

/// Reads the word of one of these values.
fn one_of<T: Copy + Send + Sync + 'static>(
    values: impl IntoIterator<Item = T>,
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<T> = values.into_iter().collect();
    let words = PossibleValuesParser::new(values.iter().map(|value| word(*value)));
    words.try_map(move |given| {
        values.iter().copied().find(|value| word(*value) == given).ok_or("an unknown word")
    })
}

/// Does what needs the network.
#[cfg(feature = "client")]
fn block_on<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Writes to standard output. A reader that went away early, such as `head`, is no failure.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed("standard output", error))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error. When even that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// What a command is given by a command line, or why it is wrong.
#[cfg(test)]
fn read_line<T: clap::Args>(arguments: &[&str]) -> Result<T, String> {
    let command = declared(T::augment_args(clap::Command::new("x")));
    let found = command.no_binary_name(true).try_get_matches_from(arguments);
    found.and_then(|found| T::from_arg_matches(&found)).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said about a command line that is not run.
    fn said(arguments: &[&str]) -> clap::Error {
        let line = ["access-point"].iter().chain(arguments);
        declared(CommandLine::command()).try_get_matches_from(line).unwrap_err()
    }

    #[test]
    fn the_command_line_is_declared_without_contradictions() {
        declared(CommandLine::command()).debug_assert();
    }

    #[test]
    fn every_command_explains_itself() {
        fn explained(command: &clap::Command, path: &str) {
            assert!(command.get_about().is_some(), "{path}");
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{path} {}", argument.get_id());
            }
            for below in command.get_subcommands() {
                explained(below, &format!("{path} {}", below.get_name()));
            }
        }
        explained(&CommandLine::command(), "access-point");
    }

    #[test]
    fn help_is_an_answer_and_a_wrong_command_line_is_not() {
        for help in [
            &["--help"][..],
            &["-h"],
            &["help"],
            &["help", "validate"],
            &["--version"],
            &["validate", "--help"],
            &["convert", "x", "-h"],
        ] {
            let said = said(help);
            assert!(!said.use_stderr() && said.exit_code() == 0, "{help:?}");
        }
        for wrong in
            [&[][..], &["help", "validat"], &["validat"], &["taxdata"], &["validate", "--new"]]
        {
            let said = said(wrong);
            assert!(said.use_stderr() && said.exit_code() == 2, "{wrong:?}");
        }
    }

    #[test]
    fn a_word_that_is_almost_a_command_is_answered_with_the_command() {
        for (wrong, meant) in [(&["sned"][..], "'send'"), (&["documents", "--numbr"], "'--number'")]
        {
            let said = said(wrong).to_string();
            assert!(said.contains(meant), "{said}");
        }
    }
}
