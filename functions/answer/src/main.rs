//! The stage `answer`. See [`access_point::lambda::answer`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::answer()
}
