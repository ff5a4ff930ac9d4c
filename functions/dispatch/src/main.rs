//! The stage `dispatch`. See [`access_point::lambda::dispatch`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::dispatch()
}
