//! Validates received documents. See [`access_point::lambda::validate_inbound`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::validate_inbound()
}
