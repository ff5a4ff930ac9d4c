//! Delivers events to webhook endpoints. See [`access_point::lambda::deliver`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::deliver()
}
