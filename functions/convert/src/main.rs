//! The stage `convert`. See [`access_point::functions::convert`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::convert()
}
