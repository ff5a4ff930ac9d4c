//! The relay. See [`access_point::functions::relay`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::relay()
}
