//! The stage `mail`. See [`access_point::lambda::mail`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::mail()
}
