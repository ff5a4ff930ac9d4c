//! The events of the billing provider. See [`access_point::functions::billing`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::billing()
}
