//! OAuth, consent and onboarding. See [`access_point::functions::oauth`].

use access_point::functions::{self, Error};

fn main() -> Result<(), Error> {
    functions::oauth()
}
