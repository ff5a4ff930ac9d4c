//! The stage `imports`. See [`access_point::functions::imports`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::imports()
}
