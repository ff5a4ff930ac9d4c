//! The stage `register`. See [`access_point::lambda::register`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::register()
}
