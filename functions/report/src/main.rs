//! The stage `report`. See [`access_point::lambda::report`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::report()
}
