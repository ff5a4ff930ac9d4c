//! `access-point openapi`: the OpenAPI document of the HTTP interface.

use super::{Error, print};
use crate::api::openapi;

/// Print the OpenAPI document of the HTTP interface
///
/// Prints OpenAPI 3.1, as it is committed in shared/openapi.json.
#[derive(clap::Args)]
pub(super) struct Args {}

/// Prints the document.
pub(super) fn run(Args {}: Args) -> Result<(), Error> {
    print(openapi::text().as_bytes())
}
