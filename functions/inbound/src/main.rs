//! Receives AS4 messages of other access points. See [`access_point::functions::inbound`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::inbound()
}
