//! `access-point`: the command line beside the functions.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(lexopt::Parser::from_env())
}
