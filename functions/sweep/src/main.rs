//! The sweeper. See [`access_point::lambda::sweep`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::sweep()
}
