//! The stage `mail`. See [`access_point::functions::mail`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::mail()
}
