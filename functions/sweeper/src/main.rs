//! Relays due items again. See [`access_point::functions::sweeper`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::sweeper()
}
