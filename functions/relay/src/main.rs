//! The relay. See [`access_point::lambda::relay`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::relay()
}
