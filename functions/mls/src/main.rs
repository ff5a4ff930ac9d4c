//! Sends the Message Level Status owed for a received document. See [`access_point::functions::mls`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::mls()
}
