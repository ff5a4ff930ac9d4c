//! Sends the Message Level Status owed for a received document. See [`access_point::lambda::mls`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::mls()
}
