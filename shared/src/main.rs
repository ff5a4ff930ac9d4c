//! `access-point`: the command line beside the functions. See [`access_point::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    access_point::cli::run(std::env::args_os())
}
