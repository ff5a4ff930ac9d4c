//! Documents as PDF. See [`access_point::functions::pdf`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::pdf()
}
