//! Validates received documents. See [`access_point::functions::validate_inbound`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::validate_inbound()
}
