//! Relays due items again. See [`access_point::lambda::sweeper`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::sweeper()
}
