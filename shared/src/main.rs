//! `access-point`: the command line beside the functions.

fn main() {}
