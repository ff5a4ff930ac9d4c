//! Webhook delivery. See [`access_point::lambda::webhook`].

use access_point::lambda::{self, Error};

fn main() -> Result<(), Error> {
    lambda::webhook()
}
