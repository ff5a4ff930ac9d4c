//! The stage `register`. See [`access_point::functions::register`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::register()
}
