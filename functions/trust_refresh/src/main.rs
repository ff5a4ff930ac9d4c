//! Keeps the revocation lists current. See [`access_point::lambda::trust_refresh`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::trust_refresh()
}
