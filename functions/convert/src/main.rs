//! The stage `convert`. See [`access_point::lambda::convert`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::convert()
}
