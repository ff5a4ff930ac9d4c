//! Our SMP. See [`access_point::functions::smp`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::smp()
}
