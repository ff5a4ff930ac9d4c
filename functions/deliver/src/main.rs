//! Delivers events to webhook endpoints. See [`access_point::functions::deliver`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::deliver()
}
