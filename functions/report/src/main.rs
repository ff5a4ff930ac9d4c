//! The stage `report`. See [`access_point::functions::report`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::report()
}
