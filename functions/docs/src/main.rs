//! The documentation of the API. See [`access_point::functions::docs`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::docs()
}
