//! The stage `archives`. See [`access_point::functions::archives`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::archives()
}
