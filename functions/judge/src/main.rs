//! The stage `judge`. See [`access_point::lambda::judge`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::judge()
}
