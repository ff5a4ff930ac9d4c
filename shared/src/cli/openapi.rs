//! `access-point openapi`: the OpenAPI document of the HTTP interface.

use crate::api::openapi;
use lexopt::prelude::*;

use super::{Error, print};

pub(super) const USAGE: &str = "\
access-point openapi

Prints the OpenAPI 3.1 document of the HTTP interface, as it is committed in shared/openapi.json.
";

/// Prints the document.
pub(super) fn run(mut arguments: lexopt::Parser) -> Result<(), Error> {
    match arguments.next() {
        Ok(None) => print(openapi::text().as_bytes()),
        Ok(Some(Long("help") | Short('h'))) => print(USAGE.as_bytes()),
        Ok(Some(other)) => Err(Error::Usage(other.unexpected().to_string(), USAGE)),
        Err(error) => Err(Error::Usage(error.to_string(), USAGE)),
    }
}
