//! Keeps the revocation lists current. See [`access_point::functions::trust_refresh`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::trust_refresh()
}
