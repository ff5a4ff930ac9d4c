//! The upkeep. See [`access_point::lambda::upkeep`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::upkeep()
}
