//! The stage `dispatch`. See [`access_point::functions::dispatch`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::dispatch()
}
