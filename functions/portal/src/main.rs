//! The portal of organizations. See [`access_point::functions::portal`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::portal()
}
