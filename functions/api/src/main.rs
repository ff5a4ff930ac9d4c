//! The HTTP API. See [`access_point::functions::api`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::api()
}
